import type * as pulumi from "@pulumi/pulumi";
import type { LoadBalancerType } from "../target-health/args";

/** One edge on a dashboard: target groups behind a load balancer that serve one thing. Arguments are those of its alarms. */
export interface DashboardEdge {
  /** Last part of the load balancer's ARN, its `arnSuffix`: `app/name/0123456789abcdef` or `net/...`. Anything else is refused: it finds no metric. */
  loadBalancerArnSuffix: pulumi.Input<string>;
  /** Kind of the load balancer. Defaults to `LoadBalancerType.Application`. */
  loadBalancerType?: LoadBalancerType;
  /** Last part of the target group's ARN, its `arnSuffix`: `targetgroup/name/0123456789abcdef`. This or `targetGroupArnSuffixes`. */
  targetGroupArnSuffix?: pulumi.Input<string>;
  /** The same of several target groups that serve one thing (blue and green), by a name of your choice, which the graphs show. */
  targetGroupArnSuffixes?: Record<string, pulumi.Input<string>>;
  /**
   * Names of the load balancer's zones (`eu-west-1a`): a zone that reports nothing is then missed. Defaults to the zones that CloudWatch finds,
   * which are those that reported within two weeks.
   */
  availabilityZones?: string[];
  /**
   * False when each node of the load balancer counts its own zone only: the graphs then add up `availabilityZones`, which must be given.
   * Defaults to true for an Application Load Balancer. A Network Load Balancer must say it, because AWS's default there is off.
   */
  crossZone?: boolean;
  /** The least number of replicas that the workload declares, drawn as a line. Take it from the same variable. Defaults to no line. */
  minReplicas?: number;
  /** Hosts below which the alarm on too few hosts fires, drawn as a line. Defaults to 2, the alarm's default. */
  lowThreshold?: number;
  /** ARNs of the edge's alarms, `TargetHealthAlarms.alarmArns`. Defaults to none. */
  alarmArns?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Arguments of {@link TargetHealthDashboard}. */
export interface TargetHealthDashboardArgs {
  /** What it shows, by a title of your choice, in this order. At least one. */
  edges: Record<string, DashboardEdge>;
  /**
   * Name of the dashboard, unique in the account and region: letters, digits, hyphens and underscores, at most 255. Plain, because its address
   * is part of the alarms' descriptions. Defaults to the component's name.
   */
  dashboardName?: string;
  /** Hours that the graphs show when the dashboard is opened, 1 to 360 (15 days, as long as CloudWatch keeps single minutes). Defaults to 24. */
  hours?: number;
}
