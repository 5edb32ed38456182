export { Karpenter } from "./karpenter";
export type { KarpenterFeatureGates } from "./feature-gates";
export { KarpenterIdentity, type KarpenterArgs } from "./karpenter-args";
export { KarpenterChartVersion } from "./karpenter-versions";
export { KarpenterNodeClass } from "./karpenter-node-class";
export type { KarpenterNodeClassArgs, NodeConnectionTracking, NodeVolume } from "./node-class-args";
export { KarpenterNodePool } from "./karpenter-node-pool";
export {
  CapacityType,
  RequirementOperator,
  type KarpenterNodePoolArgs,
  type NodePoolLimits,
  type NodeRequirement,
} from "./node-pool-args";
export {
  ConsolidationPolicy,
  DisruptionReason,
  NodePoolProfile,
  type FreezeWindow,
  type NodePoolBudget,
} from "./disruption";
export type { NodeKubelet } from "./kubelet";
export { TaintEffect, type NodeTaint, type NodeToleration } from "./taints";
