import { kafkaAdvertisesNames } from "../../../policy/rules/kafka/kafka-advertises-names";
import { kafkaHasItsOwnClusterId } from "../../../policy/rules/kafka/kafka-has-its-own-cluster-id";
import { kafkaSurvivesLosingABroker } from "../../../policy/rules/kafka/kafka-survives-losing-a-broker";
import { edited } from "../../support/edited";
import { checkStack, unknown, type Given } from "../../support/policy";
import { advisory, ok } from "../../support/verdicts";
import { advertised, broker, container, durable, named, object, pod, refused, set, withEnv } from "./setup";

/** A set whose configuration stands in a ConfigMap that its pods mount. */
function fromFile(role: string, lines: string[] | undefined, data?: unknown): Given[] {
  const names = ["KAFKA_PROCESS_ROLES", "CLUSTER_ID", "KAFKA_ADVERTISED_LISTENERS", ...durable.map((d) => d.name)];
  const bare = names.reduce((given, name) => withEnv(given, name, undefined), set(role));
  const mounted = edited(
    withEnv(bare, "CLUSTER_ID", "Zm9yLXRlc3RzLW9ubHktMQ"),
    [...pod, "volumes"],
    [{ name: "config", configMap: { name: `${role}-config` } }],
  );
  const file = (lines ?? []).join("\n");
  const map = object("kubernetes:core/v1:ConfigMap", `${role}-map`, {
    ...named(`${role}-config`),
    data: data ?? { "server.properties": file, "log4j2.yaml": "min.insync.replicas=9" },
  });
  return lines === undefined ? [mounted] : [mounted, map];
}
const good = ["# min.insync.replicas=1", " min.insync.replicas = 2", "default.replication.factor:3"];

