import { KafkaControllerMode } from "../../../components/kafka";
import { kafkaShutsDownInTime } from "../../../policy/rules/kafka/kafka-shuts-down-in-time";
import { noKafkaServerStopHook } from "../../../policy/rules/kafka/no-kafka-server-stop-hook";
import { find } from "../../support/graph";
import { checkResource } from "../../support/policy";
import { ok } from "../../support/verdicts";
import { tell } from "./scripts";
import {
  both,
  containerOf,
  envOf,
  fileOf,
  labels,
  make,
  podOf,
  propertiesOf,
  specOf,
  statefulSet,
  types,
  type Resources,
} from "./setup";

const tcp = (port: number) => [{ protocol: "TCP", port }];

describe("the gate before a broker stops", () => {
  let command: string[];
  beforeAll(async () => {
    const { resources } = await make({ shutdownGate: true });
    command = containerOf(resources, "broker").lifecycle!.preStop.exec.command;
    expect(containerOf(resources, "controller").lifecycle).toBeUndefined();
    expect(envOf(resources, "broker")["GATE_SERVERS"]).toBe(
      [100, 101, 102].map((id) => `kafka-broker-${id}.kafka-brokers.events.svc.cluster.local:9094`).join(","),
    );
  });

  /** A line of `kafka-topics.sh --describe` of 4.4.0. */
  const partition = (replicas: string, isr: string) =>
    `	Topic: orders	Partition: 0	Leader: 100	Replicas: ${replicas}	Isr: ${isr}	Elr: 	LastKnownElr: `;
  const broker = { KAFKA_NODE_ID: "101", GATE_SERVERS: "b:9094", KAFKA_OPTS: "-javaagent:x", KAFKA_JMX_OPTS: "y" };
  const asked = (answers: Record<string, string>) =>
    tell(
      command,
      {
        "kafka-topics.sh": `[[ -z $KAFKA_OPTS$KAFKA_JMX_OPTS ]] || exit 9
case " $* " in ${Object.entries(answers)
          .map(([option, answer]) => `*" --${option}-min-isr-partitions "*) ${answer} ;;`)
          .join("\n")}
esac`,
        sleep: "exit 0",
      },
      broker,
    );
  const says = (...lines: string[]) => `cat <<'E'\n${lines.join("\n")}\nE\n`;
  const once = (line: string) => `if ((CALLS < 2)); then ${says(line)}fi`;

  test.each([
    ["nothing is at its minimum", { at: "true", under: "true" }, 2],
    ["that is at its minimum by design", { at: says(partition("101,102", "101,102")), under: "true" }, 2],
    ["it has no part in what is", { at: says(partition("100,101,102", "100,102")), under: "true" }, 2],
    ["ids only look alike", { at: says(partition("1010,110,102", "1010,110")), under: "true" }, 2],
    ["no copy is in sync any more", { at: "true", under: says(partition("100,101,102", "")) }, 2],
    // It fails open.
    ["nobody answers", { at: "exit 1", under: "true" }, 1],
    ["the second answer fails", { at: says(partition("100,101,102", "100,101")), under: "exit 1" }, 2],
  ])("lets go at once where %s", (_, answers, calls) => {
    const told = asked(answers);
    expect([told.status, told.calls.filter((call) => call.startsWith("kafka-topics")).length]).toEqual([0, calls]);
  });

  test.each([
    ["at", { at: once(partition("100,101,102", "100,101")), under: "true" }],
    ["below", { at: "true", under: once(partition("100,101,102", "101")) }],
  ])("waits while a partition is %s its minimum and has this broker's copy", (_, answers) => {
    const told = asked(answers);
    expect(told.status).toBe(0);
    expect(told.calls.map((call) => call.split(" ")[0])).toEqual([
      ...Array<string>(2).fill("kafka-topics.sh"),
      "sleep",
      ...Array<string>(2).fill("kafka-topics.sh"),
    ]);
  });

  test("ends in time whatever it hears, with tools that hang", () => {
    const script = command.map((word) => word.replace("SECONDS + 60", "SECONDS + 1"));
    const stuck = { "kafka-topics.sh": "exec /bin/sleep 30" };
    expect(tell(script, stuck, broker).status).toBe(0);
    expect(script.join()).toContain("SECONDS + 1)");
  });

  test("is a hook that the pack has nothing against, and has its time", async () => {
    const { resources } = await make({ shutdownGate: true });
    const { type, name, inputs } = find(resources, types.statefulSet, "k-broker");
    for (const rule of [noKafkaServerStopHook, kafkaShutsDownInTime])
      expect(checkResource(rule, { type, name, props: inputs })).toEqual(ok);
    expect(podOf(resources, "broker")["terminationGracePeriodSeconds"]).toBe(360);
  });

  test("goes in as the broker, and asks with little memory", () => {
    const script = command[2]!;
    expect(script).toContain("\nssl.keystore.location=/mnt/kafka/tls/tls-combined.pem\n");
    expect(script).toContain("\nssl.truststore.location=/mnt/kafka/tls/ca.crt\n");
    expect(script).toContain('KAFKA_HEAP_OPTS="-Xms32m -Xmx64m"');
    // It sends no signal: the kubelet does.
    expect(script).not.toMatch(/kill|server-stop/);
  });
});

