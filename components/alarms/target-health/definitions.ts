import { MissingData } from "./override-args";

/*
 * What each alarm on the health of targets measures, as plain data: no Pulumi, no names, no ARNs. `queries.ts` renders it for CloudWatch,
 * `texts.ts` says it in words, and `target-health-alarms.ts` wires it. A definition names the series "h" (healthy) and "u" (unhealthy),
 * whatever they are made of: one target group, the sum of several zones, or of several groups.
 *
 * Numbers: M of N, statistics and treatment of missing data were chosen against a simulation of the first outage and of eleven
 * benign situations (deploys, autoscaling, spot interruptions, the loss of a zone).
 */

/** The alarms, by the key that overrides, ARNs and names are given under, with the last part of their physical names. */
export const targetHealthSuffixes = {
  lowHealthyHosts: "low-healthy-hosts",
  noHealthyHosts: "no-healthy-hosts",
  allTargetsUnhealthy: "all-targets-unhealthy",
  staleTargets: "stale-targets",
  belowDeclaredMinimum: "below-declared-minimum",
  hostDecay24h: "host-decay-24h",
  readyNotRegistered: "ready-not-registered",
} as const;
export type TargetHealthKey = keyof typeof targetHealthSuffixes;
export const targetHealthKeys = Object.keys(targetHealthSuffixes) as TargetHealthKey[];

/**
 * Whether planned work may silence an alarm. Of the others the first outage would have needed every single one; "fewer than one" says the same as
 * NODATA, whichever alarm says it.
 */
export function isMutable({ key, threshold }: { readonly key: TargetHealthKey; readonly threshold: number }): boolean {
  switch (key) {
    case "lowHealthyHosts":
    case "belowDeclaredMinimum":
      return threshold > 1;
    case "hostDecay24h":
    case "readyNotRegistered":
      return true;
    case "noHealthyHosts":
    case "allTargetsUnhealthy":
    case "staleTargets":
      return false;
  }
}

/** What the alarms depend on of the edge that they watch. */
export interface Edge {
  readonly network: boolean;
  /** How many target groups are added up. */
  readonly groups: number;
  /** How many zones are added up; 1 where each node of the load balancer counts all targets. */
  readonly zones: number;
  /** How many replicas are declared, at least or exactly. */
  readonly replicas: number | undefined;
  /** Whether nothing scales them. */
  readonly fixed: boolean;
  /** Whether a metric counts the ready pods. */
  readonly readyPods: boolean;
}

/** A count that the load balancer reports once a minute, and how the reports of its nodes are condensed. */
export interface HostCount {
  readonly count: "healthy" | "unhealthy";
  readonly statistic: "Minimum" | "Maximum";
}

/** What is measured: one count as it is, or an expression over counts that are named by their keys. */
export interface Measure {
  readonly counts: Readonly<{ h?: HostCount; u?: HostCount }>;
  /** Metric math over `h`, `u` and `ready`. Without it the one count is measured as it is. */
  readonly expression?: string;
  /** Whether a series that isn't reported counts as 0. Else silence of all is silence, and of some is 0 by CloudWatch's arithmetic. */
  readonly fill?: boolean;
  /** Whether the expression uses `ready`, the smallest number of ready pods. */
  readonly ready?: boolean;
}

/** One alarm, ready to be rendered. */
export interface TargetHealthDefinition {
  readonly measure: Measure;
  /** Seconds that one data point stands for. */
  readonly period: number;
  readonly datapointsToAlarm: number;
  readonly evaluationPeriods: number;
  readonly comparison: "LessThanThreshold" | "GreaterThanOrEqualToThreshold";
  readonly threshold: number;
  readonly missingData: MissingData;
  /** Whether a new alarm waits: the first reports of a new target group are zeros. */
  readonly warmsUp: boolean;
  /** Why it is slower than it could be, in words for the night. */
  readonly slowBecause?: string;
  /** Bounds of what an override may say. */
  readonly allowed: { readonly from: number; readonly to: number; readonly because: string };
}

