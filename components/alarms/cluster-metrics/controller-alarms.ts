import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../../internal/arguments";
import { Problems } from "../../internal/validate";
import { routesProblems } from "../routes";
import { checkedRunbook, commonSettings, makeAlarmSet, planAlarmSet } from "./alarm-set";
import { controllerAlarms, firstCommands } from "./controller-alarm-definitions";
import type { ControllerAlarmOverride, LoadBalancerControllerAlarmsArgs } from "./controller-alarms-args";
import { makeScrapedAlarm } from "./scraped-alarm";
import { controllerAlarmsArguments } from "./shapes";

/** What may stand in an override; complete, or it doesn't compile. */
const settings = {
  enabled: true,
  severity: true,
  datapointsToAlarm: true,
  evaluationPeriods: true,
} satisfies Record<keyof ControllerAlarmOverride, true>;

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
    const given = corrected(problems, args, controllerAlarmsArguments);
    const planned = planAlarmSet(name, controllerAlarms, firstCommands, given, Object.keys(settings), problems);
    routesProblems(problems, given.routes);
    const runbookUrl = checkedRunbook(planned, given.runbookUrl, problems);
    problems.throwIfAny();

    const common = commonSettings(given, runbookUrl);
    const outputs = makeAlarmSet(planned, ({ alarm, alarmName, first }) =>
      makeScrapedAlarm(this, `${name}-${alarm.suffix}`, alarmName, alarm, first, common),
    );
    this.alarmArns = outputs.alarmArns;
    this.alarmNames = outputs.alarmNames;
    this.registerOutputs(outputs);
  }
}
