import * as pulumi from "@pulumi/pulumi";
import { KafkaCompression, type KafkaConfiguration } from "../../../components/kafka";
import serverPropertyNames from "../../fixtures/facts/kafka-server-properties-4.4.0.json";
import { find } from "../../support/graph";
import { both, containerOf, envOf, fileOf, make, podOf, propertiesOf, types, type Resources, type Role } from "./setup";

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
    // The agent's is written by its init container, and the server only reads it.
    expect(emptyDirs.map((v) => v.name).sort()).toEqual(["config", "logs", "metrics-agent", "tmp"]);
  });

  test.each(both)("finds the configuration of the %s where it looks for it", (role) => {
    const mount = containerOf(resources, role).volumeMounts.find((m) => m.mountPath === "/mnt/shared/config")!;
    const volume = podOf(resources, role).volumes.find((v) => v.name === mount.name)!;
    expect(volume["configMap"]).toEqual({ name: `kafka-${role}` });
    expect(Object.keys(find(resources, types.config, `k-${role}-config`).inputs["data"] as object).sort()).toEqual([
      "log4j2.yaml", // the name that KafkaDockerWrapper of 4.x copies
      "metrics.yaml", // the agent reads it where it is mounted
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
    // Read by the authorizer itself (org.apache.kafka.metadata.authorizer.StandardAuthorizer), not by the server.
    const authorizerProperties = ["super.users", "allow.everyone.if.no.acl.found"];
    expect(plain.filter((name) => ![...serverPropertyNames, ...authorizerProperties].includes(name))).toEqual([]);
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
    const withoutNames = (properties: [string, string][]) => properties.filter(([p]) => !p.endsWith("mapping.rules"));
    const ofListeners = (role: Role) =>
      Object.fromEntries(
        withoutNames(Object.entries(propertiesOf(resources, role)).filter(([p]) => p.startsWith("listener.name."))),
      );
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
      "socket.send.buffer.bytes": pulumi.output("72"),
      "log.preallocate": "false",
      "audit.note": " C:\\é",
    };
    const { resources } = await make({ extraConfig });
    for (const role of both)
      expect(fileOf(resources, role)).toMatch(
        /\nsocket\.send\.buffer\.bytes=72\nlog\.preallocate=false\naudit\.note=\\ C:\\\\\\u00e9\n$/,
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

/** Every field, and what Kafka calls it, in its units. */
const fields: Required<KafkaConfiguration> = {
  retentionHours: 72,
  retentionMiBPerPartition: 2048,
  segmentMiB: 512,
  segmentHours: 24,
  maxMessageBytes: 20_971_520,
  compression: KafkaCompression.Zstd,
  cleanerThreads: 2,
  offsetsRetentionHours: 336,
  groupMinSessionSeconds: 10,
  groupMaxSessionSeconds: 600,
  groupInitialRebalanceDelaySeconds: 5,
  consumerSessionSeconds: 90,
  consumerHeartbeatSeconds: 20,
  transactionMaxSeconds: 300,
  transactionalIdHours: 48,
  timestampAheadHours: 2,
  networkThreads: 4,
  ioThreads: 16,
  replicaFetchers: 2,
  maxConnections: 5000,
  maxConnectionsPerIp: 100,
  connectionsMaxIdleSeconds: 300,
  deleteTopics: false,
};
const rendered = {
  "log.retention.hours": "72",
  "log.retention.bytes": "2147483648",
  "log.segment.bytes": "536870912",
  "log.roll.hours": "24",
  "message.max.bytes": "20971520",
  // As large, or followers would fetch such a batch one at a time (KIP-74).
  "replica.fetch.max.bytes": "20971520",
  "replica.fetch.response.max.bytes": "20971520",
  "compression.type": "zstd",
  "log.cleaner.threads": "2",
  "offsets.retention.minutes": "20160",
  "group.min.session.timeout.ms": "10000",
  "group.max.session.timeout.ms": "600000",
  "group.initial.rebalance.delay.ms": "5000",
  // Kafka refuses to start with a default outside of what groups may choose: 45 to 60 s and 5 to 15 s (GroupCoordinatorConfig).
  "group.consumer.session.timeout.ms": "90000",
  "group.consumer.min.session.timeout.ms": "45000",
  "group.consumer.max.session.timeout.ms": "90000",
  "group.consumer.heartbeat.interval.ms": "20000",
  "group.consumer.min.heartbeat.interval.ms": "5000",
  "group.consumer.max.heartbeat.interval.ms": "20000",
  "transaction.max.timeout.ms": "300000",
  "transactional.id.expiration.ms": "172800000",
  "log.message.timestamp.after.max.ms": "7200000",
  "num.network.threads": "4",
  "num.io.threads": "16",
  "num.replica.fetchers": "2",
  "max.connections": "5000",
  "max.connections.per.ip": "100",
  "connections.max.idle.ms": "300000",
  "delete.topic.enable": "false",
};

describe("typed configuration", () => {
  const added = async (configuration: KafkaConfiguration) => {
    const [plain, typed] = [(await make()).resources, (await make({ configuration })).resources];
    return both.map((role) => {
      const before = propertiesOf(plain, role);
      return Object.fromEntries(Object.entries(propertiesOf(typed, role)).filter(([name]) => !(name in before)));
    });
  };

  test("is written in Kafka's names and units, for both roles", async () => {
    expect(await added(fields)).toEqual([rendered, rendered]);
    expect(Object.keys(rendered).filter((name) => !serverPropertyNames.includes(name))).toEqual([]);
  });

  test.each<[KafkaConfiguration, object]>([
    [{}, {}],
    // The newest file would keep its messages for a week.
    [{ retentionHours: 6 }, { "log.retention.hours": "6", "log.roll.hours": "6" }],
    [{ retentionHours: -1 }, { "log.retention.hours": "-1" }],
    [{ maxMessageBytes: 4096 }, { "message.max.bytes": "4096" }],
    [
      { maxMessageBytes: 5_000_000 },
      {
        "message.max.bytes": "5000000",
        "replica.fetch.max.bytes": "5000000",
        "replica.fetch.response.max.bytes": "10485760",
      },
    ],
    [
      { consumerSessionSeconds: 30 },
      {
        "group.consumer.session.timeout.ms": "30000",
        "group.consumer.min.session.timeout.ms": "30000",
        "group.consumer.max.session.timeout.ms": "60000",
      },
    ],
    [{ consumerSessionSeconds: 50 }, { "group.consumer.session.timeout.ms": "50000" }],
  ])("%j", async (configuration, expected) => expect(await added(configuration)).toEqual([expected, expected]));

  test.each<[object, RegExp]>([
    [{ "log.retention.hours": 72 }, /configuration\.log\.retention\.hours: isn't a field: write retentionHours/],
    [{ "log.retention.ms": 72 }, /isn't a field: write retentionHours/],
    [{ retentionHour: 72 }, /configuration\.retentionHour: isn't a field: write retentionHours/],
    [{ segmentMib: 72 }, /configuration\.segmentMib: isn't a field: write segmentMiB/],
    [{ "log.preallocate": true }, /isn't a field: write Kafka's own name of it under extraConfig/],
    [{ constructor: 1 }, /configuration\.constructor: isn't a field/],
    [{ retentionHours: 0 }, /configuration\.retentionHours: must be a whole number from 1 to 87600, or -1 for ever/],
    [{ segmentMiB: 2048 }, /configuration\.segmentMiB: must be a whole number from 1 to 2047, not 2048/],
    [{ compression: "zip" }, /configuration\.compression: must be one of producer, uncompressed, gzip/],
    [{ retentionHours: 24, segmentHours: 48 }, /configuration\.segmentHours: must be at most the 24 of retentionHours/],
    [{ retentionMiBPerPartition: 100 }, /configuration\.retentionMiBPerPartition: must be at least the 1024/],
    [{ groupMinSessionSeconds: 2000 }, /configuration\.groupMinSessionSeconds: leaves no timeout to choose/],
    [{ groupMaxSessionSeconds: 5 }, /configuration\.groupMaxSessionSeconds: leaves no timeout to choose/],
    [{ consumerSessionSeconds: 10 }, /configuration\.consumerSessionSeconds: leaves room for less than three/],
    [{ consumerHeartbeatSeconds: 16 }, /configuration\.consumerHeartbeatSeconds: leaves room for less than three/],
  ])("%j is refused", async (configuration, message) => {
    const { errors } = await make({ configuration: configuration as KafkaConfiguration });
    expect(errors.map((e) => e.message).join()).toMatch(message);
  });

  test("isn't repeated by extraConfig, nor what changes with it", async () => {
    const names = [...Object.keys(rendered), "log.retention.ms", "log.retention.minutes", "log.roll.ms"];
    const { errors } = await make({ extraConfig: Object.fromEntries(names.map((name) => [name, "1"])) });
    const message = errors.map((e) => e.message).join();
    expect(names.filter((name) => !message.includes(`extraConfig["${name}"]: is a field of configuration`))).toEqual(
      [],
    );
  });
});
