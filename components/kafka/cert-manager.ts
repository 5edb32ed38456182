import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { KafkaClientAuthentication } from "./authentication";
import type { KafkaCertManager, KafkaIssuer } from "./cert-manager-args";
import { nodeHosts } from "./certificates";
import { adminName, clientName, KafkaRole } from "./names";
import type { KafkaPlan } from "./plan";
import { secretNames, type KafkaClient, type TlsSecrets } from "./tls-secrets";

/** A certificate to be asked for. Fields and values are those of cert-manager's definition of 1.21 (cert-manager.io/v1). */
interface Wanted {
  readonly commonName: string;
  readonly secretName: string;
  readonly namespace: pulumi.Input<string>;
  readonly issuer: KafkaIssuer;
  readonly usages: string[];
  readonly dnsNames?: pulumi.Input<string[]>;
}

const defaults = { kind: "Issuer", group: "cert-manager.io", validDays: 90 };

/** Asks for the certificates of brokers, controllers, the administrator and clients, and waits until the Secrets are there. */
export function certManagerSecrets(
  name: string,
  plan: KafkaPlan,
  namespace: pulumi.Output<string>,
  given: KafkaCertManager,
  clients: KafkaClient[],
  parent: pulumi.Resource,
): TlsSecrets {
  const { kafkaName } = plan;
  const { nodeIssuer, validDays = defaults.validDays } = given;
  const { renewBeforeDays = Math.floor(validDays / 3) } = given;
  const clientIssuer = plan.clientAuthentication === KafkaClientAuthentication.Tls ? given.clientIssuer : undefined;
  const names = secretNames(kafkaName, clientIssuer !== undefined);
  const certificate = (child: string, wanted: Wanted) =>
    new k8s.apiextensions.CustomResource(
      `${name}-${child}`,
      {
        apiVersion: "cert-manager.io/v1",
        kind: "Certificate",
        metadata: {
          name: wanted.secretName,
          namespace: wanted.namespace,
          annotations: { "pulumi.com/waitFor": "condition=Ready" },
        },
        spec: {
          secretName: wanted.secretName,
          commonName: wanted.commonName,
          dnsNames: wanted.dnsNames,
          usages: ["digital signature", ...wanted.usages],
          duration: `${24 * validDays}h`,
          renewBefore: `${24 * renewBeforeDays}h`,
          // Kafka reads PKCS#8 only, key and certificate from one file.
          privateKey: { algorithm: "ECDSA", size: 256, encoding: "PKCS8", rotationPolicy: "Always" },
          additionalOutputFormats: [{ type: "CombinedPEM" }],
          issuerRef: {
            name: wanted.issuer.name,
            kind: wanted.issuer.kind ?? defaults.kind,
            group: wanted.issuer.group ?? defaults.group,
          },
        },
      },
      { parent },
    );

  const ofNodes = { namespace, issuer: nodeIssuer, usages: ["server auth", "client auth"] };
  const resources: pulumi.Resource[] = [KafkaRole.Broker, KafkaRole.Controller].map((role) => {
    const isBroker = role === KafkaRole.Broker;
    return certificate(`${role}-certificate`, {
      ...ofNodes,
      commonName: (isBroker ? plan.brokers : plan.controllers).name,
      secretName: isBroker ? names.brokerSecretName : names.controllerSecretName,
      dnsNames: nodeHosts(plan, role, namespace),
    });
  });
  resources.push(
    certificate("admin-certificate", {
      ...ofNodes,
      commonName: adminName(kafkaName),
      secretName: names.adminSecretName,
      usages: ["client auth"],
    }),
  );
  const ofClients = clientIssuer === undefined ? [] : clients;
  if (clientIssuer !== undefined && names.clientCaSecretName !== undefined)
    // Nobody uses its key. cert-manager writes the authority of an issuer into the Secrets of what it signs, and nowhere else.
    resources.push(
      certificate("clients-ca-certificate", {
        namespace,
        issuer: clientIssuer,
        commonName: names.clientCaSecretName,
        secretName: names.clientCaSecretName,
        usages: ["client auth"],
      }),
      ...ofClients.map((client) =>
        certificate(`client-${client.key}-certificate`, {
          namespace: client.namespace,
          issuer: clientIssuer,
          commonName: clientName(kafkaName, client.key),
          secretName: clientName(kafkaName, client.key),
          usages: ["client auth"],
        }),
      ),
    );
  return {
    names,
    resources,
    // cert-manager renews when nobody looks: nothing here could tell.
    texts: {
      [KafkaRole.Broker]: `${names.brokerSecretName} ${names.clientCaSecretName ?? ""}`,
      [KafkaRole.Controller]: names.controllerSecretName,
    },
    clusterCa: given.certificateAuthority,
    clients: {
      secretNames: Object.fromEntries(ofClients.map(({ key }) => [key, clientName(kafkaName, key)])),
      texts: {},
    },
  };
}
