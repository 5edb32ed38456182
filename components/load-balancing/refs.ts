import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerType } from "../alarms";

/**
 * What services and alarms need to know of an Application Load Balancer. `ApplicationLoadBalancer.ref` is one; write it for one that is made
 * elsewhere. Its security group needs no rules for the pods: `SafetyNetRules` adds them.
 */
export interface LoadBalancerRef {
  /** ARN of the load balancer. */
  arn: pulumi.Input<string>;
  /** Last part of the ARN (`app/name/id`): the `LoadBalancer` dimension of its CloudWatch metrics. */
  arnSuffix: pulumi.Input<string>;
  /** ARN of the listener that services add their rules to. */
  listenerArn: pulumi.Input<string>;
  /** Security group of the load balancer: the source of the safety net. */
  securityGroupId: pulumi.Input<string>;
  /** VPC of the load balancer. */
  vpcId: pulumi.Input<string>;
}

/**
 * What a service needs to know of the load balancer in front of it. A {@link LoadBalancerRef} is one. Where the target group exists already,
 * less is enough, and it may be a Network Load Balancer:
 * `{ type: LoadBalancerType.Network, crossZone: true, arnSuffix: "net/shop/50dc6c495c0c9188" }`.
 */
export interface AnyLoadBalancerRef {
  /** Kind of the load balancer. Plain: it decides which metrics the alarms watch. Defaults to `LoadBalancerType.Application`. */
  type?: LoadBalancerType;
  /**
   * Whether every node of it sends to the targets of all zones. A Network Load Balancer must say it: with false the alarms add up its
   * `availabilityZones`, and would be blind otherwise (`TargetHealthAlarms.crossZone`). Defaults to true for an Application Load Balancer, where it
   * always is, unless a target group says otherwise.
   */
  crossZone?: boolean;
  /** Names of its zones, all of them, such as `eu-west-1a`. Needed where nodes send to their own zone only. Defaults to none. */
  availabilityZones?: string[];
  /** ARN of the load balancer. Defaults to none; nothing needs it here. */
  arn?: pulumi.Input<string>;
  /** Last part of the ARN (`app/name/id` or `net/name/id`): the `LoadBalancer` dimension of its CloudWatch metrics. */
  arnSuffix: pulumi.Input<string>;
  /** ARN of the listener that services add their rules to, of an Application Load Balancer. Defaults to none: then there is no rule. */
  listenerArn?: pulumi.Input<string>;
  /** Security group of the load balancer. Defaults to none; nothing needs it here. */
  securityGroupId?: pulumi.Input<string>;
  /** VPC of the load balancer, where a target group is made. Defaults to none. */
  vpcId?: pulumi.Input<string>;
}

/** What a binding and alarms need to know of a target group. */
export interface TargetGroupRef {
  /** ARN of the target group. */
  arn: pulumi.Input<string>;
  /** Last part of the ARN (`targetgroup/name/id`): the `TargetGroup` dimension of its CloudWatch metrics. */
  arnSuffix: pulumi.Input<string>;
  /**
   * Whether requests for it go to the targets of all zones, where the group says so itself (attribute `load_balancing.cross_zone.enabled`). Plain: it
   * decides what the alarms watch. Defaults to what the load balancer does.
   */
  crossZone?: boolean;
}

/** The span of ports that a safety net opens from the load balancer to the pods. `SafetyNetRules.ref` is one. */
export interface SafetyNetRef {
  /** Lowest open port. Plain, so that a service can check its own port when it is constructed. */
  fromPort: number;
  /** Highest open port. */
  toPort: number;
}

/**
 * Tag that a target group carries when its targets are registered by the controller of the cluster named in the value.
 * The controller's role, the services and the guards all use this one name.
 */
export const registrationTag = "moorings-target-registration";

/**
 * IAM path of the one role that may register targets for a cluster. Guards recognise the role by it: a path, unlike a generated
 * name, is known beforehand. Only the controller's role may live there, and its policy.
 */
export function registrarRolePath(clusterName: string): string {
  return `/moorings/${clusterName}/`;
}
