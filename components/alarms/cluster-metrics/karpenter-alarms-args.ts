import type * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../../cluster";
import type { AlarmRoutes, AlarmSeverity } from "../routes";

/** What to change of one alarm. All values are plain. */
export interface KarpenterAlarmOverride {
  /** False leaves the alarm out. Defaults to true. */
  enabled?: boolean;
  /** Where it goes. */
  severity?: AlarmSeverity;
  /** The value from which on a data point breaches, in the unit that the alarm's description here has. */
  threshold?: number;
  /** How many of the evaluated data points must breach. At most `evaluationPeriods`. Defaults to 3. */
  datapointsToAlarm?: number;
  /** How many data points are looked at, at most 288. Defaults to 3. */
  evaluationPeriods?: number;
}

/** Overrides by alarm. Data points stand for five minutes where nothing else is said. */
export interface KarpenterAlarmOverrides {
  /**
   * No pod of Karpenter leads: it is away, can't reach the API server, or isn't scraped. Pages by default. The one alarm of the set that rings
   * where `ClusterMetrics` is missing: the others take missing data for health.
   */
  karpenterSilent?: KarpenterAlarmOverride;
  /** The oldest interruption notice has waited for 60 seconds or more, in each of three minutes. `threshold` in seconds. Pages by default. */
  interruptionsUnread?: KarpenterAlarmOverride;
  /** 100 or more interruption notices waited all the time. `threshold` in messages. A ticket by default. */
  interruptionBacklog?: KarpenterAlarmOverride;
  /** A pod has waited for a node for 600 seconds or more. `threshold` in seconds. A ticket by default. */
  podsUnschedulable?: KarpenterAlarmOverride;
  /** A node pool, or its node class, isn't ready. A ticket by default. */
  nodePoolNotReady?: KarpenterAlarmOverride;
  /** Of the last four nodes of a pool two or more never joined the cluster. A ticket by default. */
  nodesNotRegistering?: KarpenterAlarmOverride;
  /** 5 or more attempts to make an instance failed. `threshold` in attempts. A ticket by default. */
  launchErrors?: KarpenterAlarmOverride;
  /** AWS refused calls of Karpenter (403). `threshold` in calls. A ticket by default. */
  karpenterDenied?: KarpenterAlarmOverride;
  /** Karpenter failed at its own work. `threshold` in errors. A ticket by default. */
  karpenterErrors?: KarpenterAlarmOverride;
}

/** Arguments of {@link KarpenterAlarms}. */
export interface KarpenterAlarmsArgs {
  /** Cluster that Karpenter runs in. Its `ClusterMetrics` must have the preset `Karpenter`. */
  cluster: ClusterRef;
  /** Name of the queue that announces interruptions: `Karpenter.queueName`. */
  queueName: pulumi.Input<string>;
  /** Where the alarms go: `AlarmTopics.routes`, or two topics of yours in the same region. */
  routes: AlarmRoutes;
  /** What to change of single alarms. Defaults to nothing. */
  overrides?: KarpenterAlarmOverrides;
  /**
   * Address of the runbook; it becomes part of every description. `{alarm}` in it stands for the
   * last part of the alarm's name. ASCII. Defaults to this library's pages, `docs/runbooks/{alarm}.md`.
   */
  runbookUrl?: pulumi.Input<string>;
  /** First part of the physical alarm names. Give the environment where two stacks share an account and region. ASCII. Defaults to none. */
  namePrefix?: string;
  /** Whether a new alarm on Karpenter's silence waits the full 30 minutes before its first verdict. Defaults to true. */
  strictWarmUp?: boolean;
  /** Added to every alarm. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
