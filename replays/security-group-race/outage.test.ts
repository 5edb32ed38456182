import type { Rule } from "./aws/rules";
import { replayOutage } from "./outage";
import { emitted, ourCoexisting, ourDefault } from "./ours";
import { range } from "./settled";
import { backendGroup, podGroup, upstreamDefault, upstreamUnrestricted, type Topology } from "./topology";
import { ruleChanges, timeOf } from "./transcript";

/*
 * The outage of kubernetes-sigs/aws-load-balancer-controller issue 4889, 28 August 2026. Times and rules are those of the issue's
 * CloudTrail list and controller log (lbc.md 4.2).
 */

describe("the outage of issue 4889 on the upstream default", () => {
  const { simulation, outage } = replayOutage(upstreamDefault);

  test("happens call for call", () => {
    expect(ruleChanges(simulation, timeOf("09:30:00"))).toEqual([
      // A pod of the binding with the highest port ends.
      `09:55:16 Authorize ${range(3000, 3008)}`,
      `09:55:17 Revoke ${range(3000, 8025)}`,
      // EC2 still shows what is gone, also to the second look, which is cached.
      `09:55:18 Revoke ${range(3000, 8025)} -> InvalidPermission.NotFound`,
      `09:55:18 Revoke ${range(3000, 8025)} -> InvalidPermission.NotFound`,
      // No third one 15 s later: the retry found its checkpoint and went away. Then the pod is back: the wide rule is believed to be there.
      `09:56:01 Revoke ${range(3000, 3008)}`,
      // A new controller skipped all bindings at 10:05:36, and comes back to them one by one.
      `10:35:48 Authorize ${range(3000, 3000)}`,
      `10:37:35 Authorize ${range(3000, 3008)}`,
      `10:39:00 Authorize ${range(3000, 8025)}`,
      `10:48:21 Revoke ${range(3000, 3000)}, ${range(3000, 3008)}`,
    ]);
  });

  test("the pod is registered a second after the last rule is gone", () => {
    const registered = simulation.aws.calls.filter(
      ({ at, operation }) => operation === "RegisterTargets" && at > timeOf("09:30:00"),
    );
    expect(registered.map(({ at }) => Math.floor(at / 1000))).toEqual([timeOf("09:56:02") / 1000]);
  });

  test("the group has no rule at all meanwhile", () => {
    for (const time of ["09:56:02", "10:35:47"])
      expect(replayOutage(upstreamDefault, { until: time }).simulation.ec2.actual(podGroup)).toEqual([]);
  });

  test("lasts from 09:56:01 to 10:39:00, the issue's ~45 minutes", () => {
    // 2579 s between those two seconds.
    expect(Math.abs(outage.lost - 2579)).toBeLessThanOrEqual(2);
  });
});

// From 09:56:01 to the first clearing after it, at 10:00, and a reconciliation: 240 s and a little.
test("where the checkpoints are cleared every five minutes it lasts until then", () => {
  const { outage } = replayOutage(upstreamDefault, { clearEvery: 5 });
  expect(Math.abs(outage.lost - 240)).toBeLessThanOrEqual(3);
});

describe("the same morning elsewhere", () => {
  test("with unrestricted rules: no range, nothing to recompute", () => {
    const { simulation, outage } = replayOutage(upstreamUnrestricted);
    expect(outage).toEqual({ lost: 0, unreachable: 0 });
    expect(ruleChanges(simulation, timeOf("09:30:00"))).toEqual([]);
  });

  test.each([
    ["our default", ourDefault],
    ["ours beside Ingress", ourCoexisting],
  ])("on %s: every pod could be reached at any time", async (_, topologyOf) => {
    const { simulation, outage } = replayOutage(topologyOf(await emitted()));
    expect(outage).toEqual({ lost: 0, unreachable: 0 });
    expect(ruleChanges(simulation, timeOf("09:30:00"))).toEqual([]);
  });
});

// lbc.md 4.4: shapes of a static rule that survive beside the controller's restricted rules, and one that doesn't.
describe("a static rule beside the controller's ranges", () => {
  const listed = "pl-0000000000000000";
  const beside = (rule: Rule): Topology => ({
    ...upstreamDefault,
    staticRules: [{ group: podGroup, rule }],
    way: (_, port) => ({
      networking: [{ source: backendGroup, port }],
      sources: [backendGroup, "sg-0000000000000edge", listed],
    }),
  });

  test.each<[string, Rule]>([
    ["from a group that no binding names", { protocol: "tcp", from: 3000, to: 8025, source: "sg-0000000000000edge" }],
    ["of every protocol", { protocol: "-1", from: -1, to: -1, source: backendGroup }],
    ["of all ports but 0", { protocol: "tcp", from: 1, to: 65535, source: backendGroup }],
    ["from a prefix list", { protocol: "tcp", from: 3000, to: 8025, source: listed }],
  ])("%s keeps the way open", (_, rule) => {
    const { simulation, outage } = replayOutage(beside(rule));
    expect(outage).toEqual({ lost: 0, unreachable: 0 });
    expect(ruleChanges(simulation, timeOf("09:56:00"))[0]).toBe(`09:56:01 Revoke ${range(3000, 3008)}`); // it raced all the same
  });

  test("equal to the shrunk range loses the port at its edge", () => {
    const { simulation, outage } = replayOutage(
      beside({ protocol: "tcp", from: 3000, to: 3008, source: backendGroup }),
    );
    const revoke = `Revoke ${range(3000, 8025)}`;
    const notFound = `${revoke} -> InvalidPermission.NotFound`;
    const changes = ruleChanges(simulation, timeOf("09:30:00")).map((line) => line.slice("09:55:16 ".length));
    expect(changes.slice(0, 3)).toEqual([revoke, notFound, notFound]);
    // Nothing is authorized until the new controller comes to that binding, at 10:39:00.
    expect(Math.abs(outage.lost - 2579)).toBeLessThanOrEqual(2);
  });
});
