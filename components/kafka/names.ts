/** What a pod is for. Each role has a StatefulSet, a headless Service and a configuration of its own. */
export enum KafkaRole {
  Broker = "broker",
  Controller = "controller",
}

/** Ports of the three listeners. */
export const ports = { client: 9092, controller: 9093, replication: 9094 };

/** Label by which the pods of clients are known. Its value is the name of the Kafka cluster. */
export const clientLabel = "moorings.dev/kafka-client";

/**
 * Keys of the Secrets. The first two as cert-manager spells them: PKCS#8 key then certificates, and the authority. The others are of clients
 * with passwords, the last one under the name that the Java client gives it.
 */
export const secretKeys = {
  combined: "tls-combined.pem",
  ca: "ca.crt",
  username: "username",
  password: "password",
  jaas: "sasl.jaas.config",
};

/** EKS clusters have no other domain. */
const clusterDomain = "svc.cluster.local";

/** Labels of the pods of one role, by which Services, budgets and policies select them. They can't change later. */
export function podLabels(kafkaName: string, role: KafkaRole): Record<string, string> {
  return { ...instanceLabels(kafkaName), "app.kubernetes.io/component": role };
}

const instanceLabels = (kafkaName: string) => ({
  "app.kubernetes.io/name": "kafka",
  "app.kubernetes.io/instance": kafkaName,
});

/** Name of the StatefulSet of a role, and of most that belongs to it. */
export const roleName = (kafkaName: string, role: KafkaRole) => `${kafkaName}-${role}`;

/** Name of the headless Service, which gives each pod of a role an address. */
export const headlessName = (kafkaName: string, role: KafkaRole) => `${kafkaName}-${role}s`;

/** Name of the Service in front of the brokers that are ready. */
export const bootstrapName = (kafkaName: string) => `${kafkaName}-bootstrap`;

/** Name of a client's Secret, and the common name in its certificate. */
export const clientName = (kafkaName: string, client: string) => `${kafkaName}-client-${client}`;

/** Name of the administrator's Secret, and the common name in its certificate. */
export const adminName = (kafkaName: string) => `${kafkaName}-admin`;

/** Name of the Secret with all passwords of clients, and of the job that reads it. */
export const passwordsName = (kafkaName: string) => `${kafkaName}-passwords`;

/** Labels of pods that administer the cluster. */
export function adminLabels(kafkaName: string): Record<string, string> {
  return { ...instanceLabels(kafkaName), "app.kubernetes.io/component": "admin" };
}

/** Name of what restarts pods with old certificates. */
export const rotationName = (kafkaName: string) => `${kafkaName}-rotation`;

/** Labels of its pods. */
export function rotationLabels(kafkaName: string): Record<string, string> {
  return { ...instanceLabels(kafkaName), "app.kubernetes.io/component": "rotation" };
}

/** Labels of the pod that reads the certificates that servers show. */
export function probeLabels(kafkaName: string): Record<string, string> {
  return { ...instanceLabels(kafkaName), "app.kubernetes.io/component": "certificate-probe" };
}

/** Full name in DNS of a Service. */
export const serviceHost = (service: string, namespace: string) => `${service}.${namespace}.${clusterDomain}`;
