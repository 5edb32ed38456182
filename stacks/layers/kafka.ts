import * as k8s from "@pulumi/kubernetes";
import { KafkaAlarms, KafkaCluster, KafkaTopic, KafkaTopicAccess } from "../../components";
import type { ClusterContract, KafkaContract, NetworkContract } from "../contracts";
import { demoProducer } from "../demo-producer";
import { kafkaNames } from "../kafka-names";
import { onKafkaPool } from "../node-pools";
import type { Settings } from "../settings";

/** One image for brokers and the demo: a newer one is a line here, and a rolling restart. */
const kafkaImage = "apache/kafka:4.4.0";

/** What the demo producer writes to. */
const demoTopic = "demo";

/** A Kafka cluster on its own nodes, and a producer that shows how a client survives the loss of a broker. */
export function kafkaLayer(settings: Settings, network: NetworkContract, cluster: ClusterContract): KafkaContract {
  const { kafka: given } = settings;
  const { provider, ready } = cluster;
  const restricted = { "pod-security.kubernetes.io/enforce": "restricted" };
  const namespace = new k8s.core.v1.Namespace(
    "kafka",
    { metadata: { name: kafkaNames.namespace, labels: restricted } },
    { provider, dependsOn: ready },
  );
  const demo = new k8s.core.v1.Namespace(
    "kafka-demo",
    { metadata: { name: "kafka-demo", labels: restricted } },
    { provider, dependsOn: ready },
  );

  const kafka = new KafkaCluster(
    "kafka",
    {
      namespace: namespace.metadata.name,
      kafkaName: kafkaNames.kafkaName,
      clusterId: given.clusterId,
      image: kafkaImage,
      kubernetesVersion: settings.cluster.kubernetesVersion,
      brokers: given.brokers,
      brokerResources: given.brokerSize,
      brokerStorageGiB: given.brokerStorageGiB,
      controllerResources: given.controllerSize,
      controllerStorageGiB: given.controllerStorageGiB,
      zones: given.zones,
      retainVolumes: given.retainVolumes,
      ...onKafkaPool,
      clients: {
        producer: { namespace: demo.metadata.name, topics: { [demoTopic]: [KafkaTopicAccess.Produce] } },
      },
    },
    { providers: [provider], dependsOn: ready },
  );
  new KafkaAlarms(
    "kafka-alarms",
    {
      cluster: cluster.ref,
      kafka: kafka.watched,
      routes: network.ownerRoutes.kafka,
      namePrefix: settings.cluster.name,
    },
    { dependsOn: [kafka] },
  );
  const topic = new KafkaTopic(
    "kafka-demo-topic",
    { kafka: kafka.ref, topicName: demoTopic },
    { providers: [provider], dependsOn: [kafka] },
  );
  demoProducer("kafka-demo-producer", {
    kafka,
    topic,
    client: "producer",
    image: kafkaImage,
    namespace: demo.metadata.name,
    provider,
  });
  return { bootstrapServers: kafka.bootstrapServers };
}
