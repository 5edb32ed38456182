import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { KafkaClientAuthentication } from "./authentication";
import { kafkaTls, type Leaf } from "./certificates";
import type { KafkaCertificates } from "./kafka-cluster-args";
import { adminName, clientName, KafkaRole, secretKeys } from "./names";
import type { KafkaPlan } from "./plan";

/** A client with its namespace checked. */
export interface KafkaClient {
  readonly key: string;
  readonly namespace: pulumi.Output<string>;
}

/** What clients get. */
export interface ClientCredentials {
  /** Names of the clients' Secrets, by their keys. */
  readonly secretNames: Record<string, string>;
  /** What changes when a client must be restarted, by their keys. Public. */
  readonly texts: Record<string, pulumi.Output<string>>;
}

/** The Secrets that pods mount. */
export interface TlsSecrets {
  readonly names: KafkaCertificates;
  /** What the pods must wait for. */
  readonly resources: pulumi.Resource[];
  /** What changes when the pods of a role must be restarted for a certificate. Public. */
  readonly texts: Record<KafkaRole, pulumi.Input<string>>;
  /** Authority of the brokers, PEM, where it is known. */
  readonly clusterCa: pulumi.Input<string> | undefined;
  /** What clients with certificates get. */
  readonly clients: ClientCredentials;
}

/** Names of the Secrets that weren't given. */
export function secretNames(kafkaName: string, clientsShowCertificates: boolean): KafkaCertificates {
  return {
    brokerSecretName: `${kafkaName}-broker-tls`,
    controllerSecretName: `${kafkaName}-controller-tls`,
    ...(clientsShowCertificates ? { clientCaSecretName: `${kafkaName}-clients-ca` } : {}),
    adminSecretName: adminName(kafkaName),
  };
}

/** Takes the Secrets that were given, or makes certificates and Secrets for brokers, controllers and clients. */
export function tlsSecrets(
  name: string,
  plan: KafkaPlan,
  namespace: pulumi.Output<string>,
  given: KafkaCertificates | undefined,
  clients: KafkaClient[],
  parent: pulumi.Resource,
): TlsSecrets {
  if (given !== undefined) {
    const texts = {
      [KafkaRole.Broker]: `${given.brokerSecretName} ${given.clientCaSecretName ?? ""}`,
      [KafkaRole.Controller]: given.controllerSecretName,
    };
    const { certificateAuthority: clusterCa } = given;
    return { names: given, resources: [], texts, clusterCa, clients: { secretNames: {}, texts: {} } };
  }

  const { kafkaName } = plan;
  const showCertificates = plan.clientAuthentication === KafkaClientAuthentication.Tls;
  const names = secretNames(kafkaName, showCertificates);
  const withCertificates = showCertificates ? clients : [];
  const keys = withCertificates.map((client) => client.key);
  const tls = kafkaTls(name, plan, namespace, showCertificates ? keys : undefined, parent);
  const secret = (
    child: string,
    objectName: string,
    where: pulumi.Output<string>,
    stringData: Record<string, pulumi.Input<string>>,
  ) =>
    new k8s.core.v1.Secret(
      `${name}-${child}`,
      { metadata: { name: objectName, namespace: where }, type: "Opaque", stringData },
      { parent },
    );
  const pair = (leaf: Leaf) => ({ [secretKeys.combined]: leaf.combined, [secretKeys.ca]: tls.clusterCa });

  for (const { key, namespace: where } of withCertificates)
    secret(`client-${key}-secret`, clientName(kafkaName, key), where, pair(tls.clients[key]!));
  return {
    names,
    resources: [
      secret("broker-secret", names.brokerSecretName, namespace, pair(tls.broker)),
      secret("admin-secret", names.adminSecretName, namespace, pair(tls.admin)),
      secret("controller-secret", names.controllerSecretName, namespace, pair(tls.controller)),
      ...(names.clientCaSecretName === undefined || tls.clientCa === undefined
        ? []
        : [secret("clients-ca-secret", names.clientCaSecretName, namespace, { [secretKeys.ca]: tls.clientCa })]),
    ],
    texts: {
      [KafkaRole.Broker]: pulumi.interpolate`${tls.broker.certificate}${tls.clusterCa}${tls.clientCa ?? ""}`,
      [KafkaRole.Controller]: pulumi.interpolate`${tls.controller.certificate}${tls.clusterCa}`,
    },
    clusterCa: tls.clusterCa,
    clients: {
      secretNames: Object.fromEntries(keys.map((key) => [key, clientName(kafkaName, key)])),
      texts: Object.fromEntries(
        keys.map((key) => [key, pulumi.interpolate`${tls.clients[key]!.certificate}${tls.clusterCa}`]),
      ),
    },
  };
}
