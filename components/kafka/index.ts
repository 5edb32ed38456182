export { kafkaClientProfile } from "./client-profile";
export type {
  KafkaClientProfile,
  KafkaClientProfileArgs,
  KafkaPodSecurityContext,
  KafkaSysctl,
} from "./client-profile-args";
export { KafkaCluster } from "./kafka-cluster";
export type {
  KafkaCertificates,
  KafkaClientArgs,
  KafkaClusterArgs,
  KafkaResources,
  KafkaToleration,
} from "./kafka-cluster-args";
