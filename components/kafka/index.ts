export { kafkaClientProfile } from "./client-profile";
export type {
  KafkaClientProfile,
  KafkaClientProfileArgs,
  KafkaPodSecurityContext,
  KafkaStallOptions,
  KafkaSysctl,
} from "./client-profile-args";
export { KafkaClientAuthentication } from "./authentication";
export type { KafkaCertManager, KafkaIssuer } from "./cert-manager-args";
export { KafkaCompression, type KafkaConfiguration } from "./configuration-args";
export { KafkaCluster } from "./kafka-cluster";
export { KafkaControllerMode, type KafkaQuotas, type KafkaSize } from "./operation-args";
export type { KafkaMetricsArgs } from "./metrics-args";
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
export { KafkaAlarms } from "./kafka-alarms";
export type {
  KafkaAlarmOverride,
  KafkaAlarmOverrides,
  KafkaAlarmsArgs,
  KafkaClientAlarmOverrides,
  KafkaClientAlarmsArgs,
  KafkaWatched,
} from "./alarms-args";
export { KafkaClientAlarms } from "./kafka-client-alarms";
export {
  kafkaMetricsTargets,
  kafkaStallTarget,
  type KafkaMetricsTargetsArgs,
  type KafkaStallTargetArgs,
} from "./metrics-targets";
export { kafkaStallDetector } from "./stall-detector";
export type { KafkaStallDetector, KafkaStallDetectorArgs } from "./stall-detector-args";
