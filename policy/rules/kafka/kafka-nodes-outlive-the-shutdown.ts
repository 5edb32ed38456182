import type { PolicyResource } from "@pulumi/policy";
import { secondsOf } from "../../lib/durations";
import { isUnknown, type Unknown } from "../../lib/known";
import { isPatch, numberAt } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { placementOf } from "../../lib/placement";
import { defaultGraceSeconds, podSpec } from "../../lib/pods";
import { allowsCapacity, capacityLabel, isNodePoolType, targets } from "../karpenter/node-pools";
import { kafkaStackRule, type KafkaSetInStack } from "./kafka-rule";

/**
 * A pod's grace is worth what its node's is. Spot instances go two minutes after the notice. When a node's own grace period is shorter than the
 * pod's, Karpenter deletes the pod at once and cuts it short (v1.14, concepts/disruption.md).
 */
export const kafkaNodesOutliveTheShutdown = kafkaStackRule<object>({
  name: "kafka-nodes-outlive-the-shutdown",
  displayName: "Kafka's nodes outlive its shutdown",
  description:
    "A NodePool that a Kafka StatefulSet selects must not launch spot instances, and its terminationGracePeriod must be longer than that of the pods: " +
    "else the machine is gone before the broker has handed over its partitions, whatever its pod was promised.",
  severity: "critical",
  tags: ["kafka", "karpenter", "availability"],
  remediationSteps: `Give Kafka a pool of on-demand nodes. Karpenter takes spot instances first wherever it may, also where nothing is said:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("kafka-nodes", {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "kafka" },
  spec: {
    template: {
      spec: {
        requirements: [{ key: "${capacityLabel}", operator: "In", values: ["on-demand"] }],
        expireAfter: "Never", // and no terminationGracePeriod, or one of an hour
        // ...
      },
    },
    // ...
  },
});
\`\`\`

A set selects a pool by \`nodeSelector\` or required node affinity, by \`karpenter.sh/nodepool\` or by a label that the pool gives its nodes.`,
  configSchema: { properties: {} },
  check: ({ sets, resources, report, undecided }) => {
    for (const pool of resources.filter((r) => isNodePoolType(r.type) && !isPatch(r)))
      for (const set of sets.filter((s) => targets(s.object, pool))) {
        const spot = mayBeSpot(set, pool);
        if (isUnknown(spot)) undecided.add(spot, pool);
        else if (spot)
          report(
            `"${pool.name}" may launch spot instances for "${set.object.name}": they go two minutes after the notice. Require ${capacityLabel} In ["on-demand"].`,
            pool.urn,
          );
        const short = cutsShort(set, pool);
        if (isUnknown(short)) undecided.add(short, pool);
        else if (short !== undefined)
          report(
            `"${pool.name}" gives its nodes a terminationGracePeriod of ${short.node}, but the pods of "${set.object.name}" need ${short.podSeconds} s: Karpenter would cut them short. Leave it out, or write one far above.`,
            pool.urn,
          );
      }
  },
});

function mayBeSpot({ object }: KafkaSetInStack, pool: PolicyResource): boolean | Unknown {
  const wanted = placementOf(object).labels.get(capacityLabel);
  if (wanted !== undefined && !isUnknown(wanted) && !wanted.includes("spot")) return false;
  return allowsCapacity(pool, "spot");
}

function cutsShort(
  { object }: KafkaSetInStack,
  pool: PolicyResource,
): { node: string; podSeconds: number } | Unknown | undefined {
  const node = valueAt(pool.props, ["spec", "template", "spec", "terminationGracePeriod"]);
  const written = numberAt(object.props, [...podSpec, "terminationGracePeriodSeconds"]);
  if (node === undefined) return undefined;
  if (isUnknown(node) || isUnknown(written)) return isUnknown(node) ? node : (written as Unknown);
  const podSeconds = written ?? defaultGraceSeconds;
  const nodeSeconds = typeof node === "string" ? secondsOf(node) : undefined;
  // What is no duration at all the API server refuses.
  return nodeSeconds === undefined || nodeSeconds > podSeconds ? undefined : { node: node as string, podSeconds };
}
