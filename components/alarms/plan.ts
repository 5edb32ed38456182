import type { Problems } from "../internal/validate";
import {
  longestEvaluation,
  targetHealthDefinitions,
  targetHealthKeys,
  type TargetHealthDefinition,
} from "./definitions";
import { AlarmSeverity } from "./routes";
import { LoadBalancerType, type TargetHealthAlarmOverride, type TargetHealthAlarmsArgs } from "./target-health-args";

/** Longest name that CloudWatch takes (PutMetricAlarm, AlarmName). */
const longestAlarmName = 255;

/** An alarm as it will be created. */
export interface PlannedAlarm extends TargetHealthDefinition {
  /** Physical name. */
  readonly alarmName: string;
}

/** Decides which alarms there are and what they say; adds to `problems` whatever is wrong with the plain arguments. */
export function planTargetHealth(name: string, args: TargetHealthAlarmsArgs, problems: Problems): PlannedAlarm[] {
  requireCrossZone(args, problems);
  const overrides: Record<string, TargetHealthAlarmOverride | undefined> = { ...args.overrides };
  for (const key of Object.keys(overrides))
    problems.unless(
      (targetHealthKeys as readonly string[]).includes(key),
      `overrides.${key}`,
      `is not an alarm of the set: use ${targetHealthKeys.join(", ")}`,
    );

  if (!Number.isInteger(args.minReplicas) || args.minReplicas < 1) {
    problems.add("minReplicas", `must be a whole number of at least 1, not ${args.minReplicas}`);
    return [];
  }

  const lowPages = (overrides.lowHealthyHosts?.severity ?? AlarmSeverity.Page) === AlarmSeverity.Page;
  return targetHealthDefinitions(args.minReplicas, lowPages)
    .filter((definition) => overrides[definition.key]?.enabled !== false)
    .map((definition) => {
      const alarm = overridden(definition, overrides[definition.key]);
      checkAlarm(alarm, overrides[definition.key], args.minReplicas, problems);
      const alarmName = alarmNameOf(args.namePrefix, name, alarm.suffix);
      // Non-ASCII names pass a preview and fail late, in the middle of an update.
      problems.unless(
        /^[\x20-\x7e]+$/.test(alarmName) && alarmName.length <= longestAlarmName,
        "name",
        `makes the alarm name "${alarmName}" of ${alarmName.length} characters; it must be ASCII of at most ${longestAlarmName} characters`,
      );
      return { ...alarm, alarmName };
    });
}

/** `<prefix>-<name>-<suffix>`, without saying the prefix twice. */
export function alarmNameOf(prefix: string | undefined, name: string, suffix: string): string {
  const own = `${name}-${suffix}`;
  return prefix === undefined || prefix === "" || own.startsWith(`${prefix}-`) ? own : `${prefix}-${own}`;
}

function overridden(
  definition: TargetHealthDefinition,
  override: TargetHealthAlarmOverride = {},
): TargetHealthDefinition {
  return {
    ...definition,
    severity: override.severity ?? definition.severity,
    threshold: override.threshold ?? definition.threshold,
    datapointsToAlarm: override.datapointsToAlarm ?? definition.datapointsToAlarm,
    evaluationPeriods: override.evaluationPeriods ?? definition.evaluationPeriods,
  };
}

function checkAlarm(
  alarm: TargetHealthDefinition,
  override: TargetHealthAlarmOverride | undefined,
  minReplicas: number,
  problems: Problems,
): void {
  const at = (what: string) => `overrides.${alarm.key}.${what}`;
  const { threshold, datapoints } = alarm.allowed;

  // With the default threshold it is the replicas that are too few.
  if (override?.threshold === undefined && alarm.threshold > threshold.to)
    problems.add(
      "minReplicas",
      `is ${minReplicas}, below the threshold ${alarm.threshold} of ${alarm.key}, which would always be on: run at least ` +
        `${alarm.threshold} replicas, or set ${at("threshold")} to ${minReplicas}`,
    );
  else
    problems.unless(
      Number.isInteger(alarm.threshold) && alarm.threshold >= threshold.from && alarm.threshold <= threshold.to,
      at("threshold"),
      `must be a whole number ${range(threshold.from, threshold.to)}, not ${alarm.threshold}: ${threshold.because}`,
    );

  const most = longestEvaluation(alarm.period) / alarm.period;
  problems.unless(
    Number.isInteger(alarm.evaluationPeriods) && alarm.evaluationPeriods >= 1 && alarm.evaluationPeriods <= most,
    at("evaluationPeriods"),
    `must be a whole number from 1 to ${most}, not ${alarm.evaluationPeriods}: CloudWatch looks back no further with periods of ${alarm.period} s`,
  );
  problems.unless(
    Number.isInteger(alarm.datapointsToAlarm) && alarm.datapointsToAlarm >= datapoints.from,
    at("datapointsToAlarm"),
    `must be a whole number of at least ${datapoints.from}, not ${alarm.datapointsToAlarm}: ${datapoints.because}`,
  );
  problems.unless(
    alarm.datapointsToAlarm <= alarm.evaluationPeriods,
    at("datapointsToAlarm"),
    `is ${alarm.datapointsToAlarm}, more than the ${alarm.evaluationPeriods} periods looked at: raise ${at("evaluationPeriods")} too`,
  );
}

function range(from: number, to: number): string {
  return from === to ? `equal to ${from}` : `from ${from} to ${to}`;
}

/** Refuses load balancers whose nodes count their own zone only: minimum and maximum over nodes then mean nothing. */
function requireCrossZone(args: TargetHealthAlarmsArgs, problems: Problems): void {
  const network = args.loadBalancerType === LoadBalancerType.Network;
  const declared = network ? args.crossZone === true : args.crossZone !== false;
  problems.unless(
    declared,
    "crossZone",
    "must be true: with cross-zone load balancing off each node counts its own zone only, and these alarms stay quiet until " +
      "every zone is affected. Turn it on " +
      (network
        ? "(enableCrossZoneLoadBalancing of the load balancer; AWS's default is off) and pass crossZone: true"
        : "(loadBalancingCrossZoneEnabled of the target group)") +
      "; alarms that add up the zones are not part of this version",
  );
}
