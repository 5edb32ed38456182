export { kafkaClientProfile } from "./client-profile";
export type {
  KafkaClientProfile,
  KafkaClientProfileArgs,
  KafkaPodSecurityContext,
  KafkaStallOptions,
  KafkaSysctl,
} from "./client-profile-args";
export { KafkaCluster } from "./kafka-cluster";
export { KafkaTopicAccess } from "./kafka-cluster-args";
export { KafkaTopic } from "./kafka-topic";
export type { KafkaTopicArgs } from "./kafka-topic-args";
export type { KafkaRef } from "./kafka-ref";
export type {
  KafkaCertificates,
  KafkaClientArgs,
  KafkaClusterArgs,
  KafkaResources,
  KafkaToleration,
} from "./kafka-cluster-args";
export { kafkaStallDetector } from "./stall-detector";
export type { KafkaStallDetector, KafkaStallDetectorArgs } from "./stall-detector-args";
