import { oneOf, type Problems } from "../../internal/validate";
import {
  fewestDatapoints,
  longestEvaluation,
  metricCount,
  type Edge,
  type Measure,
  type TargetHealthKey,
} from "./definitions";
import { AlarmSeverity } from "../routes";
import { MissingData, type TargetHealthAlarmLevel } from "./override-args";
import { actionKinds, type PlannedAlarm } from "./planned-alarm";

/** Most metrics that one alarm takes (PutMetricAlarm, Metrics: 20 queries, of which 10 metrics and 10 expressions). */
const mostMetrics = 10;
/** Most actions for one state (PutMetricAlarm, AlarmActions). */
const mostActions = 5;
/** Dimensions of a metric (PutMetricAlarm). */
export const mostDimensions = 30;

/** What may stand in an override; complete, or it doesn't compile. */
const settings = Object.keys({
  enabled: 0,
  severity: 0,
  threshold: 0,
  periodSeconds: 0,
  datapointsToAlarm: 0,
  evaluationPeriods: 0,
  missingData: 0,
  warmUpMinutes: 0,
  alarmName: 0,
  alarmActions: 0,
  okActions: 0,
  insufficientDataActions: 0,
} satisfies Record<keyof TargetHealthAlarmLevel, 0>);

/** Records what types would refuse in TypeScript: a misspelt setting would change nothing, and nobody would hear of it. */
export function checkSettings(path: string, override: object, further: readonly string[], problems: Problems): void {
  for (const key of Object.keys(override))
    problems.unless(
      [...settings, ...further].includes(key),
      `${path}.${key}`,
      `is not a setting of an alarm: use ${[...settings, ...further].join(", ")}`,
    );
  const { severity, missingData }: TargetHealthAlarmLevel = override;
  problems.add(`${path}.severity`, oneOf(AlarmSeverity, severity));
  problems.add(`${path}.missingData`, oneOf(MissingData, missingData));
}

/** CloudWatch takes the second alarm of one name for a change of the first. */
export function checkNames(names: readonly string[], problems: Problems): void {
  for (const name of new Set(names.filter((one, at) => names.indexOf(one) !== at)))
    problems.add("overrides", `give two alarms the name "${name}", and the second would overwrite the first`);
}

/** What is wrong with the minutes of a warm-up, or undefined (PutMetricAlarm, WarmUpConfiguration). */
export function warmUpProblem(minutes: number | undefined): string | undefined {
  return minutes === undefined || (Number.isInteger(minutes) && minutes >= 0 && minutes <= 2880)
    ? undefined
    : `must be a whole number of minutes from 1 to 2880, or 0 for none, not ${minutes}`;
}

/** Records that an alarm would need more metrics than there may be. */
export function checkMetrics(key: TargetHealthKey, measure: Measure, edge: Edge, problems: Problems): void {
  const count = metricCount(measure, edge);
  problems.unless(
    count <= mostMetrics,
    `overrides.${key}`,
    `would need ${count} metrics (target groups: ${edge.groups}, zones: ${edge.zones}, counts of each: ${Object.keys(measure.counts).length}` +
      `${measure.ready === true ? ", and the ready pods" : ""}), and an alarm takes ${mostMetrics}: leave this alarm out with enabled: false, or watch ` +
      `fewer target groups or zones together${
        key === "hostDecay24h" && !edge.fixed
          ? ", or give fixedReplicas in place of minReplicas if nothing scales the workload: one count is enough then"
          : ""
      }`,
  );
}

/** Records what is wrong with the numbers of an alarm. */
export function checkAlarm(
  alarm: PlannedAlarm,
  override: TargetHealthAlarmLevel,
  path: string,
  edge: Edge,
  replicasArgument: string,
  problems: Problems,
): void {
  const at = (what: string) => `${path}.${what}`;
  const { allowed, threshold } = alarm;

  // With the default threshold it is the replicas that are too few.
  if (override.threshold === undefined && threshold > allowed.to)
    problems.add(
      replicasArgument,
      `is ${edge.replicas ?? 0}, below the threshold ${threshold} of ${alarm.output}, which would always be on: run at least ` +
        `${threshold} replicas, or set ${at("threshold")} to ${edge.replicas ?? 0}`,
    );
  else
    problems.unless(
      Number.isInteger(threshold) && threshold >= allowed.from && threshold <= allowed.to,
      at("threshold"),
      `must be a whole number ${range(allowed.from, allowed.to)}, not ${threshold}: ${allowed.because}`,
    );
  checkPeriods(alarm, at, problems);
  problems.add(at("warmUpMinutes"), warmUpProblem(override.warmUpMinutes));
  for (const kind of actionKinds)
    problems.unless(
      (override[kind]?.length ?? 0) <= mostActions,
      at(kind),
      `has more than ${mostActions} actions, and CloudWatch takes ${mostActions}: let one topic reach the others`,
    );
}

function checkPeriods(alarm: PlannedAlarm, at: (what: string) => string, problems: Problems): void {
  const { period, datapointsToAlarm, evaluationPeriods } = alarm;
  const most = Math.floor(longestEvaluation(period) / period);
  const valid = Number.isInteger(period) && period >= 60 && period % 60 === 0 && most >= 1;
  problems.unless(
    valid,
    at("periodSeconds"),
    `must be a multiple of 60 up to 604800, not ${period}: load balancers report once a minute, so that periods of 10, 20 and 30 s, which CloudWatch also takes, find nothing`,
  );
  if (valid)
    problems.unless(
      Number.isInteger(evaluationPeriods) && evaluationPeriods >= 1 && evaluationPeriods <= most,
      at("evaluationPeriods"),
      `must be a whole number from 1 to ${most}, not ${evaluationPeriods}: CloudWatch looks back no further with periods of ${period} s`,
    );
  const least = valid ? fewestDatapoints(alarm.measure, period) : 1;
  problems.unless(
    Number.isInteger(datapointsToAlarm) && datapointsToAlarm >= least,
    at("datapointsToAlarm"),
    `must be a whole number of at least ${least}, not ${datapointsToAlarm}: ` +
      (least === 1
        ? "an alarm needs a data point"
        : "the newest one to three minutes haven't arrived yet and count as 0, so fewer would alarm without a reason"),
  );
  problems.unless(
    datapointsToAlarm <= evaluationPeriods,
    at("datapointsToAlarm"),
    `is ${datapointsToAlarm}, more than the ${evaluationPeriods} periods looked at: raise ${at("evaluationPeriods")} too`,
  );
}

function range(from: number, to: number): string {
  return from === to ? `equal to ${from}` : `from ${from} to ${to}`;
}
