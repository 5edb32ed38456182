import type { Problems } from "../../internal/validate";
import { alarmNameOf, requireAlarmName } from "../alarm-parts";
import { AlarmSeverity } from "../routes";
import { isMutable } from "./definitions";
import type { PlannedAlarm } from "./planned-alarm";

/** A composite alarm as it will be created. */
export interface CombinedAlarm {
  readonly key: CombinedKey;
  /** Last part of the name. */
  readonly suffix: string;
  /** Physical name. */
  readonly alarmName: string;
  /** The alarms that it pages for. */
  readonly of: readonly PlannedAlarm[];
}

/**
 * Which alarms page together. One that is on hides the others of its group, so nothing that may last for days stands with what says that the edge
 * is down, and nothing that planned work mutes with what it must not. STALE is both and pages alone.
 */
const groups = {
  shortOfHosts: { suffix: "short-of-hosts", has: isMutable },
  noService: { suffix: "no-service", has: (alarm: PlannedAlarm) => alarm.key !== "staleTargets" && !isMutable(alarm) },
} as const satisfies Record<string, { suffix: string; has: (alarm: PlannedAlarm) => boolean }>;
export type CombinedKey = keyof typeof groups;

/** Longest rule of a composite alarm (PutCompositeAlarm, AlarmRule); it may name 100 alarms (CloudWatch quotas). */
const longestRule = 10_240;
const mostAlarms = 100;

/** The composite alarms over these alarms. An alarm alone pages itself, as do tickets and alarms with actions of their own. */
export function combine(
  name: string,
  prefix: string | undefined,
  alarms: readonly PlannedAlarm[],
  problems: Problems,
): CombinedAlarm[] {
  return (Object.keys(groups) as CombinedKey[]).flatMap((key) => {
    const { suffix, has } = groups[key];
    const of = alarms.filter(
      (alarm) => has(alarm) && alarm.severity === AlarmSeverity.Page && alarm.actions.alarmActions === undefined,
    );
    if (of.length < 2) return [];
    const alarmName = alarmNameOf(prefix, name, suffix);
    requireAlarmName(problems, alarmName);
    problems.unless(
      combinedRule(of.map((alarm) => alarm.alarmName)).length <= longestRule && of.length <= mostAlarms,
      "combinePages",
      `would put ${of.length} alarms into "${alarmName}", more than ${mostAlarms} or than a rule of ${longestRule} characters holds: use fewer levels, or shorter names`,
    );
    return [{ key, suffix, alarmName, of }];
  });
}

/** The rule "one of these is on". */
export function combinedRule(names: readonly string[]): string {
  return names.map((name) => `ALARM("${name}")`).join(" OR ");
}
