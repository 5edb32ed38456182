import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, known, type Unknown } from "../../lib/known";
import { itemsAt, numberAt } from "../../lib/kubernetes";
import { stringAt, valueAt, valuesAt, type Path } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { indexOf, keysOfHolder, type Index } from "../../lib/stack-index";

interface AlarmType {
  /** Property of the physical name. */
  readonly name: string;
  /** Property of the list of metric math's queries. */
  readonly queries: string;
  /** Where a query has its metric. */
  readonly metric: Path;
}

const alarmTypes: Readonly<Record<string, AlarmType>> = {
  "aws:cloudwatch/metricAlarm:MetricAlarm": { name: "name", queries: "metricQueries", metric: ["metric"] },
  "aws-native:cloudwatch:Alarm": { name: "alarmName", queries: "metrics", metric: ["metricStat", "metric"] },
};

const compositeTypes = new Set([
  "aws:cloudwatch/compositeAlarm:CompositeAlarm",
  "aws-native:cloudwatch:CompositeAlarm",
]);

/** Whether this is an alarm on a metric. */
export function isMetricAlarm({ type }: PolicyResource): boolean {
  return type in alarmTypes;
}

/** Whether this is an alarm on other alarms. */
export function isCompositeAlarm({ type }: PolicyResource): boolean {
  return compositeTypes.has(type);
}

/** The physical name of an alarm; undefined while Pulumi still has to make one up. */
export function alarmName(alarm: PolicyResource): string | Unknown | undefined {
  return stringAt(alarm.props, [alarmTypes[alarm.type]?.name ?? "alarmName"]);
}

/** The names of the metrics that an alarm measures; an unknown stands for one that isn't known. */
export function metricNames(alarm: PolicyResource): (string | Unknown)[] {
  return metrics(alarm)
    .map(({ value }) => (isUnknown(value) ? value : stringAt(value, ["metricName"])))
    .filter((name) => name !== undefined);
}

/** The expressions of an alarm's metric math, as far as its verdict depends on them. */
export function expressions(alarm: PolicyResource): (string | Unknown)[] {
  return usedQueries(alarm)
    .map((query) => (isUnknown(query) ? query : stringAt(query, ["expression"])))
    .filter((expression) => expression !== undefined);
}

/** Whether an id of an alarm's metric math stands for a metric of this name, by itself or through its expression. */
export function standsFor(
  alarm: PolicyResource,
  id: string,
  metricName: string,
  seen: readonly string[] = [],
): boolean {
  const query = usedQueries(alarm).find((one) => !isUnknown(one) && stringAt(one, ["id"]) === id);
  if (query === undefined || isUnknown(query) || seen.includes(id)) return false;
  if (stringAt(query, [...typeOf(alarm).metric, "metricName"]) === metricName) return true;
  const expression = stringAt(query, ["expression"]);
  return (
    typeof expression === "string" && idsIn(expression).some((one) => standsFor(alarm, one, metricName, [...seen, id]))
  );
}

/** The queries that the one which the alarm judges depends on, itself among them; all of them while that can't be told. */
function usedQueries(alarm: PolicyResource): ReturnType<typeof itemsAt> {
  const queries = itemsAt(alarm.props, [typeOf(alarm).queries]);
  const idOf = (query: (typeof queries)[number]) => (isUnknown(query) ? query : stringAt(query, ["id"]));
  const judged = queries.filter((query) => !isUnknown(query) && valueAt(query, ["returnData"]) === true);
  if (judged.length !== 1 || queries.map(idOf).some(isUnknown)) return queries;
  const used = new Set(judged);
  for (const query of used) {
    const expression = isUnknown(query) ? query : stringAt(query, ["expression"]);
    if (isUnknown(expression) || expression?.includes("METRICS(") === true) return queries;
    const ids = idsIn(expression ?? "");
    for (const other of queries) if (ids.some((id) => id === idOf(other))) used.add(other);
  }
  return [...used];
}

/** Words of an expression that may be ids: those begin with a small letter (PutMetricAlarm, MetricDataQuery). */
function idsIn(expression: string): string[] {
  return expression.match(/\b[a-z]\w*/g) ?? [];
}

/** How an alarm compares. */
export function comparisonOf(alarm: PolicyResource): string | Unknown | undefined {
  return stringAt(alarm.props, ["comparisonOperator"]);
}

/** Seconds from the fault to the alarm, as far as they are known: so many periods must be bad. The longest period of its metrics is its own. */
export function secondsToRing(alarm: PolicyResource): number {
  const { metric } = typeOf(alarm);
  const at = [metric, metric.slice(0, -1)].map((path) => [...path, "period"]);
  const periods = [
    numberAt(alarm.props, ["period"]),
    ...usedQueries(alarm).flatMap((query) => [["period"], ...at].map((path) => numberAt(query, path))),
  ].filter((period) => typeof period === "number");
  const count = numberAt(alarm.props, ["datapointsToAlarm"]) ?? numberAt(alarm.props, ["evaluationPeriods"]);
  return typeof count === "number" ? Math.max(0, ...periods) * count : 0;
}

