import type * as pulumi from "@pulumi/pulumi";
import type { KafkaRef } from "./kafka-ref";

/** Arguments of {@link KafkaTopic}. */
export interface KafkaTopicArgs {
  /** The Kafka cluster: `KafkaCluster.ref`. */
  kafka: KafkaRef;
  /** Name of the topic: 1 to 249 letters, digits, `.`, `_` and `-`. Another name is another topic, and empty. Defaults to the component's name. */
  topicName?: string;
  /**
   * Number of partitions, 1 to 10000. It can be raised, never lowered; raised, new messages of a key go to other partitions than old ones.
   * Defaults to 3 for a new topic, and stays what it is.
   */
  partitions?: number;
  /** Copies of each partition, on as many brokers, from 3. It counts when the topic is made. Defaults to the cluster's 3. */
  replicationFactor?: number;
  /**
   * Settings of the topic that differ from the brokers', such as `{ "retention.ms": "604800000", "cleanup.policy": "compact" }`: names and ranges
   * are those of Kafka 4.4's topic configuration. What is taken out goes back to the brokers'. Errors: `min.insync.replicas` of as many as
   * there are copies, with which the loss of one broker would stop all writing. Defaults to none.
   */
  config?: Record<string, pulumi.Input<string>>;
  /** Settings that `config` doesn't know, of another version of Kafka: names and values go to the brokers as they are. Defaults to none. */
  extraConfig?: Record<string, pulumi.Input<string>>;
}
