import type { KnownArguments } from "../internal/arguments";
import { fields, lateText, lateTextMap, mapOf, number, required, text, type Shape } from "../internal/shapes";
import type { KafkaRef } from "./kafka-ref";
import type { KafkaTopicArgs } from "./kafka-topic-args";
import { tolerationsShape } from "./tolerations";

/*
 * What the arguments of topics are, checked before anything else. Records of all fields, so that the compiler misses none.
 */

const kafkaRef: Record<keyof KafkaRef, Shape> = {
  kafkaName: required(text),
  namespace: required(lateText),
  image: required(lateText),
  adminServers: required(lateText),
  adminSecretName: required(text),
  nodeSelector: lateTextMap,
  tolerations: tolerationsShape,
};

/** Takes the place of a cluster that is wrong. */
const standIn: KafkaRef = {
  kafkaName: "missing",
  namespace: "missing",
  image: "missing",
  adminServers: "missing:9094",
  adminSecretName: "missing",
};

/** Arguments of a topic. */
export const topicArguments: KnownArguments<KafkaTopicArgs> = {
  shapes: {
    kafka: fields(kafkaRef),
    topicName: text,
    partitions: number,
    replicationFactor: number,
    config: mapOf(lateText),
    extraConfig: mapOf(lateText),
  },
  missing: { kafka: "is missing: write the Kafka cluster, KafkaCluster.ref" },
  standIns: { kafka: standIn },
  elsewhere: {
    name: "isn't an argument: write topicName",
    replicas: "isn't an argument: write replicationFactor",
    configs: "isn't an argument: write config",
    retentionMs: 'isn\'t an argument: write config, such as { "retention.ms": "604800000" }',
  },
};
