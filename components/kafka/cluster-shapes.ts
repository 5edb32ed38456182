import type { KnownArguments } from "../internal/arguments";
import {
  fields,
  flag,
  lateText,
  lateTextMap,
  listOf,
  mapOf,
  number,
  required,
  text,
  type Shape,
} from "../internal/shapes";
import { certManagerShape } from "./cert-manager-checks";
import { configurationShape } from "./configuration";
import type { KafkaMetricsArgs } from "./metrics-args";
import type { KafkaQuotas, KafkaSize } from "./operation-args";
import { rotationShape } from "./rotation-checks";
import { tolerationsShape } from "./tolerations";
import type { KafkaCertificates, KafkaClientArgs, KafkaClusterArgs, KafkaResources } from "./kafka-cluster-args";

/*
 * What the arguments of a Kafka cluster are. Records of all fields, so that the compiler misses none.
 */

const resources: Record<keyof KafkaResources, Shape> = { cpu: required(text), memoryMiB: required(number) };
const certificates: Record<keyof KafkaCertificates, Shape> = {
  brokerSecretName: required(text),
  controllerSecretName: required(text),
  clientCaSecretName: text,
  adminSecretName: required(text),
  certificateAuthority: lateText,
};
const client: Record<keyof KafkaClientArgs, Shape> = {
  namespace: required(lateText),
  topics: mapOf(listOf(text)),
  consumerGroups: listOf(text),
  transactionalIds: listOf(text),
  passwordVersion: number,
};

const size: Record<keyof KafkaSize, Shape> = {
  messagesPerSecond: required(number),
  averageMessageBytes: required(number),
  retentionHours: required(number),
};
const quotas: Record<keyof KafkaQuotas, Shape> = {
  producerBytesPerSecond: number,
  consumerBytesPerSecond: number,
  requestPercent: number,
};
const metrics: Record<keyof KafkaMetricsArgs, Shape> = {
  enabled: flag,
  image: lateText,
  jarPath: text,
  probeImage: lateText,
  namespaces: listOf(lateText),
};

/** Arguments of a Kafka cluster. */
export const clusterArguments: KnownArguments<KafkaClusterArgs> = {
  shapes: {
    namespace: lateText,
    kafkaName: text,
    clusterId: text,
    image: lateText,
    brokers: number,
    controllers: number,
    controllerMode: text,
    drained: listOf(number),
    zones: number,
    size: fields(size),
    quotas: fields(quotas),
    brokerResources: fields(resources),
    controllerResources: fields(resources),
    brokerStorageGiB: number,
    controllerStorageGiB: number,
    storageClassName: text,
    retainVolumes: flag,
    nodeSelector: lateTextMap,
    tolerations: tolerationsShape,
    priorityClassName: text,
    certificates: fields(certificates),
    certManager: certManagerShape,
    certificateRotation: rotationShape,
    clientAuthentication: text,
    clients: mapOf(fields(client)),
    shutdownGate: flag,
    metrics: fields(metrics),
    metadataVersion: text,
    configuration: configurationShape,
    extraConfig: mapOf(lateText),
    kubernetesVersion: text,
  },
  missing: {
    namespace: 'is missing: write the namespace of the pods, such as "kafka"',
    clusterId: "is missing: make one with `kafka-storage.sh random-uuid` and never change it",
  },
  standIns: {
    namespace: "missing",
    clusterId: "missing-missing-missin",
    // Who renews them isn't said by the component itself, as without any.
    certificates: {
      brokerSecretName: "missing",
      controllerSecretName: "missing",
      clientCaSecretName: "missing",
      adminSecretName: "missing",
    },
    certManager: { nodeIssuer: { name: "missing" }, clientIssuer: { name: "missing" } },
  },
  elsewhere: {
    replicas: "isn't an argument: write brokers and controllers",
    config: "isn't an argument: write configuration",
    topics: "isn't an argument: make each with KafkaTopic",
    users: "isn't an argument: write clients",
  },
};
