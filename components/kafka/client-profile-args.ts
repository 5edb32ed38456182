import type { KafkaClientAuthentication } from "./authentication";

/** Arguments of {@link kafkaClientProfile}. */
export interface KafkaClientProfileArgs {
  /**
   * Seconds after which a client drops a broker that doesn't answer, 11 to 30. Below 11, brokers that are well would be dropped too: while a
   * dead one is still counted as in sync, `acks=all` on the others waits for it, 8.3 to 9.8 seconds in the runs with real brokers. With 8,
   * two healthy brokers were dropped in four of four runs. Defaults to 15, which never dropped a healthy broker.
   */
  deadBrokerTimeoutSeconds?: number;
  /** Messages per second that one client sends at its peak. Defaults to 100. */
  messagesPerSecond?: number;
  /** Average size of a message in bytes, with its key. Defaults to 1024. */
  averageMessageBytes?: number;
  /**
   * Seconds in which a broker's pod is back on another node with its volume, 30 to 1800. Until then, messages for what only it can take wait in
   * the client. Defaults to 120: measured moves took 90 to 120.
   */
  brokerReturnSeconds?: number;
  /** Name of the client in logs and quotas of the brokers. Defaults to that of the library. */
  clientId?: string;
  /** Consumer group. Given, the profile has properties for consumers, too. Defaults to none: a client that only produces. */
  consumerGroup?: string;
  /**
   * Properties of librdkafka to add or to change, for producers and consumers, such as `{ "linger.ms": "20" }`. What would lose messages, or wait
   * for ever, is refused. Defaults to none.
   */
  librdkafkaOverrides?: Record<string, string>;
  /** Properties of the Java client to add or to change, likewise. Defaults to none. */
  javaOverrides?: Record<string, string>;
  /**
   * Directory where the Secret of `KafkaCluster.clientSecretNames` is mounted, such as `/etc/kafka-client`. Given, the profile has the
   * settings for TLS with it. Defaults to none: connect as your brokers need it.
   */
  credentialsDirectory?: string;
  /**
   * How clients show who they are: `KafkaCluster`'s `clientAuthentication`. With passwords, the Java client reads its own from the directory;
   * librdkafka can't, and the application sets what `librdkafkaFromFiles` names. Errors: without `credentialsDirectory`. Defaults to
   * `KafkaClientAuthentication.Tls`.
   */
  clientAuthentication?: KafkaClientAuthentication;
}

/** A sysctl of a pod. */
export interface KafkaSysctl {
  /** Name, such as `net.ipv4.tcp_keepalive_time`. */
  name: string;
  /** Value. */
  value: string;
}

/** A part of a pod's `securityContext`: the pod's, not the container's. */
export interface KafkaPodSecurityContext {
  /** Safe sysctls of Kubernetes 1.29 and later; the Pod Security Standard `restricted` allows them. Not with `hostNetwork`. */
  sysctls: KafkaSysctl[];
}

/** What a detector of stalled brokers must know of the client: options of `StallDetector`, and settings of `kafkaStallDetector`. */
export interface KafkaStallOptions {
  /** Milliseconds after which the client drops a broker. */
  socketTimeoutMs: number;
  /** Milliseconds between two statistics documents. */
  statisticsIntervalMs: number;
  /** Milliseconds by which the answer to a consumer may take longer. */
  fetchWaitMaxMs: number;
}

/** Settings of a Kafka client. */
export interface KafkaClientProfile {
  /** Properties of librdkafka 1.9 and later, and of what is built on it: confluent-kafka for Python, Go, .NET and JavaScript. */
  librdkafka: Record<string, string>;
  /**
   * Properties of librdkafka that the application sets itself, each to the text of the file that stands here: `sasl.username` and
   * `sasl.password`. librdkafka takes no password from a file, and a ConfigMap is no place for one. Empty with certificates.
   */
  librdkafkaFromFiles: Record<string, string>;
  /** Properties of the Java client. */
  java: Record<string, string>;
  /** Properties of librdkafka for consumers. Only with `consumerGroup`. */
  librdkafkaConsumer?: Record<string, string>;
  /** Properties of the Java client for consumers. Only with `consumerGroup`. */
  javaConsumer?: Record<string, string>;
  /** Arguments of the JVM that the Java client runs in. */
  jvmArguments: string[];
  /**
   * The same as files, the `data` of a ConfigMap: `librdkafka.properties`, `java.properties`, with a group also
   * `librdkafka-consumer.properties` and `java-consumer.properties`, and `profile.json` with everything for other languages: the fields of
   * this object but `files`.
   */
  files: Record<string, string>;
  /** Merge it into the `securityContext` of the client's pods. */
  podSecurityContext: KafkaPodSecurityContext;
  /** What `StallDetector` and `kafkaStallDetector` take. */
  stallDetector: KafkaStallOptions;
}
