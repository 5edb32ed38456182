import type { PolicyResource } from "@pulumi/policy";
import { allOf, anyOf, isUnknown, type Unknown } from "../../lib/known";
import { isPatch, itemsAt } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { stackRule } from "../../lib/rule";
import { kafkaConfig, type KafkaConfig } from "../kafka/kafka-sets";
import { kafkaSetsIn } from "../kafka/kafka-rule";
import { budgetsOf, forbids, Reason } from "./budgets";
import { isNodePoolType, targets } from "./node-pools";

interface Config extends KafkaConfig {
  statefulLabels: string[];
}

/**
 * Consolidation of a half-empty node moves its pods to save money. A broker that moves detaches and attaches its volume, catches up
 * with minutes of data, and its clients see a leader go: each time, for nothing that the data needed.
 */
export const statefulNodePoolNeverUnderutilized = stackRule<Config>({
  name: "stateful-node-pool-never-underutilized",
  displayName: "Stateful node pools never move pods to save money",
  description:
    "A NodePool that carries data (labelled stateful, or selected by a Kafka StatefulSet) must not consolidate underutilized nodes: every " +
    "move of a broker is a leader change and minutes of catching up, and Karpenter's default allows it at any time.",
  severity: "high",
  tags: ["karpenter", "kafka", "availability"],
  remediationSteps: `Let Karpenter remove only empty nodes, and forbid the rest by a budget too, in case somebody changes the policy:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("kafka-nodes", {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "kafka", labels: { "moorings.dev/node-pool-profile": "stateful" } },
  spec: {
    disruption: {
      consolidationPolicy: "WhenEmpty",
      consolidateAfter: "15m",
      budgets: [
        { nodes: "0", reasons: ["Underutilized"] },
        { nodes: "1", reasons: ["Empty", "Drifted"] },
      ],
    },
    // ...
  },
});
\`\`\`

Either of the two is enough for the rule; so is \`consolidateAfter: "Never"\`. A budget counts only without a schedule.`,
  configSchema: {
    properties: {
      statefulLabels: {
        type: "array",
        items: { type: "string" },
        default: ["moorings.dev/node-pool-profile=stateful"],
        description:
          "What marks a stateful pool, as `key=value`: a label of the NodePool, or a label or taint that it gives its nodes.",
      },
      ...kafkaConfig,
    },
  },
  check: ({ resources }, report, config, undecided) => {
    const sets = kafkaSetsIn(resources, config, undecided);
    for (const pool of resources.filter((r) => isNodePoolType(r.type) && !isPatch(r))) {
      const user = sets.find((set) => targets(set.object, pool));
      const stateful = user !== undefined || isMarked(pool, config);
      const safe = neverUnderutilized(pool);
      const unknown = [stateful, safe].find(isUnknown);
      if (stateful === false || safe === true) continue;
      if (unknown !== undefined) undecided.add(unknown, pool);
      else
        report(
          `"${pool.name}" carries ${user === undefined ? "stateful workloads" : `the Kafka StatefulSet "${user.object.name}"`}, but Karpenter may move their pods to save money (consolidationPolicy ${policyOf(pool)}). Write consolidationPolicy: "WhenEmpty", or the budget { nodes: "0", reasons: ["Underutilized"] }.`,
          pool.urn,
        );
    }
  },
});

function isMarked(pool: PolicyResource, config: Config): boolean | Unknown {
  const marks = config.statefulLabels.map((label) => label.split(/=(.*)/s) as [string, string | undefined]);
  const labels = marks.flatMap(([key, value]) =>
    [["metadata"], ["spec", "template", "metadata"]].map((path) => {
      const found = valueAt(pool.props, [...path, "labels", key]);
      return isUnknown(found) ? found : found !== undefined && found === (value ?? "");
    }),
  );
  const taints = itemsAt(pool.props, ["spec", "template", "spec", "taints"]).flatMap((taint) => {
    if (isUnknown(taint)) return [taint];
    const [key, value] = [stringAt(taint, ["key"]), stringAt(taint, ["value"]) ?? ""];
    return marks.map((mark) =>
      allOf([isUnknown(key) ? key : key === mark[0], isUnknown(value) ? value : value === (mark[1] ?? "")]),
    );
  });
  return anyOf([...labels, ...taints]);
}

function neverUnderutilized(pool: PolicyResource): boolean | Unknown {
  const policy = valueAt(pool.props, ["spec", "disruption", "consolidationPolicy"]);
  const after = valueAt(pool.props, ["spec", "disruption", "consolidateAfter"]);
  return anyOf([
    isUnknown(policy) ? policy : policy === "WhenEmpty",
    isUnknown(after) ? after : after === "Never",
    ...budgetsOf(pool).map((budget) => (isUnknown(budget) ? budget : forbids(budget, Reason.Underutilized))),
  ]);
}

function policyOf(pool: PolicyResource): string {
  const policy = stringAt(pool.props, ["spec", "disruption", "consolidationPolicy"]);
  return typeof policy === "string" ? policy : "WhenEmptyOrUnderutilized, the default";
}
