import type { Rule } from "../../../policy/lib/rule";
import { kafkaClientProfile } from "../../../components/kafka";
import { kafkaClientDropsDeadBrokers } from "../../../policy/rules/kafka-clients/kafka-client-drops-dead-brokers";
import { kafkaClientKeepsItsMessages } from "../../../policy/rules/kafka-clients/kafka-client-keeps-its-messages";
import { kafkaClientReportsStatistics } from "../../../policy/rules/kafka-clients/kafka-client-reports-statistics";
import { kafkaClientSysctlsAreSafe } from "../../../policy/rules/kafka-clients/kafka-client-sysctls-are-safe";
import { keepaliveIsNoTimeout } from "../../../policy/rules/kafka-clients/keepalive-is-no-timeout";
import { edited, type Path } from "../../support/edited";
import { checkStack, unknown, type Given } from "../../support/policy";
import { client, env, file, java, label, librdkafka, lines, map, onFile, pod, type Properties } from "./client-setup";
import { advisory as unsure, ok, refused, rows } from "../../support/verdicts";

const rules = [kafkaClientDropsDeadBrokers, kafkaClientKeepsItsMessages, kafkaClientReportsStatistics];
const all = [...rules, kafkaClientSysctlsAreSafe, keepaliveIsNoTimeout];

describe.each(all.map((rule) => [rule.name, rule] as const))("%s", (_, rule) => {
  test("is content with the profile, whoever reads it, and with a client of which nothing is to be seen", () => {
    const { files, podSecurityContext } = kafkaClientProfile({ credentialsDirectory: "/etc/kafka" });
    const secured = edited(client, [...pod, "securityContext"], podSecurityContext);
    expect(checkStack(rule, [secured, map(files)])).toEqual(ok);
    expect(onFile(rule, librdkafka)).toEqual(ok);
    expect(onFile(rule, java)).toEqual(ok);
    expect(checkStack(rule, [client])).toEqual(ok);
    expect(checkStack(rule, [client, map({ "server.properties": "log.dirs=/data\n", "notes.txt": "acks=0" })])).toEqual(
      ok,
    );
  });

  const faulty = {
    "statistics.interval.ms": "0",
    "socket.max.fails": "0",
    acks: "0",
    "socket.keepalive.enable": "true",
  };
  const wrong = edited(client, [...pod, "securityContext"], { sysctls: [{ name: "kernel.msgmax" }] });
  const found = (given: Given, config?: object) =>
    checkStack(rule, [given, map({ "a.properties": file(faulty) })], config).violations.length;

  test("judges pods with the label only, in any kind of workload", () => {
    expect(found(wrong)).toBe(1);
    const labels: Path = ["props", "spec", "template", "metadata", "labels"];
    expect(found(edited(wrong, labels, { app: "shop" }))).toBe(0);
    expect(found(edited(wrong, labels, undefined))).toBe(0);
    expect(found({ ...wrong, type: "kubernetes:apps/v1:DeploymentPatch" })).toBe(0);
    for (const kind of ["apps/v1:StatefulSet", "apps/v1beta1:Deployment", "apps/v1:DaemonSet", "batch/v1:Job"])
      expect(found({ ...wrong, type: `kubernetes:${kind}` })).toBe(1);
    const { spec, metadata } = wrong.props as { spec: { template: Record<string, unknown> }; metadata: object };
    const cron = { metadata, spec: { jobTemplate: { spec } } };
    expect(found({ ...wrong, type: "kubernetes:batch/v1:CronJob", props: cron })).toBe(1);
    const single = { spec: spec.template["spec"], metadata: { namespace: "shop", labels: label } };
    expect(found({ ...wrong, type: "kubernetes:core/v1:Pod", props: single })).toBe(1);
  });

  test("the label is configurable, its value needn't be known, and unknown labels are advisory", () => {
    expect(found(wrong, { clientLabels: ["app=shop"] })).toBe(1);
    expect(found(wrong, { clientLabels: ["app=search"] })).toBe(0);
    expect(found(wrong, { clientLabels: ["team"] })).toBe(0);
    const labels: Path = ["props", "spec", "template", "metadata", "labels"];
    expect(found(edited(wrong, [...labels, "moorings.dev/kafka-client"], unknown))).toBe(1);
    expect(checkStack(rule, [edited(wrong, labels, unknown)])).toEqual(unsure("labels"));
  });

  test("files that aren't known yet are advisory where they decide", () => {
    const advisory = rule === kafkaClientSysctlsAreSafe ? () => ok : (path: string) => unsure(path);
    expect(checkStack(rule, [client, map(unknown)])).toEqual(advisory("data"));
    expect(checkStack(rule, [client, map({ "client.properties": unknown })])).toEqual(advisory("client.properties"));
  });
});

