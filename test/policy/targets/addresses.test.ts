import { noHandRegisteredIpTargets } from "../../../policy/rules/targets/no-hand-registered-ip-targets";
import { checkResource, exempt, unknown } from "../../support/policy";
import { ok } from "../../support/verdicts";
import { arn } from "./setup";

describe("no-hand-registered-ip-targets", () => {
  const check = (type: string, props: Record<string, unknown>, config?: object) =>
    checkResource(noHandRegisteredIpTargets, { type, name: "r", props }, config);

  // Tokens: alarms.md 5a tier 1; aliases from the constructors of @pulumi/aws 7.48.0 and @pulumi/kubernetes 4.34.2; custom resources from
  // the CRDs of elbv2-controller, provider-upjet-aws and provider-aws. Each row puts the value where that type has its target.
  const slots: [string, (target: unknown) => Record<string, unknown>][] = [
    ["aws:lb/targetGroupAttachment:TargetGroupAttachment", (t) => ({ targetGroupArn: arn, targetId: t })],
    ["aws:elasticloadbalancingv2/targetGroupAttachment:TargetGroupAttachment", (t) => ({ targetId: t })],
    ["aws:alb/targetGroupAttachment:TargetGroupAttachment", (t) => ({ targetGroupArn: arn, targetId: t })],
    ["aws:applicationloadbalancing/targetGroupAttachment:TargetGroupAttachment", (t) => ({ targetId: t })],
    ["awsx:lb:TargetGroupAttachment", (t) => ({ targetGroupArn: arn, instanceId: t })],
    ["aws-native:elasticloadbalancingv2:TargetGroup", (t) => ({ targets: [{ id: "i-0a" }, { id: t }] })],
    ["aws:vpclattice/targetGroupAttachment:TargetGroupAttachment", (t) => ({ target: { id: t, port: 80 } })],
    ["aws-native:vpclattice:TargetGroup", (t) => ({ type: "IP", targets: [{ id: t }] })],
    ["kubernetes:core/v1:Endpoints", (t) => ({ subsets: [{ addresses: [{ ip: t }] }] })],
    ["kubernetes:core/v1:EndpointsPatch", (t) => ({ subsets: [{ notReadyAddresses: [{ ip: t }] }] })],
    ["kubernetes:core/v1:EndpointsList", (t) => ({ items: [{}, { subsets: [{ addresses: [{ ip: t }] }] }] })],
    ["kubernetes:v1:Endpoints", (t) => ({ subsets: [{}, { addresses: [{ ip: t }] }] })],
    ["kubernetes:discovery.k8s.io/v1:EndpointSlice", (t) => ({ endpoints: [{ addresses: [t] }] })],
    ["kubernetes:discovery.k8s.io/v1:EndpointSlicePatch", (t) => ({ endpoints: [{ addresses: [t] }] })],
    ["kubernetes:discovery.k8s.io/v1:EndpointSliceList", (t) => ({ items: [{ endpoints: [{ addresses: [t] }] }] })],
    ["kubernetes:discovery.k8s.io/v1beta1:EndpointSlice", (t) => ({ endpoints: [{ addresses: [t] }] })],
    ["kubernetes:discovery.k8s.io/v1beta1:EndpointSlicePatch", (t) => ({ endpoints: [{ addresses: [t] }] })],
    [
      "kubernetes:discovery.k8s.io/v1beta1:EndpointSliceList",
      (t) => ({ items: [{ endpoints: [{ addresses: [t] }] }] }),
    ],
    [
      "kubernetes:v1:List",
      (t) => ({ items: [{ apiVersion: "v1", kind: "Endpoints", subsets: [{ addresses: [{ ip: t }] }] }] }),
    ],
    [
      "kubernetes:core/v1:ConfigMap",
      (t) => ({ apiVersion: "v1", kind: "Endpoints", subsets: [{ addresses: [{ ip: t }] }] }),
    ],
    ["kubernetes:elbv2.services.k8s.aws/v1alpha1:TargetGroup", (t) => ({ spec: { targets: [{ id: t }] } })],
    [
      "kubernetes:vpclattice.m.aws.upbound.io/v1beta1:TargetGroupAttachment",
      (t) => ({ spec: { forProvider: { target: { id: t } } } }),
    ],
    ["aws:index/lbTargetGroupAttachment:LbTargetGroupAttachment", (t) => ({ targetGroupArn: arn, targetId: t })],
    ["aws:index/vpclatticeTargetGroupAttachment:VpclatticeTargetGroupAttachment", (t) => ({ target: { id: t } })],
    [
      "awscc:index/elasticloadbalancingv2TargetGroup:Elasticloadbalancingv2TargetGroup",
      (t) => ({ targets: [{ id: t }] }),
    ],
    ["shop:tf:aws_lb_target_group_attachment", (t) => ({ target_group_arn: arn, target_id: t })],
    ["acme:lb:TargetGroupAttachment", (t) => ({ ips: [t] })],
    [
      "kubernetes:elbv2.aws.upbound.io/v1beta1:LBTargetGroupAttachment",
      (t) => ({ spec: { forProvider: { targetId: t } } }),
    ],
    [
      "kubernetes:elbv2.aws.m.upbound.io/v1beta1:LBTargetGroupAttachment",
      (t) => ({ spec: { initProvider: { targetId: t } } }),
    ],
    [
      "kubernetes:elbv2.aws.crossplane.io/v1alpha1:Target",
      (t) => ({ metadata: { annotations: { "crossplane.io/external-name": t } }, spec: { forProvider: {} } }),
    ],
  ];

  test.each(slots)("%s: an address is refused, an instance id isn't", (type, slot) => {
    expect(check(type, slot("i-0123456789abcdef0"))).toEqual(ok);
    for (const address of ["10.0.1.17", "2600:1f18::17"]) {
      const { violations, undecided } = check(type, slot(address));
      expect(violations).toHaveLength(1);
      expect(violations[0]!.message).toContain(`registers the IP address ${address} by hand`);
      expect(undecided).toBeUndefined();
    }
  });

  test.each(slots)("%s: an address that isn't known yet is advisory, or a violation if configured so", (type, slot) => {
    expect(check(type, slot(unknown))).toMatchObject({
      violations: [],
      undecided: expect.stringContaining("can't be known"),
    });
    const strict = check(type, slot(unknown), { unknownValues: "violation" });
    expect(strict.violations).toHaveLength(1);
    expect(strict.undecided).toBeUndefined();
  });

  const attachment = "aws:lb/targetGroupAttachment:TargetGroupAttachment";

  test("ARNs of functions and load balancers are fine, other types aren't its business", () => {
    expect(check(attachment, { targetId: "arn:aws:lambda:eu-west-1:123456789012:function:f" })).toEqual(ok);
    expect(
      check("kubernetes:discovery.k8s.io/v1:EndpointSlice", {
        addressType: "FQDN",
        endpoints: [{ addresses: ["db.example.com"] }],
      }),
    ).toEqual(ok);
    expect(check("aws:s3/bucket:Bucket", { targetId: "10.0.1.17" }).notApplicable).toBe(true);
    expect(check("__proto__", { targetId: "10.0.1.17" }).notApplicable).toBe(true);
    expect(check("aws:rds/proxyDefaultTargetGroup:ProxyDefaultTargetGroup", { name: "10.0.1.17" })).toEqual(ok);
  });

  // However it is written: inet_aton's octal, hexadecimal and short forms, a port, a prefix length, a zone, a number, a list.
  test.each([
    [" 10.0.1.17\n", "the IP address 10.0.1.17"],
    ["10.0.1.17:8080", "the IP address 10.0.1.17"],
    ["10.0.1.17/32", "the IP address 10.0.1.17"],
    ["[2600:1f18::17]:8080", "the IP address 2600:1f18::17"],
    ["fe80::1%eth0", "the IP address fe80::1"],
    ["::ffff:10.0.1.17", "the IP address ::ffff:10.0.1.17"],
    ["012.0.01.021", "the IP address 012.0.01.021"],
    ["0xa.0x0.0x1.0x11", "the IP address 0xa.0x0.0x1.0x11"],
    [["i-0a", "10.0.1.17"], "the IP address 10.0.1.17"],
    [[["10.0.1.17"]], "the IP address 10.0.1.17"],
    ["10.273", "is neither an instance id"],
    [167772433, "is neither an instance id"],
    ["ip-10-0-1-17.eu-west-1.compute.internal", "is neither an instance id"],
    ["10。0。1。17", "is neither an instance id"],
  ])("%j is an address", (targetId, said) => {
    const { violations } = check(attachment, { targetGroupArn: arn, targetId });
    expect(violations.map((v) => v.message)).toEqual([expect.stringContaining(said)]);
  });

  test("what is no address isn't printed: it may be a secret in the wrong place", () => {
    expect(check(attachment, { targetId: "hush-hush-9" }).violations[0]!.message).not.toContain("hush");
  });

  test("endpoints may be names, which nobody registers, but not addresses with leading zeros, which Kubernetes takes", () => {
    const endpoints = (ip: string) => check("kubernetes:core/v1:Endpoints", { subsets: [{ addresses: [{ ip }] }] });
    expect(endpoints("010.000.001.017").violations).toHaveLength(1);
    expect(endpoints("web-0")).toEqual(ok);
  });

  test("an unknown in a list matters where the list is one of endpoints, or says nothing of itself", () => {
    expect(check("kubernetes:v1:List", { items: unknown }).undecided).toContain("items");
    expect(check("kubernetes:core/v1:ConfigMapList", { items: unknown })).toEqual(ok);
  });

  test("says where the address is and what to write instead", () => {
    const found = check("aws-native:elasticloadbalancingv2:TargetGroup", {
      targets: [{ id: "i-0a" }, { id: "10.0.1.17" }],
    });
    expect(found.violations[0]!.message).toMatch(
      /^targets\[1\]\.id registers the IP address 10\.0\.1\.17.*TargetGroupBinding/,
    );
    const endpoints = check("kubernetes:core/v1:Endpoints", { subsets: [{ addresses: [{ ip: "10.0.1.17" }] }] });
    expect(endpoints.violations[0]!.message).toMatch(/^subsets\[0\]\.addresses\[0\]\.ip .*selector/);
  });

  test("an unknown among the targets doesn't hide the address beside it", () => {
    const found = check("aws-native:elasticloadbalancingv2:TargetGroup", {
      targets: [{ id: unknown }, { id: "10.0.1.17" }],
    });
    expect(found.violations).toHaveLength(1);
    expect(found.undecided).toContain("targets.0.id");
  });

  test("a list of targets that is unknown as a whole is advisory", () => {
    expect(check("aws-native:elasticloadbalancingv2:TargetGroup", { targets: unknown }).undecided).toContain("targets");
    expect(check("kubernetes:core/v1:EndpointsList", { items: [unknown] }).undecided).toContain("items");
  });

  test("allowTargetGroupArns exempts the groups it names, with wildcards", () => {
    const props = { targetGroupArn: arn, targetId: "10.0.1.17" };
    expect(check(attachment, props, { allowTargetGroupArns: [arn] })).toEqual(ok);
    expect(check(attachment, props, { allowTargetGroupArns: ["arn:aws:*:targetgroup/web/*"] })).toEqual(ok);
    expect(check(attachment, props, { allowTargetGroupArns: ["arn:aws:*:targetgroup/we/*"] }).violations).toHaveLength(
      1,
    );
  });

  test("a group whose ARN isn't known yet may be an allowed one: advisory, but only where any is allowed", () => {
    const props = { targetGroupArn: unknown, targetId: "10.0.1.17" };
    expect(check(attachment, props).violations).toHaveLength(1);
    expect(check(attachment, props, { allowTargetGroupArns: ["arn:*"] })).toMatchObject({
      violations: [],
      undecided: expect.stringContaining("targetGroupArn"),
    });
    expect(
      check(attachment, props, { allowTargetGroupArns: ["arn:*"], unknownValues: "violation" }).violations,
    ).toHaveLength(1);
  });

  test("allowedNamespaces exempts endpoints, item by item in a list, and nothing else", () => {
    const inNamespace = (namespace: string | undefined) => ({
      metadata: { namespace },
      endpoints: [{ addresses: ["10.0.1.17"] }],
    });
    const slice = "kubernetes:discovery.k8s.io/v1:EndpointSlice";
    const config = { allowedNamespaces: ["databases"] };
    expect(check(slice, inNamespace("databases"), config)).toEqual(ok);
    expect(check(slice, inNamespace("shop"), config).violations).toHaveLength(1);
    expect(check(slice, inNamespace(undefined), config).violations).toHaveLength(1);
    expect(check(slice, inNamespace(undefined), { allowedNamespaces: ["default"] })).toEqual(ok);
    expect(check(slice, inNamespace(unknown), config).undecided).toContain("namespace");
    const list = { items: [inNamespace("databases"), inNamespace("shop")] };
    expect(check(`${slice}List`, list, config).violations).toHaveLength(1);
    expect(
      check(attachment, { targetId: "10.0.1.17", metadata: { namespace: "databases" } }, config).violations,
    ).toHaveLength(1);
  });

  test("exemptions work by name and by URN", () => {
    const props = { targetId: "10.0.1.17" };
    expect(check(attachment, props, { exemptions: [exempt("r")] })).toEqual(ok);
    expect(check(attachment, props, { exemptions: [exempt("urn:pulumi:dev::*::r")] })).toEqual(ok);
    expect(check(attachment, props, { exemptions: [exempt("other")] }).violations).toHaveLength(1);
  });
});
