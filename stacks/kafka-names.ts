/**
 * Where Kafka is, by constants and not by outputs: the layer that reads its metrics is made before it, and may be another stack.
 */
export const kafkaNames = { kafkaName: "kafka", namespace: "kafka" };
