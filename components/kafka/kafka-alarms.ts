import * as pulumi from "@pulumi/pulumi";
import {
  checkedRunbook,
  commonSettings,
  makeAlarmSet,
  makeScrapedAlarm,
  metricsClusterProblem,
  routesProblems,
} from "../alarms";
import { Problems } from "../internal/validate";
import { planKafkaAlarms, watchedProblems } from "./alarm-plan";
import type { KafkaAlarmsArgs } from "./alarms-args";

/**
 * Alarms on a Kafka cluster: what clients feel (partitions that nobody can read or write, messages that were lost), who is away, volumes that fill
 * up, and certificates that end. On the clients themselves there are `KafkaClientAlarms`.
 *
 * They listen to what `ClusterMetrics` brings by the targets of `kafkaMetricsTargets()`. Let them depend on the Kafka cluster: made before it, they
 * would page its absence.
 */
export class KafkaAlarms extends pulumi.ComponentResource {
  /**
   * ARNs by alarm: `partitionsOffline`, `partitionsUnderMinIsr`, `noActiveController`, `severalActiveControllers`, `uncleanElection`, `brokersFenced`,
   * `partitionsUnderReplicated`, `logDirectoryOffline`, `certificateExpiring`, `certificateNearlyExpired`, `certificatesUnread`, and for each
   * broker `brokerSilent-<id>`, `diskFilling-<id>` and `diskNearlyFull-<id>`, without those left out.
   */
  public readonly alarmArns: pulumi.Output<Record<string, string>>;
  /** Physical names by alarm, for mute rules and composite alarms. */
  public readonly alarmNames: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: KafkaAlarmsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KafkaAlarms", name, args, opts);
    const problems = new Problems("KafkaAlarms", name);
    metricsClusterProblem(problems, args.cluster);
    watchedProblems(args.kafka, problems);
    routesProblems(problems, args.routes);
    const planned = planKafkaAlarms(name, args, problems);
    const runbookUrl = checkedRunbook(planned, args.runbookUrl, problems);
    problems.throwIfAny();

    const common = commonSettings(args, runbookUrl);
    const outputs = makeAlarmSet(planned, ({ child, alarm, alarmName, first }) =>
      makeScrapedAlarm(this, child, alarmName, alarm, first, common),
    );
    this.alarmArns = outputs.alarmArns;
    this.alarmNames = outputs.alarmNames;
    this.registerOutputs(outputs);
  }
}
