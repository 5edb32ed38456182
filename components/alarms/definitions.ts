import { AlarmSeverity } from "./routes";

/*
 * What each alarm on a target group's health measures, as plain data: no Pulumi, no names, no ARNs. `queries.ts` renders it for
 * CloudWatch and `target-health-alarms.ts` wires it. An alarm is an entry of `targetHealthDefinitions`; it names the series
 * "healthy" and "unhealthy", so another way of counting hosts changes `queries.ts` only.
 *
 * Numbers: M of N, statistics and treatment of missing data were chosen against a simulation of the first outage and of eleven
 * benign situations (deploys, autoscaling, spot interruptions, the loss of a zone).
 */

/** The alarms, by the key that overrides, ARNs and names are given under. */
export const targetHealthKeys = ["lowHealthyHosts", "noHealthyHosts", "staleTargets", "hostDecay24h"] as const;
export type TargetHealthKey = (typeof targetHealthKeys)[number];

/** A count that the load balancer reports once a minute, and how the reports of its nodes are condensed. */
export interface HostCount {
  readonly count: "healthy" | "unhealthy";
  readonly statistic: "Minimum" | "Maximum";
}

/** Either one count as it is, or an expression over counts that are named by their keys. */
export type Measure = HostCount | { readonly expression: string; readonly over: Readonly<Record<string, HostCount>> };

/** One alarm, ready to be rendered. */
export interface TargetHealthDefinition {
  readonly key: TargetHealthKey;
  /** Last part of the physical name. */
  readonly suffix: string;
  readonly severity: AlarmSeverity;
  readonly measure: Measure;
  /** Seconds that one data point stands for. */
  readonly period: number;
  readonly datapointsToAlarm: number;
  readonly evaluationPeriods: number;
  readonly comparison: "LessThanThreshold" | "GreaterThanOrEqualToThreshold";
  readonly threshold: number;
  readonly missingData: "breaching" | "notBreaching";
  /** Whether a new alarm waits: the first reports of a new target group are zeros. */
  readonly warmsUp: boolean;
  /** What has happened when it fires; the first sentence that somebody reads at night. */
  readonly happened: string;
  /** Bounds of what an override may say. */
  readonly allowed: {
    readonly threshold: { readonly from: number; readonly to: number; readonly because: string };
    readonly datapoints: { readonly from: number; readonly because: string };
  };
}

const anyDatapoints = { from: 1, because: "an alarm needs a data point" };

/** From this many replicas on, losing one of them for a minute leaves two: only then is the quick form quiet. */
export const replicasForQuickPage = 3;

/**
 * The alarms for a workload that declares `minReplicas`.
 *
 * @param lowPages whether the alarm on too few hosts wakes somebody up; it decides how quick that alarm may be.
 */
export function targetHealthDefinitions(minReplicas: number, lowPages: boolean): TargetHealthDefinition[] {
  // With two replicas, two of three minutes below two is any deploy: 32 pages in 14 days of the simulation; five of five is none.
  const slow = lowPages && minReplicas < replicasForQuickPage;
  const upToReplicas = {
    from: 1,
    to: minReplicas,
    because: "above minReplicas it would be on in normal operation, and below 1 never",
  };
  return [
    {
      key: "lowHealthyHosts",
      suffix: "low-healthy-hosts",
      severity: AlarmSeverity.Page,
      // Minimum: the load balancer's node that sees fewest hosts serves visitors as well.
      measure: { count: "healthy", statistic: "Minimum" },
      period: 60,
      datapointsToAlarm: slow ? 5 : 2,
      evaluationPeriods: slow ? 5 : 3,
      comparison: "LessThanThreshold",
      threshold: 2,
      missingData: "breaching",
      warmsUp: true,
      happened: "Fewer healthy targets than the threshold: one more failure may take the service down.",
      allowed: { threshold: upToReplicas, datapoints: anyDatapoints },
    },
    {
      key: "noHealthyHosts",
      suffix: "no-healthy-hosts",
      severity: AlarmSeverity.Page,
      // With no registered target the count isn't 0, it isn't reported at all: FILL makes the silence count.
      measure: { expression: "FILL(h, 0)", over: { h: { count: "healthy", statistic: "Maximum" } } },
      period: 60,
      datapointsToAlarm: 5,
      evaluationPeriods: 5,
      comparison: "LessThanThreshold",
      threshold: 1,
      missingData: "breaching",
      warmsUp: true,
      happened: "No healthy target, or no target registered at all: visitors get errors now.",
      allowed: {
        threshold: upToReplicas,
        datapoints: {
          from: 4,
          because:
            "the newest one to three minutes haven't arrived yet and count as 0, so fewer would alarm without a reason",
        },
      },
    },
    {
      key: "staleTargets",
      suffix: "stale-targets",
      severity: AlarmSeverity.Page,
      measure: { count: "unhealthy", statistic: "Minimum" },
      period: 300,
      datapointsToAlarm: 12,
      evaluationPeriods: 12,
      comparison: "GreaterThanOrEqualToThreshold",
      threshold: 1,
      // Silence is what noHealthyHosts watches; here it would page twice for one outage.
      missingData: "notBreaching",
      warmsUp: false,
      happened:
        "A target has been unhealthy for an hour: its pod or node is gone, but nothing took it out of the target group.",
      allowed: {
        threshold: { from: 1, to: 1000, because: "below 1 it would always be on" },
        datapoints: anyDatapoints,
      },
    },
    {
      key: "hostDecay24h",
      suffix: "host-decay-24h",
      severity: AlarmSeverity.Page,
      // Compares the best moment of the last 24 hours with that of the 24 hours before, so dips that recover don't count.
      // A service that scaled in on purpose isn't below its minimum and has no unhealthy target.
      measure: {
        expression: `IF((DIFF(h) < 0) AND ((h < ${minReplicas}) OR (u >= 1)), 1, 0)`,
        over: { h: { count: "healthy", statistic: "Maximum" }, u: { count: "unhealthy", statistic: "Minimum" } },
      },
      period: 86400,
      datapointsToAlarm: 1,
      evaluationPeriods: 1,
      comparison: "GreaterThanOrEqualToThreshold",
      threshold: 1,
      missingData: "notBreaching",
      warmsUp: false,
      happened: "Healthy targets fell within a day and did not come back: the target group is rotting.",
      allowed: {
        threshold: { from: 1, to: 1, because: "the expression is 1 or 0" },
        datapoints: anyDatapoints,
      },
    },
  ];
}

/** The longest time that one evaluation may span: a week, or a day for periods below an hour (CloudWatch, PutMetricAlarm). */
export function longestEvaluation(period: number): number {
  return period < 3600 ? 86_400 : 604_800;
}
