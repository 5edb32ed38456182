/** What the properties follow from. */
export interface Sizes {
  readonly deadMs: number;
  readonly deliveryMs: number;
  readonly queueMessages: number;
  readonly queueBytes: number;
}

/** Milliseconds that a broker may keep a consumer's Fetch when there is nothing: the default of both libraries. */
export const fetchWaitMaxMs = 500;

/** Milliseconds between two statistics documents. */
export const statisticsIntervalMs = 5000;

/** Names and ranges: librdkafka's CONFIGURATION.md. */
export function librdkafkaProperties({ deadMs, deliveryMs, queueMessages, queueBytes }: Sizes): Record<string, string> {
  return {
    acks: "all",
    // Retries neither duplicate nor reorder.
    "enable.idempotence": "true",
    // The bound: a request without an answer for so long closes the connection, at the first time.
    "socket.timeout.ms": `${deadMs}`,
    "socket.max.fails": "1",
    // A slow broker says so before it is dropped, though not while a dead one is still counted as in sync (up to 9.8 s). Only the first
    // request in flight gains by it: a broker takes one after the other.
    "request.timeout.ms": `${Math.max(10_000, deadMs - 3000)}`,
    // A new connection goes to an old address until DNS has the new one; the default tries each for 30 seconds.
    "socket.connection.setup.timeout.ms": "10000",
    "broker.address.ttl": "1000",
    "reconnect.backoff.ms": "100",
    "reconnect.backoff.max.ms": "2000",
    // Finds the new leaders, and from librdkafka 2.10 on also drops a broker that is gone from the cluster.
    "topic.metadata.refresh.interval.ms": "15000",
    // Idle connections only; the second works without the sysctls.
    "socket.keepalive.enable": "true",
    "connections.max.idle.ms": "180000",
    "message.timeout.ms": `${deliveryMs}`,
    "queue.buffering.max.messages": `${queueMessages}`,
    "queue.buffering.max.kbytes": `${Math.max(1024, Math.ceil(queueBytes / 1024))}`,
    // A stalled connection shows in the statistics only: librdkafka 2.11 and later call no error callback for it.
    "statistics.interval.ms": `${statisticsIntervalMs}`,
  };
}

/** Names and defaults: org.apache.kafka.clients.producer.ProducerConfig. */
export function javaProperties({ deadMs, deliveryMs, queueBytes }: Sizes): Record<string, string> {
  return {
    acks: "all",
    "enable.idempotence": "true",
    // delivery.timeout.ms is the limit. Written out although it is the default: kafka-verifiable-producer sets 0 before it reads this.
    retries: "2147483647",
    "max.in.flight.requests.per.connection": "5",
    "request.timeout.ms": `${deadMs}`,
    "delivery.timeout.ms": `${deliveryMs}`,
    "socket.connection.setup.timeout.ms": "5000",
    "socket.connection.setup.timeout.max.ms": "10000",
    "metadata.max.age.ms": "15000",
    "reconnect.backoff.ms": "100",
    "reconnect.backoff.max.ms": "2000",
    "connections.max.idle.ms": "180000",
    // send() waits so long when the buffer is full or no broker answers, then fails.
    "max.block.ms": "10000",
    "buffer.memory": `${Math.max(33_554_432, queueBytes)}`,
    // Messages without a key avoid a broker that doesn't take any.
    "partitioner.availability.timeout.ms": "10000",
  };
}

/** Properties that only producers have. */
const producing =
  /^(acks|request\.required\.acks|enable\.idempotence|message\..*|delivery\.timeout\.ms|queue\..*|linger\.ms|batch\..*|compression\..*|retries|max\.in\.flight.*|max\.block\.ms|buffer\.memory|partitioner.*|transactional\.id)$/;

/**
 * The same connection for a consumer. A Fetch may take socket.timeout.ms and fetch.wait.max.ms before its connection is dropped (rdkafka_fetcher.c).
 * The coordinator waits 45 seconds for a sign of life before it gives partitions away, three times what a dead broker costs: a client that has to
 * find a new coordinator keeps them.
 */
export function consumerProperties(producer: Readonly<Record<string, string>>, group: string): Record<string, string> {
  const shared = Object.entries(producer).filter(([name]) => !producing.test(name) && name !== "request.timeout.ms");
  return {
    ...Object.fromEntries(shared),
    "group.id": group,
    "session.timeout.ms": "45000",
    "heartbeat.interval.ms": "3000",
  };
}

/** What the libraries call differently. */
export const consumerOnly = {
  librdkafka: { "fetch.wait.max.ms": `${fetchWaitMaxMs}` },
  java: ({ deadMs }: Sizes) => ({ "fetch.max.wait.ms": `${fetchWaitMaxMs}`, "request.timeout.ms": `${deadMs}` }),
};
