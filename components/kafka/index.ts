export { kafkaClientProfile } from "./client-profile";
export type {
  KafkaClientProfile,
  KafkaClientProfileArgs,
  KafkaPodSecurityContext,
  KafkaSysctl,
} from "./client-profile-args";
export { KafkaClientAuthentication } from "./authentication";
export type { KafkaCertManager, KafkaIssuer } from "./cert-manager-args";
export { KafkaCluster } from "./kafka-cluster";
export { KafkaTopicAccess } from "./kafka-cluster-args";
export { KafkaTopic } from "./kafka-topic";
export type { KafkaCertificateRotation } from "./rotation-args";
export type { KafkaTopicArgs } from "./kafka-topic-args";
export type { KafkaRef } from "./kafka-ref";
export type {
  KafkaCertificates,
  KafkaClientArgs,
  KafkaClusterArgs,
  KafkaResources,
  KafkaToleration,
} from "./kafka-cluster-args";
