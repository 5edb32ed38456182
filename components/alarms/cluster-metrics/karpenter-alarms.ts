import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../../internal/arguments";
import { Problems } from "../../internal/validate";
import { routesProblems } from "../routes";
import { checkedRunbook, commonSettings, makeAlarmSet, metricsClusterProblem, planAlarmSet } from "./alarm-set";
import { firstKarpenterCommands, karpenterAlarms } from "./karpenter-alarm-definitions";
import type { KarpenterAlarmOverride, KarpenterAlarmsArgs } from "./karpenter-alarms-args";
import { makeAlarm, makeScrapedAlarm } from "./scraped-alarm";
import { karpenterAlarmsArguments } from "./shapes";

/** What may stand in an override; complete, or it doesn't compile. */
const settings = {
  enabled: true,
  severity: true,
  threshold: true,
  datapointsToAlarm: true,
  evaluationPeriods: true,
} satisfies Record<keyof KarpenterAlarmOverride, true>;

/**
 * Alarms on Karpenter itself: whether it works, reads what AWS announces, may do what it must, and gets nodes for pods that wait.
 *
 * They listen to what `ClusterMetrics` brings of the cluster, and to the queue. Let them depend on Karpenter and on those metrics: made before them,
 * they would page their absence.
 */
export class KarpenterAlarms extends pulumi.ComponentResource {
  /**
   * ARNs by alarm: `karpenterSilent`, `interruptionsUnread`, `interruptionBacklog`, `podsUnschedulable`, `nodePoolNotReady`, `nodesNotRegistering`,
   * `launchErrors`, `karpenterDenied`, `karpenterErrors`, without those left out.
   */
  public readonly alarmArns: pulumi.Output<Record<string, string>>;
  /** Physical names by alarm, for mute rules and composite alarms. */
  public readonly alarmNames: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: KarpenterAlarmsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KarpenterAlarms", name, args, opts);
    const problems = new Problems("KarpenterAlarms", name);
    const given = corrected(problems, args, karpenterAlarmsArguments);
    const planned = planAlarmSet(name, karpenterAlarms, firstKarpenterCommands, given, Object.keys(settings), problems);
    metricsClusterProblem(problems, given.cluster);
    const queueName = problems.input<string>(given.queueName, "queueName", queueProblem);
    routesProblems(problems, given.routes);
    const runbookUrl = checkedRunbook(planned, given.runbookUrl, problems);
    problems.throwIfAny();

    const queue = { namespace: "AWS/SQS", dimensions: { QueueName: queueName } };
    const common = commonSettings(given, runbookUrl);
    const outputs = makeAlarmSet(planned, ({ alarm, alarmName, first }) => {
      const child = `${name}-${alarm.suffix}`;
      return "of" in alarm
        ? makeAlarm(this, child, alarmName, alarm, queue, first, common)
        : makeScrapedAlarm(this, child, alarmName, alarm, first, common);
    });
    this.alarmArns = outputs.alarmArns;
    this.alarmNames = outputs.alarmNames;
    this.registerOutputs(outputs);
  }
}

/** What is wrong with the name of a queue, or undefined: of an ARN or an address CloudWatch has no metrics, and says nothing. */
function queueProblem(name: string): string | undefined {
  return /^[A-Za-z0-9_-]{1,80}$/.test(name)
    ? undefined
    : `must be the name of a queue (Karpenter.queueName: letters, digits, - and _), not its ARN or address: "${name}"`;
}
