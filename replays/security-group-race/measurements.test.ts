import type { Rule } from "./aws/rules";
import { minute, second } from "./clock";
import { measure } from "./meter";
import { changesSince, range, settled } from "./settled";
import { Simulation, type Conditions } from "./simulation";
import { backendGroup, podGroup, upstreamDefault, upstreamUnrestricted, type Topology } from "./topology";
import { callsSince } from "./transcript";

/*
 * What the real controller did (3.5.0, its own binary on an emulated AWS), row by row of lbc.md 10, and what the model does.
 * Left out are the rows about other things than rules and the calls around them: RegisterTargets or DeregisterTargets denied, and
 * DescribeVpcs, which the model doesn't have.
 */
const ports = [3000, 3008, 8025];
const edge: Rule = { protocol: "tcp", from: 3000, to: 8025, source: "sg-0000000000000edge", description: "static" };

/** Bindings that ask for nothing, by the upstream controller's settings: what was measured as A. */
const plain: Topology = {
  ...upstreamDefault,
  way: () => ({ networking: undefined, sources: [edge.source] }),
};

/** The three bindings with a pod each, beside a static rule from another group. */
const running = (topology: Topology, conditions: Partial<Conditions> = {}, rules: readonly Rule[] = [edge]) =>
  settled(ports, { topology, conditions, rules });
function replacePods(simulation: Simulation, numbers: readonly number[]) {
  for (const number of numbers) {
    simulation.removePod(number);
    simulation.pass(5 * second);
    simulation.addPod(number);
    simulation.pass(5 * second);
  }
}

describe("calls of a pod's replacement", () => {
  test("A: 4.0 calls: DescribeTargetHealth twice, Deregister, Register", () => {
    const simulation = running(plain);
    const since = simulation.clock.now;
    replacePods(simulation, [1]);
    expect(callsSince(simulation, since).sort()).toEqual([
      "DeregisterTargets",
      "DescribeTargetHealth",
      "DescribeTargetHealth",
      "RegisterTargets",
    ]);
  });

  // The port in the middle changes no range.
  test("B: one more, DescribeInstances", () => {
    const simulation = running(upstreamDefault);
    replacePods(simulation, [1]); // the cache of groups is filled
    const since = simulation.clock.now;
    replacePods(simulation, [1]);
    expect(callsSince(simulation, since).sort()).toEqual([
      "DeregisterTargets",
      "DescribeInstances",
      "DescribeTargetHealth",
      "DescribeTargetHealth",
      "RegisterTargets",
    ]);
  });

  // Ready to registered took 36 ms, and 328 ms when every call took 150 ms more: two calls one after the other. With networking 102 and
  // 547 ms: three. Out of service: 44 and 330 ms, two.
  test.each<[string, Topology, number]>([
    ["A", plain, 2],
    ["B", upstreamDefault, 3],
  ])("%s: a ready pod is registered by its calls alone", (_, topology, calls) => {
    const simulation = running(topology, { callTime: () => 150 });
    replacePods(simulation, [1]);
    simulation.removePod(1);
    simulation.pass(5 * second);
    const since = simulation.clock.now;
    simulation.addPod(1);
    simulation.pass(5 * second);
    const registered = simulation.aws.calls.filter(({ operation }) => operation === "RegisterTargets");
    // It takes effect in the middle of the last call; beside the calls there are at most 30 ms of the controller's own.
    const waited = (registered.at(-1)?.at ?? 0) - since + 75;
    expect(waited).toBeGreaterThanOrEqual(calls * 150);
    expect(waited).toBeLessThan(calls * 150 + 30);
  });
});