describe("kafka-survives-losing-a-broker", () => {
  const check = (...given: Given[]) => checkStack(kafkaSurvivesLosingABroker, given);
  const combined = set("broker,controller");
  const isr = "KAFKA_MIN_INSYNC_REPLICAS";
  const factor = "KAFKA_DEFAULT_REPLICATION_FACTOR";
  const all = (name: string, value: unknown) => check(withEnv(combined, name, value));
  const refusedIn = (pattern: RegExp) => refused(pattern, "broker,controller");

  test("one copy in sync isn't enough, also by default", () => {
    expect(all(isr, "1")).toEqual(refusedIn(/min\.insync\.replicas is 1: one broker may lose/));
    expect(all(isr, undefined)).toEqual(refusedIn(/min\.insync\.replicas is missing, which means 1/));
    expect(checkStack(kafkaSurvivesLosingABroker, [combined], { minimumInsyncReplicas: 3 }).violations).toHaveLength(1);
  });

  test("as many as there are copies are too many", () => {
    expect(all(isr, "3")).toEqual(refusedIn(/is 3 with a default\.replication\.factor of 3.*at least 4/));
    expect(all(factor, "2")).toEqual(refusedIn(/is 2 with a default\.replication\.factor of 2/));
    expect(all(factor, undefined)).toEqual(refusedIn(/is 2 with a default\.replication\.factor of 1/));
    expect(all(factor, "5")).toEqual(ok);
  });

  test("unclean leader election loses messages; off is the default", () => {
    const unclean = "KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE";
    expect(all(unclean, "true")).toEqual(refusedIn(/unclean\.leader\.election\.enable is true/));
    expect(all(unclean, undefined)).toEqual(ok);
    expect(all("KAFKA_CFG_UNCLEAN_LEADER_ELECTION_ENABLE", "true")).toEqual(ok); // the other one wins
  });

  // kafka.md 8: with the value in the brokers' configuration alone the effective one is 1.
  test("where there are controllers, theirs decides", () => {
    const controller = set("controller");
    expect(check(broker, withEnv(controller, isr, undefined))).toEqual(
      refused(/which means 1.*for controllers too/, "controller"),
    );
    expect(check(withEnv(broker, isr, undefined), controller)).toEqual(ok);
    expect(check(withEnv(broker, isr, "1"), controller)).toEqual(refused(/is 1/));
    expect(check(withEnv(broker, factor, undefined), controller)).toEqual(ok);
    expect(check(broker, withEnv(controller, factor, undefined))).toEqual(ok);
  });

  test("controllers of another cluster decide nothing", () => {
    const lacking = withEnv(broker, isr, undefined);
    expect(check(lacking)).toEqual(refused(/which means 1/));
    for (const foreign of [
      withEnv(set("controller"), "CLUSTER_ID", "YW5vdGhlci1jbHVzdGVyLQ"),
      edited(set("controller"), ["props", "metadata", "namespace"], "other"),
    ])
      expect(check(lacking, foreign)).toEqual(refused(/which means 1/));
    const voters = (given: Given, value: string) => withEnv(given, "KAFKA_CONTROLLER_QUORUM_VOTERS", value);
    expect(check(voters(lacking, "0@a:9093"), voters(set("controller"), "0@b:9093")).violations).toHaveLength(1);
    expect(check(voters(lacking, "0@a:9093"), voters(set("controller"), "0@a:9093"))).toEqual(ok);
  });

  test("server.properties in a ConfigMap counts, and a variable wins over it", () => {
    const file = (...lines: string[]) => fromFile("broker", ["process.roles=broker", ...lines]);
    expect(check(...file(...good))).toEqual(ok);
    expect(check(...file(...good, "min.insync.replicas=1"))).toEqual(refused(/min\.insync\.replicas is 1/));
    expect(check(...file())).toEqual(refused(/which means 1/));
    const [given, map] = file(...good, "min.insync.replicas=1");
    expect(check(withEnv(given!, isr, "2"), map!)).toEqual(ok);
    const projected = [{ projected: { sources: [{ configMap: { name: "broker-config" } }] } }];
    expect(check(edited(given!, [...pod, "volumes"], projected), map!).violations).toHaveLength(1);
  });

  test("what the stack doesn't show isn't judged, what it shows wrong is", () => {
    expect(check(...fromFile("broker", undefined))).toEqual(ok);
    expect(check(...fromFile("broker", good))).toEqual(ok); // no role: the file isn't all there is
    const [given] = fromFile("broker", undefined);
    expect(check(withEnv(given!, isr, "1"))).toEqual(refused(/is 1/));
    const secret = edited(combined, [...container, "envFrom"], [{ secretRef: { name: "x" } }]);
    expect(check(withEnv(secret, isr, undefined))).toEqual(ok);
    expect(check(withEnv(combined, isr, { valueFrom: { secretKeyRef: { name: "x", key: "y" } } }))).toEqual(ok);
  });

  test("envFrom and configMapKeyRef read ConfigMaps of the stack", () => {
    const map = object("kubernetes:core/v1:ConfigMap", "env", {
      ...named("env"),
      data: { MIN_INSYNC_REPLICAS: "1", isr: "1" },
    });
    const source = [{ prefix: "KAFKA_", configMapRef: { name: "env" } }];
    const from = edited(withEnv(combined, isr, undefined), [...container, "envFrom"], source);
    expect(check(from, map)).toEqual(refusedIn(/min\.insync\.replicas is 1/));
    expect(check(from)).toEqual(ok);
    const key = { valueFrom: { configMapKeyRef: { name: "env", key: "isr" } } };
    expect(check(withEnv(combined, isr, key), map)).toEqual(refusedIn(/min\.insync\.replicas is 1/));
  });

  test("unknowns are advisory", () => {
    expect(all(isr, unknown)).toEqual(advisory("value"));
    expect(all(factor, unknown)).toEqual(advisory("value"));
    expect(check(edited(combined, [...container, "env", 9], { name: unknown, value: "x" }))).toEqual(ok);
    const lacking = withEnv(combined, isr, undefined);
    expect(check(edited(lacking, [...container, "env", 9], { name: unknown, value: "x" }))).toEqual(advisory("name"));
    expect(check(...fromFile("broker", good, unknown))).toEqual(advisory("data"));
    expect(check(...fromFile("broker", good, { "server.properties": unknown }))).toEqual(advisory("server.properties"));
    const [given, map] = fromFile("broker", ["process.roles=broker"]);
    const dim = edited(given!, [...pod, "volumes", 0, "configMap", "name"], unknown);
    expect(check(dim, map!)).toEqual(advisory("configMap.name"));
    const unnamed = edited(map!, ["props", "metadata"], { namespace: "kafka" });
    expect(check({ ...dim, propertyDependencies: { spec: ["broker-map"] } }, unnamed).violations).toHaveLength(1);
  });
});

