import { tuple } from "../aws/rules";
import { minute, second } from "../clock";
import { changesSince, range, settled } from "../settled";
import type { Conditions } from "../simulation";
import { backendGroup, podGroup, upstreamDefault, type Topology } from "../topology";
import { callsSince } from "../transcript";

/*
 * What the controller's source has and no row of lbc.md's tables shows by itself: pkg/networking and pkg/targetgroupbinding of 3.5.0, as
 * lbc.md 4.1 and 4.5 sum them up.
 */
test("a revocation clears the cache: the rule is written again when the pod is back", () => {
  const simulation = settled([3000]);
  const since = simulation.clock.now;
  simulation.removePod(0);
  simulation.pass(5 * second);
  simulation.addPod(0);
  simulation.pass(5 * second);
  expect(changesSince(simulation, since)).toEqual([`Revoke ${range(3000, 3000)}`, `Authorize ${range(3000, 3000)}`]);
});

test("a deleted binding goes when its rules are gone, and not before", () => {
  const simulation = settled([3000]);
  const since = simulation.clock.now;
  simulation.aws.denied.add("RevokeSecurityGroupIngress");
  simulation.unbind(0);
  simulation.pass(10 * second);
  expect(simulation.kubernetes.bindings.get("service-0")?.deleting).toBe(true);
  // 5 ms, 10, 20, ... between attempts of 40 ms: eleven in ten seconds.
  expect(changesSince(simulation, since)).toEqual(
    Array(11).fill(`Revoke ${range(3000, 3000)} -> UnauthorizedOperation`),
  );
  simulation.aws.denied.clear();
  simulation.pass(minute);
  expect(simulation.kubernetes.bindings.get("service-0")).toBeUndefined();
  expect([...simulation.targets.registered("service-0")]).toEqual([]);
  expect(simulation.ec2.actual(podGroup)).toEqual([]);
});

test("a restarted controller takes nothing away before it has looked at every binding", () => {
  const simulation = settled([3000, 8025]);
  simulation.stopController();
  simulation.removePod(1);
  simulation.startController();
  const since = simulation.clock.now;
  simulation.pass(minute);
  expect(changesSince(simulation, since)).toEqual([]); // 8025 is gone, 3000 is skipped: it might want anything
  simulation.pass(30 * minute);
  expect(changesSince(simulation, since)).toEqual([`Authorize ${range(3000, 3000)}`, `Revoke ${range(3000, 8025)}`]);
});

// The synchronisation at 30 minutes finds the binding looked at less than 30 minutes ago, the one at 60 puts it off for 30 more.
test("a lost rule comes back after synchronisation and deferral, if nothing happens", () => {
  const simulation = settled([3000], {
    topology: { ...upstreamDefault, controller: { ...upstreamDefault.controller, syncPeriod: 30 * minute } },
  });
  simulation.ec2.revoke(podGroup, simulation.ec2.actual(podGroup));
  simulation.pass(88 * minute);
  expect(simulation.ec2.actual(podGroup)).toEqual([]);
  simulation.pass(2 * minute);
  expect(simulation.ec2.actual(podGroup)).toHaveLength(1);
});

// lbc.md 3: one range for each group, protocol and source group, but CIDRs one to one.
test("ranges join ports from one group, and not those from a network or another group", () => {
  const way = (_: number, port: number) => ({
    networking: [backendGroup, "sg-000000000000other", "10.0.0.0/16"].map((source) => ({ source, port })),
    sources: [backendGroup],
  });
  const simulation = settled([3000, 8025], { topology: { ...upstreamDefault, way } });
  expect(simulation.ec2.actual(podGroup).map(tuple).sort()).toEqual([
    "tcp 3000-3000 from 10.0.0.0/16",
    "tcp 3000-8025 from sg-0000000000000back",
    "tcp 3000-8025 from sg-000000000000other",
    "tcp 8025-8025 from 10.0.0.0/16",
  ]);
});

test("network interfaces of pods are looked up once", () => {
  const simulation = settled([3000]);
  simulation.addPod(0);
  simulation.pass(second);
  const looked = simulation.aws.calls.filter(({ operation }) => operation === "DescribeInstances");
  expect(looked.map(({ what }) => what)).toEqual([["10.0.0.0"], ["10.0.0.1"]]);
});

describe("pods with two security groups", () => {
  const two: Topology = {
    ...upstreamDefault,
    groups: { ...upstreamDefault.groups, "sg-00000000000other": [] },
    podGroups: [podGroup, "sg-00000000000other"],
  };

  test("the rules are on the one with the cluster's tag", () => {
    const simulation = settled([3000], { topology: two });
    expect(simulation.ec2.actual(podGroup)).toHaveLength(1);
    expect(simulation.ec2.actual("sg-00000000000other")).toEqual([]);
  });

  // The groups are looked at outside the lock: what a slow look saw before a mutation is cached after it, with EC2 never late.
  test("a look that began before another binding's mutation is believed after it", () => {
    let slow = false;
    const callTime: Conditions["callTime"] = (operation) =>
      slow && operation === "DescribeSecurityGroups" ? second : 40;
    const simulation = settled([3000, 8025], { topology: two, conditions: { callTime } });
    simulation.pass(11 * minute); // the cache is empty
    const since = simulation.clock.now;
    slow = true;
    simulation.removePod(1); // looks under the lock, then mutates
    simulation.pass(500);
    simulation.addPod(0); // looks meanwhile
    simulation.pass(10 * second);
    expect(changesSince(simulation, since)).toEqual([
      `Authorize ${range(3000, 3000)}`,
      `Revoke ${range(3000, 8025)}`,
      // It saw the group between the two. The second look, without the cache, gets it right.
      `Revoke ${range(3000, 8025)} -> InvalidPermission.NotFound`,
    ]);
    expect(callsSince(simulation, since)).toContain("RegisterTargets");
  });
});
