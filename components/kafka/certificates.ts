import * as pulumi from "@pulumi/pulumi";
import * as tls from "@pulumi/tls";
import { adminName, bootstrapName, clientName, KafkaRole, serviceHost } from "./names";
import type { KafkaPlan, RolePlan } from "./plan";

/** A key with its certificate. */
export interface Leaf {
  /** PKCS#8 key and certificate in one PEM file: a form that Kafka, other Java clients and OpenSSL all read. Secret. */
  readonly combined: pulumi.Output<string>;
  /** The certificate alone, as PEM. */
  readonly certificate: pulumi.Output<string>;
}

/** The certificates that the component makes. */
export interface KafkaTls {
  /** Authority of brokers and controllers, PEM. */
  readonly clusterCa: pulumi.Output<string>;
  /** Authority of clients, PEM, if they show certificates. */
  readonly clientCa: pulumi.Output<string> | undefined;
  readonly broker: Leaf;
  readonly controller: Leaf;
  readonly admin: Leaf;
  /** By the client's key. */
  readonly clients: Record<string, Leaf>;
}

const hoursPerYear = 8766;

interface Authority {
  readonly keyPem: pulumi.Output<string>;
  readonly certPem: pulumi.Output<string>;
}

/**
 * Two authorities, if clients show certificates (`clients` are their keys): with one alone, any client's certificate would also open the listeners of brokers and controllers. Subjects differ as
 * well, because Kafka knows its peers by them, whoever signed.
 *
 * Renewal needs no outage: an authority is renewed with the key that it had, so old and new certificates trust each other while the pods
 * restart one by one. Both are renewed by the first update in their last years, and a leaf (two years) never outlives its authority (renewed
 * in the last three of ten).
 */
export function kafkaTls(
  name: string,
  plan: KafkaPlan,
  namespace: pulumi.Output<string>,
  clients: string[] | undefined,
  parent: pulumi.Resource,
): KafkaTls {
  const { kafkaName } = plan;
  const cluster = authority(`${name}-cluster-ca`, `${kafkaName} cluster`, parent);
  const client = clients && authority(`${name}-clients-ca`, `${kafkaName} clients`, parent);
  const node = (role: RolePlan): Leaf =>
    leaf(
      `${name}-${role.role}`,
      cluster,
      role.name,
      nodeHosts(plan, role.role, namespace),
      ["server_auth", "client_auth"],
      parent,
    );
  return {
    clusterCa: cluster.certPem,
    clientCa: client?.certPem,
    broker: node(plan.brokers),
    controller: node(plan.controllers),
    admin: leaf(`${name}-admin`, cluster, adminName(kafkaName), undefined, ["client_auth"], parent),
    clients:
      client === undefined
        ? {}
        : Object.fromEntries(
            (clients ?? []).map((key) => [
              key,
              leaf(`${name}-client-${key}`, client, clientName(kafkaName, key), undefined, ["client_auth"], parent),
            ]),
          ),
  };
}

/** Names by which peers and clients call the nodes of a role. */
export function nodeHosts(plan: KafkaPlan, role: KafkaRole, namespace: pulumi.Output<string>): pulumi.Output<string[]> {
  const isBroker = role === KafkaRole.Broker;
  const { headlessName } = isBroker ? plan.brokers : plan.controllers;
  const services = isBroker ? [bootstrapName(plan.kafkaName)] : [];
  return namespace.apply((ns) => [
    `*.${serviceHost(headlessName, ns)}`,
    ...services.map((service) => serviceHost(service, ns)),
  ]);
}

function authority(name: string, commonName: string, parent: pulumi.Resource): Authority {
  const key = new tls.PrivateKey(`${name}-key`, { algorithm: "ECDSA", ecdsaCurve: "P256" }, { parent });
  const certificate = new tls.SelfSignedCert(
    name,
    {
      privateKeyPem: key.privateKeyPem,
      isCaCertificate: true,
      subject: { commonName },
      allowedUses: ["cert_signing", "crl_signing", "digital_signature"],
      validityPeriodHours: 10 * hoursPerYear,
      earlyRenewalHours: 3 * hoursPerYear,
    },
    { parent },
  );
  return { keyPem: key.privateKeyPem, certPem: certificate.certPem };
}

function leaf(
  name: string,
  by: Authority,
  commonName: string,
  dnsNames: pulumi.Input<string[]> | undefined,
  uses: string[],
  parent: pulumi.Resource,
): Leaf {
  const key = new tls.PrivateKey(`${name}-key`, { algorithm: "ECDSA", ecdsaCurve: "P256" }, { parent });
  const request = new tls.CertRequest(
    `${name}-request`,
    { privateKeyPem: key.privateKeyPem, subject: { commonName }, dnsNames },
    { parent },
  );
  const certificate = new tls.LocallySignedCert(
    `${name}-certificate`,
    {
      certRequestPem: request.certRequestPem,
      caPrivateKeyPem: by.keyPem,
      caCertPem: by.certPem,
      allowedUses: ["digital_signature", ...uses],
      validityPeriodHours: 2 * hoursPerYear,
      earlyRenewalHours: hoursPerYear,
    },
    { parent },
  );
  const combined = pulumi.interpolate`${key.privateKeyPemPkcs8}\n${certificate.certPem}`;
  return { combined: pulumi.secret(combined), certificate: certificate.certPem };
}
