import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { alarmName, comparisonOf, expressions, isIn, isMetricAlarm, metricNames, thresholdOf } from "./metric-alarms";

/** What an alarm says that must always be heard. */
export type Outage = "no healthy target is left" | "every target is unhealthy" | "a target stays unhealthy";

/** Last parts of the names of such alarms, as `TargetHealthAlarms` makes them, perhaps with a level. */
const suffixes: readonly (readonly [RegExp, Outage])[] = [
  [/(^|-)(no-healthy-hosts|no-service)(-[A-Za-z0-9-]+)?$/, "no healthy target is left"],
  [/(^|-)all-targets-unhealthy(-[A-Za-z0-9-]+)?$/, "every target is unhealthy"],
  [/(^|-)stale-targets(-[A-Za-z0-9-]+)?$/, "a target stays unhealthy"],
];

/** What an alarm of this name says; undefined if its name tells nothing. */
export function outageByName(name: string): Outage | undefined {
  return suffixes.find(([suffix]) => suffix.test(name))?.[1];
}

/**
 * What an alarm says, by what it measures or by its name; undefined if planned work may mute it. For a composite alarm what one of its alarms says.
 * An unknown where it depends on one.
 */
export function outageOf(
  alarm: PolicyResource,
  resources: readonly PolicyResource[],
  seen: readonly string[] = [],
): Outage | Unknown | undefined {
  const name = alarmName(alarm);
  const named = typeof name === "string" ? outageByName(name) : undefined;
  if (named !== undefined) return named;
  if (isMetricAlarm(alarm)) return outageByMeasure(alarm);
  if (seen.includes(alarm.urn)) return undefined;
  const inside = resources
    .filter((r) => r !== alarm && isIn(alarm, r))
    .map((r) => outageOf(r, resources, [...seen, alarm.urn]));
  return inside.find((outage) => typeof outage === "string") ?? inside.find(isUnknown);
}

function outageByMeasure(alarm: PolicyResource): Outage | Unknown | undefined {
  const names = metricNames(alarm);
  const [healthy, unhealthy] = ["HealthyHostCount", "UnHealthyHostCount"].map((name) => names.includes(name));
  // One that compares with the day before, as DECAY24, is no news of an outage.
  const math = expressions(alarm);
  if (math.some((expression) => typeof expression === "string" && /\b(DIFF|RATE)\s*\(/.test(expression)))
    return undefined;
  if (healthy === true && unhealthy === true) return math.find(isUnknown) ?? "every target is unhealthy";
  if (unhealthy === true) return "a target stays unhealthy";
  if (healthy === true) return isNone(alarm);
  return names.find(isUnknown);
}

/** Whether fewer than one is what an alarm waits for. */
function isNone(alarm: PolicyResource): Outage | Unknown | undefined {
  const operator = comparisonOf(alarm);
  const threshold = thresholdOf(alarm);
  if (isUnknown(operator)) return operator;
  // The other way round: the expression waits for fewer than one, and the alarm for the expression.
  const inside = /<\s*(?:0?\.\d+|1(?:\.0*)?)(?![\d.])|<=\s*0(?:\.\d*)?(?![\d.])/;
  if (operator?.startsWith("GreaterThan") === true)
    return expressions(alarm).some((expression) => typeof expression === "string" && inside.test(expression))
      ? "no healthy target is left"
      : undefined;
  if (operator?.startsWith("LessThan") !== true || threshold === undefined) return undefined;
  if (isUnknown(threshold)) return threshold;
  const none = operator === "LessThanThreshold" ? threshold <= 1 : threshold < 1;
  return none ? "no healthy target is left" : undefined;
}
