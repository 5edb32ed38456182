import * as pulumi from "@pulumi/pulumi";
import { requireNameFits } from "../internal/names";
import { checked, type Problems } from "../internal/validate";
import type { AdminJob } from "./admin-job";
import type { KafkaTopicArgs } from "./kafka-topic-args";
import { replication } from "./plan";
import { tolerationsOf } from "./tolerations";

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
  const { partitions, replicationFactor, config = {} } = args;
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
  const settings = Object.entries(config).map(([setting, value]) => {
    const where = `config["${setting}"]`;
    problems.unless(
      /^[a-z][a-z.]*$/.test(setting),
      where,
      'is no name of a topic\'s setting: write one such as "retention.ms"',
    );
    return pulumi.interpolate`${setting}=${checked(value, where, valueProblem)}`;
  });
  return {
    topicName,
    kafka: { ...args.kafka, tolerations: tolerationsOf(problems, args.kafka.tolerations) },
    partitions: partitions === undefined ? "" : String(partitions),
    replicationFactor: replicationFactor === undefined ? "" : String(replicationFactor),
    settings: pulumi.all(settings).apply((lines) => lines.join("\n")),
  };
}

/** Far above what a topic needs; a cluster of three brokers bears some 12,000 in all. */
const mostPartitions = 10_000;

/** A line break would begin another setting, a bracket end the value (kafka-configs.sh). */
function valueProblem(value: string): string | undefined {
  return /[\r\n\0[\]]/.test(value) ? "must be a single line without brackets" : undefined;
}
