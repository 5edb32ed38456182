import * as fc from "fast-check";
import { isDeep } from "../../test/support/deep";
import { managedDescription } from "./controller/labels";
import { emitted, ourCoexisting, ourDefault, type Emitted } from "./ours";
import { timelines } from "./random";
import { replay } from "./timeline";
import { upstreamDefault, upstreamUnrestricted, type StaticRule, type Topology } from "./topology";

/*
 * Random timelines: pods, ports, bindings, readiness, restarts, cleared checkpoints, the moment of the net's deployment, and how late
 * EC2 and the controller's watch are. Fixed seeds in the gate; `npm run test:deep` takes others, and many more.
 */
const runs = isDeep ? 4_000 : 60;
const parameters = { numRuns: runs, ...(isDeep ? {} : { seed: 4889 }) };
const untouched = { lost: 0, unreachable: 0 };

let parts: Emitted;
beforeAll(async () => {
  parts = await emitted();
});

/** The first timeline, of the same many, in which a topology loses requests for a minute. */
function firstLoss(topology: Topology) {
  return fc.check(
    fc.property(timelines, (timeline) => replay(timeline, topology).lost < 60),
    { numRuns: runs, seed: 4889, endOnFailure: true },
  );
}

describe("never a second without a way to a ready pod", () => {
  test.each<[string, (emitted: Emitted) => Topology]>([
    ["our default", ourDefault],
    ["ours beside Ingress", ourCoexisting],
    // The net doesn't rest on the flag, nor on how soon the controller comes back to a binding.
    [
      "ours beside Ingress, with the upstream controller's settings",
      (given) => ourCoexisting({ ...given, controller: upstreamDefault.controller }),
    ],
  ])("%s", (_, topologyOf) => {
    const topology = topologyOf(parts);
    fc.assert(
      fc.property(timelines, (timeline) => {
        expect(replay(timeline, topology)).toEqual(untouched);
      }),
      parameters,
    );
  });
});

describe("the same timelines can take a way", () => {
  test.each([upstreamDefault, upstreamUnrestricted])("$name loses requests in some", (topology) => {
    expect(firstLoss(topology).failed).toBe(true);
  });

  const changed = (rules: readonly StaticRule[], change: Partial<StaticRule["rule"]>) =>
    rules.map(({ group, rule }) => ({ group, rule: { ...rule, ...change } }));

  // What `SafetyNetRules` must never emit, each put in its place.
  test.each<[string, (given: Emitted) => Topology]>([
    [
      "a net that carries the controller's label, beside Ingress",
      (given) => ourCoexisting({ ...given, edgeNet: changed(given.edgeNet, { description: managedDescription }) }),
    ],
    [
      "a net that carries the controller's label among words, on our default",
      (given) => ourDefault({ ...given, net: changed(given.net, { description: `safety net ${managedDescription}` }) }),
    ],
    [
      "a net that is the controller's own tuple",
      (given) =>
        ourCoexisting({
          ...given,
          edgeNet: changed(given.edgeNet, { from: 0, to: 65535, source: given.backendGroup }),
        }),
    ],
    ["no net", (given) => ourCoexisting({ ...given, edgeNet: [] })],
  ])("%s", (_, topologyOf) => {
    expect(firstLoss(topologyOf(parts)).failed).toBe(true);
  });
});

describe("what the components emit", () => {
  test("the nets come from groups that no binding names, and no rule of theirs looks like the controller's", () => {
    expect([...parts.net, ...parts.edgeNet]).toEqual([
      {
        group: "sg-00000000000000pod",
        rule: {
          protocol: "tcp",
          from: 1024,
          to: 65535,
          source: "sg-00000000000000alb",
          description: "Moorings safety net from load balancer to pods",
        },
      },
      {
        group: "sg-00000000000000pod",
        rule: {
          protocol: "tcp",
          from: 1024,
          to: 65535,
          source: "sg-ingressedge",
          description: "Moorings safety net from load balancer to pods",
        },
      },
    ]);
  });

  test("the Ingress's load balancer has the net's source among its groups, and the controller another one", () => {
    expect(parts.ingressGroups).toEqual(["sg-000000000000front", "sg-ingressedge"]);
    expect(parts.backendGroup).toBe("sg-ingressbackend");
  });

  test("a binding asks for nothing, and the controller's values are read", () => {
    expect(parts.networking).toBeUndefined();
    expect(parts.controller).toEqual({
      clusterName: "shop-prod",
      restricted: false,
      requeue: 5_000,
      longestBackoff: 60_000,
      syncPeriod: 1_800_000,
    });
  });
});
