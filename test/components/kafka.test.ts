import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { KafkaCluster, type KafkaClusterArgs } from "../../components/kafka";
import serverPropertyNames from "../fixtures/facts/kafka-server-properties-4.4.0.json";
import { find, reaches } from "../support/graph";
import { run, secretSignature, type Registration, type RunOptions } from "../support/harness";

const types = {
  budget: "kubernetes:policy/v1:PodDisruptionBudget",
  ca: "tls:index/selfSignedCert:SelfSignedCert",
  config: "kubernetes:core/v1:ConfigMap",
  key: "tls:index/privateKey:PrivateKey",
  leaf: "tls:index/locallySignedCert:LocallySignedCert",
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
const given = { brokerSecretName: "b-tls", controllerSecretName: "c-tls", clientCaSecretName: "clients" };

const state: RunOptions["state"] = ({ type, name }) => {
  if (type === types.key) return { privateKeyPem: `EC KEY ${name}`, privateKeyPemPkcs8: `PRIVATE KEY ${name}` };
  if (type === types.ca || type === types.leaf) return { certPem: `CERTIFICATE ${name}` };
  return type === types.request ? { certRequestPem: `REQUEST ${name}` } : {};
};

type Change = Partial<KafkaClusterArgs>;
const make = (change: Change | (() => Change) = {}, options: RunOptions = {}, name = "k") =>
  run(
    () => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const changed = typeof change === "function" ? change() : change;
      const made = new KafkaCluster(name, { ...args, ...changed }, { providers: [cluster] });
      return {
        bootstrapServers: made.bootstrapServers,
        clientSecretNames: made.clientSecretNames,
        clientPodLabels: made.clientPodLabels,
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
interface Container {
  image: string;
  env: EnvVar[];
  command?: string[];
  lifecycle?: object;
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
  initContainers?: object[];
  securityContext: Record<string, unknown>;
  volumes: { name: string; [kind: string]: unknown }[];
}
interface StatefulSetSpec {
  [field: string]: unknown;
  template: { metadata: { labels: Record<string, string>; annotations: Record<string, string> }; spec: PodSpec };
  volumeClaimTemplates: object[];
}
type Role = "broker" | "controller";
type Resources = readonly Registration[];

const specOf = (resources: Resources, type: string, name: string) =>
  find(resources, type, name).inputs["spec"] as Record<string, unknown>;
const statefulSet = (resources: Resources, role: Role) =>
  specOf(resources, types.statefulSet, `k-${role}`) as StatefulSetSpec;
const podOf = (resources: Resources, role: Role) => statefulSet(resources, role).template.spec;
const containerOf = (resources: Resources, role: Role) => podOf(resources, role).containers[0]!;
const envOf = (resources: Resources, role: Role) =>
  Object.fromEntries(containerOf(resources, role).env.map((e) => [e.name, e.value ?? e.valueFrom?.fieldRef.fieldPath]));
const fileOf = (resources: Resources, role: Role, file = "server.properties") =>
  (find(resources, types.config, `k-${role}-config`).inputs["data"] as Record<string, string>)[file]!;
const propertiesOf = (resources: Resources, role: Role) =>
  Object.fromEntries(
    fileOf(resources, role)
      .trimEnd()
      .split("\n")
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );
const secret = (value: unknown) => ({ ...secretSignature, value });
const labels = (role: Role) => ({
  "app.kubernetes.io/name": "kafka",
  "app.kubernetes.io/instance": "kafka",
  "app.kubernetes.io/component": role,
});
const both: Role[] = ["broker", "controller"];

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
  // A hook that only calls kafka-server-stop adds nothing; the bounded gate comes with its own issue.
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
      // Immutable in Kubernetes: Pulumi would replace the StatefulSet.
      expect(find(r, types.statefulSet, `k-${role}`).ignoreChanges).toEqual(["spec.volumeClaimTemplates"]);
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

describe.each([
  ["made", {}],
  ["given", { certificates: given }],
])("with %s certificates", (_, change) => {
  test.each([
    ["an update", false],
    ["a preview, where certificates and namespaces may be unknown", true],
  ])("%s makes the same objects", async (_, preview) => {
    const namespace = () => new k8s.core.v1.Namespace("ns").metadata.name;
    const computed: RunOptions["state"] = (resource) =>
      resource.type.endsWith(":Namespace") ? { metadata: { name: "events" } } : state(resource);
    const { errors, resources } = await make(() => ({ ...change, namespace: namespace() }), {
      preview,
      state: preview ? () => ({}) : computed,
    });
    expect(errors).toEqual([]);
    const kubernetes = resources.filter((r) => r.type.startsWith("kubernetes:") && r.name.startsWith("k-"));
    expect(kubernetes).toHaveLength("certificates" in change ? 14 : 18);
    // What doesn't hang on anything unknown is shown.
    expect(statefulSet(resources, "broker")["podManagementPolicy"]).toBe("Parallel");
  });
});

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

describe("the image", () => {
  let resources: Resources;
  beforeAll(async () => {
    ({ resources } = await make());
  });

  test.each(both)("writes only where the %s has room, and everything else is read-only", (role) => {
    const writable = containerOf(resources, role).volumeMounts.filter((m) => m.readOnly !== true);
    expect(writable.map((m) => m.mountPath).sort()).toEqual([
      "/opt/kafka/config",
      "/opt/kafka/logs",
      "/tmp",
      "/var/lib/kafka/data",
    ]);
    const emptyDirs = podOf(resources, role).volumes.filter((v) => "emptyDir" in v);
    expect(emptyDirs.map((v) => v.name).sort()).toEqual(["config", "logs", "tmp"]);
  });

  test.each(both)("finds the configuration of the %s where it looks for it", (role) => {
    const mount = containerOf(resources, role).volumeMounts.find((m) => m.mountPath === "/mnt/shared/config")!;
    const volume = podOf(resources, role).volumes.find((v) => v.name === mount.name)!;
    expect(volume["configMap"]).toEqual({ name: `kafka-${role}` });
    expect(Object.keys(find(resources, types.config, `k-${role}-config`).inputs["data"] as object).sort()).toEqual([
      "log4j2.yaml", // the name that KafkaDockerWrapper of 4.x copies
      "server.properties",
    ]);
  });

  test.each(both)("gets no variable for the %s that would become an unknown property", (role) => {
    // KafkaDockerWrapper 4.4.0, ExcludeServerPropsEnv: these are for the JVM.
    const forJvm = ["KAFKA_HEAP_OPTS", "KAFKA_OPTS"];
    const names = Object.keys(envOf(resources, role)).filter((n) => n.startsWith("KAFKA_") && !forJvm.includes(n));
    const properties = names.map((n) => n.replace("KAFKA_", "").toLowerCase().replaceAll("_", "."));
    expect(properties.filter((p) => !serverPropertyNames.includes(p))).toEqual([]);
    // Services would add KAFKA_PORT and the like.
    expect(podOf(resources, role)["enableServiceLinks"]).toBe(false);
  });

  test("isn't led to believe that it must find key stores of its own, nor SASL", () => {
    const advertised = envOf(resources, "broker")["KAFKA_ADVERTISED_LISTENERS"]!;
    expect(advertised).not.toContain("SSL://"); // docker/resources/common-scripts/configure
    expect(advertised).not.toMatch(/SASL_.*:\/\//);
    // On a controller the script refuses the variable.
    expect(envOf(resources, "controller")).not.toHaveProperty("KAFKA_ADVERTISED_LISTENERS");
  });

  test("derives the very listeners that the file has", () => {
    // The script appends listeners made from the advertised ones, and the last value wins.
    const derived = envOf(resources, "broker")["KAFKA_ADVERTISED_LISTENERS"]!.replaceAll(/:\/\/[^:]*:/g, "://0.0.0.0:");
    expect(derived).toBe("CLIENT://0.0.0.0:9092,REPLICATION://0.0.0.0:9094");
    expect(propertiesOf(resources, "broker")["listeners"]).toBe(derived);
  });

  test("starts its own way, as process 1 that gets the signal", () => {
    for (const role of both) {
      expect(containerOf(resources, role).command).toBeUndefined();
      expect(containerOf(resources, role)).not.toHaveProperty("args");
      expect(podOf(resources, role).initContainers).toBeUndefined();
      expect(containerOf(resources, role).image).toBe("apache/kafka:4.4.0");
      expect(envOf(resources, role)["CLUSTER_ID"]).toBe("Zr0kq3mWQx6bT7vJc2LhNA");
    }
  });

  test("logs to standard output only: files are never deleted and would fill the node", () => {
    for (const role of both) {
      expect(fileOf(resources, role, "log4j2.yaml")).not.toMatch(/File/);
      expect(fileOf(resources, role, "log4j2.yaml")).toMatch(/Console/);
    }
  });
});

describe("server properties", () => {
  test.each(both)("of the %s are all known to Kafka 4.4.0, and written once", async (role) => {
    const { resources } = await make();
    const names = fileOf(resources, role)
      .trimEnd()
      .split("\n")
      .map((line) => line.split("=")[0]!);
    expect(names.length).toBe(new Set(names).size);
    const plain = names.map((name) => name.replace(/^listener\.name\.(client|replication|controller)\./, ""));
    expect(plain.filter((name) => !serverPropertyNames.includes(name))).toEqual([]);
  });

  test("every listener shows a certificate and wants one, of the authority that it is for", async () => {
    const { resources } = await make();
    const cluster = "/mnt/kafka/tls/ca.crt";
    const trust = { client: "/mnt/kafka/client-ca/ca.crt", replication: cluster, controller: cluster };
    const expected = (listeners: (keyof typeof trust)[]) =>
      Object.fromEntries(
        listeners.flatMap((l) => [
          [`listener.name.${l}.ssl.client.auth`, "required"],
          [`listener.name.${l}.ssl.keystore.type`, "PEM"],
          [`listener.name.${l}.ssl.keystore.location`, "/mnt/kafka/tls/tls-combined.pem"],
          [`listener.name.${l}.ssl.truststore.type`, "PEM"],
          [`listener.name.${l}.ssl.truststore.location`, trust[l]],
        ]),
      );
    const ofListeners = (role: Role) =>
      Object.fromEntries(Object.entries(propertiesOf(resources, role)).filter(([p]) => p.startsWith("listener.name.")));
    // A broker is a client of controllers, and needs their listener's settings as well.
    expect(ofListeners("broker")).toEqual(expected(["client", "replication", "controller"]));
    expect(ofListeners("controller")).toEqual(expected(["controller"]));
    expect(propertiesOf(resources, "broker")).toMatchObject({
      "listener.security.protocol.map": "CLIENT:SSL,REPLICATION:SSL,CONTROLLER:SSL",
      "inter.broker.listener.name": "REPLICATION",
      "controller.listener.names": "CONTROLLER",
      "ssl.endpoint.identification.algorithm": "https",
    });
    expect(propertiesOf(resources, "controller")).toMatchObject({
      "listener.security.protocol.map": "CONTROLLER:SSL",
      "controller.listener.names": "CONTROLLER",
      listeners: "CONTROLLER://0.0.0.0:9093",
      "ssl.endpoint.identification.algorithm": "https",
    });
  });

  test("more of them reach both roles, written as Java reads them", async () => {
    const extraConfig = {
      "log.retention.hours": pulumi.output("72"),
      "delete.topic.enable": "false",
      "audit.note": " C:\\é",
    };
    const { resources } = await make({ extraConfig });
    for (const role of both)
      expect(fileOf(resources, role)).toMatch(
        /\nlog\.retention\.hours=72\ndelete\.topic\.enable=false\naudit\.note=\\ C:\\\\\\u00e9\n$/,
      );
  });

  test("that the component sets can't be set twice", async () => {
    const { resources } = await make();
    const ours = [...new Set(both.flatMap((role) => Object.keys(propertiesOf(resources, role))))];
    const more = ["node.id", "advertised.listeners", "broker.rack", "broker.id", "log.dir", "ssl.keystore.password"];
    const all = [...ours, ...more];
    const { errors } = await make({ extraConfig: Object.fromEntries(all.map((property) => [property, "x"])) });
    const message = errors.map((e) => e.message).join();
    expect(all.filter((property) => !message.includes(`extraConfig["${property}"]: is set by this component`))).toEqual(
      [],
    );
  });

  test.each([
    ["a line break", "a\nmin.insync.replicas=1", /extraConfig\["audit\.note"\] must be a single line/],
    ["a carriage return", "a\rx", /must be a single line/],
  ])("with %s, which would smuggle in another one, are refused", async (_, value, message) => {
    const { errors, resources } = await make({ extraConfig: { "audit.note": pulumi.output(value) } });
    expect(errors.map((e) => e.message).join()).toMatch(message);
    expect(resources.filter((r) => r.type === types.statefulSet && r.name === "k-broker")).toEqual([]);
  });
});

describe("network", () => {
  const brokers = { podSelector: { matchLabels: labels("broker") } };
  const controllers = { podSelector: { matchLabels: labels("controller") } };
  const tcp = (port: number) => [{ protocol: "TCP", port }];
  const dns = {
    to: [
      {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
        podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
      },
      { ipBlock: { cidr: "169.254.20.10/32" } },
    ],
    ports: [
      { protocol: "UDP", port: 53 },
      { protocol: "TCP", port: 53 },
    ],
  };
  const client = (namespace: string) => ({
    namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
    podSelector: { matchLabels: { "moorings.dev/kafka-client": "kafka" } },
  });

  test("clients reach the client port, brokers the rest: nobody else anything", async () => {
    const { resources } = await make({ clients: { shop: { namespace: "shop" }, audit: { namespace: "sec" } } });
    expect(specOf(resources, types.policy, "k-broker-policy")).toEqual({
      podSelector: { matchLabels: labels("broker") },
      policyTypes: ["Ingress", "Egress"],
      ingress: [
        { from: [client("shop"), client("sec")], ports: tcp(9092) },
        { from: [brokers], ports: tcp(9094) },
      ],
      egress: [dns, { to: [controllers], ports: tcp(9093) }, { to: [brokers], ports: tcp(9094) }],
    });
    expect(specOf(resources, types.policy, "k-controller-policy")).toEqual({
      podSelector: { matchLabels: labels("controller") },
      policyTypes: ["Ingress", "Egress"],
      ingress: [{ from: [controllers, brokers], ports: tcp(9093) }],
      egress: [dns, { to: [controllers], ports: tcp(9093) }],
    });
  });

  test("without clients the client port is closed, not open to all", async () => {
    const { resources } = await make({ clients: undefined });
    expect(specOf(resources, types.policy, "k-broker-policy")["ingress"]).toEqual([
      { from: [brokers], ports: tcp(9094) },
    ]);
  });

  test("what clients need to know", async () => {
    const { outputs } = await make();
    expect(outputs).toEqual({
      bootstrapServers: "kafka-bootstrap.events.svc.cluster.local:9092",
      clientSecretNames: { shop: "kafka-client-shop" },
      clientPodLabels: { "moorings.dev/kafka-client": "kafka" },
    });
  });
});

describe("certificates", () => {
  test("two authorities: one for brokers and controllers, one for clients", async () => {
    const { resources } = await make();
    const signedBy = (leaf: string) => {
      const { caCertPem, allowedUses } = find(resources, types.leaf, `k-${leaf}-certificate`).inputs;
      return [caCertPem, allowedUses];
    };
    const uses = ["digital_signature", "server_auth", "client_auth"];
    expect(signedBy("broker")).toEqual(["CERTIFICATE k-cluster-ca", uses]);
    expect(signedBy("controller")).toEqual(["CERTIFICATE k-cluster-ca", uses]);
    expect(signedBy("client-shop")).toEqual(["CERTIFICATE k-clients-ca", ["digital_signature", "client_auth"]]);
    for (const ca of resources.filter((r) => r.type === types.ca)) expect(ca.inputs["isCaCertificate"]).toBe(true);
  });

  test("are good for the names that peers call, and for no subject of another role", async () => {
    const { resources } = await make();
    const asked = (leaf: string) => {
      const { subject, dnsNames } = find(resources, types.request, `k-${leaf}-request`).inputs;
      return { subject, dnsNames };
    };
    expect(asked("broker")).toEqual({
      subject: { commonName: "kafka-broker" },
      dnsNames: ["*.kafka-brokers.events.svc.cluster.local", "kafka-bootstrap.events.svc.cluster.local"],
    });
    expect(asked("controller")).toEqual({
      subject: { commonName: "kafka-controller" },
      dnsNames: ["*.kafka-controllers.events.svc.cluster.local"],
    });
    expect(asked("client-shop")).toEqual({ subject: { commonName: "kafka-client-shop" }, dnsNames: undefined });
  });

  test("are renewed in good time, and never outlive their authority", async () => {
    const { resources } = await make();
    const year = 8766;
    for (const leaf of resources.filter((r) => r.type === types.leaf)) {
      expect(leaf.inputs["validityPeriodHours"]).toBe(2 * year);
      expect(leaf.inputs["earlyRenewalHours"]).toBe(year);
    }
    for (const ca of resources.filter((r) => r.type === types.ca)) {
      expect(ca.inputs["validityPeriodHours"]).toBe(10 * year);
      expect(ca.inputs["earlyRenewalHours"]).toBe(3 * year); // more than the two years of a leaf
    }
  });

  test("lie in Secrets of cert-manager's form, the keys never in clear", async () => {
    const { resources } = await make();
    const secretOf = (name: string) => find(resources, types.secret, name).inputs;
    const combined = (leaf: string) => `PRIVATE KEY k-${leaf}-key\nCERTIFICATE k-${leaf}-certificate`;
    for (const leaf of ["broker", "controller", "client-shop"])
      expect(secretOf(`k-${leaf}-secret`)["stringData"]).toEqual(
        secret({ "tls-combined.pem": combined(leaf), "ca.crt": "CERTIFICATE k-cluster-ca" }),
      );
    expect(secretOf("k-clients-ca-secret")["stringData"]).toEqual(secret({ "ca.crt": "CERTIFICATE k-clients-ca" }));
    expect(secretOf("k-client-shop-secret")["metadata"]).toEqual({ name: "kafka-client-shop", namespace: "shop" });
    expect(secretOf("k-broker-secret")["metadata"]).toEqual({ name: "kafka-broker-tls", namespace: "events" });

    const clear = JSON.stringify(
      resources.filter((r) => r.type.startsWith("kubernetes:")).map((r) => r.inputs),
      (_, part: unknown) =>
        Object.entries(secretSignature).every(([k, v]) => (part as Record<string, unknown> | null)?.[k] === v)
          ? "[secret]"
          : part,
    );
    expect(clear).not.toContain("KEY");
  });

  test("reach the pods by those Secrets, readable by their group only", async () => {
    const { resources } = await make();
    const secrets = (role: Role) => podOf(resources, role).volumes.flatMap((v) => (v["secret"] ? [v["secret"]] : []));
    const items = (...keys: string[]) => keys.map((key) => ({ key, path: key }));
    const tls = (role: Role) => ({
      secretName: `kafka-${role}-tls`,
      defaultMode: 0o440,
      items: items("tls-combined.pem", "ca.crt"),
    });
    expect(secrets("broker")).toEqual([
      tls("broker"),
      { secretName: "kafka-clients-ca", defaultMode: 0o440, items: items("ca.crt") },
    ]);
    expect(secrets("controller")).toEqual([tls("controller")]);
  });

  test("given ones are mounted, and none are made; clients get the way through the network only", async () => {
    const { resources, errors, outputs } = await make({ certificates: given });
    expect(errors).toEqual([]);
    expect(resources.filter((r) => r.type.startsWith("tls:") || r.type === types.secret)).toEqual([]);
    const names = (role: Role) =>
      podOf(resources, role).volumes.flatMap(
        (v) => (v["secret"] as { secretName?: string } | undefined)?.secretName ?? [],
      );
    expect(names("broker")).toEqual(["b-tls", "clients"]);
    expect(names("controller")).toEqual(["c-tls"]);
    expect(outputs?.clientSecretNames).toEqual({});
    expect(JSON.stringify(specOf(resources, types.policy, "k-broker-policy"))).toContain("moorings.dev/kafka-client");
  });

  test('no client can take the name of the authority\'s Secret: "ca" is a name like any other', async () => {
    const { resources, errors } = await make({
      clients: { ca: { namespace: "events" }, "s-ca": { namespace: "events" } },
    });
    expect(errors).toEqual([]);
    const names = resources
      .filter((r) => r.type === types.secret)
      .map((r) => (r.inputs["metadata"] as { name: string }).name);
    expect(new Set(names).size).toBe(5);
    expect(new Set(resources.map((r) => `${r.type} ${r.name}`)).size).toBe(resources.length);
  });
});

describe("a change rolls the pods", () => {
  const annotations = async (role: Role, change: Partial<KafkaClusterArgs>, options: RunOptions = {}) =>
    statefulSet((await make(change, options)).resources, role).template.metadata.annotations;

  test.each(both)("of the configuration of the %s", async (role) => {
    const before = await annotations(role, {});
    const after = await annotations(role, { extraConfig: { "log.retention.hours": "72" } });
    expect(before["moorings.dev/configuration-checksum"]).toMatch(/^[0-9a-f]{64}$/);
    expect(after["moorings.dev/configuration-checksum"]).not.toBe(before["moorings.dev/configuration-checksum"]);
    expect(after["moorings.dev/certificate-checksum"]).toBe(before["moorings.dev/certificate-checksum"]);
  });

  test.each([
    ["broker", "k-broker-certificate", true, false],
    ["controller", "k-controller-certificate", false, true],
    ["cluster's authority", "k-cluster-ca", true, true],
    ["clients' authority", "k-clients-ca", true, false],
    ["client", "k-client-shop-certificate", false, false],
  ])("of the certificate of the %s, where it is used", async (_, renewed, brokers, controllers) => {
    const renew: RunOptions = {
      state: (resource) => ({
        ...state(resource),
        ...(resource.name === renewed ? { certPem: "RENEWED" } : {}),
      }),
    };
    for (const [role, rolls] of [
      ["broker", brokers],
      ["controller", controllers],
    ] as const) {
      const key = "moorings.dev/certificate-checksum";
      const [before, after] = [(await annotations(role, {}))[key], (await annotations(role, {}, renew))[key]];
      expect(before !== after).toBe(rolls);
    }
  });

  test("the checksum is SHA-256 and no secret", async () => {
    const { "moorings.dev/certificate-checksum": checksum } = await annotations("controller", { certificates: given });
    // printf c-tls | sha256sum
    expect(checksum).toBe("74b7f7036d40d5afc56e0f2ca335c6f6a8d9e7da3d72ffca353e3ec97a7ce854");
  });
});

describe("order", () => {
  test("brokers are deleted before controllers, and before everything that they need", async () => {
    const { resources } = await make();
    const brokers = find(resources, types.statefulSet, "k-broker");
    const controllers = find(resources, types.statefulSet, "k-controller");
    expect(reaches(resources, brokers, controllers)).toBe(true);
    expect(reaches(resources, controllers, brokers)).toBe(false);
    const needs = (role: Role) => [
      find(resources, types.serviceAccount),
      find(resources, types.storage),
      find(resources, types.priority),
      find(resources, types.secret, `k-${role}-secret`),
      find(resources, types.config, `k-${role}-config`),
      find(resources, types.service, `k-${role}-headless`),
      find(resources, types.policy, `k-${role}-policy`),
      find(resources, types.budget, `k-${role}-budget`),
    ];
    for (const need of [...needs("broker"), find(resources, types.secret, "k-clients-ca-secret")])
      expect([need.name, reaches(resources, brokers, need)]).toEqual([need.name, true]);
    for (const need of needs("controller"))
      expect([need.name, reaches(resources, controllers, need)]).toEqual([need.name, true]);
    // Pulumi waits for a pod behind it.
    expect(reaches(resources, find(resources, types.service, "k-bootstrap"), brokers)).toBe(true);
  });

  test("no StatefulSet takes an output of a Kubernetes object: its replacement would replace the brokers", async () => {
    const { resources } = await make();
    for (const role of both) {
      const { propertyDependencies } = find(resources, types.statefulSet, `k-${role}`);
      const urns = Object.values(propertyDependencies).flat();
      expect(urns.filter((urn) => urn.includes("kubernetes:"))).toEqual([]);
    }
  });

  test("Pulumi waits long enough", async () => {
    const { resources } = await make({ brokers: 6 });
    // 6 x (360 s grace + 60 s of readiness + 4 min for the move); all at once: 360 s, and the volumes.
    expect(find(resources, types.statefulSet, "k-broker").customTimeouts).toEqual({
      create: "35m",
      update: "66m",
      delete: "15m",
    });
    // The startup probe alone may take 30 minutes.
    expect(find(resources, types.statefulSet, "k-controller").customTimeouts.update).toBe("35m");
  });
});

describe("Pod Security restricted", () => {
  // https://kubernetes.io/docs/concepts/security/pod-security-standards/, v1.36; sysctls: allowed from 1.29.
  const volumeTypes = [
    "configMap",
    "csi",
    "downwardAPI",
    "emptyDir",
    "ephemeral",
    "persistentVolumeClaim",
    "projected",
    "secret",
  ];
  const safeSysctls = /^net\.ipv4\.tcp_(keepalive_(time|intvl|probes)|fin_timeout)$/;

  test.each(both)("holds for the %s", async (role) => {
    const { resources } = await make();
    const pod = podOf(resources, role);
    for (const field of [
      "hostNetwork",
      "hostPID",
      "hostIPC",
      "hostUsers",
      "shareProcessNamespace",
      "ephemeralContainers",
    ])
      expect(pod).not.toHaveProperty(field);
    const kinds = pod.volumes.flatMap((v) => Object.keys(v).filter((k) => k !== "name"));
    expect(kinds.filter((kind) => !volumeTypes.includes(kind))).toEqual([]);
    const sysctls = pod.securityContext["sysctls"] as { name: string }[];
    expect(sysctls.filter((s) => !safeSysctls.test(s.name))).toEqual([]);
    for (const field of ["windowsOptions", "seLinuxOptions", "appArmorProfile", "supplementalGroups", "procMount"])
      expect(pod.securityContext).not.toHaveProperty(field);
    expect(pod.securityContext).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(pod.containers).toHaveLength(1);
    // Nothing but what is allowed: no added capability, no privilege, no other seccomp profile, no root.
    expect(Object.keys(pod.containers[0]!.securityContext).sort()).toEqual([
      "allowPrivilegeEscalation",
      "capabilities",
      "readOnlyRootFilesystem",
    ]);
    const ports = (pod.containers[0] as unknown as { ports: object[] }).ports;
    expect(ports.filter((p) => "hostPort" in p)).toEqual([]);
  });
});

describe("choices", () => {
  test("more brokers and controllers, two zones, other sizes", async () => {
    const { resources } = await make({
      brokers: 5,
      controllers: 5,
      zones: 2,
      brokerResources: { cpu: "4", memoryMiB: 32768 },
      controllerResources: { cpu: "1", memoryMiB: 2049 },
      brokerStorageGiB: 2000,
      controllerStorageGiB: 30,
      image: "registry.acme.io/kafka@sha256:0",
    });
    expect(statefulSet(resources, "broker")["replicas"]).toBe(5);
    expect(statefulSet(resources, "controller")["replicas"]).toBe(5);
    expect(propertiesOf(resources, "broker")["controller.quorum.voters"]?.split(",")).toHaveLength(5);
    // Half of 32 GiB would be 16: the rest is page cache.
    expect(envOf(resources, "broker")["KAFKA_HEAP_OPTS"]).toBe("-Xms5120m -Xmx5120m");
    expect(envOf(resources, "controller")["KAFKA_HEAP_OPTS"]).toBe("-Xms1024m -Xmx1024m");
    expect(containerOf(resources, "broker").image).toBe("registry.acme.io/kafka@sha256:0");
    for (const role of both) {
      expect(podOf(resources, role)["topologySpreadConstraints"]).toMatchObject([{ minDomains: 2 }]);
      expect(statefulSet(resources, role).volumeClaimTemplates).toMatchObject([
        { spec: { resources: { requests: { storage: role === "broker" ? "2000Gi" : "30Gi" } } } },
      ]);
    }
    // The copies stay three, two of them in sync.
    expect(propertiesOf(resources, "broker")).toMatchObject({
      "default.replication.factor": "3",
      "min.insync.replicas": "2",
    });
  });

  test("given classes are used, and none are made", async () => {
    const { resources } = await make({ storageClassName: "fast", priorityClassName: "important" });
    expect(resources.filter((r) => r.type === types.storage || r.type === types.priority)).toEqual([]);
    for (const role of both) {
      expect(podOf(resources, role)["priorityClassName"]).toBe("important");
      expect(statefulSet(resources, role).volumeClaimTemplates).toMatchObject([{ spec: { storageClassName: "fast" } }]);
    }
  });

  test("nodes and taints", async () => {
    const tolerations = [
      { key: "stateful", operator: "Exists", effect: "NoSchedule" },
      { key: "a", value: "b" },
    ];
    const { resources } = await make({ nodeSelector: { pool: pulumi.output("stateful") }, tolerations });
    for (const role of both) {
      expect(podOf(resources, role)["nodeSelector"]).toEqual({ pool: "stateful" });
      expect(podOf(resources, role)["tolerations"]).toEqual(tolerations);
    }
  });

  test("data of a throw-away environment goes with the cluster, but not with a single broker", async () => {
    const { resources } = await make({ retainVolumes: false });
    expect(find(resources, types.storage).inputs["reclaimPolicy"]).toBe("Delete");
    for (const role of both) {
      expect(statefulSet(resources, role)["persistentVolumeClaimRetentionPolicy"]).toEqual({
        whenDeleted: "Delete",
        whenScaled: "Retain",
      });
      expect(find(resources, types.statefulSet, `k-${role}`).inputs["metadata"]).toEqual({
        name: `kafka-${role}`,
        namespace: "events",
        annotations: { "moorings.dev/disposable-data": "true" },
      });
    }
  });

  test("by default nothing says that data is disposable", async () => {
    const { resources } = await make();
    expect(JSON.stringify(resources)).not.toContain("disposable-data");
  });

  test.each([
    ["1.34", false],
    ["1.35", true],
    ["1.36", true],
    [undefined, true],
  ])("in Kubernetes %s pods know their zone: %s", async (kubernetesVersion, rack) => {
    const warn = jest.spyOn(pulumi.log, "warn").mockImplementation(() => Promise.resolve());
    const { resources } = await make({ kubernetesVersion });
    expect("KAFKA_BROKER_RACK" in envOf(resources, "broker")).toBe(rack);
    expect(warn.mock.calls.map(([message]) => message)).toEqual(
      rack ? [] : [expect.stringMatching(/Kubernetes 1\.34: brokers get no broker\.rack/)],
    );
    warn.mockRestore();
  });
});

describe("names", () => {
  test("are fixed, begin with the Kafka cluster's, and default to the component's", async () => {
    const { resources } = await make({ kafkaName: undefined }, {}, "orders");
    const names = resources
      .filter((r) => r.type.startsWith("kubernetes:"))
      .map((r) => (r.inputs["metadata"] as { name: string }).name)
      .sort();
    expect(names).toEqual(
      [
        ...["orders", "orders"], // service account, priority class
        "orders-data",
        "orders-bootstrap",
        ...["orders-brokers", "orders-controllers"],
        ...both.flatMap((role) => Array<string>(4).fill(`orders-${role}`)), // StatefulSet, ConfigMap, policy, budget
        ...["orders-broker-tls", "orders-controller-tls", "orders-clients-ca", "orders-client-shop"],
      ].sort(),
    );
  });

  test("the longest still fits with what Kubernetes adds", async () => {
    const kafkaName = "k".repeat(41);
    const { resources, errors } = await make({ kafkaName, clients: { ["c".repeat(14)]: { namespace: "shop" } } });
    expect(errors).toEqual([]);
    for (const { inputs } of resources.filter((r) => r.type === types.statefulSet)) {
      const { name } = inputs["metadata"] as { name: string };
      // The label controller-revision-hash: the name, a hyphen, ten characters. The pod is a host name: 63 as well.
      expect(name.length + 11).toBeLessThanOrEqual(63);
      expect(`${name}-100`.length).toBeLessThanOrEqual(63);
    }
    for (const r of resources.filter((r) => r.type === types.request))
      expect((r.inputs["subject"] as { commonName: string }).commonName.length).toBeLessThanOrEqual(64);
    expect((await make({ kafkaName: "k".repeat(42) })).errors[0]?.message).toContain("at most 41 fit");
  });
});

describe("refused", () => {
  test("everything that is wrong, at once, and nothing is made", async () => {
    const { errors, resources } = await run(
      () =>
        void new KafkaCluster("Bad_Name", {
          namespace: "events",
          clusterId: "too-short",
          brokers: 2,
          controllers: 4,
          zones: 1,
          brokerResources: { cpu: "lots", memoryMiB: 500 },
          controllerResources: { cpu: "0", memoryMiB: 256 },
          brokerStorageGiB: 0,
          controllerStorageGiB: 1.5,
          storageClassName: "",
          priorityClassName: "Important",
          certificates: { brokerSecretName: "B", controllerSecretName: "", clientCaSecretName: "-" },
          clients: { "Web App": { namespace: "web" }, ["c".repeat(60)]: { namespace: "web" } },
          extraConfig: { "min.insync.replicas": "1", "Bad Key": "1" },
          kubernetesVersion: "latest",
        }),
    );
    expect(errors).toHaveLength(1);
    const message = errors[0]!.message;
    expect(message).toContain('KafkaCluster "Bad_Name" can\'t be made from these arguments:');
    for (const argument of [
      "opts.providers",
      "name",
      "clusterId",
      "brokers",
      "controllers",
      "zones",
      "brokerResources.cpu",
      "brokerResources.memoryMiB",
      "controllerResources.cpu",
      "controllerResources.memoryMiB",
      "brokerStorageGiB",
      "controllerStorageGiB",
      "storageClassName",
      "priorityClassName",
      "certificates.brokerSecretName",
      "certificates.controllerSecretName",
      "certificates.clientCaSecretName",
      'clients["Web App"]',
      `clients["${"c".repeat(60)}"]`,
      'extraConfig["min.insync.replicas"]',
      'extraConfig["Bad Key"]',
      "kubernetesVersion",
    ])
      expect(message).toContain(`\n  - ${argument}: `);
    expect(resources.filter((r) => r.custom && !r.type.startsWith("pulumi:"))).toEqual([]);
  });

  test.each<[string, Partial<KafkaClusterArgs>, RegExp]>([
    [
      "the image's public cluster id",
      { clusterId: "5L6g3nShT-eMCtK--X86sw" },
      /clusterId: is the public default.*random-uuid/,
    ],
    ["a cluster id of 21 characters", { clusterId: "Zr0kq3mWQx6bT7vJc2LhN" }, /clusterId: must be a base64 UUID of 22/],
    ["a name that no Service can have", { kafkaName: "1kafka" }, /kafkaName: is "1kafka"/],
    ["a namespace that there can't be", { namespace: "Events" }, /namespace must be the name of a namespace/],
    ["a client's, too", { clients: { a: { namespace: "a.b" } } }, /clients\["a"\]\.namespace must be the name/],
    [
      "a misspelt operator",
      { tolerations: [{ key: "a", operator: "exists" }] },
      /tolerations\[0\]\.operator must be Exists or Equal/,
    ],
    ["a misspelt effect", { tolerations: [{ effect: "NO_SCHEDULE" }] }, /tolerations\[0\]\.effect must be NoSchedule/],
  ])("%s", async (_, change, message) => {
    const { errors, resources } = await make(change);
    expect(errors.map((e) => e.message).join()).toMatch(message);
    expect(resources.filter((r) => r.type === types.statefulSet && r.name === "k-broker")).toEqual([]);
  });
});