const healthiest: HostCount = { count: "healthy", statistic: "Maximum" };
const leastUnhealthy: HostCount = { count: "unhealthy", statistic: "Minimum" };

/** More targets than any group takes (ELB quotas: 1,000 per target group). */
const mostHosts = 1000;
const yesOrNo = { from: 1, to: 1, because: "the expression is 1 or 0" };
const atLeastOne = { from: 1, to: mostHosts, because: "below 1 it would always be on" };

function upToReplicas({ replicas }: Edge) {
  return {
    from: 1,
    to: replicas ?? mostHosts,
    because: "above the declared number of replicas it would be on in normal operation, and below 1 never",
  };
}

/** How many healthy hosts are too few for LOW: one more failure, and there is none. */
const tooFew = 2;

/**
 * Why an alarm LOW that pages must be slow: where the loss of one replica is too few already, every deploy and every hiccup of a minute is. 32 pages
 * in 14 days of the simulation with two replicas and 2 of 3, none with 5 of 5.
 */
function slowReason({ replicas }: Edge, threshold: number): string | undefined {
  if (replicas === undefined) return "no number of replicas is declared";
  return replicas <= threshold ? `with ${replicas} replicas every deploy is fewer than ${threshold}` : undefined;
}

/** What an override says that decides how quick LOW may be. */
export interface Wanted {
  /** Whether the alarm wakes somebody up. */
  readonly pages: boolean;
  readonly threshold: number | undefined;
}

/** The alarms of an edge; undefined for one that it can't have. */
const definitions: Record<TargetHealthKey, (edge: Edge, wanted: Wanted) => TargetHealthDefinition | undefined> = {
  lowHealthyHosts: (edge, { pages, threshold = tooFew }) => {
    const reason = pages ? slowReason(edge, threshold) : undefined;
    const several = edge.groups > 1;
    // Reports of zones arrive one by one, and a sum of some of them looks low. FILL makes the newest minutes zeros as well.
    const [datapointsToAlarm, evaluationPeriods] =
      several || reason !== undefined ? [5, 5] : edge.zones > 1 ? [4, 5] : [2, 3];
    return {
      // Minimum: the load balancer's node that sees fewest hosts serves visitors as well.
      measure: { counts: { h: { count: "healthy", statistic: "Minimum" } }, fill: several },
      period: 60,
      datapointsToAlarm,
      evaluationPeriods,
      comparison: "LessThanThreshold",
      threshold,
      missingData: MissingData.Breaching,
      warmsUp: true,
      slowBecause: reason,
      allowed: upToReplicas(edge),
    };
  },
  noHealthyHosts: (edge) => ({
    // With no registered target the count isn't 0, it isn't reported at all: FILL makes the silence count.
    measure: { counts: { h: healthiest }, fill: true },
    period: 60,
    datapointsToAlarm: 5,
    evaluationPeriods: 5,
    comparison: "LessThanThreshold",
    threshold: 1,
    missingData: MissingData.Breaching,
    warmsUp: true,
    allowed: upToReplicas(edge),
  }),
  allTargetsUnhealthy: ({ groups, zones }) => ({
    measure: {
      counts: { h: healthiest, u: leastUnhealthy },
      expression: "IF((h < 1) AND (u >= 1), 1, 0)",
    },
    period: 60,
    // A group in reserve, or all zones but one, may be bad for hours. When the good one's report is late, the sum is that of the bad ones: with 2 of
    // 3 replays/silent-decay says "none is healthy" while a third of the hosts is.
    datapointsToAlarm: groups > 1 || zones > 1 ? 4 : 2,
    evaluationPeriods: groups > 1 || zones > 1 ? 5 : 3,
    comparison: "GreaterThanOrEqualToThreshold",
    threshold: 1,
    // Late reports would switch it off and on again.
    missingData: MissingData.Ignore,
    // The first targets of a new group are all unhealthy until their checks have passed, minutes behind a Network Load Balancer.
    warmsUp: true,
    allowed: yesOrNo,
  }),
  staleTargets: () => ({
    measure: { counts: { u: leastUnhealthy } },
    period: 300,
    datapointsToAlarm: 12,
    evaluationPeriods: 12,
    comparison: "GreaterThanOrEqualToThreshold",
    threshold: 1,
    // Silence is what noHealthyHosts watches; here it would page twice for one outage.
    missingData: MissingData.NotBreaching,
    warmsUp: false,
    allowed: atLeastOne,
  }),
  belowDeclaredMinimum: (edge) =>
    edge.replicas === undefined
      ? undefined
      : {
          measure: { counts: { h: healthiest } },
          period: 300,
          datapointsToAlarm: 6,
          evaluationPeriods: 6,
          comparison: "LessThanThreshold",
          threshold: edge.replicas,
          missingData: MissingData.Breaching,
          warmsUp: true,
          allowed: upToReplicas(edge),
        },
  hostDecay24h: (edge) => ({
    measure: decay(edge),
    period: 86400,
    datapointsToAlarm: 1,
    evaluationPeriods: 1,
    comparison: "GreaterThanOrEqualToThreshold",
    threshold: 1,
    missingData: MissingData.NotBreaching,
    warmsUp: false,
    allowed: yesOrNo,
  }),
  readyNotRegistered: ({ readyPods }) =>
    readyPods
      ? {
          // Not filled: where neither has come yet, nothing less nothing would be "no gap", and the alarm would never last.
          measure: { counts: { h: healthiest }, expression: "ready - h", ready: true },
          period: 60,
          datapointsToAlarm: 15,
          evaluationPeriods: 20,
          comparison: "GreaterThanOrEqualToThreshold",
          threshold: 1,
          missingData: MissingData.NotBreaching,
          warmsUp: true,
          allowed: atLeastOne,
        }
      : undefined,
};

