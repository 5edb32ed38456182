import * as pulumi from "@pulumi/pulumi";
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
    const more = [
      "node.id",
      "advertised.listeners",
      "broker.rack",
      "broker.id",
      "log.dir",
      "ssl.keystore.password",
      "sasl.jaas.config",
    ];
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
