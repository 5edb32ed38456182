export { registrarRolePath, registrationTag } from "./refs";
export type { AnyLoadBalancerRef, LoadBalancerRef, SafetyNetRef, TargetGroupRef } from "./refs";
export { ControllerChartVersion, ControllerPermissions } from "./controller-versions";
export type { LoadBalancerControllerArgs } from "./controller-args";
export { WebhookCertificate, type CertManagerIssuerArgs } from "./webhook-certificate";
export { LoadBalancerController } from "./load-balancer-controller";
export {
  DesyncMitigation,
  LoadBalancerAddressType,
  LoadBalancerScheme,
  type AccessLogsArgs,
  type ApplicationLoadBalancerArgs,
} from "./load-balancer-args";
export { ApplicationLoadBalancer } from "./application-load-balancer";
export { SafetyNetRules, type SafetyNetRulesArgs } from "./safety-net-rules";
export { IngressSecurityGroups, type IngressSecurityGroupsArgs } from "./ingress-security-groups";
export { CheckpointReset, type CheckpointResetArgs } from "./checkpoint-reset";
export {
  ManagedPortProtocol,
  TargetAddressType,
  TargetGroupProtocol,
  type ManagedIngressArgs,
  type ManagedPortArgs,
  type TargetGroupBindingArgs,
} from "./binding-args";
export { TargetGroupBinding } from "./target-group-binding";
export {
  LoadBalancingAlgorithm,
  TargetProtocolVersion,
  type LoadBalancedServiceArgs,
  type StickinessArgs,
} from "./service-args";
export { LoadBalancedService } from "./load-balanced-service";
export {
  ZoneSpread,
  type AutoscaleArgs,
  type ContainerResourcesArgs,
  type DrainSafeDeploymentArgs,
  type ProbesArgs,
} from "./deployment-args";
export { DrainSafeDeployment } from "./drain-safe-deployment";
