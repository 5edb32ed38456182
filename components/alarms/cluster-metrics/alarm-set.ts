import type * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../../cluster";
import { isClusterName } from "../../internal/names";
import type { Tags } from "../../internal/tags";
import { oneOf, type Problems } from "../../internal/validate";
import { alarmNameOf, requireAlarmName, runbookProblem } from "../alarm-parts";
import { AlarmSeverity, type AlarmRoutes } from "../routes";
import type { ScrapedAlarmSettings, WatchedSeries } from "./scraped-alarm";

/*
 * A set of alarms that comes with this library, as its component makes it: names, and what the caller changes of single ones.
 */

/** Periods of five minutes in a day, the furthest that CloudWatch looks back with periods below an hour (PutMetricAlarm). */
const mostPeriods = 288;

/** What can be changed of an alarm. */
interface Override {
  readonly enabled?: boolean;
  readonly severity?: AlarmSeverity;
  readonly threshold?: number;
  readonly datapointsToAlarm?: number;
  readonly evaluationPeriods?: number;
}

/** Arguments that every component with such alarms has. */
interface CommonArgs {
  readonly cluster: ClusterRef;
  readonly routes: AlarmRoutes;
  readonly strictWarmUp?: boolean;
  readonly tags?: pulumi.Input<Tags>;
}

/** An alarm as it will be made. */
export interface PlannedOfSet<Key extends string, Alarm> {
  readonly key: Key;
  readonly alarm: Alarm;
  /** Physical name. */
  readonly alarmName: string;
  /** What to type first. */
  readonly first: string;
}

/** Applies the caller's changes to a set; records whatever is wrong with them. `settings` are those that this set lets change. */
export function planAlarmSet<Key extends string, Alarm extends WatchedSeries>(
  name: string,
  set: Readonly<Record<Key, Alarm>>,
  firstCommands: Readonly<Record<Key, string>>,
  given: { readonly overrides?: object; readonly namePrefix?: string },
  settings: readonly string[],
  problems: Problems,
): PlannedOfSet<Key, Alarm>[] {
  const keys = Object.keys(set) as Key[];
  const overrides: Record<string, Override | undefined> = { ...given.overrides };
  for (const key of Object.keys(overrides))
    problems.unless(
      (keys as string[]).includes(key),
      `overrides.${key}`,
      `is not an alarm of the set: use ${keys.join(", ")}`,
    );
  return keys
    .filter((key) => overrides[key]?.enabled !== false)
    .map((key) => {
      const alarm = overridden(`overrides.${key}`, set[key], overrides[key] ?? {}, settings, problems);
      const alarmName = alarmNameOf(given.namePrefix, name, alarm.suffix);
      requireAlarmName(problems, alarmName);
      return { key, alarm, alarmName, first: firstCommands[key] };
    });
}

/** Makes the alarms of a set, and what their component gives out: ARNs and physical names, by alarm. */
export function makeAlarmSet<Planned extends { readonly key: string }>(
  planned: readonly Planned[],
  make: (alarm: Planned) => aws.cloudwatch.MetricAlarm,
) {
  const made = planned.map((alarm) => ({ key: alarm.key, resource: make(alarm) }));
  return {
    alarmArns: pulumi.output(Object.fromEntries(made.map(({ key, resource }) => [key, resource.arn]))),
    alarmNames: pulumi.output(Object.fromEntries(made.map(({ key, resource }) => [key, resource.name]))),
  };
}

/** Checks the cluster whose metrics are listened to. */
export function metricsClusterProblem(problems: Problems, { name }: ClusterRef): void {
  problems.unless(
    isClusterName(name),
    "cluster.name",
    `must be the name of a cluster, of which the metrics' namespace is made, not "${name}"`,
  );
}

/** What all alarms of a component have in common, of its arguments. */
export function commonSettings(
  { cluster, routes, strictWarmUp, tags }: CommonArgs,
  runbookUrl: pulumi.Input<string> | undefined,
): ScrapedAlarmSettings {
  return { clusterName: cluster.name, routes, runbookUrl, strictWarmUp: strictWarmUp ?? true, tags };
}

/** Checks the address of a set's runbooks, and returns what to use in its place. */
export function checkedRunbook(
  planned: readonly PlannedOfSet<string, WatchedSeries>[],
  runbookUrl: pulumi.Input<string> | undefined,
  problems: Problems,
): pulumi.Input<string> | undefined {
  const alarms = planned.map(({ alarm, first }) => ({ happened: alarm.happened, first, page: alarm.suffix }));
  return problems.input<string>(runbookUrl, "runbookUrl", runbookProblem(alarms));
}

function overridden<Alarm extends WatchedSeries>(
  where: string,
  own: Alarm,
  override: Override,
  settings: readonly string[],
  problems: Problems,
): Alarm {
  for (const setting of Object.keys(override))
    problems.unless(
      settings.includes(setting),
      `${where}.${setting}`,
      `is not a setting of an alarm: use ${settings.join(", ")}`,
    );
  problems.add(`${where}.severity`, oneOf(AlarmSeverity, override.severity));
  const alarm = {
    ...own,
    severity: override.severity ?? own.severity,
    threshold: override.threshold ?? own.threshold,
    datapointsToAlarm: override.datapointsToAlarm ?? own.datapointsToAlarm,
    evaluationPeriods: override.evaluationPeriods ?? own.evaluationPeriods,
  };
  const within = (count: number, most: number) => Number.isInteger(count) && count >= 1 && count <= most;
  problems.unless(
    Number.isFinite(alarm.threshold) && alarm.threshold > 0,
    `${where}.threshold`,
    `must be a number above 0, not ${alarm.threshold}: the alarm would never leave its state`,
  );
  if (alarm.forgottenAfter !== undefined) {
    const latest = alarm.forgottenAfter - alarm.period * alarm.datapointsToAlarm;
    problems.unless(
      !(alarm.threshold > latest),
      `${where}.threshold`,
      `must be at most ${latest} seconds with ${alarm.datapointsToAlarm} data points of ${alarm.period} s, not ${alarm.threshold}: what it ` +
        `measures is forgotten after ${alarm.forgottenAfter} seconds, so the alarm would never ring`,
    );
  }
  problems.unless(
    within(alarm.evaluationPeriods, mostPeriods),
    `${where}.evaluationPeriods`,
    `must be a whole number from 1 to ${mostPeriods}, not ${alarm.evaluationPeriods}: CloudWatch looks back no further`,
  );
  problems.unless(
    within(alarm.datapointsToAlarm, alarm.evaluationPeriods),
    `${where}.datapointsToAlarm`,
    `must be a whole number from 1 to the ${alarm.evaluationPeriods} periods looked at, not ${alarm.datapointsToAlarm}`,
  );
  return alarm;
}
