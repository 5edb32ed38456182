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
      certManager: {
        nodeIssuer: { name: "nodes" },
        clientIssuer: { name: "clients", kind: "ClusterIssuer", group: "cert-manager.io" },
        validDays: 60,
        renewBeforeDays: 30,
        certificateAuthority: "CA",
      },
      certificateRotation: { enabled: true, schedule: "23 4 * * *" },
      clientAuthentication: moorings.KafkaClientAuthentication.Scram,
      drained: [104],
      size: { messagesPerSecond: 1000, averageMessageBytes: 1000, retentionHours: 72 },
      quotas: { requestPercent: 200 },
      shutdownGate: true,
      metrics: { namespaces: ["monitoring"] },
      metadataVersion: "4.4",
      controllerMode: moorings.KafkaControllerMode.Dedicated,
      configuration: { segmentMiB: 512 },
      extraConfig: { "socket.receive.buffer.bytes": "1048576" },
      kubernetesVersion: "1.34",
    },
    { args: { brokers: 2, clusterId: "5L6g3nShT-eMCtK--X86sw" }, messages: ["brokers", "clusterId"] },
    { kubernetes: true, without: ["certificates"] }, // made by the component, or here by cert-manager
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
      extraConfig: { "a.setting.of.tomorrow": "on" },
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
