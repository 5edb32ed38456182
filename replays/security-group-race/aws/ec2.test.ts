import { Clock, second } from "../clock";
import { isManaged } from "../controller/labels";
import { Ec2, Ec2Error } from "./ec2";
import { admits, type Rule } from "./rules";

const rule = (from: number, change: Partial<Rule> = {}): Rule => ({
  protocol: "tcp",
  from,
  to: from,
  source: "sg-source",
  ...change,
});
function make(staleness = 0) {
  const clock = new Clock();
  const ec2 = new Ec2(clock, () => staleness);
  ec2.createGroup("sg-pods", ["kubernetes.io/cluster/shop"]);
  return { clock, ec2 };
}
function codeOf(action: () => void): string {
  try {
    action();
    return "accepted";
  } catch (error) {
    return error instanceof Ec2Error ? error.code : String(error);
  }
}

// API reference of AuthorizeSecurityGroupIngress and RevokeSecurityGroupIngress; lbc.md 4.4.
describe("EC2", () => {
  test("refuses an equal rule, whatever its description, and with it the whole call", () => {
    const { ec2 } = make();
    ec2.authorize("sg-pods", [rule(80, { description: "one" })]);
    const again = [rule(81), rule(80, { description: "two" })];
    expect(codeOf(() => ec2.authorize("sg-pods", again))).toBe("InvalidPermission.Duplicate");
    expect(ec2.actual("sg-pods")).toEqual([rule(80, { description: "one" })]);
  });

  test.each<[string, Partial<Rule>]>([
    ["protocol", { protocol: "udp" }],
    ["first port", { from: 79 }],
    ["last port", { to: 81 }],
    ["source", { source: "sg-other" }],
  ])("another %s is another rule", (_, change) => {
    const { ec2 } = make();
    ec2.authorize("sg-pods", [rule(80)]);
    expect(codeOf(() => ec2.revoke("sg-pods", [rule(80, change)]))).toBe("InvalidPermission.NotFound");
    expect(codeOf(() => ec2.authorize("sg-pods", [rule(80, change)]))).toBe("accepted");
  });

  test("revokes whatever the description says", () => {
    const { ec2 } = make();
    ec2.authorize("sg-pods", [rule(80, { description: "Pulumi's" })]);
    ec2.revoke("sg-pods", [rule(80, { description: "somebody else's" })]);
    expect(ec2.actual("sg-pods")).toEqual([]);
  });

  test("revokes nothing when one rule of the call isn't there", () => {
    const { ec2 } = make();
    ec2.authorize("sg-pods", [rule(80)]);
    expect(codeOf(() => ec2.revoke("sg-pods", [rule(80), rule(81)]))).toBe("InvalidPermission.NotFound");
    expect(ec2.actual("sg-pods")).toEqual([rule(80)]);
  });

  // AWS quotas: 60 inbound rules per security group.
  test("holds 60 rules", () => {
    const { ec2 } = make();
    ec2.authorize(
      "sg-pods",
      Array.from({ length: 59 }, (_, i) => rule(i + 1)),
    );
    expect(codeOf(() => ec2.authorize("sg-pods", [rule(60), rule(61)]))).toBe("RulesPerSecurityGroupLimitExceeded");
    expect(codeOf(() => ec2.authorize("sg-pods", [rule(60)]))).toBe("accepted");
    expect(codeOf(() => ec2.authorize("sg-pods", [rule(61)]))).toBe("RulesPerSecurityGroupLimitExceeded");
  });

  test("shows a mutation late, and lets packets through at once", () => {
    const { clock, ec2 } = make(3 * second);
    ec2.authorize("sg-pods", [rule(80)]);
    expect(ec2.actual("sg-pods")).toEqual([rule(80)]);
    clock.run(2_999);
    expect(ec2.describe("sg-pods")).toEqual([]);
    clock.run(3_000);
    expect(ec2.describe("sg-pods")).toEqual([rule(80)]);
    ec2.revoke("sg-pods", [rule(80)]);
    expect(ec2.describe("sg-pods")).toEqual([rule(80)]);
    clock.run(6_000);
    expect(ec2.describe("sg-pods")).toEqual([]);
  });

  test("finds groups by their tags, and no others", () => {
    const { ec2 } = make();
    ec2.createGroup("sg-plain");
    expect(ec2.groupsTagged("kubernetes.io/cluster/shop")).toEqual(["sg-pods"]);
    expect(ec2.groupsTagged("kubernetes.io/cluster/other")).toEqual([]);
  });
});

test.each<[Rule, number, boolean]>([
  [rule(3000, { to: 3008 }), 3000, true],
  [rule(3000, { to: 3008 }), 3008, true],
  [rule(3000, { to: 3008 }), 2999, false],
  [rule(3000, { to: 3008 }), 3009, false],
  [rule(3000, { protocol: "udp" }), 3000, false],
  [rule(-1, { protocol: "-1" }), 3000, true],
  [rule(3000, { source: "sg-other" }), 3000, false],
])("%j lets port %d in: %s", (given, port, expected) => {
  expect(admits(given, port, ["sg-source", "sg-unused"])).toBe(expected);
});

// lbc.md 4.4, "What marks a rule as managed".
describe("the controller takes a rule for its own by the description alone", () => {
  test.each<[string | undefined, boolean]>([
    ["elbv2.k8s.aws/targetGroupBinding=shared", true],
    ["safety net elbv2.k8s.aws/targetGroupBinding=shared", true],
    ["a=b,elbv2.k8s.aws/targetGroupBinding=shared,c=d", true],
    ["elbv2.k8s.aws/targetGroupBinding=shared safety", false],
    ["elbv2.k8s.aws/targetGroupBinding=shared-static", false],
    ["elbv2.k8s.aws/targetGroupBinding=shared,elbv2.k8s.aws/targetGroupBinding=mine", false],
    ["elbv2.k8s.aws/targetGroupBinding", false],
    ["Moorings safety net from load balancer to pods", false],
    ["", false],
    [undefined, false],
  ])("%j: %s", (description, expected) => {
    expect(isManaged(rule(80, { description }))).toBe(expected);
  });
});
