/*
 * What is there already: a KafkaCluster with a client called "orders", in another stack. Its outputs, by the names that they have there. Write yours.
 */

export const kafka = {
  bootstrapServers: "kafka-bootstrap.kafka.svc.cluster.local:9092",
  clientPodLabels: { "moorings.dev/kafka-client": "kafka" },
  clientSecretName: "kafka-client-orders",
  clientChecksum: "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8",
};

export const topic = "orders";

/** The image made of app/. */
export const image = "registry.example.com/shop/orders:1.0.0";