/**
 * Compares the best moment of the last 24 hours with that of the 24 hours before, so dips that recover don't count. A service that scaled in on
 * purpose isn't below its minimum and has no unhealthy target. Neither is one whose last deploy had a pod more for a minute, which a bare
 * `DIFF(h) < 0` takes for a loss the day after, also where the number of replicas is fixed.
 */
function decay({ replicas, fixed }: Edge): Measure {
  if (replicas === undefined)
    return {
      counts: { h: healthiest, u: leastUnhealthy },
      expression: "IF((DIFF(h) < 0) AND (u >= 1), 1, 0)",
    };
  if (fixed) return { counts: { h: healthiest }, expression: `IF((DIFF(h) < 0) AND (h < ${replicas}), 1, 0)` };
  return {
    counts: { h: healthiest, u: leastUnhealthy },
    expression: `IF((DIFF(h) < 0) AND ((h < ${replicas}) OR (u >= 1)), 1, 0)`,
  };
}

/** One alarm of an edge, before overrides; undefined where the edge doesn't say what it needs. */
export function targetHealthDefinition(
  key: TargetHealthKey,
  edge: Edge,
  wanted: Wanted,
): TargetHealthDefinition | undefined {
  return definitions[key](edge, wanted);
}

/** How many metrics an alarm asks CloudWatch for. */
export function metricCount(measure: Measure, { groups, zones }: Edge): number {
  return Object.keys(measure.counts).length * groups * zones + (measure.ready === true ? 1 : 0);
}

/** The longest time that one evaluation may span: a week, or a day for periods below an hour (CloudWatch, PutMetricAlarm). */
export function longestEvaluation(period: number): number {
  return period < 3600 ? 86_400 : 604_800;
}

/**
 * How many data points must breach at least. FILL makes zeros of the newest one to three minutes, which haven't arrived yet: fewer than four
 * minutes would alarm without a reason.
 */
export function fewestDatapoints({ fill }: Measure, period: number): number {
  return fill === true ? Math.ceil(240 / period) : 1;
}
