import * as k8s from "@pulumi/kubernetes";
import { KafkaCluster, type KafkaClusterArgs } from "../../../components/kafka";
import { find } from "../../support/graph";
import { run, secretSignature, type Registration, type RunOptions } from "../../support/harness";

export const types = {
  budget: "kubernetes:policy/v1:PodDisruptionBudget",
  ca: "tls:index/selfSignedCert:SelfSignedCert",
  config: "kubernetes:core/v1:ConfigMap",
  key: "tls:index/privateKey:PrivateKey",
  job: "kubernetes:batch/v1:Job",
  leaf: "tls:index/locallySignedCert:LocallySignedCert",
  password: "random:index/randomPassword:RandomPassword",
  policy: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  priority: "kubernetes:scheduling.k8s.io/v1:PriorityClass",
  request: "tls:index/certRequest:CertRequest",
  secret: "kubernetes:core/v1:Secret",
  service: "kubernetes:core/v1:Service",
  serviceAccount: "kubernetes:core/v1:ServiceAccount",
  statefulSet: "kubernetes:apps/v1:StatefulSet",
  storage: "kubernetes:storage.k8s.io/v1:StorageClass",
};

const args: KafkaClusterArgs = {
  namespace: "events",
  kafkaName: "kafka",
  clusterId: "Zr0kq3mWQx6bT7vJc2LhNA",
  clients: { shop: { namespace: "shop" } },
};
export const given = {
  brokerSecretName: "b-tls",
  controllerSecretName: "c-tls",
  clientCaSecretName: "clients",
  adminSecretName: "a-tls",
};

export const state: NonNullable<RunOptions["state"]> = ({ type, name }) => {
  if (type === types.key) return { privateKeyPem: `EC KEY ${name}`, privateKeyPemPkcs8: `PRIVATE KEY ${name}` };
  if (type === types.ca || type === types.leaf) return { certPem: `CERTIFICATE ${name}` };
  if (type === types.password) return { result: `PASSWORD ${name}` };
  return type === types.request ? { certRequestPem: `REQUEST ${name}` } : {};
};

type Change = Partial<KafkaClusterArgs>;
export const make = (change: Change | (() => Change) = {}, options: RunOptions = {}, name = "k") =>
  run(
    () => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const changed = typeof change === "function" ? change() : change;
      const made = new KafkaCluster(name, { ...args, ...changed }, { providers: [cluster] });
      return {
        bootstrapServers: made.bootstrapServers,
        clientSecretNames: made.clientSecretNames,
        clientChecksums: made.clientChecksums,
        clientPodLabels: made.clientPodLabels,
        metricsTargets: made.metricsTargets,
      };
    },
    { state, ...options },
  );

interface EnvVar {
  name: string;
  value?: string;
  valueFrom?: { fieldRef: { fieldPath: string } };
}
interface Probe {
  tcpSocket: { port: number };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
}
export interface Container {
  name: string;
  image: string;
  env: EnvVar[];
  command?: string[];
  lifecycle?: { preStop: { exec: { command: string[] } } };
  resources: object;
  startupProbe: Probe;
  readinessProbe: Probe;
  livenessProbe: Probe;
  securityContext: object;
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
}
interface PodSpec {
  [field: string]: unknown;
  containers: Container[];
  initContainers?: Container[];
  securityContext: Record<string, unknown>;
  volumes: { name: string; [kind: string]: unknown }[];
}
interface StatefulSetSpec {
  [field: string]: unknown;
  template: { metadata: { labels: Record<string, string>; annotations: Record<string, string> }; spec: PodSpec };
  volumeClaimTemplates: object[];
}
export type Role = "broker" | "controller";
export type Resources = readonly Registration[];

export const specOf = (resources: Resources, type: string, name: string) =>
  find(resources, type, name).inputs["spec"] as Record<string, unknown>;
export const statefulSet = (resources: Resources, role: Role) =>
  specOf(resources, types.statefulSet, `k-${role}`) as StatefulSetSpec;
export const podOf = (resources: Resources, role: Role) => statefulSet(resources, role).template.spec;
export const containerOf = (resources: Resources, role: Role) => podOf(resources, role).containers[0]!;
export const envOf = (resources: Resources, role: Role) =>
  Object.fromEntries(containerOf(resources, role).env.map((e) => [e.name, e.value ?? e.valueFrom?.fieldRef.fieldPath]));
export const fileOf = (resources: Resources, role: Role, file = "server.properties") =>
  (find(resources, types.config, `k-${role}-config`).inputs["data"] as Record<string, string>)[file]!;
export const propertiesOf = (resources: Resources, role: Role) =>
  Object.fromEntries(
    fileOf(resources, role)
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
export const secret = (value: unknown) => ({ ...secretSignature, value });
export const labels = (role: Role | "admin" | "certificate-probe") => ({
  "app.kubernetes.io/name": "kafka",
  "app.kubernetes.io/instance": "kafka",
  "app.kubernetes.io/component": role,
});
export const both: Role[] = ["broker", "controller"];
