// The public API of Moorings. What isn't here is nobody else's business, and may change at any time.
export { AlarmEndpointProtocol, AlarmSeverity, AlarmTopics, LoadBalancerType, TargetHealthAlarms } from "./alarms";
export type {
  AlarmEndpoint,
  AlarmRoutes,
  AlarmTopicsArgs,
  TargetHealthAlarmOverride,
  TargetHealthAlarmOverrides,
  TargetHealthAlarmsArgs,
} from "./alarms";
export {
  ClusterAccessLevel,
  EksCluster,
  NodeArchitecture,
  clusterRefByName,
  clusterRefFromAws,
  clusterRefFromEks,
} from "./cluster";
export type {
  AddonVersions,
  ByNameOptions,
  ClusterAccess,
  ClusterRef,
  EksClusterArgs,
  FromEksOptions,
  NodesArgs,
} from "./cluster";
export {
  ApplicationLoadBalancer,
  ControllerChartVersion,
  ControllerPermissions,
  DesyncMitigation,
  DrainSafeDeployment,
  LoadBalancedService,
  LoadBalancerAddressType,
  LoadBalancerController,
  LoadBalancerScheme,
  LoadBalancingAlgorithm,
  SafetyNetRules,
  TargetAddressType,
  TargetGroupBinding,
  TargetGroupProtocol,
  TargetProtocolVersion,
  ZoneSpread,
  registrarRolePath,
  registrationTag,
} from "./load-balancing";
export type {
  AccessLogsArgs,
  AnyLoadBalancerRef,
  ApplicationLoadBalancerArgs,
  AutoscaleArgs,
  ContainerResourcesArgs,
  DrainSafeDeploymentArgs,
  LoadBalancedServiceArgs,
  LoadBalancerControllerArgs,
  LoadBalancerRef,
  ProbesArgs,
  SafetyNetRef,
  SafetyNetRulesArgs,
  StickinessArgs,
  TargetGroupBindingArgs,
  TargetGroupRef,
} from "./load-balancing";
export {
  CapacityType,
  ConsolidationPolicy,
  DisruptionReason,
  Karpenter,
  KarpenterChartVersion,
  KarpenterNodePool,
  NodePoolProfile,
  RequirementOperator,
  TaintEffect,
} from "./karpenter";
export type {
  FreezeWindow,
  KarpenterArgs,
  KarpenterFeatureGates,
  KarpenterNodePoolArgs,
  NodeKubelet,
  NodePoolBudget,
  NodePoolLimits,
  NodeRequirement,
  NodeTaint,
  NodeToleration,
} from "./karpenter";
export { KafkaCluster, kafkaClientProfile } from "./kafka";
export type {
  KafkaCertificates,
  KafkaClientArgs,
  KafkaClientProfile,
  KafkaClientProfileArgs,
  KafkaClusterArgs,
  KafkaPodSecurityContext,
  KafkaResources,
  KafkaSysctl,
  KafkaToleration,
} from "./kafka";