describe("kafka-has-its-own-cluster-id", () => {
  const check = (given: Given, config?: object) => checkStack(kafkaHasItsOwnClusterId, [given], config);
  const id = (value: unknown, given = broker) => check(withEnv(given, "CLUSTER_ID", value));
  const image = (name: string) => edited(broker, [...container, "image"], name);

  // docker/resources/common-scripts/configureDefaults and docker/examples of apache/kafka; Confluent's example files.
  test.each(["5L6g3nShT-eMCtK--X86sw", "4L6g3nShT-eMCtK--X86sw", "MkU3OEVBNTcwNTJENDM2Qk"])("%s is public", (value) => {
    expect(id(value)).toEqual(refused(`"broker" has the cluster id ${value}, which is public`));
    expect(
      check(withEnv(withEnv(broker, "CLUSTER_ID", undefined), "KAFKA_KRAFT_CLUSTER_ID", value)).violations,
    ).toHaveLength(1);
  });

  test("none is public, too, with the image that has a default", () => {
    for (const name of ["apache/kafka:4.4.0", "mirror.example.com/apache/kafka-native@sha256:0"])
      expect(id(undefined, image(name))).toEqual(refused(/has no CLUSTER_ID, and the image then takes 5L6g3nShT/));
    expect(id("")).toEqual(refused(/has no CLUSTER_ID/));
    expect(id(undefined, image("confluentinc/cp-kafka:8.1.0"))).toEqual(ok);
    expect(id(undefined, edited(broker, [...container, "command"], ["/scripts/start.sh"]))).toEqual(ok);
    expect(id(undefined, edited(broker, [...container, "envFrom"], [{ secretRef: { name: "id" } }]))).toEqual(ok);
  });

  test("an id from elsewhere is taken for its own; an unknown one is advisory; the list is configurable", () => {
    expect(id({ valueFrom: { secretKeyRef: { name: "kafka", key: "id" } } })).toEqual(ok);
    expect(id(unknown)).toEqual(advisory("value"));
    expect(check(broker, { publicClusterIds: ["Zm9yLXRlc3RzLW9ubHktMQ"] }).violations).toHaveLength(1);
  });
});

describe("kafka-advertises-names", () => {
  const check = (...given: Given[]) => checkStack(kafkaAdvertisesNames, given);
  const listeners = (value: unknown, given = broker) => check(withEnv(given, advertised.name, value));
  const podIp = /^"broker" advertises the pod's address \(\$POD_IP\)/;

  test.each([
    ["CLIENT://$(POD_IP):9092", podIp],
    ["REPLICATION://$(POD_NAME).brokers:9094,CLIENT://$(POD_IP):9092", podIp],
    ["CLIENT://10.0.1.17:9092", /advertises the address 10\.0\.1\.17/],
    ["CLIENT://[2600:1f18::17]:9092", /advertises the address 2600:1f18::17/],
  ])("%s is refused", (value, message) => expect(listeners(value)).toEqual(refused(message)));

  test.each(["CLIENT://kafka-0.brokers:9092", "CLIENT://$(HOST):9092", "CLIENT://:9092", "", "x"])(
    "%j isn't",
    (value) => expect(listeners(value)).toEqual(ok),
  );

  test("an address is found through other variables, and in the field itself", () => {
    expect(listeners("CLIENT://$(HOST):9092", withEnv(broker, "HOST", "$(POD_IP)"))).toEqual(refused(podIp));
    expect(listeners("CLIENT://$(HOST):9092", withEnv(broker, "HOST", "$(HOST)"))).toEqual(ok);
    expect(listeners({ valueFrom: { fieldRef: { fieldPath: "status.podIP" } } })).toEqual(
      refused(/advertises status\.podIP/),
    );
    const plural = withEnv(broker, "ALL", { valueFrom: { fieldRef: { fieldPath: "status.podIPs" } } });
    expect(listeners("CLIENT://$(ALL):9092", plural).violations).toHaveLength(1);
  });

  test("without advertised listeners the listeners themselves are advertised", () => {
    const silent = withEnv(broker, advertised.name, undefined);
    expect(check(withEnv(silent, "KAFKA_LISTENERS", "CLIENT://$(POD_IP):9092"))).toEqual(refused(podIp));
    expect(check(withEnv(silent, "KAFKA_LISTENERS", "CLIENT://0.0.0.0:9092,X://[::]:9093"))).toEqual(ok);
    expect(check(withEnv(broker, "KAFKA_LISTENERS", "CLIENT://$(POD_IP):9092"))).toEqual(ok);
  });

  test("a file and a start script are read, too", () => {
    expect(check(...fromFile("broker", ["advertised.listeners=CLIENT://10.0.1.17:9092"]))).toEqual(
      refused(/10\.0\.1\.17/),
    );
    const script = (line: string) =>
      check(edited(broker, [...container, "command"], ["bash", "-c", `${line}\nexec run`]));
    expect(script("export KAFKA_ADVERTISED_LISTENERS=CLIENT://${POD_IP}:9092")).toEqual(refused(podIp));
    expect(script("sed -i s/x/advertised.listeners=CLIENT:\\/\\/$POD_IP:9092/ f")).toEqual(refused(podIp));
    expect(script("echo started on $POD_IP")).toEqual(ok);
  });

  test("a controller advertises nothing; an unknown is advisory", () => {
    expect(check(withEnv(set("controller"), advertised.name, "CLIENT://$(POD_IP):9092"))).toEqual(ok);
    expect(listeners(unknown)).toEqual(advisory("value"));
  });
});
