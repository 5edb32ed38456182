import { find } from "../../support/graph";
import {
  both,
  containerOf,
  envOf,
  labels,
  make,
  podOf,
  propertiesOf,
  specOf,
  statefulSet,
  types,
  type Resources,
  type Role,
} from "./setup";

/** The rows of research 2.2, as its section 8 corrects them: each names its row, and what both roles or one of them must show. */
const rows: [row: string, check: (resources: Resources, role: Role) => void, roles?: Role[]][] = [
  ["podManagementPolicy", (r, role) => expect(statefulSet(r, role)["podManagementPolicy"]).toBe("Parallel")],
  [
    "updateStrategy",
    (r, role) => {
      expect(statefulSet(r, role)["updateStrategy"]).toEqual({ type: "RollingUpdate" });
      expect(statefulSet(r, role)["minReadySeconds"]).toBe(60);
    },
  ],
  ["terminationGracePeriodSeconds", (r, role) => expect(podOf(r, role)["terminationGracePeriodSeconds"]).toBe(360)],
  // A hook that only calls kafka-server-stop adds nothing; the bounded gate is an option (pods.test.ts).
  ["preStop", (r, role) => expect(containerOf(r, role).lifecycle).toBeUndefined()],
  [
    "startupProbe",
    (r) => {
      const { tcpSocket, periodSeconds, failureThreshold } = containerOf(r, "broker").startupProbe;
      expect([tcpSocket.port, periodSeconds, failureThreshold]).toEqual([9092, 10, 180]);
      // A broker without controllers exits by itself at 67.6 s: the probe must not kill it before.
      expect(periodSeconds * failureThreshold).toBeGreaterThan(68);
    },
    ["broker"],
  ],
  [
    "readinessProbe",
    (r) =>
      expect(containerOf(r, "broker").readinessProbe).toEqual({
        tcpSocket: { port: 9092 },
        periodSeconds: 10,
        timeoutSeconds: 5,
        failureThreshold: 3,
      }),
    ["broker"],
  ],
  [
    "livenessProbe",
    (r) => {
      const { tcpSocket, periodSeconds, failureThreshold } = containerOf(r, "broker").livenessProbe;
      expect([tcpSocket.port, periodSeconds, failureThreshold]).toEqual([9092, 30, 10]);
    },
    ["broker"],
  ],
  [
    "dedicated controllers",
    (r) => {
      const { startupProbe, readinessProbe, livenessProbe } = containerOf(r, "controller");
      for (const probe of [startupProbe, readinessProbe, livenessProbe]) expect(probe.tcpSocket.port).toBe(9093);
    },
    ["controller"],
  ],
  [
    "PDB",
    (r, role) =>
      expect(specOf(r, types.budget, `k-${role}-budget`)).toEqual({
        maxUnavailable: 1,
        selector: { matchLabels: labels(role) },
        unhealthyPodEvictionPolicy: "IfHealthyBudget",
      }),
  ],
  [
    "spreading",
    (r, role) => {
      const labelSelector = { matchLabels: labels(role) };
      expect(podOf(r, role)["topologySpreadConstraints"]).toEqual([
        {
          maxSkew: 1,
          topologyKey: "topology.kubernetes.io/zone",
          whenUnsatisfiable: "DoNotSchedule",
          minDomains: 3,
          labelSelector,
        },
      ]);
      expect(podOf(r, role)["affinity"]).toEqual({
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname", labelSelector }],
        },
      });
    },
  ],
  [
    "rack",
    (r) => {
      expect(envOf(r, "broker")["KAFKA_BROKER_RACK"]).toBe("metadata.labels['topology.kubernetes.io/zone']");
      expect(propertiesOf(r, "broker")["replica.selector.class"]).toBe(
        "org.apache.kafka.common.replica.RackAwareReplicaSelector",
      );
    },
    ["broker"],
  ],
  [
    "node.id",
    (r, role) => {
      expect(envOf(r, role)["KAFKA_NODE_ID"]).toBe("metadata.labels['apps.kubernetes.io/pod-index']");
      expect(statefulSet(r, role)["ordinals"]).toEqual({ start: role === "broker" ? 100 : 0 });
    },
  ],
  [
    "advertised",
    (r) => {
      expect(envOf(r, "broker")["KAFKA_ADVERTISED_LISTENERS"]).toBe(
        "CLIENT://$(POD_NAME).kafka-brokers.events.svc.cluster.local:9092,REPLICATION://$(POD_NAME).kafka-brokers.events.svc.cluster.local:9094",
      );
      // Kubernetes puts in only what stands before.
      const names = containerOf(r, "broker").env.map((e) => e.name);
      expect(names.indexOf("POD_NAME")).toBeLessThan(names.indexOf("KAFKA_ADVERTISED_LISTENERS"));
    },
    ["broker"],
  ],
  [
    "headless Service",
    (r, role) => {
      const service = find(r, types.service, `k-${role}-headless`).inputs;
      expect(service["metadata"]).toEqual({ name: `kafka-${role}s`, namespace: "events" });
      expect(service["spec"]).toMatchObject({
        clusterIP: "None",
        publishNotReadyAddresses: true,
        selector: labels(role),
      });
      expect(statefulSet(r, role)["serviceName"]).toBe(`kafka-${role}s`);
    },
  ],
  [
    "bootstrap Service",
    (r) => {
      const service = find(r, types.service, "k-bootstrap").inputs;
      expect(service["metadata"]).toEqual({ name: "kafka-bootstrap", namespace: "events" });
      expect(service["spec"]).toEqual({
        selector: labels("broker"),
        ports: [{ name: "client", port: 9092, targetPort: 9092, protocol: "TCP" }],
      });
    },
    ["broker"],
  ],
  [
    "storage",
    (r, role) => {
      expect(find(r, types.storage).inputs).toMatchObject({
        metadata: { name: "kafka-data" },
        provisioner: "ebs.csi.aws.com",
        parameters: { type: "gp3", encrypted: "true" },
        volumeBindingMode: "WaitForFirstConsumer",
        allowVolumeExpansion: true,
        reclaimPolicy: "Retain",
      });
      expect(statefulSet(r, role)["persistentVolumeClaimRetentionPolicy"]).toEqual({
        whenDeleted: "Retain",
        whenScaled: "Retain",
      });
      expect(statefulSet(r, role).volumeClaimTemplates).toEqual([
        {
          metadata: { name: "data", labels: labels(role) },
          spec: {
            accessModes: ["ReadWriteOnce"],
            storageClassName: "kafka-data",
            resources: { requests: { storage: role === "broker" ? "100Gi" : "10Gi" } },
          },
        },
      ]);
      // Immutable in Kubernetes: Pulumi plans the replacement of the StatefulSet, for everybody to see and protection to stop.
      expect(find(r, types.statefulSet, `k-${role}`).ignoreChanges).toEqual([]);
    },
  ],
  [
    "topics", // on controllers too: set on brokers only, the effective min.insync.replicas is 1
    (r, role) =>
      expect(propertiesOf(r, role)).toMatchObject({
        "default.replication.factor": "3",
        "min.insync.replicas": "2",
        "num.partitions": "3",
        "offsets.topic.replication.factor": "3",
        "transaction.state.log.replication.factor": "3",
        "transaction.state.log.min.isr": "2",
        "share.coordinator.state.topic.replication.factor": "3",
        "share.coordinator.state.topic.min.isr": "2",
        "unclean.leader.election.enable": "false",
        "auto.create.topics.enable": "false",
        "num.recovery.threads.per.data.dir": "4",
      }),
  ],
  [
    "quorum",
    (r, role) => {
      expect(statefulSet(r, role)["replicas"]).toBe(3);
      expect(propertiesOf(r, role)["process.roles"]).toBe(role);
      expect(propertiesOf(r, role)["controller.quorum.voters"]).toBe(
        "0@kafka-controller-0.kafka-controllers.events.svc.cluster.local:9093," +
          "1@kafka-controller-1.kafka-controllers.events.svc.cluster.local:9093," +
          "2@kafka-controller-2.kafka-controllers.events.svc.cluster.local:9093",
      );
    },
  ],
  [
    "heap",
    (r, role) => {
      const [cpu, memory, heap] = role === "broker" ? ["500m", "4096Mi", "2048m"] : ["250m", "1024Mi", "512m"];
      expect(envOf(r, role)["KAFKA_HEAP_OPTS"]).toBe(`-Xms${heap} -Xmx${heap}`);
      expect(containerOf(r, role).resources).toEqual({
        requests: { cpu, memory, "ephemeral-storage": "1200Mi" },
        limits: { memory },
      });
    },
  ],
  [
    "securityContext",
    (r, role) => {
      expect(podOf(r, role).securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        runAsGroup: 1000,
        fsGroup: 1000,
        fsGroupChangePolicy: "OnRootMismatch",
        seccompProfile: { type: "RuntimeDefault" },
      });
      expect(containerOf(r, role).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    },
  ],
  [
    "ServiceAccount",
    (r, role) => {
      expect(find(r, types.serviceAccount).inputs).toMatchObject({
        metadata: { name: "kafka", namespace: "events" },
        automountServiceAccountToken: false,
      });
      expect(podOf(r, role)).toMatchObject({ serviceAccountName: "kafka", automountServiceAccountToken: false });
    },
  ],
  [
    "priorityClass",
    (r, role) => {
      const { metadata, value } = find(r, types.priority).inputs;
      expect(metadata).toEqual({ name: "kafka" });
      expect(value).toBeGreaterThan(0);
      expect(value).toBeLessThanOrEqual(1_000_000_000); // the most that Kubernetes leaves to users
      expect(podOf(r, role)["priorityClassName"]).toBe("kafka");
    },
  ],
  [
    "sysctls on broker pods",
    (r, role) =>
      expect(podOf(r, role).securityContext["sysctls"]).toEqual([
        { name: "net.ipv4.tcp_keepalive_time", value: "60" },
        { name: "net.ipv4.tcp_keepalive_intvl", value: "10" },
        { name: "net.ipv4.tcp_keepalive_probes", value: "6" },
      ]),
  ],
  ["log dir", (r, role) => expect(propertiesOf(r, role)["log.dirs"]).toBe("/var/lib/kafka/data/kafka")],
];

describe("row of kafka.md 2.2", () => {
  let resources: Resources;
  beforeAll(async () => {
    ({ resources } = await make());
  });
  test.each(rows.flatMap(([row, check, roles]) => (roles ?? both).map((role) => [row, role, check] as const)))(
    "%s of the %s",
    (_, role, check) => check(resources, role),
  );
});
