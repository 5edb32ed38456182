import { statefulNodePoolNeverUnderutilized } from "../../../policy/rules/karpenter/stateful-node-pool-never-underutilized";
import { checkStack, unknown, type Given } from "../../support/policy";
import { advisory, ok, refused, rows } from "../../support/verdicts";
import { poolType, stateful, stateless } from "./setup";

describe("stateful-node-pool-never-underutilized", () => {
  const check = (given: Given[], config?: object) => checkStack(statefulNodePoolNeverUnderutilized, given, config);
  const mark = { "moorings.dev/node-pool-profile": "stateful" };
  const pool = (spec: object, metadata: object = { name: "kafka", labels: mark }, type = poolType): Given => ({
    type,
    name: "pool",
    props: { metadata, spec },
  });
  const disrupted = (disruption: unknown) => check([pool({ ...stateful, disruption })]);
  const carries = /^"pool" carries stateful workloads.*WhenEmpty/;

  test("the stateful profile is fine, and so is a stateless pool", () => {
    expect(check([pool(stateful), pool(stateless, { name: "web" })])).toEqual(ok);
  });

  test.each([
    { consolidationPolicy: "WhenEmpty" },
    { budgets: [{ nodes: "0", reasons: ["Underutilized"] }] },
    { budgets: [{ nodes: "0%" }], consolidationPolicy: "Balanced" },
    { consolidateAfter: "Never" },
  ])("%j alone is enough", (disruption) => {
    expect(disrupted(disruption)).toEqual(ok);
  });

  // Defaults of the CRD: WhenEmptyOrUnderutilized, 10 %.
  test.each(
    rows(
      undefined,
      null,
      "x",
      [],
      { consolidationPolicy: "WhenEmptyOrUnderutilized" },
      { consolidationPolicy: "Balanced" },
      { budgets: [{ nodes: "0", reasons: ["Empty", "Drifted"] }] },
      { budgets: [{ nodes: "1", reasons: ["Underutilized"] }] },
      { budgets: [{ nodes: "0", schedule: "0 7 * * mon-fri", duration: "10h" }] },
    ),
  )("%j isn't", (disruption) => {
    expect(disrupted(disruption)).toEqual(refused(carries));
  });

  test.each([
    ["a label of its nodes", { metadata: { labels: mark } }],
    ["a taint", { spec: { taints: [{ key: "moorings.dev/node-pool-profile", value: "stateful" }] } }],
  ])("%s marks a pool as well", (_, template) => {
    expect(check([pool({ ...stateless, template }, { name: "db" })])).toEqual(refused(carries));
  });

  test("other values of the label, and other taints, don't; marks are configurable", () => {
    const labels = { "moorings.dev/node-pool-profile": "stateless" };
    const template = { spec: { taints: [{ key: "dedicated", value: "db", effect: "NoSchedule" }, null, "x"] } };
    const other = pool({ ...stateless, template }, { name: "web", labels });
    expect(check([other])).toEqual(ok);
    expect(check([other], { statefulLabels: ["dedicated=db"] })).toEqual(refused(carries));
  });

  const kafka = (podSpec: object, from: string[] = []): Given => ({
    type: "kubernetes:apps/v1:StatefulSet",
    name: "brokers",
    props: {
      spec: { template: { spec: { containers: [{ name: "kafka", image: "apache/kafka:4.4.0" }], ...podSpec } } },
    },
    propertyDependencies: { spec: from },
  });
  const affinity = (...terms: object[]) => ({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    },
  });
  const term = (key: string, ...values: string[]) => ({ matchExpressions: [{ key, operator: "In", values }] });
  const unmarked = (template: object = {}) => pool({ ...stateless, template }, { name: "big" });

  test.each<[string, object, object]>([
    ["its name", { nodeSelector: { "karpenter.sh/nodepool": "big" } }, {}],
    ["affinity to its name", affinity(term("karpenter.sh/nodepool", "big", "bigger")), {}],
    ["a label of its nodes", { nodeSelector: { for: "kafka", "kubernetes.io/arch": "arm64" } }, { for: "kafka" }],
  ])("a Kafka StatefulSet that selects the pool by %s makes it stateful", (_, spec, labels) => {
    expect(check([unmarked({ metadata: { labels } }), kafka(spec)])).toEqual(
      refused(/^"pool" carries the Kafka StatefulSet "brokers"/),
    );
  });

  test.each<[string, object, object]>([
    ["another pool", { nodeSelector: { "karpenter.sh/nodepool": "other" } }, { for: "kafka" }],
    ["another pool by affinity", affinity(term("karpenter.sh/nodepool", "other")), {}],
    ["one of two terms", affinity(term("karpenter.sh/nodepool", "big"), term("for", "kafka")), {}],
    ["no pool", {}, { for: "kafka" }],
    ["nodes with another label", { nodeSelector: { for: "kafka", tier: "a" } }, { for: "kafka", tier: "b" }],
    ["nothing that can be read", { nodeSelector: "kafka", affinity: [null] }, {}],
  ])("one that selects %s doesn't", (_, spec, labels) => {
    expect(check([unmarked({ metadata: { labels } }), kafka(spec)])).toEqual(ok);
  });

  test("a name that isn't known yet is found through the dependency", () => {
    const dim = { ...unmarked(), props: { metadata: {}, spec: stateless } };
    const selector = { nodeSelector: { "karpenter.sh/nodepool": unknown } };
    expect(check([dim, kafka(selector, ["pool"])]).violations).toHaveLength(1);
    expect(check([dim, kafka(selector)])).toEqual(ok);
    expect(check([dim, kafka({ nodeSelector: unknown }, ["pool"])]).violations).toHaveLength(1);
  });

  test("other StatefulSets don't make a pool stateful, nor does a patch of a pool count", () => {
    const selector = { nodeSelector: { "karpenter.sh/nodepool": "big" } };
    const cache = { containers: [{ name: "cache", image: "redis:8" }] };
    expect(check([unmarked(), kafka({ ...selector, ...cache })])).toEqual(ok);
    expect(check([pool({}, { name: "kafka", labels: mark }, `${poolType}Patch`)])).toEqual(ok);
  });

  test("unknowns are advisory and don't hide another pool", () => {
    const dim = { ...pool(stateless, { name: "dim", labels: unknown }), name: "dim" };
    expect(check([dim, pool({ ...stateful, disruption: undefined })])).toMatchObject({
      violations: [{ name: "pool" }],
      undecided: expect.stringMatching(/^dim: .*labels/) as string,
    });
    expect(disrupted({ consolidationPolicy: unknown })).toEqual(advisory("consolidationPolicy"));
    expect(disrupted({ budgets: [{ nodes: unknown, reasons: ["Underutilized"] }] })).toEqual(advisory("nodes"));
    expect(disrupted({ budgets: unknown, consolidationPolicy: "WhenEmpty" })).toEqual(ok);
  });
});
