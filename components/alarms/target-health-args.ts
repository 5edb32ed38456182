import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes, AlarmSeverity } from "./routes";

/** Kind of the load balancer in front of the targets. */
export enum LoadBalancerType {
  /** An Application Load Balancer: metrics of `AWS/ApplicationELB`. */
  Application = "application",
  /** A Network Load Balancer: metrics of `AWS/NetworkELB`. */
  Network = "network",
}

/** What to change of one alarm. All values are plain: they are checked against each other before anything is created. */
export interface TargetHealthAlarmOverride {
  /** False leaves the alarm out. Defaults to true. */
  enabled?: boolean;
  /** Where it goes. Defaults to `AlarmSeverity.Page` for all alarms of the set. */
  severity?: AlarmSeverity;
  /** Number of hosts that the measured count is compared with. */
  threshold?: number;
  /** How many of the evaluated data points must breach. At most `evaluationPeriods`. */
  datapointsToAlarm?: number;
  /** How many data points are looked at. */
  evaluationPeriods?: number;
}

/** Overrides by alarm. */
export interface TargetHealthAlarmOverrides {
  /**
   * LOW: fewer healthy hosts than the threshold (2), for 2 of 3 minutes; below 3 replicas, for 5 of 5 minutes if it pages.
   * Reports that don't arrive count as too few.
   */
  lowHealthyHosts?: TargetHealthAlarmOverride;
  /** NODATA: no healthy host, or nothing reported, for 5 of 5 minutes. CloudWatch reports nothing when no target is registered. */
  noHealthyHosts?: TargetHealthAlarmOverride;
  /** STALE: at least 1 unhealthy host for 12 of 12 periods of five minutes. Deploys and autoscaling don't reach it. */
  staleTargets?: TargetHealthAlarmOverride;
  /**
   * DECAY24: the day's highest count of healthy hosts is below that of the day before, and is below `minReplicas` or a host stays
   * unhealthy. First verdict 48 hours after the target group was made.
   */
  hostDecay24h?: TargetHealthAlarmOverride;
}

/** Arguments of {@link TargetHealthAlarms}. */
export interface TargetHealthAlarmsArgs {
  /** Where the alarms go: `AlarmTopics.routes`, or two topics of yours in the same region. */
  routes: AlarmRoutes;
  /**
   * Last part of the load balancer's ARN, its `arnSuffix`: `app/name/0123456789abcdef` or `net/...`. Anything else, the whole ARN
   * for example, is refused: CloudWatch would accept it and the alarm would watch a metric that doesn't exist.
   */
  loadBalancerArnSuffix: pulumi.Input<string>;
  /** Last part of the target group's ARN, its `arnSuffix`: `targetgroup/name/0123456789abcdef`. */
  targetGroupArnSuffix: pulumi.Input<string>;
  /** Kind of the load balancer. Defaults to `LoadBalancerType.Application`. */
  loadBalancerType?: LoadBalancerType;
  /**
   * Whether every node of the load balancer counts the targets of all zones. Defaults to true for an Application Load Balancer,
   * which is AWS's default. A Network Load Balancer must say it, because AWS's default there is off, and then each node counts its
   * own zone only: the smallest unhealthy count stays 0 until every zone has rotted, and the alarms would be blind for days.
   * False is refused; alarms that add up the zones are not part of this version.
   */
  crossZone?: boolean;
  /**
   * The least number of replicas that the workload declares: the `minReplicas` of its HPA, or its `replicas`. Plain, take it from
   * the same variable. At least the threshold of LOW (2). Below 3, an alarm LOW that pages waits for 5 of 5 minutes instead of 2
   * of 3: with two replicas every deploy and every hiccup of a minute is "fewer than two", and pages that mean nothing train
   * people to ignore the one that does.
   */
  minReplicas: number;
  /** Address of the runbook; it becomes part of every description. Defaults to none. */
  runbookUrl?: pulumi.Input<string>;
  /**
   * First part of the physical alarm names, which are `<namePrefix>-<name>-<alarm>`. Give the environment where two stacks share
   * an account and region: alarms of one name silently overwrite each other. ASCII. Defaults to none.
   */
  namePrefix?: string;
  /** What to change of single alarms. Defaults to nothing. */
  overrides?: TargetHealthAlarmOverrides;
  /**
   * Whether a new alarm of LOW or NODATA waits the full 30 minutes before its first verdict. Without it CloudWatch starts as soon
   * as its window is full, and the zeros of a target group whose first pod is starting page somebody. Defaults to true.
   */
  strictWarmUp?: boolean;
  /** Added to every alarm. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
