/** Whose names and defaults hold. */
export type Library = "librdkafka" | "java";

/** Names that only one of the libraries has (librdkafka's CONFIGURATION.md, Java's ProducerConfig and ConsumerConfig). */
const only: Readonly<Record<Library, readonly string[]>> = {
  librdkafka: [
    "metadata.broker.list",
    "socket.timeout.ms",
    "socket.max.fails",
    "socket.keepalive.enable",
    "message.timeout.ms",
    "message.send.max.retries",
    "request.required.acks",
    "statistics.interval.ms",
    "broker.address.ttl",
    "topic.metadata.refresh.interval.ms",
    "queue.buffering.max.messages",
    "queue.buffering.max.kbytes",
    "queue.buffering.max.ms",
    "ssl.ca.location",
    "ssl.certificate.location",
    "ssl.key.location",
  ],
  java: [
    "key.serializer",
    "value.serializer",
    "key.deserializer",
    "value.deserializer",
    "max.block.ms",
    "buffer.memory",
    "sasl.jaas.config",
    "ssl.truststore.location",
    "ssl.truststore.type",
    "ssl.keystore.type",
    "socket.connection.setup.timeout.max.ms",
    "partitioner.availability.timeout.ms",
  ],
};

/** Names that both have. */
const common = [
  "bootstrap.servers",
  "client.id",
  "group.id",
  "security.protocol",
  "acks",
  "enable.idempotence",
  "transactional.id",
  "request.timeout.ms",
  "delivery.timeout.ms",
  "socket.connection.setup.timeout.ms",
  "connections.max.idle.ms",
  "reconnect.backoff.ms",
  "reconnect.backoff.max.ms",
  "metadata.max.age.ms",
  "retries",
  "linger.ms",
  "batch.size",
  "compression.type",
  "max.in.flight.requests.per.connection",
];

const names = new Set([...only.librdkafka, ...only.java, ...common]);

/** Names that only a producer needs; a client with a group and none of them is a consumer. */
const producing = [
  "acks",
  "request.required.acks",
  "enable.idempotence",
  "transactional.id",
  "message.timeout.ms",
  "delivery.timeout.ms",
  "message.send.max.retries",
  "linger.ms",
  "batch.size",
  "compression.type",
  "max.block.ms",
  "buffer.memory",
  "key.serializer",
  "value.serializer",
  "queue.buffering.max.messages",
  "queue.buffering.max.kbytes",
  "queue.buffering.max.ms",
];

/** Whether a key is one of a Kafka client's that tell something here. */
export function isProperty(key: string): boolean {
  return names.has(key);
}

/** The library that settings are for, by a name that only it has. */
export function libraryOf(values: ReadonlyMap<string, string>): Library | undefined {
  return (["librdkafka", "java"] as const).find((library) => only[library].some((name) => values.has(name)));
}

/** Whether a client with these settings consumes, and doesn't produce. */
export function isConsumer(values: ReadonlyMap<string, string>): boolean {
  return values.has("group.id") && !producing.some((name) => values.has(name));
}
