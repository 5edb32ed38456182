import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes, AlarmSeverity } from "../alarms";
import type { ClusterRef } from "../cluster";

/** What alarms need to know of a Kafka cluster: `KafkaCluster.watched`. All values are plain. */
export interface KafkaWatched {
  /** Name of the Kafka cluster; the targets of its metrics begin with it. */
  kafkaName: string;
  /** Ids of the brokers, as `[100, 101, 102]`. Each has two tickets and a page of its own. */
  brokerIds: number[];
  /** Number of controllers, 3 or 5. */
  controllers: number;
  /** Whether the brokers are the controllers. Defaults to false. */
  combined?: boolean;
  /** Size of each broker's volume in GiB. */
  brokerStorageGiB: number;
}

/** What to change of one alarm. All values are plain. */
export interface KafkaAlarmOverride {
  /** False leaves the alarm out. Defaults to true. */
  enabled?: boolean;
  /** Where it goes. */
  severity?: AlarmSeverity;
  /** The value from which on a data point breaches, in the unit that the alarm's description here has. */
  threshold?: number;
  /** How many of the evaluated data points must breach. At most `evaluationPeriods`. Defaults to what the alarm's description here says. */
  datapointsToAlarm?: number;
  /** How many data points are looked at, at most a day of them. Defaults to what the alarm's description here says. */
  evaluationPeriods?: number;
}

/** Overrides by alarm. */
export interface KafkaAlarmOverrides {
  /** Partitions without a leader, in 3 of 5 minutes. `threshold` in partitions, 1. Pages by default. */
  partitionsOffline?: KafkaAlarmOverride;
  /** Partitions that refuse writes, in 3 of 5 minutes. `threshold` in partitions, 1. Pages by default. */
  partitionsUnderMinIsr?: KafkaAlarmOverride;
  /** No controller leads, or nothing is heard of any, in 3 of 3 times 5 minutes. Pages by default. */
  noActiveController?: KafkaAlarmOverride;
  /**
   * More than one controller says that it leads, in 2 of 2 times 5 minutes. `threshold` is the share of controllers, which depends on how many there
   * are. Pages by default.
   */
  severalActiveControllers?: KafkaAlarmOverride;
  /** A leader was chosen without all acknowledged messages, in 1 of 1 times 5 minutes. `threshold` in elections, 1. Pages by default. */
  uncleanElection?: KafkaAlarmOverride;
  /** A broker is registered, but away, all the time of 3 times 5 minutes. `threshold` in brokers, 1. Pages by default. */
  brokersFenced?: KafkaAlarmOverride;
  /** Partitions short of copies, in 12 of 12 times 5 minutes. `threshold` in partitions, 1. A ticket by default. */
  partitionsUnderReplicated?: KafkaAlarmOverride;
  /** A volume failed, in 2 of 5 minutes. `threshold` in volumes, 1. A ticket by default. */
  logDirectoryOffline?: KafkaAlarmOverride;
  /** A served certificate ends within 14 days, in 3 of 3 times 5 minutes. `threshold` in seconds, 1209600. A ticket by default. */
  certificateExpiring?: KafkaAlarmOverride;
  /** A served certificate ends within 3 days, in 3 of 3 times 5 minutes. `threshold` in seconds, 259200. Pages by default. */
  certificateNearlyExpired?: KafkaAlarmOverride;
  /** Certificates that nobody could read for an hour, in 3 of 3 times 5 minutes. `threshold` in listeners, all. A ticket by default. */
  certificatesUnread?: KafkaAlarmOverride;
  /** Nothing is heard of a broker, for each broker, in 3 of 3 times 5 minutes. A ticket by default. */
  brokerSilent?: KafkaAlarmOverride;
  /**
   * A broker's volume will be full within 24 hours if it goes on as in the last 12, for each broker. `threshold` in percent of the volume, 90. A
   * data point stands for 6 hours, 1 of 1. A ticket by default.
   */
  diskFilling?: KafkaAlarmOverride;
  /** A broker's volume is full, for each broker, in 3 of 3 times 5 minutes. `threshold` in percent, 85. Pages by default. */
  diskNearlyFull?: KafkaAlarmOverride;
}

/** Arguments of {@link KafkaAlarms}. */
export interface KafkaAlarmsArgs {
  /** Kubernetes cluster that Kafka runs in. Its `ClusterMetrics` must have the targets of `kafkaMetricsTargets()`. */
  cluster: ClusterRef;
  /** What is watched: `KafkaCluster.watched`. */
  kafka: KafkaWatched;
  /** Where the alarms go: `AlarmTopics.routes`, one of its `ownerRoutes`, or two topics of yours in the same region. */
  routes: AlarmRoutes;
  /** What to change of single alarms. Defaults to nothing. */
  overrides?: KafkaAlarmOverrides;
  /**
   * Address of the runbook; it becomes part of every description. `{alarm}` in it stands for the
   * last part of the alarm's name. ASCII. Defaults to this library's pages, `docs/runbooks/{alarm}.md`.
   */
  runbookUrl?: pulumi.Input<string>;
  /** First part of the physical alarm names. Give the environment where two stacks share an account and region. ASCII. Defaults to none. */
  namePrefix?: string;
  /** Whether new alarms on silence wait the full 30 minutes before their first verdict. Defaults to true. */
  strictWarmUp?: boolean;
  /** Added to every alarm. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Overrides by alarm on clients. */
export interface KafkaClientAlarmOverrides {
  /** A client waits for a broker that doesn't answer, and hasn't given it up, in 2 of 3 minutes. Pages by default. */
  clientBrokerStalled?: KafkaAlarmOverride;
  /** A client's queue is half full, in 2 of 3 minutes. `threshold` as a share, 0.5. Pages by default. */
  clientQueueHalfFull?: KafkaAlarmOverride;
  /** Messages wait, and none is delivered, in 2 of 3 minutes. Pages by default. */
  clientDeliveryStalled?: KafkaAlarmOverride;
  /** Requests time out again and again, in 3 of 3 times 5 minutes. `threshold` in requests, 1. A ticket by default. */
  clientRequestTimeouts?: KafkaAlarmOverride;
  /** A client's statistics are old, in 3 of 5 minutes. `threshold` in seconds, 60. Pages by default. */
  clientStatisticsMissing?: KafkaAlarmOverride;
  /** Nothing is heard of the detector, in 3 of 3 times 5 minutes. Pages by default. */
  stallDetectorSilent?: KafkaAlarmOverride;
}

/** Arguments of {@link KafkaClientAlarms}. */
export interface KafkaClientAlarmsArgs {
  /** Kubernetes cluster that the clients run in. Its `ClusterMetrics` must have the target. */
  cluster: ClusterRef;
  /** Name of the target in `ClusterMetrics.targets`, made with `kafkaStallTarget()`. */
  target: string;
  /** Where the alarms go: `AlarmTopics.routes`, one of its `ownerRoutes`, or two topics of yours in the same region. */
  routes: AlarmRoutes;
  /** What to change of single alarms. Defaults to nothing. */
  overrides?: KafkaClientAlarmOverrides;
  /**
   * Address of the runbook; it becomes part of every description. `{alarm}` in it stands for the
   * last part of the alarm's name. ASCII. Defaults to this library's pages, `docs/runbooks/{alarm}.md`.
   */
  runbookUrl?: pulumi.Input<string>;
  /** First part of the physical alarm names. Give the environment where two stacks share an account and region. ASCII. Defaults to none. */
  namePrefix?: string;
  /** Whether a new alarm on silence waits the full 30 minutes before its first verdict. Defaults to true. */
  strictWarmUp?: boolean;
  /** Added to every alarm. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
