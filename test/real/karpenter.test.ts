import { adapted, frozenAt, placed } from "../../test-real/karpenter/adapted";
import { between, fromZero, outcomeOf, podOutcomeOf, stillThere, type Moment } from "../support/timeline";

/* What the suite of the real Karpenter changes of our objects, and how it counts what it saw. */

const nodePool = {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: {
    disruption: { consolidateAfter: "5m" },
    template: {
      metadata: { labels: { team: "platform" } },
      spec: {
        expireAfter: "720h",
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: "web" },
        requirements: [
          { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
          { key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["c"] },
          { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
        ],
      },
    },
  },
};

test("a NodePool for simulated nodes differs in its class and in requirements of EC2 only", () => {
  expect(adapted(nodePool)).toEqual({
    nodePool: {
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      metadata: { name: "web" },
      spec: {
        disruption: { consolidateAfter: "5m" },
        template: {
          metadata: { labels: { team: "platform" } },
          spec: {
            expireAfter: "720h",
            nodeClassRef: { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: "simulated" },
            requirements: [
              { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
              { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
            ],
          },
        },
      },
    },
    dropped: ["karpenter.k8s.aws/instance-category"],
  });
});

test("a Deployment placed in a pool keeps all but where its pods run", () => {
  const deployment = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web" },
    spec: { replicas: 3, template: { metadata: { labels: { app: "web" } }, spec: { containers: [] } } },
  };
  const nodeSelector = { "karpenter.sh/nodepool": "web" };
  const tolerations = [{ key: "moorings.dev/node-pool", operator: "Exists" }];
  expect(placed(deployment, { nodeSelector, tolerations }, { note: "x" })["spec"]).toEqual({
    replicas: 3,
    template: {
      metadata: { labels: { app: "web" }, annotations: { note: "x" } },
      spec: { containers: [], nodeSelector, tolerations },
    },
  });
});

test.each([
  ["2026-12-01T09:05:59Z", "35 8 * * *"],
  ["2026-12-01T00:10:00Z", "40 23 * * *"], // the evening before
])("a window that is open at %s began half an hour before", (now, scheduleUtc) => {
  expect(frozenAt(new Date(now))).toEqual({ scheduleUtc, duration: "2h" });
});

describe("a timeline", () => {
  const moments: Moment[] = [
    { at: 0, ready: [], nodes: [], leaving: [] },
    { at: 2, ready: ["a", "b"], nodes: ["n", "m"], leaving: [] },
    { at: 10, ready: ["b"], nodes: ["n", "m"], leaving: ["n", "m"] },
    { at: 12.5, ready: [], nodes: ["m", "o"], leaving: ["m"] },
    { at: 14, ready: ["c"], nodes: ["m", "o"], leaving: ["m"] },
    { at: 20, ready: [], nodes: ["o"], leaving: [] },
  ];

  test("begins with what there was", () => {
    expect(between(moments, 5, 13)).toEqual({ moments: [{ ...moments[1], at: 5 }, moments[2], moments[3]], end: 13 });
    expect(() => between(moments, -1, 13)).toThrow("nothing was recorded up to -1 s");
  });

  test("counts pods, addresses and nodes, and the time until its end", () => {
    expect(outcomeOf(between(moments, 5, 21))).toEqual({
      fewestReady: 0,
      secondsAtZero: 2.5, // 12.5 to 14, and 20 to 21
      originals: 2,
      originalsLeft: 0,
      mostLeaving: 2,
      gone: 2,
    });
  });

  test("counts a node that is still going as gone, and one that was never taken as there", () => {
    expect(outcomeOf(between(moments, 5, 15))).toMatchObject({ gone: 2, mostLeaving: 2 });
    expect(outcomeOf(between(moments, 5, 9))).toEqual({
      fewestReady: 2,
      secondsAtZero: 0,
      originals: 2,
      originalsLeft: 2,
      mostLeaving: 0,
      gone: 0,
    });
  });

  test("doesn't take a new address for an old one", () => {
    expect(stillThere(between(moments, 5, 15).moments)).toEqual([2, 1, 0, 0]);
  });

  test("can be written down from its own beginning, without nodes", () => {
    const written = fromZero(between(moments, 9.9, 12.5));
    expect(written).toEqual({
      moments: [
        { at: 0, ready: ["a", "b"] },
        { at: 0.1, ready: ["b"] },
        { at: 2.6, ready: [] },
      ],
      end: 2.6,
    });
    expect(podOutcomeOf(written)).toEqual({ fewestReady: 0, secondsAtZero: 0, originals: 2, originalsLeft: 0 });
  });
});