describe("where settings stand", () => {
  const check = (given: Given, data: Record<string, unknown>) =>
    checkStack(kafkaClientDropsDeadBrokers, [given, map(data)]);
  const keeps = refused(
    /^"shop" is a client of Kafka\. socket\.max\.fails is 0 \(.*\): with 0 .*\. Write 1\.$/,
    "shop",
  );
  const bad = { ...librdkafka, "socket.max.fails": "0" };

  test.each([
    ["client.properties", file(bad)],
    [
      "kafka.conf",
      `# settings\n${lines(bad)
        .map((line) => line.replace("=", " = "))
        .join("\r\n")}`,
    ],
    ["application.yaml", `kafka:\n  config:\n    "socket.max.fails": "0"\n    socket.timeout.ms: 15000`],
    ["settings.json", JSON.stringify({ kafka: [{ ...bad, "socket.max.fails": 0 }] })],
    ["socket.max.fails", "0"],
  ])("%s", (name, text) => expect(check(client, { [name]: text })).toEqual(keeps));

  test("in a projected volume, of the keys that it mounts", () => {
    const projected = (items?: object[]) =>
      edited(client, [...pod, "volumes"], [{ projected: { sources: [{ configMap: { name: "kafka", items } }] } }]);
    const data = { "good.properties": file(librdkafka), "bad.properties": file(bad) };
    expect(check(projected(), data)).toEqual(keeps);
    expect(check(projected([{ key: "bad.properties", path: "a" }]), data)).toEqual(keeps);
    expect(check(projected([{ key: "good.properties", path: "a" }]), data)).toEqual(ok);
    expect(check(edited(client, [...pod, "volumes"], undefined), data)).toEqual(ok);
  });

  test.each(["KAFKA_SOCKET_MAX_FAILS", "RDKAFKA_SOCKET_MAX_FAILS", "SHOP_KAFKA_CLIENT_SOCKET_MAX_FAILS"])(
    "%s",
    (name) => {
      expect(check(edited(client, env, [{ name, value: "0" }]), {})).toEqual(keeps);
      const from = { valueFrom: { configMapKeyRef: { name: "kafka", key: "fails" } } };
      expect(check(edited(client, env, [{ name, ...from }]), { fails: "0" })).toEqual(keeps);
    },
  );

  test("variables of others, placeholders and broken files say nothing", () => {
    for (const name of ["REDIS_SOCKET_MAX_FAILS", "SOCKET_MAX_FAILS", "KAFKA_SOCKET_MAX_FAILS_COUNT"])
      expect(check(edited(client, env, [{ name, value: "0" }]), {})).toEqual(ok);
    expect(check(client, { "client.properties": file({ ...librdkafka, "socket.max.fails": "${FAILS}" }) })).toEqual(ok);
    expect(check(client, { "a.json": '{"socket.max.fails": 0', "b.json": "[1, null]" })).toEqual(ok);
    expect(check(client, { "client.properties": "#socket.max.fails=0\nsocket.max.fails.x=0\n=\n" })).toEqual(ok);
  });

  test("what a file leaves out is the library's default, unless another place says it", () => {
    const without = { ...librdkafka, "socket.timeout.ms": undefined };
    const missing = refused(/socket\.timeout\.ms is missing \(client\.properties\), which means 60000/, "shop");
    const data = { "client.properties": file(without) };
    expect(check(client, data)).toEqual(missing);
    expect(check(edited(client, env, [{ name: "KAFKA_SOCKET_TIMEOUT_MS", value: "15000" }]), data)).toEqual(ok);
    expect(check(client, { ...data, "more.properties": "socket.timeout.ms=15000" })).toEqual(ok);
    expect(check(client, { ...data, "java.properties": file(java) })).toEqual(missing);
    expect(check(client, { ...data, "other.properties": unknown })).toEqual(unsure("other.properties"));
    // Of which library it is decides: Java's default is 30000, and a file that says neither isn't judged.
    expect(check(client, { "librdkafka.properties": "bootstrap.servers=a:9092" }).violations).toHaveLength(1);
    expect(check(client, { "java.properties": "bootstrap.servers=a:9092" })).toEqual(ok);
    expect(check(client, { "client.properties": "bootstrap.servers=a:9092" })).toEqual(ok);
    expect(check(client, { "app.yaml": "socket.max.fails: 1" })).toEqual(ok);
  });
});

