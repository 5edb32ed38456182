import { Ec2Error } from "./aws/ec2";
import type { Rule } from "./aws/rules";
import { minute } from "./clock";
import { managedDescription } from "./controller/labels";
import { measure } from "./meter";
import { changesSince, range, settled } from "./settled";
import { Simulation } from "./simulation";
import { backendGroup, podGroup, upstreamUnrestricted, type Topology } from "./topology";
import { callsSince } from "./transcript";

/*
 * What becomes of a static rule S whose tuple is that of a rule M of the controller: the rows of lbc.md 4.4's collision matrix.
 * (The last one, S equal to the range that the race leaves behind, is in outage.test.ts.)
 */
const statik: Rule = { protocol: "tcp", from: 3000, to: 3000, source: backendGroup, description: "static" };
const tuple = range(3000, 3000);

describe("S was there first", () => {
  const start = () => settled([3000], { rules: [statik] });

  test("the controller never writes M, and never revokes S", () => {
    const simulation = start();
    simulation.unbind(0);
    simulation.clock.run(2 * minute);
    expect(changesSince(simulation, 0)).toEqual([]);
    expect(simulation.ec2.actual(podGroup)).toEqual([statik]);
  });

  test("without S the way is closed until the controller looks at the binding with an old cache", () => {
    const simulation = start();
    simulation.ec2.revoke(podGroup, [statik]);
    const outage = measure(simulation);
    simulation.pass(5 * minute);
    simulation.clearCheckpoint(0); // looks, but the cache is younger than ten minutes
    simulation.pass(55 * minute);
    expect(changesSince(simulation, 0)).toEqual([]);
    expect(outage().lost).toBe(3600);
    simulation.clearCheckpoint(0);
    simulation.pass(minute);
    expect(changesSince(simulation, 0)).toEqual([`Authorize ${tuple}`]);
  });
});

test("S is newer than the cache: the whole batch fails as a duplicate, and the second look gets it right", () => {
  const simulation = settled([3000]);
  // Its own rule away, so that the cache is filled with an empty group; then S comes, and another binding.
  simulation.removePod(0);
  simulation.clock.run(2 * minute);
  simulation.clearCheckpoint(0);
  simulation.clock.run(3 * minute);
  simulation.ec2.authorize(podGroup, [statik]);
  const since = simulation.clock.now;
  simulation.addPod(0);
  simulation.clock.run(4 * minute);
  expect(changesSince(simulation, since)).toEqual([`Authorize ${tuple} -> InvalidPermission.Duplicate`]);
  expect(callsSince(simulation, since).slice(-2)).toEqual(["DescribeSecurityGroups", "RegisterTargets"]);
  expect(simulation.ec2.actual(podGroup)).toEqual([statik]);
});

test("the batch fails with all its other rules", () => {
  const topology: Topology = {
    ...upstreamUnrestricted,
    way: (_, port) => ({
      networking: [
        { source: backendGroup, port },
        { source: backendGroup, port: 9000 },
      ],
      sources: [backendGroup],
    }),
  };
  const simulation = new Simulation(topology);
  simulation.addService(0, 3000, 0);
  simulation.bind(0);
  simulation.startController();
  simulation.clock.run(minute);
  simulation.ec2.authorize(podGroup, [statik]);
  simulation.addPod(0);
  simulation.clock.run(2 * minute);
  expect(changesSince(simulation, 0)).toEqual([
    `Authorize ${tuple}, ${range(9000, 9000)} -> InvalidPermission.Duplicate`,
    `Authorize ${range(9000, 9000)}`,
  ]);
});

test("M is there, Pulumi creates S: Pulumi fails", () => {
  const simulation = settled([3000]);
  expect(() => simulation.create({ group: podGroup, rule: statik })).toThrow(
    new Ec2Error("InvalidPermission.Duplicate"),
  );
  expect(simulation.ec2.actual(podGroup)).toEqual([{ ...statik, description: managedDescription }]);
});

test("the cache says M, and S stands in its place: the controller revokes S", () => {
  const simulation = settled([3000]);
  simulation.clearCheckpoint(0); // fills the cache with M
  simulation.clock.run(2 * minute);
  simulation.ec2.revoke(podGroup, [statik]);
  simulation.ec2.authorize(podGroup, [statik]);
  simulation.removePod(0);
  simulation.clock.run(3 * minute);
  expect(changesSince(simulation, minute)).toEqual([`Revoke ${tuple}`]);
  expect(simulation.ec2.actual(podGroup)).toEqual([]);
});

describe("the quota", () => {
  const foreign = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ protocol: "tcp", from: i + 1, to: i + 1, source: "10.0.0.0/8" }));

  // lbc.md 4.1: authorize first, but revoke first after RulesPerSecurityGroupLimitExceeded; issue 2252.
  test("in a full group the controller revokes first, and leaves a gap", () => {
    const simulation = settled([3000], { rules: foreign(59) });
    const outage = measure(simulation);
    simulation.addService(1, 4000);
    simulation.bind(1);
    simulation.clock.run(2 * minute);
    expect(changesSince(simulation, minute)).toEqual([
      `Authorize ${range(3000, 4000)} -> RulesPerSecurityGroupLimitExceeded`,
      `Revoke ${tuple}`,
      `Authorize ${range(3000, 4000)}`,
    ]);
    // From the middle of one call to the middle of the next: 40 ms.
    expect(outage().lost).toBeCloseTo(0.04);
  });

  test("otherwise it authorizes first, without a gap", () => {
    const simulation = settled([3000]);
    const outage = measure(simulation);
    simulation.addService(1, 4000);
    simulation.bind(1);
    simulation.clock.run(2 * minute);
    expect(changesSince(simulation, minute)).toEqual([`Authorize ${range(3000, 4000)}`, `Revoke ${tuple}`]);
    expect(outage().lost).toBe(0);
  });
});
