/** How clients show who they are. Their names, and so the rules, are the same either way: `User:<kafkaName>-client-<key>`. */
export enum KafkaClientAuthentication {
  /** With certificates, as nodes do (mutual TLS). */
  Tls = "tls",
  /** With a user name and a password over TLS (SASL, SCRAM-SHA-512), for clients that can't use certificates. */
  Scram = "scram",
}