describe("mutations of rules", () => {
  test("A: none, and four static rules on the tagged group are unchanged", () => {
    const statics = ports.map((port) => ({ ...edge, from: port, to: port })).concat(edge);
    const simulation = running(plain, {}, statics);
    replacePods(simulation, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    expect(changesSince(simulation, 0)).toEqual([]);
    expect(simulation.ec2.actual(podGroup)).toEqual(statics);
  });

  test("B: nine replacements of three bindings make 12 Authorize and 12 Revoke", () => {
    const simulation = running(upstreamDefault);
    const since = simulation.clock.now;
    replacePods(simulation, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    const kinds = changesSince(simulation, since).map((line) => line.split(" ")[0]);
    expect(kinds.filter((kind) => kind === "Authorize")).toHaveLength(12);
    expect(kinds.filter((kind) => kind === "Revoke")).toHaveLength(12);
    expect(simulation.ec2.actual(podGroup)).toContainEqual(edge);
  });
});

describe("a restart", () => {
  test.each([
    ["A", plain],
    ["B", upstreamDefault],
  ])("%s: all pods changed meanwhile: repaired at once, not after the deferral", (_, topology) => {
    const simulation = running(topology);
    simulation.stopController();
    for (const number of [0, 1, 2]) {
      simulation.removePod(number);
      simulation.addPod(number);
    }
    simulation.startController();
    simulation.pass(2.6 * second); // what it took the real one from the start of its process
    expect(simulation.unreachable()).toEqual([]);
    ports.forEach((port, number) =>
      expect([...simulation.targets.registered(`service-${number}`)]).toEqual([
        expect.stringMatching(new RegExp(`^10\\.0\\.0\\.${number + 3}:${port}$`)),
      ]),
    );
  });

  test.each([
    ["A", plain],
    ["B", upstreamDefault],
  ])("%s: nothing changed: no call", (_, topology) => {
    const simulation = running(topology);
    simulation.startController();
    const since = simulation.clock.now;
    simulation.pass(29 * minute);
    expect(callsSince(simulation, since)).toEqual([]);
  });
});

describe("issue 4889, reproduced", () => {
  /** The pod of 8025 goes and comes back while EC2 is stale and the watch is slow, as in one of the two measured runs. */
  function race(topology: Topology, staleness: Conditions["staleness"], away = 2 * second) {
    let slow = false;
    const simulation = running(topology, {
      staleness: (mutation) => (slow ? staleness(mutation) : 0),
      lag: () => (slow ? 20 : 1),
    });
    const since = simulation.clock.now;
    slow = true;
    simulation.removePod(2);
    simulation.pass(away);
    slow = false;
    simulation.addPod(2);
    simulation.pass(second);
    return { simulation, changes: changesSince(simulation, since) };
  }

  test("only the revocation is seen 3 s late: no managed rule is left while pods live and are registered", () => {
    const { simulation, changes } = race(upstreamDefault, ({ kind }) => (kind === "revoke" ? 3 * second : 0));
    expect(changes).toEqual([
      `Authorize ${range(3000, 3008)}`,
      `Revoke ${range(3000, 8025)}`,
      `Revoke ${range(3000, 8025)} -> InvalidPermission.NotFound`,
      `Revoke ${range(3000, 8025)} -> InvalidPermission.NotFound`,
      `Revoke ${range(3000, 3008)}`,
    ]);
    expect(simulation.ec2.actual(podGroup)).toEqual([edge]); // static, from another source: survived every run
    expect([...simulation.targets.registered("service-2")]).toHaveLength(1);
    expect(simulation.unreachable()).toHaveLength(3);
  });

  test("both are seen 2 s late: Duplicate twice, port 8025 is lost, and still lost 25 s later", () => {
    const { simulation, changes } = race(upstreamDefault, () => 2 * second);
    expect(changes).toEqual([
      `Authorize ${range(3000, 3008)}`,
      `Revoke ${range(3000, 8025)}`,
      `Authorize ${range(3000, 3008)} -> InvalidPermission.Duplicate`,
      `Authorize ${range(3000, 3008)} -> InvalidPermission.Duplicate`,
    ]);
    simulation.pass(25 * second);
    expect(simulation.ec2.actual(podGroup).map(({ from, to }) => [from, to])).toEqual([
      [3000, 8025], // static
      [3000, 3008],
    ]);
    expect(simulation.unreachable()).toHaveLength(1);
  });

  test.each<[string, Conditions["staleness"]]>([
    ["the revocation", ({ kind }) => (kind === "revoke" ? 3 * second : 0)],
    ["both", () => 2 * second],
  ])("with unrestricted rules, %s late: no loss", (_, staleness) => {
    const { simulation, changes } = race(upstreamUnrestricted, staleness);
    expect(changes).toEqual([]);
    expect(simulation.unreachable()).toEqual([]);
  });

  test("with a watch that is quicker than the worker nothing is lost: it is a race (the other run)", () => {
    const simulation = running(upstreamDefault, {
      staleness: ({ kind }) => (kind === "revoke" ? 3 * second : 0),
    });
    const outage = measure(simulation);
    simulation.removePod(2);
    simulation.pass(4 * second);
    simulation.addPod(2);
    simulation.pass(minute);
    expect(outage().lost).toBe(0);
  });
});

describe("a static rule with the tuple of the controller's", () => {
  const own: Rule = { protocol: "tcp", from: 3000, to: 8025, source: backendGroup, description: "static" };

  test("static first: the controller makes no mutation", () => {
    const simulation = running(upstreamDefault, {}, [own]);
    const since = simulation.clock.now;
    expect(simulation.ec2.actual(podGroup)).toContainEqual(own);
    replacePods(simulation, [1]);
    expect(changesSince(simulation, since)).toEqual([]);
  });

  test("controller first: creating the static one fails", () => {
    const simulation = running(upstreamDefault);
    expect(() => simulation.create({ group: podGroup, rule: own })).toThrow("InvalidPermission.Duplicate");
  });

  test("static deleted while it is cached: a binding made within ten minutes gets no rule", () => {
    const single: Rule = { ...own, to: 3000 };
    const simulation = settled([3000], { rules: [single] });
    simulation.ec2.revoke(podGroup, [single]);
    simulation.addService(1, 3000);
    simulation.bind(1);
    simulation.pass(minute);
    expect(changesSince(simulation, 0)).toEqual([]);
    expect([...simulation.targets.registered("service-1")]).toHaveLength(1);
    expect(simulation.unreachable()).toHaveLength(2);
  });
});

test("without permission to describe groups targets work, and the rules are tried again every 15 s", () => {
  const simulation = new Simulation(plain);
  simulation.aws.denied.add("DescribeSecurityGroups");
  simulation.addService(0, 3000);
  simulation.bind(0);
  simulation.startController();
  simulation.pass(61 * second);
  expect([...simulation.targets.registered("service-0")]).toHaveLength(1);
  const tried = simulation.aws.calls.filter(({ operation }) => operation === "DescribeSecurityGroups");
  expect(tried.map(({ error }) => error)).toEqual(Array(tried.length).fill("UnauthorizedOperation"));
  // At once, again because the binding was heard of meanwhile, and after 15, 30, 45 and 60 s.
  expect(tried.map(({ at }) => Math.floor(at / second))).toEqual([0, 0, 15, 30, 45, 60]);
});

describe("a target registered by hand in a bound group", () => {
  const stays = (simulation: Simulation) => simulation.targets.registered("service-0").has("10.9.9.9:3000");
  function withForeign() {
    const simulation = running(plain);
    simulation.targets.register("service-0", ["10.9.9.9:3000"]);
    return simulation;
  }

  test("stays when nothing or only a pod changes within five minutes", () => {
    const simulation = withForeign();
    simulation.kubernetes.bindings.change("service-0", (binding) => ({ ...binding })); // as a label would
    simulation.pass(second);
    replacePods(simulation, [0]);
    expect(stays(simulation)).toBe(true);
  });

  test("stays after a restart alone", () => {
    const simulation = withForeign();
    simulation.startController();
    simulation.pass(10 * minute);
    expect(stays(simulation)).toBe(true);
  });

  test("goes with the next pod after five minutes", () => {
    const simulation = withForeign();
    simulation.pass(5 * minute);
    expect(stays(simulation)).toBe(true);
    simulation.removePod(0);
    simulation.pass(second);
    expect(stays(simulation)).toBe(false);
  });

  test("goes with the next pod after a restart", () => {
    const simulation = withForeign();
    simulation.startController();
    simulation.removePod(0);
    simulation.pass(second);
    expect(stays(simulation)).toBe(false);
  });
});
