import { noControllerManagedDescriptions } from "../../policy/rules/security-groups/no-controller-managed-descriptions";
import { noEqualSecurityGroupRules } from "../../policy/rules/security-groups/no-equal-security-group-rules";
import { noInlineRulesOnClusterSecurityGroups } from "../../policy/rules/security-groups/no-inline-rules-on-cluster-security-groups";
import { checkResource, checkStack, unknown, type Given } from "../support/policy";
import { ok } from "../support/verdicts";

const rule = { protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.0.0.0/16"] };

describe("no-inline-rules-on-cluster-security-groups", () => {
  const check = (props: Record<string, unknown>, config?: object, type = "aws:ec2/securityGroup:SecurityGroup") =>
    checkResource(noInlineRulesOnClusterSecurityGroups, { type, name: "nodes", props }, config);
  const clusterTags = { Name: "nodes", "kubernetes.io/cluster/shop": "owned" };

  test("a cluster's group without inline rules, and any other group with them, are fine", () => {
    expect(check({ tags: clusterTags, vpcId: unknown })).toEqual(ok);
    expect(check({ tags: { Name: "alb" }, ingress: [rule], egress: [rule] })).toEqual(ok);
    expect(check({ ingress: [rule] })).toEqual(ok);
    expect(check({ ingress: [rule] }, {}, "aws:s3/bucket:Bucket").notApplicable).toBe(true);
  });

  // An empty list makes the provider remove every rule (documentation of the resource: `ingress: []`).
  test.each([
    ["ingress", [rule]],
    ["egress", [rule]],
    ["ingress", []],
    ["ingress", unknown],
  ])("%s: %j on a cluster's group is refused", (property, rules) => {
    const found = check({ tags: clusterTags, [property]: rules });
    expect(found.violations).toHaveLength(1);
    expect(found.violations[0]!.message).toMatch(
      new RegExp(`^Owns ${property}, .*kubernetes\\.io/cluster/shop.*SecurityGroupIngressRule`),
    );
    expect(found.undecided).toBeUndefined();
  });

  test("a cluster's default group is refused even without rules: the resource owns them all", () => {
    const type = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup";
    expect(check({ tags: clusterTags }, {}, type).violations).toHaveLength(1);
    expect(check({ tags: { Name: "closed" }, ingress: [] }, {}, type)).toEqual(ok);
  });

  test.each(["awsx:lb:ApplicationLoadBalancer", "awsx:lb:NetworkLoadBalancer"])(
    "%s: the group it is told to make",
    (type) => {
      const args = (group: object) => ({ defaultSecurityGroup: { args: group } });
      expect(check(args({ tags: clusterTags, ingress: [rule] }), {}, type).violations).toHaveLength(1);
      expect(check(args({ tags: {}, ingress: [rule] }), {}, type)).toEqual(ok);
      expect(check({}, {}, type)).toEqual(ok);
      expect(check({ defaultSecurityGroup: unknown }, {}, type).undecided).toContain("defaultSecurityGroup");
    },
  );

  test("the value of the tag doesn't matter, nor that it isn't known; default tags of the provider count", () => {
    expect(check({ tags: { "kubernetes.io/cluster/shop": unknown }, ingress: [rule] }).violations).toHaveLength(1);
    expect(check({ tagsAll: clusterTags, ingress: [rule] }).violations).toHaveLength(1);
  });

  test("unknown tags are advisory, or a violation if configured so; without inline rules they don't matter", () => {
    expect(check({ tags: unknown, ingress: [rule] })).toMatchObject({
      violations: [],
      undecided: expect.stringContaining("tags"),
    });
    expect(check({ tags: unknown, ingress: [rule] }, { unknownValues: "violation" }).violations).toHaveLength(1);
    expect(check({ tags: unknown })).toEqual(ok);
    expect(check({ tags: { Name: "alb" }, tagsAll: unknown, ingress: [rule] })).toEqual(ok);
  });
});

describe("no-controller-managed-descriptions", () => {
  const check = (type: string, props: Record<string, unknown>, config?: object) =>
    checkResource(noControllerManagedDescriptions, { type, name: "rule", props }, config);

  const slots: [string, (description: unknown) => Record<string, unknown>][] = [
    ["aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", (description) => ({ description })],
    ["aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule", (description) => ({ description })],
    ["aws:ec2/securityGroupRule:SecurityGroupRule", (description) => ({ description })],
    ["aws:ec2/securityGroup:SecurityGroup", (description) => ({ ingress: [{}, { description }] })],
    ["aws:ec2/securityGroup:SecurityGroup", (description) => ({ egress: [{ description }] })],
    ["aws:ec2/defaultSecurityGroup:DefaultSecurityGroup", (description) => ({ ingress: [{ description }] })],
    ["aws-native:ec2:SecurityGroupIngress", (description) => ({ description })],
    ["aws-native:ec2:SecurityGroupEgress", (description) => ({ description })],
    ["aws-native:ec2:SecurityGroup", (description) => ({ securityGroupIngress: [{ description }] })],
    ["aws-native:ec2:SecurityGroup", (description) => ({ securityGroupEgress: [{ description }] })],
    [
      "awsx:lb:ApplicationLoadBalancer",
      (description) => ({ defaultSecurityGroup: { args: { ingress: [{ description }] } } }),
    ],
    [
      "awsx:lb:NetworkLoadBalancer",
      (description) => ({ defaultSecurityGroup: { args: { egress: [{ description }] } } }),
    ],
  ];

  // The first three are managed for the controller, the last two aren't today (lbc.md 4.4): all mention its prefix.
  test.each(slots)("%s (%#)", (type, slot) => {
    expect(check(type, slot("Load balancer to pods"))).toEqual(ok);
    for (const description of [
      "elbv2.k8s.aws/targetGroupBinding=shared",
      "safety net elbv2.k8s.aws/targetGroupBinding=shared",
      "a=b,elbv2.k8s.aws/targetGroupBinding=shared,c=d",
      "elbv2.k8s.aws/targetGroupBinding=shared safety",
      "elbv2.k8s.aws/targetGroupBinding=shared-static",
    ]) {
      const { violations } = check(type, slot(description));
      expect(violations).toHaveLength(1);
      expect(violations[0]!.message).toContain(description);
    }
    expect(check(type, slot(unknown))).toMatchObject({
      violations: [],
      undecided: expect.stringContaining("description"),
    });
    expect(check(type, slot(unknown), { unknownValues: "violation" }).violations).toHaveLength(1);
  });

  test("the description of the group itself isn't read by the controller; no description is fine", () => {
    expect(check("aws:ec2/securityGroup:SecurityGroup", { description: "elbv2.k8s.aws/ groups" })).toEqual(ok);
    expect(check("aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", {})).toEqual(ok);
    expect(check("aws:s3/bucket:Bucket", { description: "elbv2.k8s.aws/" }).notApplicable).toBe(true);
  });

  test("an unknown description doesn't hide the one beside it", () => {
    const ingress = [{ description: unknown }, { description: "elbv2.k8s.aws/targetGroupBinding=shared" }];
    const found = check("aws:ec2/securityGroup:SecurityGroup", { ingress });
    expect(found.violations[0]!.message).toContain("ingress[1].description");
    expect(found.undecided).toContain("ingress.0.description");
  });
});

describe("no-equal-security-group-rules", () => {
  const check = (given: Given[], config?: object) => checkStack(noEqualSecurityGroupRules, given, config);
  const names = (given: Given[], config?: object) => check(given, config).violations.map((v) => v.name);
  const ingressRule = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
  const egressRule = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule";
  const oldRule = "aws:ec2/securityGroupRule:SecurityGroupRule";

  const base = {
    securityGroupId: "sg-pods",
    referencedSecurityGroupId: "sg-alb",
    ipProtocol: "tcp",
    fromPort: 1024,
    toPort: 65535,
  };
  const vpc = (name: string, over: object = {}, deps?: Record<string, string[]>, type = ingressRule): Given => ({
    type,
    name,
    props: { ...base, ...over },
    ...(deps === undefined ? {} : { propertyDependencies: deps }),
  });
  const securityGroup = (name: string): Given => ({ type: "aws:ec2/securityGroup:SecurityGroup", name, props: {} });
  const cluster: Given = { type: "eks:index:Cluster", name: "cluster", props: {} };

  test("two rules with the same tuple are refused; description and tags make no difference", () => {
    const found = check([vpc("a", { description: "one" }), vpc("b", { description: "two", tags: { Name: "b" } })]);
    expect(found.violations.map((v) => v.name)).toEqual(["b"]);
    expect(found.violations[0]!.message).toContain(`"b" is the same rule as "a"`);
  });

  test.each([
    ["group", { securityGroupId: "sg-other" }],
    ["source group", { referencedSecurityGroupId: "sg-other" }],
    ["protocol", { ipProtocol: "udp" }],
    ["first port", { fromPort: 1025 }],
    ["last port", { toPort: 65534 }],
    ["kind of source", { referencedSecurityGroupId: undefined, cidrIpv4: "10.0.0.0/16" }],
  ])("another %s makes another rule", (_, over) => {
    expect(check([vpc("a"), vpc("b", over)])).toEqual(ok);
  });

  test("an ingress rule and an egress rule are never equal; two egress rules are", () => {
    expect(check([vpc("a"), vpc("b", {}, undefined, egressRule)])).toEqual(ok);
    expect(names([vpc("a", {}, undefined, egressRule), vpc("b", {}, undefined, egressRule)])).toEqual(["b"]);
  });

  test.each([
    ["cidrIpv4", "10.0.0.0/16"],
    ["cidrIpv6", "2600:1f18::/56"],
    ["prefixListId", "pl-1"],
  ])("%s as the source", (property, value) => {
    const over = { referencedSecurityGroupId: undefined, [property]: value };
    expect(names([vpc("a", over), vpc("b", over)])).toEqual(["b"]);
  });

  test("protocol names and numbers mean the same; with all protocols ports don't count; 443 is 443.0 is '443'", () => {
    expect(names([vpc("a"), vpc("b", { ipProtocol: "6" })])).toEqual(["b"]);
    expect(names([vpc("a"), vpc("b", { ipProtocol: "TCP" })])).toEqual(["b"]);
    expect(names([vpc("a", { ipProtocol: "-1" }), vpc("b", { ipProtocol: "all", fromPort: undefined })])).toEqual([
      "b",
    ]);
    expect(names([vpc("a"), vpc("b", { fromPort: "1024" })])).toEqual(["b"]);
  });

  test("the other rule resources make the same permissions", () => {
    const old = (name: string, over: object): Given => ({
      type: oldRule,
      name,
      props: { type: "ingress", securityGroupId: "sg-pods", protocol: "tcp", fromPort: 1024, toPort: 65535, ...over },
    });
    expect(names([vpc("a"), old("b", { sourceSecurityGroupId: "sg-alb" })])).toEqual(["b"]);
    expect(check([vpc("a"), old("b", { type: "egress", sourceSecurityGroupId: "sg-alb" })])).toEqual(ok);
    const cidr = vpc("a", { referencedSecurityGroupId: undefined, cidrIpv4: "10.0.1.0/24" });
    expect(names([cidr, old("b", { cidrBlocks: ["10.0.0.0/24", "10.0.1.0/24"] })])).toEqual(["b"]);
    expect(check([cidr, old("b", { cidrBlocks: ["10.0.0.0/24"] })])).toEqual(ok);
    expect(names([old("a", { self: true }), old("b", { sourceSecurityGroupId: "sg-pods" })])).toEqual(["b"]);
    const native: Given = {
      type: "aws-native:ec2:SecurityGroupIngress",
      name: "b",
      props: { groupId: "sg-pods", sourceSecurityGroupId: "sg-alb", ipProtocol: "tcp", fromPort: 1024, toPort: 65535 },
    };
    expect(names([vpc("a"), native])).toEqual(["b"]);
    const out: Given = {
      type: "aws-native:ec2:SecurityGroupEgress",
      name: "b",
      props: {
        groupId: "sg-pods",
        destinationSecurityGroupId: "sg-alb",
        ipProtocol: "tcp",
        fromPort: 1024,
        toPort: 65535,
      },
    };
    expect(names([vpc("a", {}, undefined, egressRule), out])).toEqual(["b"]);
  });

  test("inline rules of a group are not compared: after a refresh they repeat the rule resources", () => {
    const inline = { ...securityGroup("pods"), props: { ingress: [{ ...rule }] } };
    expect(check([inline, vpc("a")])).toEqual(ok);
  });

  const toPods = { securityGroupId: ["pods"], referencedSecurityGroupId: ["alb"] };
  const bothUnknown = { securityGroupId: unknown, referencedSecurityGroupId: unknown };

  test("ids that aren't known yet: from the same security group they are the same", () => {
    const groups = [securityGroup("pods"), securityGroup("alb"), securityGroup("other")];
    expect(names([...groups, vpc("a", bothUnknown, toPods), vpc("b", bothUnknown, toPods)])).toEqual(["b"]);
    expect(
      check([
        ...groups,
        vpc("a", bothUnknown, toPods),
        vpc("b", bothUnknown, { ...toPods, securityGroupId: ["other"] }),
      ]),
    ).toEqual(ok);
    expect(
      check([
        ...groups,
        vpc("a", bothUnknown, toPods),
        vpc("b", bothUnknown, { ...toPods, referencedSecurityGroupId: ["other"] }),
      ]),
    ).toEqual(ok);
  });

  test("ids from one cluster may be two groups of it: advisory, or a violation if configured so", () => {
    const deps = { securityGroupId: ["cluster"], referencedSecurityGroupId: ["alb"] };
    const stack = [cluster, securityGroup("alb"), vpc("a", bothUnknown, deps), vpc("b", bothUnknown, deps)];
    const found = check(stack);
    expect(found.violations).toEqual([]);
    expect(found.undecided).toMatch(/^"a" and "b" may be equal rules: .*securityGroupId/);
    expect(names(stack, { unknownValues: "violation" })).toEqual(["b"]);
  });

  test("so may ids that were chosen among two groups", () => {
    const deps = { securityGroupId: ["pods", "other"], referencedSecurityGroupId: ["alb"] };
    const groups = ["pods", "other", "alb"].map(securityGroup);
    const found = check([...groups, vpc("a", bothUnknown, deps), vpc("b", bothUnknown, deps)]);
    expect(found).toMatchObject({ violations: [], undecided: expect.stringContaining("may be equal") });
  });

  test("one resource that lists a source twice is one rule", () => {
    const props = {
      type: "ingress",
      securityGroupId: "sg-pods",
      protocol: "tcp",
      cidrBlocks: ["10.0.0.0/16", "10.0.0.0/16"],
    };
    expect(check([{ type: oldRule, name: "a", props }])).toEqual(ok);
  });

  test("but not if anything known about the two rules differs", () => {
    const deps = { securityGroupId: ["cluster"], referencedSecurityGroupId: ["alb"] };
    const other = vpc("b", { ...bothUnknown, fromPort: 443, toPort: 443 }, deps);
    expect(check([cluster, securityGroup("alb"), vpc("a", bothUnknown, deps), other])).toEqual(ok);
  });

  test("a pair that can't be decided doesn't hide a pair that can", () => {
    const deps = { securityGroupId: ["cluster"], referencedSecurityGroupId: ["alb"] };
    const open = { referencedSecurityGroupId: undefined, cidrIpv4: "0.0.0.0/0", fromPort: 443, toPort: 443 };
    const found = check([
      cluster,
      securityGroup("alb"),
      vpc("a", bothUnknown, deps),
      vpc("b", bothUnknown, deps),
      vpc("c", open),
      vpc("d", open),
    ]);
    expect(found.violations.map((v) => v.name)).toEqual(["d"]);
    expect(found.undecided).toContain(`"a" and "b"`);
  });
});
