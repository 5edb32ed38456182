import type * as pulumi from "@pulumi/pulumi";

/** Who signs, by the name that cert-manager knows it by. */
export interface KafkaIssuer {
  /** Name of the issuer. */
  name: pulumi.Input<string>;
  /** Kind of the issuer. Those of cert-manager itself are `Issuer` and `ClusterIssuer`. Defaults to `Issuer`. */
  kind?: string;
  /** API group of the kind, for issuers that aren't cert-manager's own, such as `awspca.cert-manager.io`. Defaults to `cert-manager.io`. */
  group?: string;
}

/**
 * Certificates by cert-manager, which must be there, 1.18 or later. It renews them in the Secrets that pods have mounted; Kafka reads them when it
 * starts, and a job of this component restarts what still shows an old one.
 *
 * An issuer must write `ca.crt` into the Secrets, as the kinds CA, Vault and self-signed do. Who may make Certificates for `nodeIssuer` can make
 * one for `<kafkaName>-admin`: let nobody else use it.
 */
export interface KafkaCertManager {
  /** Signs the certificates of brokers, controllers and the administrator. An `Issuer` is in the cluster's namespace. */
  nodeIssuer: KafkaIssuer;
  /**
   * Signs the certificates of clients, in their namespaces, and so is a `ClusterIssuer`, or an `Issuer` of the same name in each of them and in the
   * cluster's. Whatever it signs, nobody who connects as a client becomes a broker or an administrator. Errors: left out while clients
   * show certificates. Defaults to none, for clients with passwords.
   */
  clientIssuer?: KafkaIssuer;
  /** Days that a certificate is valid, 2 to 3650. Defaults to 90, as in cert-manager. */
  validDays?: number;
  /**
   * Days before the end at which cert-manager renews, from 1 to half of `validDays`: the time in which the pods must have been restarted. Defaults
   * to a third of `validDays`, as in cert-manager.
   */
  renewBeforeDays?: number;
  /**
   * Authority that signs for `nodeIssuer`, PEM, for the Secrets of clients with passwords: their key `ca.crt`. Defaults to none: those Secrets have
   * no such key, and clients find the authority elsewhere.
   */
  certificateAuthority?: pulumi.Input<string>;
}
