import type * as pulumi from "@pulumi/pulumi";
import { NodeArchitecture } from "../cluster";
import { never } from "./durations";
import type { DisruptionPlan, NodePoolBudget } from "./disruption";
import { CapacityType, RequirementOperator, type KarpenterNodePoolArgs, type NodeRequirement } from "./node-pool-args";
import type { NodeTaint } from "./taints";

/** Processors, as Kubernetes spells them. */
const architectureLabels = { [NodeArchitecture.X86]: "amd64", [NodeArchitecture.Arm64]: "arm64" };

/**
 * The spec of the NodePool. Where things stand matters: the API server drops what it doesn't know without a word, so an `expireAfter`
 * beside the budgets, where older releases had it, would leave nodes to expire after a month.
 */
export function nodePoolSpec(
  args: KarpenterNodePoolArgs,
  plan: DisruptionPlan,
  className: pulumi.Input<string>,
  taints: NodeTaint[],
) {
  const { cpu, memory, nodes } = args.limits;
  return {
    weight: args.weight,
    limits: { cpu, memory, ...(nodes === undefined ? {} : { nodes: String(nodes) }) },
    disruption: {
      consolidationPolicy: plan.consolidationPolicy,
      consolidateAfter: plan.consolidateAfter,
      budgets: plan.budgets.map(budgetSpec),
    },
    template: {
      metadata: args.labels === undefined ? undefined : { labels: args.labels },
      spec: {
        nodeClassRef: { group: "karpenter.k8s.aws", kind: "EC2NodeClass", name: className },
        requirements: requirementsOf(args),
        taints: taints.length === 0 ? undefined : taints,
        startupTaints: args.startupTaints,
        expireAfter: plan.expireAfter,
        // Absent means no bound: here, unlike elsewhere, Karpenter doesn't know "Never".
        terminationGracePeriod: plan.terminationGracePeriod === never ? undefined : plan.terminationGracePeriod,
      },
    },
  };
}

function budgetSpec({ nodes, reasons, scheduleUtc, duration }: NodePoolBudget) {
  return { nodes, reasons, schedule: scheduleUtc, duration };
}

function requirementsOf(args: KarpenterNodePoolArgs): NodeRequirement[] {
  const isIn = (key: string, values: string[]) => ({ key, operator: RequirementOperator.In, values });
  const byCategory = [
    isIn("karpenter.k8s.aws/instance-category", args.instanceCategories ?? ["c", "m", "r"]),
    {
      key: "karpenter.k8s.aws/instance-generation",
      operator: RequirementOperator.Gte,
      values: [String(args.minInstanceGeneration ?? 5)],
    },
  ];
  return [
    isIn("kubernetes.io/os", ["linux"]),
    isIn(
      "kubernetes.io/arch",
      (args.architectures ?? [NodeArchitecture.X86]).map((architecture) => architectureLabels[architecture]),
    ),
    isIn("karpenter.sh/capacity-type", args.capacityTypes ?? [CapacityType.OnDemand]),
    ...(args.instanceTypes === undefined ? byCategory : [isIn("node.kubernetes.io/instance-type", args.instanceTypes)]),
    ...(args.zones === undefined ? [] : [isIn("topology.kubernetes.io/zone", args.zones)]),
    ...(args.requirements ?? []),
  ];
}
