/** Where the controllers run, which keep the cluster's metadata. */
export enum KafkaControllerMode {
  /** In pods of their own, which nothing that clients do can disturb. */
  Dedicated = "dedicated",
  /**
   * In the brokers, which saves three pods. Kafka's own advice is against it in critical environments: a broker that is overloaded, or restarts,
   * takes a controller with it, and the number of brokers can never change.
   */
  Combined = "combined",
}

/** What a cluster is for, from which sizes follow. What is given by itself counts instead. */
export interface KafkaSize {
  /** Messages a second that all producers send together, at the busiest time of a usual day. */
  messagesPerSecond: number;
  /** Bytes of a message as it is sent, compressed. */
  averageMessageBytes: number;
  /** Hours that messages are kept. It becomes `configuration.retentionHours`. */
  retentionHours: number;
}

/**
 * What each client may move through each broker, as Kafka measures it; who asks for more is slowed down, not refused. `{}` takes limits away that
 * stood here before; without the argument they stay as they are.
 */
export interface KafkaQuotas {
  /** Bytes a second that a client may send. Defaults to no limit. */
  producerBytesPerSecond?: number;
  /** Bytes a second that a client may fetch. Defaults to no limit. */
  consumerBytesPerSecond?: number;
  /** Time of a broker's threads in percent of one thread that a client's requests may take. Defaults to no limit. */
  requestPercent?: number;
}
