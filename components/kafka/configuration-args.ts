/** In what form brokers keep messages. */
export enum KafkaCompression {
  /** As producers send them. */
  Producer = "producer",
  Uncompressed = "uncompressed",
  Gzip = "gzip",
  Snappy = "snappy",
  Lz4 = "lz4",
  Zstd = "zstd",
}

/**
 * Settings of the brokers that people change; a topic may have others (`KafkaTopic`). Kafka's own defaults are those of 4.4.0. A change
 * restarts the pods one by one.
 */
export interface KafkaConfiguration {
  /** Hours that messages are kept, or -1 for ever. Defaults to `size.retentionHours`, or to Kafka's 168 (a week). */
  retentionHours?: number;
  /** MiB of each partition that are kept at most, at least one segment; whichever of the two limits comes first counts. Defaults to no limit. */
  retentionMiBPerPartition?: number;
  /** MiB after which a partition begins a new file, 1 to 2047. Only whole files are deleted. Defaults to Kafka's 1024. */
  segmentMiB?: number;
  /**
   * Hours after which it does so even if there is less, at most `retentionHours`: what is in the newest file stays whatever its age. Defaults
   * to Kafka's 168, or to `retentionHours` if that is less.
   */
  segmentHours?: number;
  /**
   * Largest batch of messages in bytes, as it is sent: 1024 to 67108864 (64 MiB). What brokers fetch from each other is kept as large; producers
   * (`max.request.size`) have a limit of their own. Defaults to Kafka's 1048588.
   */
  maxMessageBytes?: number;
  /** In what form messages are kept. Another one than the producers' costs CPU for each batch. Defaults to `KafkaCompression.Producer`. */
  compression?: KafkaCompression;
  /** Threads that clean compacted topics, 1 to 16. Each has its part of 128 MiB of the heap. Defaults to Kafka's 1. */
  cleanerThreads?: number;
  /** Hours that offsets of a group without members are kept. Defaults to Kafka's 168. */
  offsetsRetentionHours?: number;
  /** Shortest session timeout in seconds that a member of a classic group may ask for. Defaults to Kafka's 6. */
  groupMinSessionSeconds?: number;
  /** Longest one. Defaults to Kafka's 1800. */
  groupMaxSessionSeconds?: number;
  /** Seconds that a new classic group waits for more members, 0 to 60. Defaults to Kafka's 3. */
  groupInitialRebalanceDelaySeconds?: number;
  /**
   * Session timeout in seconds of groups with the new protocol (`group.protocol=consumer`), 6 to 1800. The range that single groups may choose
   * from is widened to it. Defaults to Kafka's 45.
   */
  consumerSessionSeconds?: number;
  /** Their heartbeat's interval in seconds, at most a third of the session timeout. Defaults to Kafka's 5. */
  consumerHeartbeatSeconds?: number;
  /** Longest transaction in seconds that a producer may ask for. Open ones hold back consumers that read what is committed. Defaults to Kafka's 900. */
  transactionMaxSeconds?: number;
  /** Hours that an idle transactional id is remembered. Defaults to Kafka's 168. */
  transactionalIdHours?: number;
  /** Hours that a message's own time may be ahead of the broker's; others are refused. Defaults to Kafka's 1. */
  timestampAheadHours?: number;
  /** Threads for each listener that read and write sockets, 1 to 64. Defaults to Kafka's 3. */
  networkThreads?: number;
  /** Threads that handle requests, 1 to 128. Defaults to Kafka's 8. */
  ioThreads?: number;
  /** Threads that copy from each other broker, 1 to 16. Defaults to Kafka's 1. */
  replicaFetchers?: number;
  /** Most connections of each broker, at least 100. Others' and the administrator's count too. Defaults to no limit. */
  maxConnections?: number;
  /** Most connections from one address. Defaults to no limit. */
  maxConnectionsPerIp?: number;
  /** Seconds after which an idle connection is closed, at least 60. Defaults to Kafka's 600. */
  connectionsMaxIdleSeconds?: number;
  /** Whether topics can be deleted at all. Defaults to true, as in Kafka. */
  deleteTopics?: boolean;
}
