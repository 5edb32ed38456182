import { edited, type Path } from "../../support/edited";
import type { Given } from "../../support/policy";
import { refused as refusedBy } from "../../support/verdicts";

/** One violation, of the brokers unless another resource is named. */
export const refused = (pattern: string | RegExp, name = "broker") => refusedBy(pattern, name);

// kafka.md 2.2 as corrected in 8: dedicated controllers and brokers, as the pack wants them.
export const labels = (role: string) => ({ "app.kubernetes.io/name": "kafka", "app.kubernetes.io/component": role });
export const durable = [
  { name: "KAFKA_MIN_INSYNC_REPLICAS", value: "2" },
  { name: "KAFKA_DEFAULT_REPLICATION_FACTOR", value: "3" },
  { name: "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE", value: "false" },
];
export const advertised = { name: "KAFKA_ADVERTISED_LISTENERS", value: "CLIENT://$(POD_NAME).brokers.kafka.svc:9092" };
export function set(role: string): Given {
  return {
    type: "kubernetes:apps/v1:StatefulSet",
    name: role,
    props: {
      metadata: { namespace: "kafka", name: role },
      spec: {
        replicas: 3,
        serviceName: `${role}s`,
        podManagementPolicy: "Parallel",
        volumeClaimTemplates: [{ metadata: { name: "data" }, spec: { storageClassName: "kafka" } }],
        template: {
          metadata: { labels: labels(role) },
          spec: {
            terminationGracePeriodSeconds: 360,
            enableServiceLinks: false,
            automountServiceAccountToken: false,
            nodeSelector: { "karpenter.sh/nodepool": "kafka" },
            topologySpreadConstraints: [
              {
                topologyKey: "topology.kubernetes.io/zone",
                maxSkew: 1,
                minDomains: 3,
                whenUnsatisfiable: "DoNotSchedule",
                labelSelector: { matchLabels: labels(role) },
              },
            ],
            containers: [
              {
                name: "kafka",
                image: "apache/kafka:4.4.0",
                env: [
                  { name: "POD_NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
                  { name: "POD_IP", valueFrom: { fieldRef: { fieldPath: "status.podIP" } } },
                  { name: "KAFKA_PROCESS_ROLES", value: role },
                  { name: "CLUSTER_ID", value: "Zm9yLXRlc3RzLW9ubHktMQ" },
                  ...durable,
                  ...(role === "broker" ? [advertised] : []),
                ],
              },
            ],
          },
        },
      },
    },
  };
}
export const broker = set("broker");
export const pod: Path = ["props", "spec", "template", "spec"];
export const container: Path = [...pod, "containers", 0];

/** The broker with another value for a variable; undefined takes it away. */
export function withEnv(given: Given, name: string, value: unknown): Given {
  const spec = given.props["spec"] as { template: { spec: { containers: { env: { name: string }[] }[] } } };
  const others = spec.template.spec.containers[0]!.env.filter((v) => v.name !== name);
  const variable = typeof value === "object" && value !== null ? { name, ...value } : { name, value };
  return edited(given, [...container, "env"], value === undefined ? others : [...others, variable]);
}

export const object = (type: string, name: string, props: object): Given => ({ type, name, props: { ...props } });
export const named = (name: string) => ({ metadata: { namespace: "kafka", name } });
export const service = object("kubernetes:core/v1:Service", "peers", {
  ...named("brokers"),
  spec: { clusterIP: "None", publishNotReadyAddresses: true },
});
export const budget = object("kubernetes:policy/v1:PodDisruptionBudget", "budget", {
  ...named("broker"),
  spec: { maxUnavailable: 1, selector: { matchLabels: labels("broker") } },
});
export const storage = object("kubernetes:storage.k8s.io/v1:StorageClass", "storage", {
  metadata: { name: "kafka" },
  volumeBindingMode: "WaitForFirstConsumer",
});
export const pool = object("kubernetes:karpenter.sh/v1:NodePool", "pool", {
  metadata: { name: "kafka" },
  spec: {
    template: {
      spec: {
        requirements: [{ key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] }],
        expireAfter: "Never",
      },
    },
  },
});
