import * as moorings from "../../../components/kafka";
import { AlarmSeverity } from "../../../components/alarms";
import { cluster, routes, sample, tags, type Sample } from "./sample";

const kafka: moorings.KafkaRef = {
  kafkaName: "kafka",
  namespace: "kafka",
  image: "apache/kafka:4.4.0",
  adminServers: "kafka-broker-100.kafka-brokers.kafka.svc.cluster.local:9094",
  adminSecretName: "kafka-admin",
};

const watched: moorings.KafkaWatched = {
  kafkaName: "kafka",
  brokerIds: [100, 101, 102],
  controllers: 3,
  brokerStorageGiB: 100,
};

/** Samples of the kafka family. */
export const kafkaSamples: Record<string, Sample> = {
  KafkaCluster: sample(
    moorings.KafkaCluster,
    { namespace: "kafka", clusterId: "Zr0kq3mWQx6bT7vJc2LhNA", clients: { shop: { namespace: "shop" } } },
    {
      kafkaName: "events",
      image: "registry.acme.io/kafka:4.4.0",
      brokers: 4,
      controllers: 5,
      zones: 2,
      brokerResources: { cpu: "2", memoryMiB: 16384 },
      controllerResources: { cpu: "500m", memoryMiB: 2048 },
      brokerStorageGiB: 500,
      controllerStorageGiB: 20,
      storageClassName: "fast",
      retainVolumes: false,
      nodeSelector: { "moorings.dev/node-pool": "stateful" },
      tolerations: [{ key: "moorings.dev/stateful", operator: "Exists", effect: "NoSchedule" }],
      priorityClassName: "important",
      configuration: { retentionHours: 72 },
      extraConfig: { "socket.receive.buffer.bytes": "1048576" },
      kubernetesVersion: "1.36",
    },
    { args: { brokers: 2, clusterId: "5L6g3nShT-eMCtK--X86sw" }, messages: ["brokers", "clusterId"] },
    { kubernetes: true, without: ["certificates"] }, // given or made; the made ones are the harder case
  ),
  KafkaTopic: sample(
    moorings.KafkaTopic,
    { kafka },
    {
      kafka: { ...kafka, nodeSelector: { pool: "kafka" }, tolerations: [{ key: "kafka", operator: "Exists" }] },
      topicName: "orders",
      partitions: 12,
      replicationFactor: 3,
      config: { "retention.ms": "604800000" },
    },
    { args: { partitions: 0, replicationFactor: 1 }, messages: ["partitions", "replicationFactor"] },
    { kubernetes: true },
  ),
  KafkaAlarms: sample(
    moorings.KafkaAlarms,
    { cluster, kafka: watched, routes },
    {
      kafka: { ...watched, combined: false },
      overrides: { diskFilling: { enabled: false }, brokersFenced: { severity: AlarmSeverity.Ticket } },
      runbookUrl: "https://runbooks.acme.io/kafka",
      namePrefix: "shop",
      strictWarmUp: false,
      tags,
    },
    {
      args: { kafka: { ...watched, controllers: 4 }, overrides: { diskNearlyFull: { threshold: 0 } } },
      messages: ["kafka.controllers", "overrides.diskNearlyFull.threshold"],
    },
  ),
  KafkaClientAlarms: sample(
    moorings.KafkaClientAlarms,
    { cluster, target: "shop-kafka", routes },
    {
      overrides: { clientRequestTimeouts: { severity: AlarmSeverity.Page } },
      runbookUrl: "https://runbooks.acme.io/kafka",
      namePrefix: "shop",
      strictWarmUp: false,
      tags,
    },
    {
      args: { target: "Shop", overrides: { clientQueueHalfFull: { threshold: 0 } } },
      messages: ["target", "overrides.clientQueueHalfFull.threshold"],
    },
  ),
};
