import type * as pulumi from "@pulumi/pulumi";
import type { AlarmSeverity } from "../routes";

/**
 * What a period without any report means. CloudWatch's own default, `missing`, isn't among them: with it an alarm on hosts never pages when the
 * last target is taken out, because then nothing is reported any more.
 */
export enum MissingData {
  /** It counts as breaching. */
  Breaching = "breaching",
  /** It counts as fine. */
  NotBreaching = "notBreaching",
  /** The alarm stays as it is. */
  Ignore = "ignore",
}

/** What to change of one alarm. Plain but for the actions: the values are checked against each other before anything is created. */
export interface TargetHealthAlarmLevel {
  /** False leaves the alarm out. Defaults to true. */
  enabled?: boolean;
  /** Where it goes. Defaults to `AlarmSeverity.Page` for all alarms of the set. */
  severity?: AlarmSeverity;
  /** Number of hosts that the measured count is compared with. Defaults to the alarm's own. */
  threshold?: number;
  /**
   * Seconds that one data point stands for, a multiple of 60. Fewer are refused: load balancers report once a minute, and CloudWatch's periods
   * of 10, 20 and 30 s would find nothing most of the time. Defaults to the alarm's own.
   */
  periodSeconds?: number;
  /** How many of the evaluated data points must breach. At most `evaluationPeriods`. Defaults to the alarm's own. */
  datapointsToAlarm?: number;
  /**
   * How many data points are looked at. Together with the period at most a day, and a week from periods of an hour on (PutMetricAlarm).
   * Defaults to the alarm's own.
   */
  evaluationPeriods?: number;
  /** What a period without a report means. Defaults to the alarm's own. */
  missingData?: MissingData;
  /**
   * Minutes that a new alarm waits for its first verdict, 1 to 2880 (PutMetricAlarm); 0 is no warm-up. Defaults to that of the set for LOW, NODATA,
   * ALLBAD, FLOOR and READY-GAP, and to 0 for the others, which a new target group doesn't reach.
   */
  warmUpMinutes?: number;
  /**
   * The whole physical name. ASCII, at most 255 characters. Keep the alarm's own last part, `no-healthy-hosts` for example: the policy against
   * muting knows alarms of other stacks by it. Defaults to `<namePrefix>-<name>-<alarm>`.
   */
  alarmName?: string;
  /** ARNs of what is done when it fires, at most 5 (PutMetricAlarm). Defaults to the topic of its severity. */
  alarmActions?: pulumi.Input<string>[];
  /** ARNs of what is done when it is over, at most 5. Defaults to the topic of its severity, so that a pager closes its incident. */
  okActions?: pulumi.Input<string>[];
  /** ARNs of what is done when it can't tell, at most 5. Defaults to the ticket topic. */
  insufficientDataActions?: pulumi.Input<string>[];
}

/** What to change of one alarm, or of several that watch the same with different thresholds. */
export interface TargetHealthAlarmOverride extends TargetHealthAlarmLevel {
  /**
   * Several alarms in place of one, each under a name of letters, digits and hyphens that becomes the last part of the alarm's:
   * `{ warning: { threshold: 3, severity: AlarmSeverity.Ticket }, critical: { threshold: 2 } }`. What a level leaves out is that of the alarm
   * itself. ARNs and names are given out under `lowHealthyHosts.warning`. Defaults to none.
   */
  levels?: Record<string, TargetHealthAlarmLevel>;
}

/** Overrides by alarm. */
export interface TargetHealthAlarmOverrides {
  /**
   * LOW: fewer healthy hosts than the threshold (2) for 2 of 3 minutes; a report that doesn't come counts as too few. 4 of 5 where zones are
   * added up, whose reports come separately: a sum of some of them looks low. 5 of 5 with several target groups, and where it pages and no more
   * replicas are declared than the threshold: every deploy would page.
   */
  lowHealthyHosts?: TargetHealthAlarmOverride;
  /** NODATA: no healthy host, or nothing reported, for 5 of 5 minutes. CloudWatch reports nothing when no target is registered. */
  noHealthyHosts?: TargetHealthAlarmOverride;
  /**
   * ALLBAD: targets are registered and none is healthy, for 2 of 3 minutes; 4 of 5 where zones or target groups are added up, of which
   * all but one may be bad for long. It says where to look: at security groups, and at the health check.
   */
  allTargetsUnhealthy?: TargetHealthAlarmOverride;
  /** STALE: at least 1 unhealthy host for 12 of 12 periods of five minutes. Deploys and autoscaling don't reach it. */
  staleTargets?: TargetHealthAlarmOverride;
  /** FLOOR: fewer healthy hosts than declared, for 6 of 6 periods of five minutes. Only with `minReplicas` or `fixedReplicas`. */
  belowDeclaredMinimum?: TargetHealthAlarmOverride;
  /**
   * DECAY24: the day's highest count of healthy hosts is below that of the day before, and is below what is declared or a host stays
   * unhealthy. First verdict 48 hours after the target group was made.
   */
  hostDecay24h?: TargetHealthAlarmOverride;
  /** READY-GAP: at least 1 pod is ready and not a healthy host, for 15 of 20 minutes. Only with `readyPods`. */
  readyNotRegistered?: TargetHealthAlarmOverride;
}