/** The value that an alarm compares with. */
export function thresholdOf(alarm: PolicyResource): number | Unknown | undefined {
  return numberAt(alarm.props, ["threshold"]);
}

/** Alarms by what they measure (`keysOfSource` of a target group and its suffix). */
export function alarmsByGroup(resources: readonly PolicyResource[]): Index<PolicyResource> {
  return indexOf(resources, isMetricAlarm, (alarm) => {
    const dimensions = metrics(alarm).flatMap(({ value }) => (isUnknown(value) ? [] : dimensionValues(value)));
    return keysOfHolder(alarm, dimensions, ["dimensions", typeOf(alarm).queries]);
  });
}

/** Whether an alarm measures this target group: by its dimension where that and the group are known, else because it came from the group. */
export function measuresGroup(alarm: PolicyResource, group: PolicyResource): boolean {
  const dimensions = metrics(alarm).flatMap(({ value }) => (isUnknown(value) ? [value] : dimensionValues(value)));
  const own = suffixOf(group);
  if (typeof own === "string" && dimensions.length > 0 && !dimensions.some(isUnknown)) return dimensions.includes(own);
  return ["dimensions", typeOf(alarm).queries].some((property) => cameFrom(alarm, property, group));
}

/** Whether somebody is told by this alarm itself. */
export function hasActions(alarm: PolicyResource): boolean {
  const actions = known(() => alarm.props["alarmActions"] as unknown);
  if (known(() => alarm.props["actionsEnabled"] as unknown) === false) return false;
  return isUnknown(actions) || (Array.isArray(actions) && actions.length > 0);
}

/**
 * Whether a composite alarm's rule names this alarm: by its name or ARN where both are known, else because the rule came from it.
 */
export function isIn(composite: PolicyResource, alarm: PolicyResource): boolean {
  const rule = stringAt(composite.props, ["alarmRule"]);
  const name = alarmName(alarm);
  if (typeof rule === "string" && typeof name === "string") return namesInRule(rule).includes(name);
  return cameFrom(composite, "alarmRule", alarm);
}

/** Whether a composite alarm is on whenever one of its alarms is: ALARM of each, and nothing but OR between them. True while that isn't known. */
export function isOneOf(composite: PolicyResource): boolean {
  const rule = stringAt(composite.props, ["alarmRule"]);
  if (typeof rule !== "string") return true;
  return !/\b(AND|NOT|OK|INSUFFICIENT_DATA|FALSE)\b/.test(rule.replace(/"[^"]*"/g, '""'));
}

/** The alarms' names in the rule of a composite alarm, where they stand with or without quotation marks, or in an ARN (PutCompositeAlarm). */
export function namesInRule(rule: string): string[] {
  const calls = rule.matchAll(/\b(?:ALARM|OK|INSUFFICIENT_DATA)\s*\((?:\s*"([^"]*)"\s*|([^"()]*))\)/g);
  return [...calls].map(([, quoted, bare]) => withoutArn(quoted ?? (bare ?? "").trim()));
}

/** The name of an alarm that is named by an ARN. */
export function withoutArn(nameOrArn: string): string {
  return nameOrArn.startsWith("arn:") ? nameOrArn.replace(/^.*?:alarm:/, "") : nameOrArn;
}

function typeOf(alarm: PolicyResource): AlarmType {
  return alarmTypes[alarm.type]!;
}

/** The alarm's only metric, or those of its metric math that its verdict depends on, each as the object that has `metricName` and `dimensions`. */
export function metrics(alarm: PolicyResource): { readonly value: unknown }[] {
  const { metric } = typeOf(alarm);
  const used = usedQueries(alarm).flatMap((query): { readonly value: unknown }[] =>
    isUnknown(query) ? [{ value: query }] : valuesAt(query, metric),
  );
  return [{ value: alarm.props }, ...used];
}

function dimensionValues(metric: unknown): unknown[] {
  const listed = itemsAt(metric, ["dimensions"])
    .filter((item) => isUnknown(item) || stringAt(item, ["name"]) === "TargetGroup")
    .map((item) => (isUnknown(item) ? item : valueAt(item, ["value"])));
  return [valueAt(metric, ["dimensions", "TargetGroup"]), ...listed].filter((value) => value !== undefined);
}

/** Last part of a target group's ARN, which is the dimension of its metrics. */
export function suffixOf(group: PolicyResource): string | Unknown | undefined {
  for (const property of ["arnSuffix", "targetGroupFullName", "arn", "targetGroupArn"]) {
    const value = stringAt(group.props, [property]);
    if (typeof value === "string") return value.slice(value.lastIndexOf(":") + 1);
  }
  return undefined;
}