// kafka.md 6: 11000 <= socket.timeout.ms <= 30000, connection setup <= 10000, message.timeout >= 120000.
test.each<[string, string, boolean, Properties, Rule]>([
  ["socket.timeout.ms", "11000", true, librdkafka, kafkaClientDropsDeadBrokers],
  ["socket.timeout.ms", "10999", false, librdkafka, kafkaClientDropsDeadBrokers],
  ["socket.timeout.ms", "30000", true, librdkafka, kafkaClientDropsDeadBrokers],
  ["socket.timeout.ms", "30001", false, librdkafka, kafkaClientDropsDeadBrokers],
  ["socket.max.fails", "0", false, librdkafka, kafkaClientDropsDeadBrokers],
  ["socket.connection.setup.timeout.ms", "10001", false, librdkafka, kafkaClientDropsDeadBrokers],
  ["request.timeout.ms", "5000", true, librdkafka, kafkaClientDropsDeadBrokers],
  ["request.timeout.ms", "10000", false, java, kafkaClientDropsDeadBrokers],
  ["request.timeout.ms", "30000", true, java, kafkaClientDropsDeadBrokers],
  ["request.timeout.ms", "60000", false, java, kafkaClientDropsDeadBrokers],
  ["socket.connection.setup.timeout.ms", "30000", false, java, kafkaClientDropsDeadBrokers],
  ["message.timeout.ms", "119999", false, librdkafka, kafkaClientKeepsItsMessages],
  ["message.timeout.ms", "120000", true, librdkafka, kafkaClientKeepsItsMessages],
  ["message.timeout.ms", "0", true, librdkafka, kafkaClientKeepsItsMessages],
  ["delivery.timeout.ms", "30000", false, java, kafkaClientKeepsItsMessages],
  ["enable.idempotence", "false", false, librdkafka, kafkaClientKeepsItsMessages],
  ["enable.idempotence", "false", false, java, kafkaClientKeepsItsMessages],
  ["acks", "1", false, librdkafka, kafkaClientKeepsItsMessages],
  ["acks", "-1", true, librdkafka, kafkaClientKeepsItsMessages],
  ["acks", "0", false, java, kafkaClientKeepsItsMessages],
  ["request.required.acks", "0", false, librdkafka, kafkaClientKeepsItsMessages],
  ["statistics.interval.ms", "0", false, librdkafka, kafkaClientReportsStatistics],
  ["statistics.interval.ms", "1000", true, librdkafka, kafkaClientReportsStatistics],
])("%s=%s: %s (%#)", (name, value, good, base, rule) => {
  const found = onFile(rule, { ...base, [name]: value });
  expect(found).toEqual(good ? ok : refused(`${name} is ${value} \\(client\\.properties\\): .*\\. Write `, "shop"));
});

// librdkafka's CONFIGURATION.md and Java's ProducerConfig.
test.each<[string, string | undefined, Properties, Rule]>([
  ["socket.timeout.ms", "60000", librdkafka, kafkaClientDropsDeadBrokers],
  ["socket.max.fails", undefined, librdkafka, kafkaClientDropsDeadBrokers],
  ["socket.connection.setup.timeout.ms", "30000", librdkafka, kafkaClientDropsDeadBrokers],
  ["request.timeout.ms", undefined, java, kafkaClientDropsDeadBrokers],
  ["message.timeout.ms", undefined, librdkafka, kafkaClientKeepsItsMessages],
  ["enable.idempotence", "false", librdkafka, kafkaClientKeepsItsMessages],
  ["acks", undefined, librdkafka, kafkaClientKeepsItsMessages],
  ["delivery.timeout.ms", undefined, java, kafkaClientKeepsItsMessages],
  ["statistics.interval.ms", "0", librdkafka, kafkaClientReportsStatistics],
])("without %s its default holds, %s (%#)", (name, fallback, base, rule) => {
  const found = onFile(rule, { ...base, [name]: undefined });
  expect(found).toEqual(
    fallback === undefined
      ? ok
      : refused(`${name} is missing \\(client\\.properties\\), which means ${fallback}: `, "shop"),
  );
});

test("a consumer needs no idempotence, and a transactional producer has it", () => {
  const consumer = { "group.id": "shop", "socket.timeout.ms": "15000" };
  expect(onFile(kafkaClientKeepsItsMessages, consumer)).toEqual(ok);
  expect(onFile(kafkaClientKeepsItsMessages, { ...consumer, "linger.ms": "5" })).toEqual(
    refused(/enable\.idempotence/),
  );
  const transactional = { ...librdkafka, "enable.idempotence": undefined, "transactional.id": "shop-1" };
  expect(onFile(kafkaClientKeepsItsMessages, transactional)).toEqual(ok);
});

