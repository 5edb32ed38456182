import type * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../../cluster";
import type { AlarmRoutes, AlarmSeverity } from "../routes";

/** What to change of one alarm. All values are plain. */
export interface ControllerAlarmOverride {
  /** False leaves the alarm out. Defaults to true. */
  enabled?: boolean;
  /** Where it goes. */
  severity?: AlarmSeverity;
  /** How many of the evaluated data points, of five minutes each, must breach. At most `evaluationPeriods`. Defaults to 3. */
  datapointsToAlarm?: number;
  /** How many data points are looked at, at most 288 (a day). Defaults to 3. */
  evaluationPeriods?: number;
}

/** Overrides by alarm. */
export interface ControllerAlarmOverrides {
  /**
   * No metrics of the controller for 15 minutes: it is away, or what scrapes it is. Pages by default. The one alarm of the set that rings
   * where `ClusterMetrics` is missing: the others take missing data for health.
   */
  controllerSilent?: ControllerAlarmOverride;
  /** AWS refused RegisterTargets in each of three times five minutes. Pages by default. */
  registrationDenied?: ControllerAlarmOverride;
  /** AWS answered TargetGroupNotFound in each of three times five minutes. A ticket by default. */
  targetGroupMissing?: ControllerAlarmOverride;
  /** Reconciling bindings failed in each of three times five minutes. A ticket by default. */
  bindingErrors?: ControllerAlarmOverride;
}

/** Arguments of {@link LoadBalancerControllerAlarms}. */
export interface LoadBalancerControllerAlarmsArgs {
  /** Cluster that the controller runs in. Its `ClusterMetrics` must have the preset `LoadBalancerController`. */
  cluster: ClusterRef;
  /** Where the alarms go: `AlarmTopics.routes`, or two topics of yours in the same region. */
  routes: AlarmRoutes;
  /** What to change of single alarms. Defaults to nothing. */
  overrides?: ControllerAlarmOverrides;
  /**
   * Address of the runbook; it becomes part of every description. `{alarm}` in it stands for the
   * last part of the alarm's name. ASCII. Defaults to this library's pages, `docs/runbooks/{alarm}.md`.
   */
  runbookUrl?: pulumi.Input<string>;
  /** First part of the physical alarm names. Give the environment where two stacks share an account and region. ASCII. Defaults to none. */
  namePrefix?: string;
  /** Whether a new alarm on the controller's silence waits the full 30 minutes before its first verdict. Defaults to true. */
  strictWarmUp?: boolean;
  /** Added to every alarm. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
