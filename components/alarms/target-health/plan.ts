import type { Problems } from "../../internal/validate";
import { alarmNameOf, requireAlarmName, warmUpMinutes } from "../alarm-parts";
import { AlarmSeverity } from "../routes";
import type { TargetHealthAlarmsArgs } from "./args";
import { checkAlarm, checkMetrics, checkNames, checkSettings, warmUpProblem } from "./checks";
import { combine, type CombinedAlarm } from "./combined";
import {
  isMutable,
  targetHealthDefinition,
  targetHealthKeys,
  targetHealthSuffixes,
  type Edge,
  type TargetHealthDefinition,
  type TargetHealthKey,
} from "./definitions";
import { edgeOf } from "./edge";
import type { TargetHealthAlarmLevel, TargetHealthAlarmOverride } from "./override-args";
import type { PlannedAlarm } from "./planned-alarm";
import { plannedWorkProblems } from "./planned-work";

/** All that will be created. */
export interface Plan {
  readonly edge: Edge;
  readonly alarms: readonly PlannedAlarm[];
  readonly combined: readonly CombinedAlarm[];
}

/** Decides which alarms there are and what they say; adds to `problems` whatever is wrong with the plain arguments. */
export function planTargetHealth(name: string, args: TargetHealthAlarmsArgs, problems: Problems): Plan {
  const edge = edgeOf(args, problems);
  problems.add("warmUpMinutes", warmUpProblem(args.warmUpMinutes));
  plannedWorkProblems(problems, args.plannedWork ?? {});
  const overrides: Record<string, TargetHealthAlarmOverride | undefined> = { ...args.overrides };
  for (const key of Object.keys(overrides))
    problems.unless(
      (targetHealthKeys as readonly string[]).includes(key),
      `overrides.${key}`,
      `is not an alarm of the set: use ${targetHealthKeys.join(", ")}`,
    );

  const alarms = targetHealthKeys.flatMap((key) => alarmsOf(key, overrides[key] ?? {}, name, args, edge, problems));
  checkNames(
    alarms.map((alarm) => alarm.alarmName),
    problems,
  );
  const combined = args.combinePages === true ? combine(name, args.namePrefix, alarms, problems) : [];
  const muted = mutedBy({ edge, alarms, combined });
  if (Object.keys(args.plannedWork ?? {}).length > 0)
    problems.unless(
      muted.alarms.length > 0 && muted.alarms.length + muted.combined.length <= 100,
      "plannedWork",
      muted.alarms.length === 0
        ? "has nothing to mute: LOW, FLOOR, DECAY24 and READY-GAP are all left out, and the others are never muted"
        : "would mute more than 100 alarms, and a rule takes 100 (CloudWatch, MuteTargets): use fewer levels",
    );
  return { edge, alarms, combined };
}

/** What planned work mutes. */
export function mutedBy({ alarms, combined }: Plan): {
  alarms: readonly PlannedAlarm[];
  combined: readonly CombinedAlarm[];
} {
  return {
    alarms: alarms.filter(isMutable),
    combined: combined.filter((one) => one.of.every(isMutable)),
  };
}

function alarmsOf(
  key: TargetHealthKey,
  { levels, ...base }: TargetHealthAlarmOverride,
  name: string,
  args: TargetHealthAlarmsArgs,
  edge: Edge,
  problems: Problems,
): PlannedAlarm[] {
  const at = `overrides.${key}`;
  checkSettings(at, base, ["levels"], problems);
  const given: Record<string, TargetHealthAlarmLevel | undefined> = { ...levels };
  for (const [level, changes] of Object.entries(given))
    checkSettings(`${at}.levels.${level}`, changes ?? {}, [], problems);
  problems.unless(
    levels === undefined || Object.keys(levels).length > 0,
    `${at}.levels`,
    "is empty, so there would be no alarm: leave it out, or write enabled: false",
  );
  for (const level of Object.keys(levels ?? {}))
    problems.unless(
      /^[A-Za-z0-9-]+$/.test(level),
      `${at}.levels.${level}`,
      "must have a name of letters, digits and hyphens",
    );
  const chosen = Object.entries(levels ?? { "": {} })
    .map(([level, changes]) => ({ level, override: { ...base, ...changes } }))
    .filter(({ override }) => base.enabled !== false && override.enabled !== false);
  const planned = chosen.flatMap(({ level, override }) => {
    const severity = override.severity ?? AlarmSeverity.Page;
    const wanted = { pages: severity === AlarmSeverity.Page, threshold: override.threshold };
    const definition = targetHealthDefinition(key, edge, wanted);
    if (definition === undefined) return [];
    const path = level === "" ? at : `${at}.levels.${level}`;
    const suffix = [targetHealthSuffixes[key], ...(level === "" ? [] : [level])].join("-");
    const alarm: PlannedAlarm = {
      ...overridden(definition, override, args.warmUpMinutes ?? warmUpMinutes),
      key,
      output: level === "" ? key : `${key}.${level}`,
      suffix,
      alarmName: override.alarmName ?? alarmNameOf(args.namePrefix, name, suffix),
      severity,
    };
    requireAlarmName(problems, alarm.alarmName, override.alarmName === undefined ? "name" : `${path}.alarmName`);
    checkAlarm(
      alarm,
      override,
      path,
      edge,
      args.fixedReplicas === undefined ? "minReplicas" : "fixedReplicas",
      problems,
    );
    return [alarm];
  });
  const [first] = planned;
  if (first !== undefined) checkMetrics(key, first.measure, edge, problems);
  problems.unless(
    first !== undefined || chosen.length === 0 || args.overrides?.[key] === undefined,
    at,
    `has no effect: the alarm exists only with ${key === "readyNotRegistered" ? "readyPods" : "minReplicas or fixedReplicas"}`,
  );
  return planned;
}

function overridden(
  definition: TargetHealthDefinition,
  override: TargetHealthAlarmLevel,
  warmUp: number,
): TargetHealthDefinition & Pick<PlannedAlarm, "warmUpMinutes" | "actions"> {
  const { datapointsToAlarm, evaluationPeriods } = override;
  return {
    ...definition,
    threshold: override.threshold ?? definition.threshold,
    period: override.periodSeconds ?? definition.period,
    datapointsToAlarm: datapointsToAlarm ?? definition.datapointsToAlarm,
    evaluationPeriods: evaluationPeriods ?? definition.evaluationPeriods,
    missingData: override.missingData ?? definition.missingData,
    slowBecause:
      datapointsToAlarm === undefined && evaluationPeriods === undefined ? definition.slowBecause : undefined,
    warmUpMinutes: override.warmUpMinutes ?? (definition.warmsUp ? warmUp : 0),
    actions: {
      ...(override.alarmActions === undefined ? {} : { alarmActions: override.alarmActions }),
      ...(override.okActions === undefined ? {} : { okActions: override.okActions }),
      ...(override.insufficientDataActions === undefined
        ? {}
        : { insufficientDataActions: override.insufficientDataActions }),
    },
  };
}
