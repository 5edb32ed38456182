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
  const typed = typedRequirements(args).map(({ key, operator, values }) => ({ key, operator, values }));
  return [...typed, ...(args.requirements ?? [])];
}

/** A requirement that an argument of its own makes. */
interface TypedRequirement extends NodeRequirement {
  readonly argument: keyof KarpenterNodePoolArgs | "Linux";
}

/** What arguments other than `requirements` demand, with their defaults. */
export function typedRequirements(args: KarpenterNodePoolArgs): TypedRequirement[] {
  const isIn = (argument: TypedRequirement["argument"], key: string, values: string[]): TypedRequirement => ({
    argument,
    key,
    operator: RequirementOperator.In,
    values,
  });
  const byCategory: TypedRequirement[] = [
    isIn("instanceCategories", "karpenter.k8s.aws/instance-category", args.instanceCategories ?? ["c", "m", "r"]),
    {
      argument: "minInstanceGeneration",
      key: "karpenter.k8s.aws/instance-generation",
      operator: RequirementOperator.Gte,
      values: [String(args.minInstanceGeneration ?? 5)],
    },
  ];
  return [
    isIn("Linux", "kubernetes.io/os", ["linux"]),
    isIn(
      "architectures",
      "kubernetes.io/arch",
      (args.architectures ?? [NodeArchitecture.X86]).map((architecture) => architectureLabels[architecture]),
    ),
    isIn("capacityTypes", "karpenter.sh/capacity-type", args.capacityTypes ?? [CapacityType.OnDemand]),
    ...(args.instanceTypes === undefined
      ? byCategory
      : [isIn("instanceTypes", "node.kubernetes.io/instance-type", args.instanceTypes)]),
    ...(args.zones === undefined ? [] : [isIn("zones", "topology.kubernetes.io/zone", args.zones)]),
  ];
}
