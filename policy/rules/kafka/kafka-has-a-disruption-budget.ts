import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { numberAt } from "../../lib/kubernetes";
import { coversPodsOf, isBudget, letsGo } from "../../lib/pods";
import { kafkaStackRule, type KafkaSetInStack } from "./kafka-rule";

/** A node that is drained asks nobody but the disruption budget whether a second broker may go. */
export const kafkaHasADisruptionBudget = kafkaStackRule<object>({
  name: "kafka-has-a-disruption-budget",
  displayName: "At most one Kafka pod is taken away at a time",
  description:
    "One PodDisruptionBudget with maxUnavailable 1 must select the pods of each Kafka StatefulSet: without it a drain takes several brokers at " +
    "once, and partitions lose their minimum of replicas; with two of them, or with 0, no node can be drained at all.",
  severity: "critical",
  tags: ["kafka", "availability"],
  remediationSteps: `Make one budget for each StatefulSet, with the labels of its pods:

\`\`\`ts
new kubernetes.policy.v1.PodDisruptionBudget("brokers", {
  metadata: { namespace: "kafka" },
  spec: {
    maxUnavailable: 1,
    selector: { matchLabels: { "app.kubernetes.io/name": "kafka", "app.kubernetes.io/component": "broker" } },
  },
});
\`\`\`

\`minAvailable\` of one less than the replicas is taken for the same. A budget that another stack makes isn't seen: exempt the StatefulSet.`,
  configSchema: { properties: {} },
  check: ({ sets, resources, report, undecided }) => {
    const budgets = resources.filter(isBudget);
    for (const set of sets) {
      const { object } = set;
      const answers = budgets.map((budget) => ({ budget, selected: coversPodsOf(budget, object) }));
      const selecting = answers.filter(({ selected }) => selected === true).map(({ budget }) => budget);
      const [budget] = selecting;
      const unknown = answers.map(({ selected }) => selected).find(isUnknown);
      if (selecting.length > 1)
        report(
          `${selecting.length} PodDisruptionBudgets select the pods of "${object.name}" (${selecting.map((b) => b.name).join(", ")}): Kubernetes then refuses every eviction. Keep one.`,
          object.urn,
        );
      else if (budget === undefined && unknown !== undefined) undecided.add(unknown, object);
      else if (budget === undefined)
        report(
          `No PodDisruptionBudget in this stack selects the pods of "${object.name}". Add one with maxUnavailable: 1 and the labels of its pods.`,
          object.urn,
        );
      else {
        const one = lets(budget, set);
        if (isUnknown(one)) undecided.add(one, object, budget.name);
        else if (!one)
          report(
            `The PodDisruptionBudget "${budget.name}" doesn't let exactly one pod of "${object.name}" be taken away at a time. Write maxUnavailable: 1, and no minAvailable.`,
            object.urn,
          );
      }
    }
  },
});

/** Whether a budget lets one pod of the set go at a time, no more and no less. */
function lets(budget: PolicyResource, { object }: KafkaSetInStack): boolean | Unknown {
  const pods = letsGo(budget, numberAt(object.props, ["spec", "replicas"]) ?? 1);
  return isUnknown(pods) ? pods : pods === 1;
}