test("one library's file says nothing for another's", () => {
  const files = {
    "client.properties": file({ ...librdkafka, "enable.idempotence": undefined }),
    "java.properties": file({ ...java, "enable.idempotence": "true" }),
  };
  expect(checkStack(kafkaClientKeepsItsMessages, [client, map(files)])).toEqual(
    refused(/idempotence is missing/, "shop"),
  );
});

test("where nothing says which library it is, the name's meaning in either counts", () => {
  const given = edited(client, env, [{ name: "KAFKA_REQUEST_TIMEOUT_MS", value: "60000" }]);
  expect(checkStack(kafkaClientDropsDeadBrokers, [given])).toEqual(
    refused(/request\.timeout\.ms is 60000 \(variables\)/, "shop"),
  );
});

test("all faults of a client stand in one message", () => {
  const { violations } = onFile(kafkaClientDropsDeadBrokers, { "socket.timeout.ms": "60000", "socket.max.fails": "0" });
  expect(violations.map((v) => v.message)).toEqual([
    expect.stringMatching(/socket\.timeout\.ms is 60000.*socket\.max\.fails is 0.*setup\.timeout\.ms is missing/),
  ]);
});

describe("kafka-client-sysctls-are-safe", () => {
  const sysctls = (names: unknown[], over: object = {}, config?: object) => {
    const secured = edited(client, [...pod, "securityContext"], {
      sysctls: names.map((name) => ({ name, value: "30" })),
    });
    const given = Object.entries(over).reduce((g, [key, value]) => edited(g, [...pod, key], value), secured);
    return checkStack(kafkaClientSysctlsAreSafe, [given], config);
  };
  const keepalive = "net.ipv4.tcp_keepalive_time";

  // pkg/kubelet/sysctl/safe_sysctls.go of Kubernetes 1.34.
  test("the kubelet's safe ones are fine, others aren't unless the nodes allow them", () => {
    expect(sysctls([keepalive, "net.ipv4.tcp_rmem", "kernel.shm_rmid_forced", "net/ipv4/tcp_fin_timeout"])).toEqual(ok);
    expect(sysctls(["net.ipv4.tcp_retries2"])).toEqual(
      refused("The sysctl net.ipv4.tcp_retries2 isn't a safe one, and the kubelet refuses the pod", "shop"),
    );
    expect(sysctls(["net.ipv4.tcp_retries2"], {}, { allowedSysctls: ["net.ipv4.tcp_*"] })).toEqual(ok);
    expect(sysctls(["net.core.somaxconn", keepalive]).violations).toHaveLength(1);
  });

  test("none of the network's goes with hostNetwork", () => {
    expect(sysctls([keepalive], { hostNetwork: true })).toEqual(refused(/would be the node's \(hostNetwork\)/, "shop"));
    expect(sysctls([keepalive], { hostNetwork: false })).toEqual(ok);
    expect(sysctls(["kernel.shm_rmid_forced"], { hostNetwork: true })).toEqual(ok);
    expect(sysctls([], { hostNetwork: true })).toEqual(ok);
    expect(sysctls([unknown])).toEqual(ok);
  });
});

describe("keepalive-is-no-timeout", () => {
  const sysctls = edited(client, [...pod, "securityContext"], { sysctls: [{ name: "net.ipv4.tcp_keepalive_time" }] });
  const check = (given: Given, data: Record<string, unknown> = {}) =>
    checkStack(keepaliveIsNoTimeout, [given, map(data)]);

  // kafka.md 8: librdkafka's defaults with keepalive 30/10/3: dropped at 60.6 s and 60.3 s, as without.
  test("keepalive alone is advised against, by sysctls or by the client's own setting", () => {
    expect(check(sysctls)).toEqual(
      refused(/Its pods set TCP keepalive, but nothing .* sets socket\.timeout\.ms/, "shop"),
    );
    expect(check(client, { "a.conf": "socket.keepalive.enable=true" })).toEqual(
      refused(/socket\.keepalive\.enable is true, but/, "shop"),
    );
    expect(check(client, { "a.conf": "socket.keepalive.enable=false" })).toEqual(ok);
    expect(check(edited(sysctls, [...pod, "securityContext", "sysctls", 0, "name"], "net.ipv4.tcp_rmem"))).toEqual(ok);
  });

  test.each(rows({ "socket.timeout.ms": "60000" }, { "request.timeout.ms": "15000" }))(
    "not beside %j",
    (properties) => {
      expect(check(sysctls, { "a.conf": file(properties as Properties) })).toEqual(ok);
    },
  );

  test("librdkafka's request.timeout.ms bounds something else", () => {
    const properties = { "request.timeout.ms": "12000", "socket.max.fails": "1" };
    expect(check(sysctls, { "a.conf": file(properties) }).violations).toHaveLength(1);
  });
});
