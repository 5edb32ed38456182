import * as pulumi from "@pulumi/pulumi";
import {
  checkedRunbook,
  commonSettings,
  makeAlarmSet,
  makeScrapedAlarm,
  metricsClusterProblem,
  planAlarmSet,
  routesProblems,
} from "../alarms";
import { isDnsLabel } from "../internal/object-names";
import { Problems } from "../internal/validate";
import { overrideSettings } from "./alarm-plan";
import type { KafkaClientAlarmsArgs } from "./alarms-args";
import { clientAlarms, type ClientAlarmKey } from "./client-alarm-definitions";

const pods = "kubectl get pods --all-namespaces --output wide --selector <labels of the client>";
const logs = "kubectl logs --namespace <namespace> --selector <labels of the client> --all-containers --tail 100";

/** What first to type. */
const firstCommands: Readonly<Record<ClientAlarmKey, string>> = {
  clientBrokerStalled: logs,
  clientQueueHalfFull: logs,
  clientDeliveryStalled: logs,
  clientRequestTimeouts: logs,
  clientStatisticsMissing: logs,
  stallDetectorSilent: pods,
};

/**
 * Alarms on a client of Kafka, by what its stall detector says: whether it waits for a broker that is dead, its queue fills, or nothing is delivered,
 * minutes before its users see errors. For each client a component of its own, so that the alarms go to whoever owns the client.
 *
 * They listen to what `ClusterMetrics` brings by a target of `kafkaStallTarget()`. Let them depend on the client: made before it, they would page
 * its absence.
 */
export class KafkaClientAlarms extends pulumi.ComponentResource {
  /**
   * ARNs by alarm: `clientBrokerStalled`, `clientQueueHalfFull`, `clientDeliveryStalled`, `clientRequestTimeouts`, `clientStatisticsMissing`,
   * `stallDetectorSilent`, without those left out.
   */
  public readonly alarmArns: pulumi.Output<Record<string, string>>;
  /** Physical names by alarm, for mute rules and composite alarms. */
  public readonly alarmNames: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: KafkaClientAlarmsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KafkaClientAlarms", name, args, opts);
    const problems = new Problems("KafkaClientAlarms", name);
    metricsClusterProblem(problems, args.cluster);
    problems.unless(
      isDnsLabel(args.target),
      "target",
      `must be the name of a target of ClusterMetrics (lower-case letters, digits and hyphens), not "${args.target}"`,
    );
    routesProblems(problems, args.routes);
    const planned = planAlarmSet(name, clientAlarms(args.target), firstCommands, args, overrideSettings, problems);
    const runbookUrl = checkedRunbook(planned, args.runbookUrl, problems);
    problems.throwIfAny();

    const common = commonSettings(args, runbookUrl);
    const outputs = makeAlarmSet(planned, ({ alarm, alarmName, first }) =>
      makeScrapedAlarm(this, `${name}-${alarm.suffix}`, alarmName, alarm, first, common),
    );
    this.alarmArns = outputs.alarmArns;
    this.alarmNames = outputs.alarmNames;
    this.registerOutputs(outputs);
  }
}
