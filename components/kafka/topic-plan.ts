import * as pulumi from "@pulumi/pulumi";
import { requireNameFits } from "../internal/names";
import type { Problems } from "../internal/validate";
import type { AdminJob } from "./admin-job";
import type { KafkaTopicArgs } from "./kafka-topic-args";
import { replication } from "./plan";
import { tolerationsOf } from "./tolerations";
import { extraSettingProblem, settingProblem, settingValueProblem } from "./topic-settings";

/** The arguments as the script takes them: an empty text is what isn't said. */
export interface TopicPlan {
  readonly topicName: string;
  readonly kafka: AdminJob["kafka"];
  readonly partitions: string;
  readonly replicationFactor: string;
  /** `name=value`, one in a line. */
  readonly settings: pulumi.Output<string>;
}

/** Applies defaults and checks. */
export function planTopic(name: string, args: KafkaTopicArgs, problems: Problems): TopicPlan {
  const { partitions, replicationFactor, config = {}, extraConfig = {} } = args;
  const topicName = args.topicName ?? name;
  requireNameFits(problems, "Kubernetes object", `${name}-job`);
  // org.apache.kafka.common.internals.Topic; names with a period and with an underscore in its place would be one in metrics.
  problems.unless(
    /^[A-Za-z0-9._-]{1,249}$/.test(topicName) && topicName !== "." && topicName !== "..",
    args.topicName === undefined ? "name" : "topicName",
    `must be 1 to 249 letters, digits, ".", "_" and "-", not "${topicName}"`,
  );
  problems.unless(
    !topicName.startsWith("__"),
    args.topicName === undefined ? "name" : "topicName",
    `is "${topicName}", and topics that begin with two underscores are Kafka's own: choose another`,
  );
  problems.unless(
    partitions === undefined || (Number.isInteger(partitions) && partitions >= 1 && partitions <= mostPartitions),
    "partitions",
    `must be a whole number from 1 to ${mostPartitions}, not ${partitions ?? ""}`,
  );
  problems.unless(
    replicationFactor === undefined ||
      (Number.isInteger(replicationFactor) && replicationFactor >= replication.factor && replicationFactor <= 9),
    "replicationFactor",
    `must be a whole number from ${replication.factor} to 9, not ${replicationFactor ?? ""}: with fewer copies one broker's loss stops writing or loses messages`,
  );
  const copies = replicationFactor ?? replication.factor;
  const settings = [
    ...settingsOf(problems, "config", config, settingProblem, copies),
    ...settingsOf(problems, "extraConfig", extraConfig, extraSettingProblem, copies),
  ];
  return {
    topicName,
    kafka: { ...args.kafka, tolerations: tolerationsOf(problems, args.kafka.tolerations, "kafka.tolerations") },
    partitions: partitions === undefined ? "" : String(partitions),
    replicationFactor: replicationFactor === undefined ? "" : String(replicationFactor),
    settings: pulumi.all(settings).apply((lines) => lines.join("\n")),
  };
}

/** Far above what a topic needs; a cluster of three brokers bears some 12,000 in all. */
const mostPartitions = 10_000;

/** Settings as the script takes them, with names and values checked. */
function settingsOf(
  problems: Problems,
  argument: string,
  given: Readonly<Record<string, pulumi.Input<string>>>,
  nameProblem: (name: string) => string | undefined,
  copies: number,
): pulumi.Output<string>[] {
  return Object.entries(given).map(([setting, value]) => {
    const where = `${argument}["${setting}"]`;
    const wrong = nameProblem(setting);
    problems.add(where, wrong);
    const fine = problems.input(value, where, (known) =>
      wrong === undefined ? settingValueProblem(setting, known, copies) : undefined,
    );
    return pulumi.interpolate`${setting}=${fine}`;
  });
}