describe("the zone below Kubernetes 1.35", () => {
  const node = (zone: string) => `HTTP/1.0 200 OK\r
\r
{"kind":"Node","metadata":{"labels":{"kubernetes.io/hostname":"a","topology.kubernetes.io/zone":"${zone}"}}}`;
  const rackOf = (resources: Resources) =>
    podOf(resources, "broker").initContainers!.find(({ name }) => name === "rack");

  test.each([
    ["1.34", false],
    ["1.35", true],
    ["1.36", true],
    [undefined, true],
  ])("in %s pods know it: %s", async (kubernetesVersion, known) => {
    const { resources } = await make({ kubernetesVersion });
    expect("KAFKA_BROKER_RACK" in envOf(resources, "broker")).toBe(known);
    expect(rackOf(resources) === undefined).toBe(known);
    expect("broker.rack" in propertiesOf(resources, "broker")).toBe(!known);
    expect(resources.filter(({ type }) => type.includes("rbac")).map(({ name }) => name)).toEqual(
      known ? [] : ["k-rack", "k-rack"],
    );
    const { egress } = specOf(resources, types.policy, "k-broker-policy") as { egress: object[] };
    expect(egress.filter((rule) => !("to" in rule))).toEqual(known ? [] : [{ ports: tcp(443) }]);
  });

  test("is read by one container, which alone has a token", async () => {
    const { resources } = await make({ kubernetesVersion: "1.34" });
    expect(podOf(resources, "broker")["automountServiceAccountToken"]).toBe(false);
    const token = podOf(resources, "broker").volumes.find(({ name }) => name === "rack-token")!;
    expect(token["projected"]).toMatchObject({
      sources: [{ serviceAccountToken: { path: "token" } }, { configMap: { name: "kube-root-ca.crt" } }],
    });
    const withToken = [containerOf(resources, "broker"), ...podOf(resources, "broker").initContainers!].filter(
      ({ volumeMounts }) => volumeMounts.some(({ name }) => name === "rack-token"),
    );
    expect(withToken.map(({ name }) => name)).toEqual(["rack"]);
    expect(podOf(resources, "controller").initContainers!.map(({ name }) => name)).toEqual(["metrics-agent"]);
    const [role, binding] = ["Role", "RoleBinding"].map(
      (kind) => find(resources, `kubernetes:rbac.authorization.k8s.io/v1:Cluster${kind}`).inputs,
    );
    expect(role!["rules"]).toEqual([{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }]);
    expect(binding).toMatchObject({
      roleRef: { kind: "ClusterRole", name: "kafka-rack" },
      subjects: [{ kind: "ServiceAccount", name: "kafka", namespace: "events" }],
    });
  });

  test("reaches the server by a file", async () => {
    const { resources } = await make({ kubernetesVersion: "1.34" });
    expect(propertiesOf(resources, "broker")).toMatchObject({
      "config.providers": "file",
      "config.providers.file.class": "org.apache.kafka.common.config.provider.FileConfigProvider",
      "config.providers.file.param.allowed.paths": "/mnt/kafka/rack",
      "broker.rack": "${file:/mnt/kafka/rack/rack.properties:zone}",
    });
    expect(propertiesOf(resources, "controller")).not.toHaveProperty("config.providers");
    for (const container of [containerOf(resources, "broker"), rackOf(resources)!])
      expect(container.volumeMounts.some(({ mountPath }) => mountPath === "/mnt/kafka/rack")).toBe(true);
  });

  test.each([
    ["is written", node("eu-west-1b"), 0, "zone=eu-west-1b\n"],
    [
      "isn't made up",
      `HTTP/1.0 403 Forbidden\r\n\r\n{"message":"nodes is forbidden"}`,
      1,
      "may not be read: HTTP/1.0 403",
    ],
    [
      "must be there",
      node("").replace(/,"topology[^}]*/, ""),
      1,
      "The node a has no label topology.kubernetes.io/zone",
    ],
  ])("%s", async (_, answer, status, log) => {
    const { resources } = await make({ kubernetesVersion: "1.34" });
    const folders = /\/mnt\/kafka\/rack|\/var\/run\/secrets\/kubernetes.io\/serviceaccount/g;
    const command = rackOf(resources)!.command!.map((word) => word.replace(folders, "/tmp"));
    // The token is read first; any file will do.
    const script = [command[0]!, command[1]!, `echo secret > /tmp/token\n${command[2]!}`];
    const told = tell(script, { openssl: `cat >&2; cat <<'E'\n${answer}\nE` }, { NODE_NAME: "a" });
    expect(told.status).toBe(status);
    expect(told.log).toContain(log);
    expect(told.log).toContain(
      "GET /api/v1/nodes/a HTTP/1.0\r\nHost: kubernetes.default.svc\r\nAuthorization: Bearer secret\r\n",
    );
    expect(told.calls).toEqual([
      expect.stringMatching(/^openssl s_client .*-verify_return_error .*-verify_hostname kubernetes/),
    ]);
  });
});

describe("controllers inside of brokers", () => {
  const combined = { controllerMode: KafkaControllerMode.Combined };

  test("are the brokers, known by their names", async () => {
    const { resources, errors } = await make(combined);
    expect(errors).toEqual([]);
    expect(resources.filter(({ type }) => type === types.statefulSet).map(({ name }) => name)).toEqual(["k-broker"]);
    const host = (id: number) => `${id}@kafka-broker-${id}.kafka-brokers.events.svc.cluster.local:9093`;
    expect(propertiesOf(resources, "broker")).toMatchObject({
      "process.roles": "broker,controller",
      "controller.quorum.voters": [100, 101, 102].map(host).join(","),
      listeners: "CLIENT://0.0.0.0:9092,REPLICATION://0.0.0.0:9094,CONTROLLER://0.0.0.0:9093",
      "listener.security.protocol.map": "CLIENT:SSL,REPLICATION:SSL,CONTROLLER:SSL",
      "min.insync.replicas": "2",
      "listener.name.controller.ssl.client.auth": "required",
    });
    // The start script makes the listeners of the advertised ones otherwise.
    expect(envOf(resources, "broker")["KAFKA_LISTENERS"]).toBe(propertiesOf(resources, "broker")["listeners"]);
    expect(envOf(resources, "broker")["KAFKA_ADVERTISED_LISTENERS"]).not.toContain("CONTROLLER");
    expect(envOf((await make()).resources, "broker")).not.toHaveProperty("KAFKA_LISTENERS");
  });

  test("start together, leave one at a time, and reach each other", async () => {
    const { resources } = await make(combined);
    // Its client port opens only when a majority of controllers has let it in.
    expect(statefulSet(resources, "broker")["podManagementPolicy"]).toBe("Parallel");
    expect(containerOf(resources, "broker").readinessProbe.tcpSocket.port).toBe(9092);
    expect(specOf(resources, types.budget, "k-broker-budget")["maxUnavailable"]).toBe(1);
    expect(specOf(resources, types.service, "k-broker-headless")).toMatchObject({
      publishNotReadyAddresses: true,
      ports: [{ port: 9092 }, { port: 9094 }, { port: 9093 }],
    });
    expect(specOf(resources, types.service, "k-bootstrap")["ports"]).toMatchObject([{ port: 9092 }]);
    const brokers = { podSelector: { matchLabels: labels("broker") } };
    const admin = { podSelector: { matchLabels: labels("admin") } };
    const policy = specOf(resources, types.policy, "k-broker-policy");
    const probe = { podSelector: { matchLabels: labels("certificate-probe") } };
    expect(policy["ingress"]).toContainEqual({ from: [brokers, admin, probe], ports: tcp(9093) });
    expect(policy["egress"]).toContainEqual({ to: [brokers], ports: tcp(9093) });
  });

  test.each([
    [{ brokers: 4 }, "brokers: must be 3 or 5"],
    [{ controllers: 3 }, "controllers: must be left out"],
    [{ controllerResources: { cpu: "1", memoryMiB: 1024 } }, "controllerResources: must be left out"],
    [{ controllerStorageGiB: 10 }, "controllerStorageGiB: must be left out"],
    [{ drained: [] }, "drained: must be left out"],
  ])("can't be with %j", async (change, message) => {
    const { errors } = await make({ ...combined, ...change });
    expect(errors.map((error) => error.message).join()).toContain(message);
  });

  test("and there is no third way", async () => {
    const { errors } = await make({ controllerMode: "zookeeper" as KafkaControllerMode });
    expect(errors[0]?.message).toContain('controllerMode: must be one of dedicated, combined, not "zookeeper"');
  });
});

describe("metrics", () => {
  const agent = "/mnt/kafka/agent/jmx_prometheus_javaagent.jar";

  test("come by an agent that is copied before the server starts, on a port that is declared", async () => {
    const { resources } = await make();
    for (const role of both) {
      const [copies] = podOf(resources, role).initContainers!;
      expect(copies).toMatchObject({
        name: "metrics-agent",
        image: expect.stringMatching(/^quay\.io\/strimzi\/kafka@sha256:[0-9a-f]{64}$/) as string,
        command: ["/bin/sh", "-c", `cp /opt/prometheus-jmx-exporter/jmx_prometheus_javaagent-*.jar ${agent}`],
        securityContext: containerOf(resources, role).securityContext,
      });
      expect(envOf(resources, role)["KAFKA_OPTS"]).toContain(
        ` -javaagent:${agent}=9404:/mnt/shared/config/metrics.yaml`,
      );
      expect(containerOf(resources, role)).toMatchObject({
        ports: expect.arrayContaining([{ name: "metrics", containerPort: 9404, protocol: "TCP" }]) as object[],
      });
      expect(containerOf(resources, role).volumeMounts).toContainEqual({
        name: "metrics-agent",
        mountPath: "/mnt/kafka/agent",
        readOnly: true,
      });
    }
  });

  test("are of one's own image, for one's own monitoring, or not at all", async () => {
    const image = `registry.acme.io/jmx@sha256:${"0".repeat(64)}`;
    const { resources } = await make({ metrics: { image, jarPath: "/agent.jar", namespaces: ["monitoring"] } });
    expect(podOf(resources, "broker").initContainers).toMatchObject([
      { image, command: ["/bin/sh", "-c", `cp /agent.jar ${agent}`] },
    ]);
    expect(specOf(resources, types.policy, "k-controller-policy")["ingress"]).toContainEqual({
      from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
      ports: tcp(9404),
    });
    const { resources: without, outputs } = await make({ metrics: { enabled: false } });
    expect(JSON.stringify(without)).not.toMatch(/metrics-agent|9404|javaagent/);
    expect(podOf(without, "broker")).not.toHaveProperty("initContainers");
    expect(outputs!.metricsTargets).toEqual({});
  });

  test.each([
    [{ image: "registry.acme.io/jmx:1" }, "metrics.image: must end in its digest"],
    [{ jarPath: "/a.jar; rm -rf /x.jar" }, "metrics.jarPath: must be the path of a .jar"],
    [{ jarPath: "agent.jar" }, "metrics.jarPath: must be the path of a .jar"],
    [{ namespaces: [] }, "metrics.namespaces: names nobody"],
    [{ namespaces: ["A"] }, "metrics.namespaces[0]: must be the name of a namespace"],
  ])("%j is refused", async (metrics, message) => {
    const { errors } = await make({ metrics });
    expect(errors.map((error) => error.message).join()).toContain(message);
  });

  /** What alarms listen to, and where it is, by the names that real servers of 4.4.0 gave with these rules and the agent 1.0.1. */
  const ofBrokers = [
    "kafka_under_min_isr_partitions",
    "kafka_under_replicated_partitions",
    "kafka_offline_log_directories",
  ];
  const ofControllers = ["kafka_active_controllers", "kafka_offline_partitions", "kafka_fenced_brokers"];
  const counted = ["messages_in", "bytes_in", "bytes_out", "failed_produce_requests"].map((n) => `kafka_${n}_total`);

  test("have the names that alarms know, and every one has a rule", async () => {
    const { outputs, resources } = await make();
    const heap = { metrics: ["jvm_memory_used_bytes"], kind: "gauge", only: { area: ["heap"] } };
    const ofEachPod = (metric: string) => ({ metrics: [metric], kind: "gauge", dimensions: [{ pod: 3 }] });
    expect(outputs!.metricsTargets).toEqual({
      "kafka-broker": {
        namespace: "events",
        podLabels: labels("broker"),
        port: 9404,
        series: [
          { metrics: ofBrokers, kind: "gauge" },
          { metrics: counted, kind: "counter" },
          ofEachPod("kafka_log_bytes"),
          ofEachPod("jvm_threads_current"),
          heap,
        ],
      },
      "kafka-controller": {
        namespace: "events",
        podLabels: labels("controller"),
        port: 9404,
        series: [
          { metrics: ofControllers, kind: "gauge" },
          { metrics: ["kafka_unclean_leader_elections_total"], kind: "counter" },
          heap,
        ],
      },
      "kafka-certificates": {
        namespace: "events",
        podLabels: labels("certificate-probe"),
        port: 9404,
        series: [
          { metrics: ["kafka_certificate_remaining_seconds", "kafka_certificate_listeners_read"], kind: "gauge" },
        ],
      },
    });
    const rules = fileOf(resources, "broker", "metrics.yaml");
    for (const name of [...ofBrokers, "kafka_log_bytes", ...ofControllers])
      expect(rules).toContain(`name: ${name}\n    type: GAUGE\n`);
    for (const name of [...counted, "kafka_unclean_leader_elections_total"])
      expect(rules).toContain(`name: ${name}\n    type: COUNTER\n`);
    expect(fileOf(resources, "controller", "metrics.yaml")).toBe(rules);
  });

  test("of brokers that are controllers are in one place", async () => {
    const { outputs } = await make({ controllerMode: KafkaControllerMode.Combined });
    expect(Object.entries(outputs!.metricsTargets).map(([name, { series }]) => [name, series[0]])).toEqual([
      ["kafka-broker", { metrics: [...ofBrokers, ...ofControllers], kind: "gauge" }],
      [
        "kafka-certificates",
        { metrics: ["kafka_certificate_remaining_seconds", "kafka_certificate_listeners_read"], kind: "gauge" },
      ],
    ]);
  });
});
