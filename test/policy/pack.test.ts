import { join } from "node:path";
import { configure } from "../../cli/engine/policy-config";
import type { JsonObject } from "../../cli/engine/values";
import { policies } from "../../policy/policies";
import { Pack, exempt, unknown, type Diagnostic, type Given } from "../support/policy";
import { origins, undecidable } from "./unknowns";

const root = join(__dirname, "..", "..");

describe("the running pack", () => {
  let pack: Pack;
  beforeAll(async () => {
    pack = await Pack.start(join(root, "policy"));
  });
  afterAll(() => pack.stop());
  beforeEach(() => pack.configure({}));

  const attachment = (targetId: string): Given => ({
    type: "aws:lb/targetGroupAttachment:TargetGroupAttachment",
    name: "pod",
    props: { targetGroupArn: unknown, targetId, port: 8080 },
    propertyDependencies: { targetGroupArn: ["group"] },
  });
  const group: Given = {
    type: "aws:lb/targetGroup:TargetGroup",
    name: "group",
    props: { targetType: "ip", arn: unknown, tags: { "moorings-bound-elsewhere": "gitops" } },
  };

  test("introduces itself and its rules", async () => {
    const info = (await pack.info()).toObject();
    expect(info).toMatchObject({ name: "moorings", version: "0.0.1", displayname: "Moorings", supportsconfig: true });
    expect(info.policiesList.map((p) => p.name)).toEqual([
      "no-hand-registered-ip-targets",
      "no-attachments-on-ip-target-groups",
      "no-ip-targets-in-templates",
      "no-target-registration-in-scripts",
      "carriers-can-be-seen",
      "ip-target-group-needs-binding",
      "one-binding-per-target-group",
      "no-binding-to-selectorless-service",
      "no-controller-marks-on-bindings",
      "binding-name-fits-its-gate",
      "binding-fields-fit-together",
      "bound-workload-drains",
      "ip-target-group-has-alarms",
      "outage-alarms-are-never-muted",
      "no-equal-physical-names",
      "no-equal-listener-rule-priorities",
      "controller-knows-where-it-is",
      "controller-survives-a-drain",
      "controller-webhooks-block-nothing",
      "controller-keeps-its-certificate",
      "controller-chart-is-current",
      "one-controller-per-cluster",
      "cluster-endpoint-names-its-callers",
      "cluster-admits-by-access-entries",
      "cluster-stays-in-standard-support",
      "cluster-addons-are-pinned",
      "no-inline-rules-on-cluster-security-groups",
      "no-cluster-tag-on-groups-with-inline-rules",
      "no-controller-managed-descriptions",
      "no-equal-security-group-rules",
      "no-static-copies-of-managed-rules",
      "one-cluster-group-per-node",
      "node-pool-has-limits",
      "node-pool-has-budgets",
      "node-class-pins-ami",
      "node-pool-expiry-needs-grace",
      "node-pool-fields-are-read",
      "node-pool-keeps-its-name",
      "node-pool-waits-for-its-nodes",
      "node-class-hides-its-role",
      "node-class-encrypts-volumes",
      "stateful-node-pool-never-underutilized",
      "kafka-starts-together",
      "kafka-shuts-down-in-time",
      "no-kafka-server-stop-hook",
      "kafka-nodes-outlive-the-shutdown",
      "kafka-has-a-disruption-budget",
      "kafka-spreads-over-zones",
      "kafka-volumes-wait-for-their-pod",
      "kafka-keeps-its-data",
      "kafka-survives-losing-a-broker",
      "kafka-has-its-own-cluster-id",
      "kafka-advertises-names",
      "kafka-pods-get-nothing-injected",
      "kafka-client-drops-dead-brokers",
      "kafka-client-keeps-its-messages",
      "kafka-client-reports-statistics",
      "kafka-client-sysctls-are-safe",
      "keepalive-is-no-timeout",
    ]);
    for (const policy of info.policiesList) {
      expect(policy.remediationSteps).not.toBe("");
      expect(policy.url).toContain(policy.name);
    }
  });

  test("a known address is mandatory, an unknown one advisory", async () => {
    const known = await pack.analyze(attachment("10.0.1.17"));
    expect(known).toMatchObject([{ policy: "no-hand-registered-ip-targets", level: "mandatory" }]);
    expect(known[0]!.message).toContain("targetId registers the IP address 10.0.1.17 by hand");
    const unsure = await pack.analyze(attachment(unknown));
    expect(unsure).toMatchObject([{ policy: "no-hand-registered-ip-targets", level: "advisory" }]);
    expect(unsure[0]!.message).toContain("can't run policy");
    expect(await pack.analyze(attachment("i-0123456789abcdef0"))).toEqual([]);
  });

  test("the stack rule catches in the preview what the resource rule can't know", async () => {
    expect(await pack.analyzeStack([group, attachment(unknown)])).toMatchObject([
      { policy: "no-attachments-on-ip-target-groups", level: "mandatory", urn: expect.stringMatching(/::pod$/) },
    ]);
    expect(await pack.analyzeStack([group])).toEqual([]);
  });

  test("what neither of them can know is advisory, with the name of the group", async () => {
    const unsaid = { ...group, props: { ...group.props, targetType: unknown } };
    const found = await pack.analyzeStack([unsaid, attachment(unknown)]);
    expect(found).toMatchObject([{ policy: "no-attachments-on-ip-target-groups", level: "advisory" }]);
    expect(found[0]!.message).toContain("group: string value at .targetType can't be known");
  });

  test("a template is judged as a resource is: known, unknown, strict", async () => {
    const policy = "no-ip-targets-in-templates";
    const stack = (templateBody: string): Given => ({
      type: "aws:cloudformation/stack:Stack",
      name: "stack",
      props: { templateBody },
    });
    const type = "AWS::ElasticLoadBalancingV2::TargetGroup";
    const body = JSON.stringify({ Resources: { A: { Type: type, Properties: { Targets: [{ Id: "10.0.1.17" }] } } } });
    expect(await pack.analyze(stack(body))).toMatchObject([{ policy, level: "mandatory" }]);
    const level = "advisory";
    const both = [policy, "no-target-registration-in-scripts"].map((name) => ({ policy: name, level }));
    expect(await pack.analyze(stack(unknown))).toMatchObject(both);
    await pack.configure({ [policy]: { config: { unknownValues: "violation" } } });
    expect(await pack.analyze(stack(unknown))).toMatchObject([{ policy, level: "mandatory" }, both[1]]);
  });

  test("a script is advisory, and mandatory where that is configured", async () => {
    const policy = "no-target-registration-in-scripts";
    const command: Given = {
      type: "command:local:Command",
      name: "register",
      props: { create: "aws elbv2 register-targets --targets Id=10.0.1.17" },
    };
    expect(await pack.analyze(command)).toMatchObject([{ policy, level: "advisory" }]);
    await pack.configure({ [policy]: { level: "MANDATORY" } });
    expect(await pack.analyze(command)).toMatchObject([{ policy, level: "mandatory" }]);
  });

  test("the text of an asset reaches the rules", async () => {
    const signed = { "4dabf18193072939515e22adb298388d": "0def7320c3a5731c473e5ecbe6d01bc7" };
    const text = {
      "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17",
      text: "c.register_targets(x)",
    };
    const code = { ...signed, assets: { "index.py": text } };
    expect(await pack.analyze({ type: "aws:lambda/function:Function", name: "f", props: { code } })).toMatchObject([
      { policy: "no-target-registration-in-scripts", level: "advisory" },
    ]);
  });

  test("configuration and levels reach the rules, and go back to the defaults", async () => {
    const name = "no-hand-registered-ip-targets";
    await pack.configure({ [name]: { config: { unknownValues: "violation" } } });
    expect(await pack.analyze(attachment(unknown))).toMatchObject([{ policy: name, level: "mandatory" }]);
    await pack.configure({ [name]: { level: "ADVISORY" } });
    expect(await pack.analyze(attachment("10.0.1.17"))).toMatchObject([{ policy: name, level: "advisory" }]);
    await pack.configure({ [name]: { level: "DISABLED" } });
    expect(await pack.analyze(attachment("10.0.1.17"))).toEqual([]);
    await pack.configure({ [name]: { config: { exemptions: [exempt("pod")] } } });
    expect(await pack.analyze(attachment("10.0.1.17"))).toEqual([]);
    await pack.configure({});
    expect(await pack.analyze(attachment("10.0.1.17"))).toMatchObject([{ policy: name, level: "mandatory" }]);
  });

  const holds = { reason: "r", expires: "2030-06-30" };
  const advice =
    '(Write exactly one of name, urn and tag, with reason and expires: { "name": "web", "reason": "moves to';
  test.each<[string, JsonObject[], string]>([
    [
      "two selectors",
      [{ name: "a", tag: "b", ...holds }],
      `exemptions.0 must NOT have more than 3 properties ${advice}`,
    ],
    ["none", [holds], `exemptions.0 must NOT have fewer than 3 properties ${advice}`],
    [
      "no reason",
      [{ name: "a", expires: holds.expires }],
      `exemptions.0 must have required property 'reason' ${advice}`,
    ],
    ["a blank one", [{ name: "a", ...holds, reason: " " }], 'exemptions.0.reason can\'t be " " (Why the rule'],
    [
      "another date",
      [{ name: "a", ...holds, expires: "30.6.2030" }],
      'exemptions.0.expires can\'t be "30.6.2030" (The last day',
    ],
    ["a typing error", [{ nmae: "a", ...holds }], 'exemptions.0: unknown property "nmae": did you mean "name"?'],
  ])("moorings refuses an exemption with %s before anything runs", async (_, exemptions, message) => {
    const name = "no-hand-registered-ip-targets";
    await expect(configure(await pack.info(), { [name]: { exemptions } })).rejects.toThrow(
      `policy "${name}": ${message}`,
    );
  });

  test("at the level remediate a rule that can't repair is mandatory", async () => {
    const remediate = Object.fromEntries(policies.map((p) => [p.name, { level: "REMEDIATE" as const }]));
    await pack.configure(remediate);
    expect(await pack.remediate(attachment("10.0.1.17"))).toEqual([]);
    expect(await pack.analyze(attachment("10.0.1.17"))).toMatchObject([{ level: "mandatory" }]);
    expect(await pack.analyzeStack([group, attachment(unknown)])).toMatchObject([{ level: "mandatory" }]);
  });

  /** What a rule says of resources, each by itself or all together. */
  const verdict = async (name: string, given: Given[]): Promise<Diagnostic[]> => {
    const stack = "validateStack" in policies.find((p) => p.name === name)!;
    const all = stack
      ? [await pack.analyzeStack([...origins, ...given])]
      : await Promise.all(given.map((g) => pack.analyze(g)));
    return all.flat().filter((d) => d.policy === name);
  };

  test("every rule that an unknown may keep from deciding is in the table of those", () => {
    const names = policies.filter((p) => "unknownValues" in p.configSchema.properties).map((p) => p.name);
    expect(Object.keys(undecidable).sort()).toEqual(names.sort());
    // These say only what is certain.
    const certain = policies.map((p) => p.name).filter((name) => !names.includes(name));
    expect(certain).toEqual([
      "carriers-can-be-seen",
      "no-equal-physical-names",
      "no-cluster-tag-on-groups-with-inline-rules",
      "one-cluster-group-per-node",
    ]);
  });

  test.each(Object.entries(undecidable))(
    "%s is advisory about what it can't know, a violation where strict, and silent where exempt",
    async (name, given) => {
      expect(await verdict(name, given)).toMatchObject([
        { level: "advisory", message: expect.stringContaining("can't be known during preview") as string },
      ]);
      await pack.configure({ [name]: { config: { unknownValues: "violation" } } });
      const strict = await verdict(name, given);
      expect(strict.length).toBeGreaterThan(0);
      for (const d of strict) {
        expect(d).toMatchObject({ level: "mandatory", message: expect.stringContaining("isn't known yet") as string });
        expect(given.map((g) => g.name)).toContain(d.urn === "" ? given[0]!.name : d.urn.split("::").pop());
      }
      await pack.configure({ [name]: { config: { unknownValues: "violation", exemptions: [exempt("*")] } } });
      expect(await verdict(name, given)).toEqual([]);
    },
  );

  test.each<[string, Given]>([
    [
      "no-inline-rules-on-cluster-security-groups",
      {
        type: "aws:ec2/securityGroup:SecurityGroup",
        name: "nodes",
        props: { tags: { "kubernetes.io/cluster/shop": "owned" }, ingress: [] },
      },
    ],
    [
      "no-controller-managed-descriptions",
      {
        type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
        name: "rule",
        props: { securityGroupId: unknown, description: "elbv2.k8s.aws/targetGroupBinding=shared" },
      },
    ],
    [
      "node-pool-has-limits",
      {
        type: "kubernetes:karpenter.sh/v1:NodePool",
        name: "pool",
        deleteSeconds: 7200,
        props: {
          metadata: { name: "pool" },
          spec: {
            disruption: { budgets: [{ nodes: "10%" }] },
            template: { spec: { expireAfter: "Never" } },
          },
        },
      },
    ],
  ])("%s stops its resource, and only it does", async (policy, given) => {
    expect(await pack.analyze(given)).toMatchObject([{ policy, level: "mandatory" }]);
  });

  test("an advisory rule advises", async () => {
    const preStop = { exec: { command: ["kafka-server-stop.sh"] } };
    const container = { name: "kafka", image: "apache/kafka:4.4.0", lifecycle: { preStop } };
    const spec = {
      terminationGracePeriodSeconds: 360,
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      containers: [container],
    };
    const set: Given = {
      type: "kubernetes:apps/v1:StatefulSet",
      name: "kafka",
      props: { spec: { replicas: 1, template: { spec }, volumeClaimTemplates: [{ spec: {} }] } },
    };
    expect(await pack.analyze(set)).toMatchObject([{ policy: "no-kafka-server-stop-hook", level: "advisory" }]);
  });

  const rule = (name: string): Given => ({
    type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    name,
    props: { securityGroupId: unknown, cidrIpv4: "10.0.0.0/16", ipProtocol: "tcp", fromPort: 443, toPort: 443 },
    propertyDependencies: { securityGroupId: ["alb"] },
  });
  test.each<[string, Given[]]>([
    ["ip-target-group-needs-binding", [{ ...group, props: { targetType: "ip", arn: unknown } }]],
    [
      "no-binding-to-selectorless-service",
      [
        { type: "kubernetes:core/v1:Service", name: "web", props: { metadata: { name: unknown }, spec: {} } },
        {
          type: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding",
          name: "binding",
          props: { spec: { serviceRef: { name: unknown, port: 80 } } },
          propertyDependencies: { spec: ["web"] },
        },
      ],
    ],
    [
      "no-equal-security-group-rules",
      [{ type: "aws:ec2/securityGroup:SecurityGroup", name: "alb", props: {} }, rule("a"), rule("b")],
    ],
  ])("%s stops its stack, and only it does", async (policy, given) => {
    expect(await pack.analyzeStack(given)).toMatchObject([{ policy, level: "mandatory" }]);
  });
});
