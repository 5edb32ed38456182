import * as pulumi from "@pulumi/pulumi";
import { oneOf, Problems } from "../../internal/validate";
import { alarmNameOf, asciiProblem, requireAlarmName } from "../alarm-parts";
import { AlarmSeverity, routesProblems } from "../routes";
import {
  controllerAlarmKeys,
  controllerAlarms,
  firstCommands,
  type ControllerAlarmKey,
} from "./controller-alarm-definitions";
import type { ControllerAlarmOverride, LoadBalancerControllerAlarmsArgs } from "./controller-alarms-args";
import { makeScrapedAlarm, type ScrapedAlarm } from "./scraped-alarm";

/** Periods of five minutes in a day, the furthest that CloudWatch looks back with periods below an hour (PutMetricAlarm). */
const mostPeriods = 288;

/**
 * Alarms on the load balancer controller itself: whether it is there, may register, and gets its bindings done. They say why targets aren't
 * registered, minutes after it begins; that targets are missing, `TargetHealthAlarms` says.
 *
 * They listen to what `ClusterMetrics` brings of the cluster. Let them depend on the controller: made before it, they would page its absence.
 */
export class LoadBalancerControllerAlarms extends pulumi.ComponentResource {
  /** ARNs by alarm: `controllerSilent`, `registrationDenied`, `targetGroupMissing`, `bindingErrors`, without those left out. */
  public readonly alarmArns: pulumi.Output<Record<string, string>>;
  /** Physical names by alarm, for mute rules and composite alarms. */
  public readonly alarmNames: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: LoadBalancerControllerAlarmsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:LoadBalancerControllerAlarms", name, args, opts);
    const problems = new Problems("LoadBalancerControllerAlarms", name);
    const planned = plan(name, args, problems);
    routesProblems(problems, args.routes);
    const runbookUrl = problems.input<string>(args.runbookUrl, "runbookUrl", asciiProblem);
    problems.throwIfAny();

    const made = planned.map(({ key, alarm, alarmName }) => {
      const resource = makeScrapedAlarm(this, `${name}-${alarm.suffix}`, alarmName, alarm, firstCommands[key], {
        clusterName: args.cluster.name,
        routes: args.routes,
        runbookUrl,
        strictWarmUp: args.strictWarmUp ?? true,
        tags: args.tags,
      });
      return { key, resource };
    });
    this.alarmArns = pulumi.output(Object.fromEntries(made.map(({ key, resource }) => [key, resource.arn])));
    this.alarmNames = pulumi.output(Object.fromEntries(made.map(({ key, resource }) => [key, resource.name])));
    this.registerOutputs({ alarmArns: this.alarmArns, alarmNames: this.alarmNames });
  }
}

/** What may stand in an override; complete, or it doesn't compile. */
const settings = Object.keys({
  enabled: 0,
  severity: 0,
  datapointsToAlarm: 0,
  evaluationPeriods: 0,
} satisfies Record<keyof ControllerAlarmOverride, 0>);

function plan(name: string, args: LoadBalancerControllerAlarmsArgs, problems: Problems) {
  const overrides: Record<string, ControllerAlarmOverride | undefined> = { ...args.overrides };
  for (const key of Object.keys(overrides))
    problems.unless(
      (controllerAlarmKeys as readonly string[]).includes(key),
      `overrides.${key}`,
      `is not an alarm of the set: use ${controllerAlarmKeys.join(", ")}`,
    );
  return controllerAlarmKeys
    .filter((key) => overrides[key]?.enabled !== false)
    .map((key) => {
      const alarm = overridden(key, overrides[key], problems);
      const alarmName = alarmNameOf(args.namePrefix, name, alarm.suffix);
      requireAlarmName(problems, alarmName);
      return { key, alarm, alarmName };
    });
}

function overridden(key: ControllerAlarmKey, override: ControllerAlarmOverride = {}, problems: Problems): ScrapedAlarm {
  for (const setting of Object.keys(override))
    problems.unless(
      settings.includes(setting),
      `overrides.${key}.${setting}`,
      `is not a setting of an alarm: use ${settings.join(", ")}`,
    );
  problems.add(`overrides.${key}.severity`, oneOf(AlarmSeverity, override.severity));
  const own = controllerAlarms[key];
  const alarm = {
    ...own,
    severity: override.severity ?? own.severity,
    datapointsToAlarm: override.datapointsToAlarm ?? own.datapointsToAlarm,
    evaluationPeriods: override.evaluationPeriods ?? own.evaluationPeriods,
  };
  const within = (count: number, most: number) => Number.isInteger(count) && count >= 1 && count <= most;
  problems.unless(
    within(alarm.evaluationPeriods, mostPeriods),
    `overrides.${key}.evaluationPeriods`,
    `must be a whole number from 1 to ${mostPeriods}, not ${alarm.evaluationPeriods}: CloudWatch looks back no further`,
  );
  problems.unless(
    within(alarm.datapointsToAlarm, alarm.evaluationPeriods),
    `overrides.${key}.datapointsToAlarm`,
    `must be a whole number from 1 to the ${alarm.evaluationPeriods} periods looked at, not ${alarm.datapointsToAlarm}`,
  );
  return alarm;
}
