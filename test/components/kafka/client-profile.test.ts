import { kafkaClientProfile, type KafkaClientProfileArgs } from "../../../components/kafka";
import producerPropertyNames from "../../fixtures/facts/kafka-producer-properties-4.4.0.json";

/** Properties and ranges of librdkafka 2.x, from its CONFIGURATION.md; undefined where there is no number. */
const librdkafkaRanges: Record<string, [number, number] | undefined> = {
  acks: undefined,
  "broker.address.ttl": [0, 86_400_000],
  "client.id": undefined,
  "connections.max.idle.ms": [0, 2_147_483_647],
  "enable.idempotence": undefined,
  "message.timeout.ms": [0, 2_147_483_647],
  "queue.buffering.max.kbytes": [1, 2_147_483_647],
  "queue.buffering.max.messages": [0, 2_147_483_647],
  "reconnect.backoff.max.ms": [0, 3_600_000],
  "reconnect.backoff.ms": [0, 3_600_000],
  "request.timeout.ms": [1, 900_000],
  "security.protocol": undefined,
  "socket.connection.setup.timeout.ms": [1000, 2_147_483_647],
  "socket.keepalive.enable": undefined,
  "socket.max.fails": [0, 1_000_000],
  "socket.timeout.ms": [10, 300_000],
  "ssl.ca.location": undefined,
  "ssl.certificate.location": undefined,
  "ssl.endpoint.identification.algorithm": undefined,
  "ssl.key.location": undefined,
  "statistics.interval.ms": [0, 86_400_000],
  "topic.metadata.refresh.interval.ms": [-1, 3_600_000],
};

const extremes: KafkaClientProfileArgs[] = [
  {},
  { deadBrokerTimeoutSeconds: 11, brokerReturnSeconds: 30 },
  { deadBrokerTimeoutSeconds: 30, brokerReturnSeconds: 1800 },
  { messagesPerSecond: 0.1, averageMessageBytes: 1 },
  { messagesPerSecond: 5000, averageMessageBytes: 2000 },
  { clientId: "shop-orders", credentialsDirectory: "/etc/kafka-client" },
];

describe("kafkaClientProfile", () => {
  test("for librdkafka: research 3.1, every row", () => {
    expect(kafkaClientProfile().librdkafka).toEqual({
      acks: "all",
      "enable.idempotence": "true",
      "socket.timeout.ms": "15000",
      "socket.max.fails": "1",
      "request.timeout.ms": "12000",
      "socket.connection.setup.timeout.ms": "10000",
      "broker.address.ttl": "1000",
      "reconnect.backoff.ms": "100",
      "reconnect.backoff.max.ms": "2000",
      "topic.metadata.refresh.interval.ms": "15000",
      "socket.keepalive.enable": "true",
      "connections.max.idle.ms": "180000",
      "message.timeout.ms": "180000",
      "queue.buffering.max.messages": "13500", // 100/s x (15 + 120 s)
      "queue.buffering.max.kbytes": "27000", // twice 13 500 messages of 1 KiB
      "statistics.interval.ms": "5000",
    });
  });

  test("for Java: research 3.1, every row", () => {
    expect(kafkaClientProfile().java).toEqual({
      acks: "all",
      "enable.idempotence": "true",
      retries: "2147483647",
      "max.in.flight.requests.per.connection": "5",
      "request.timeout.ms": "15000",
      "delivery.timeout.ms": "180000",
      "socket.connection.setup.timeout.ms": "5000",
      "socket.connection.setup.timeout.max.ms": "10000",
      "metadata.max.age.ms": "15000",
      "reconnect.backoff.ms": "100",
      "reconnect.backoff.max.ms": "2000",
      "connections.max.idle.ms": "180000",
      "max.block.ms": "10000",
      "buffer.memory": "33554432", // Java's own, which is more than twice 13 500 KiB
      "partitioner.availability.timeout.ms": "10000",
    });
    // -Dsun.net.inetaddr.negative.ttl does nothing: java.security of JDK 17 sets the property that wins.
    expect(kafkaClientProfile().jvmArguments).toEqual(["-Dsun.net.inetaddr.ttl=5"]);
  });

  test("the pod: keepalive of 30 + 3 x 10 s, in the pod's securityContext", () => {
    expect(kafkaClientProfile().podSecurityContext).toEqual({
      sysctls: [
        { name: "net.ipv4.tcp_keepalive_time", value: "30" },
        { name: "net.ipv4.tcp_keepalive_intvl", value: "10" },
        { name: "net.ipv4.tcp_keepalive_probes", value: "3" },
      ],
    });
  });

  test("other numbers follow from the arguments", () => {
    const { librdkafka, java } = kafkaClientProfile({
      deadBrokerTimeoutSeconds: 20,
      messagesPerSecond: 2000,
      averageMessageBytes: 4096,
      brokerReturnSeconds: 300,
      clientId: "shop",
    });
    expect(librdkafka).toMatchObject({
      "client.id": "shop",
      "socket.timeout.ms": "20000",
      "request.timeout.ms": "17000",
      "message.timeout.ms": "365000", // 20 + 300 + 45
      "queue.buffering.max.messages": "640000", // 2000 x 320
      "queue.buffering.max.kbytes": "5120000", // 2 x 640 000 x 4 KiB
    });
    expect(java).toMatchObject({
      "client.id": "shop",
      "request.timeout.ms": "20000",
      "delivery.timeout.ms": "365000",
      "buffer.memory": "5242880000",
    });
  });

  test("TLS with the Secret of the cluster", () => {
    const { librdkafka, java } = kafkaClientProfile({ credentialsDirectory: "/etc/kafka-client" });
    expect(librdkafka).toMatchObject({
      "security.protocol": "ssl",
      "ssl.ca.location": "/etc/kafka-client/ca.crt",
      "ssl.certificate.location": "/etc/kafka-client/tls-combined.pem",
      "ssl.key.location": "/etc/kafka-client/tls-combined.pem",
      "ssl.endpoint.identification.algorithm": "https",
    });
    expect(java).toMatchObject({
      "security.protocol": "SSL",
      "ssl.keystore.type": "PEM",
      "ssl.keystore.location": "/etc/kafka-client/tls-combined.pem",
      "ssl.truststore.type": "PEM",
      "ssl.truststore.location": "/etc/kafka-client/ca.crt",
    });
  });

  test.each(extremes)("%j: never what brings an outage back", (args) => {
    const { librdkafka, java } = kafkaClientProfile(args);
    const ms = (properties: Record<string, string>, name: string) => Number(properties[name]);
    for (const properties of [librdkafka, java]) {
      expect(properties["acks"]).toBe("all");
      expect(properties["enable.idempotence"]).toBe("true");
    }
    expect(librdkafka["socket.max.fails"]).toBe("1");
    expect(ms(librdkafka, "socket.timeout.ms")).toBeGreaterThanOrEqual(11_000);
    expect(ms(librdkafka, "socket.timeout.ms")).toBeLessThanOrEqual(30_000);
    expect(ms(librdkafka, "request.timeout.ms")).toBeLessThan(ms(librdkafka, "socket.timeout.ms"));
    // While a dead broker counts as in sync, acks=all on the others took up to 9.8 s.
    expect(ms(librdkafka, "request.timeout.ms")).toBeGreaterThan(9_800);
    expect(ms(librdkafka, "socket.connection.setup.timeout.ms")).toBeLessThanOrEqual(10_000);
    for (const delivery of [ms(librdkafka, "message.timeout.ms"), ms(java, "delivery.timeout.ms")]) {
      expect(delivery).toBeGreaterThanOrEqual(120_000);
      const away = (args.deadBrokerTimeoutSeconds ?? 15) + (args.brokerReturnSeconds ?? 120);
      expect(delivery).toBeGreaterThan(away * 1000);
    }
    expect(ms(librdkafka, "statistics.interval.ms")).toBeGreaterThan(0);
    expect(Number(java["retries"])).toBeGreaterThan(0); // kafka-verifiable-producer would leave 0
  });

  test.each(extremes)("%j: every property exists and is within its range", (args) => {
    const { librdkafka, java } = kafkaClientProfile(args);
    for (const [name, value] of Object.entries(librdkafka)) {
      expect(Object.keys(librdkafkaRanges)).toContain(name);
      const range = librdkafkaRanges[name];
      if (range === undefined) continue;
      expect(value).toMatch(/^\d+$/);
      expect(Number(value)).toBeGreaterThanOrEqual(range[0]);
      expect(Number(value)).toBeLessThanOrEqual(range[1]);
    }
    expect(Object.keys(java).filter((name) => !producerPropertyNames.includes(name))).toEqual([]);
  });

  test("as files: one property a line, and everything as JSON", () => {
    const profile = kafkaClientProfile({ clientId: "shop" });
    const { files, ...rest } = profile;
    expect(Object.keys(files).sort()).toEqual(["java.properties", "librdkafka.properties", "profile.json"]);
    expect(files["librdkafka.properties"]).toMatch(/^client\.id=shop\nacks=all\nenable\.idempotence=true\n/);
    expect(files["java.properties"]!.split("\n")).toContain("retries=2147483647");
    for (const [file, properties] of [
      ["librdkafka.properties", rest.librdkafka],
      ["java.properties", rest.java],
    ] as const)
      expect(files[file]!.trimEnd().split("\n")).toHaveLength(Object.keys(properties).length);
    expect(JSON.parse(files["profile.json"]!)).toEqual(rest);
  });

  test("is pure: who changes one profile changes no other", () => {
    const first = kafkaClientProfile();
    first.librdkafka["acks"] = "0";
    first.podSecurityContext.sysctls[0]!.value = "7200";
    expect(kafkaClientProfile().librdkafka["acks"]).toBe("all");
    expect(kafkaClientProfile().podSecurityContext.sysctls[0]!.value).toBe("30");
  });

  test("refuses everything that is wrong at once", () => {
    const wrong = () =>
      kafkaClientProfile({
        deadBrokerTimeoutSeconds: 8,
        messagesPerSecond: 0,
        averageMessageBytes: Number.NaN,
        brokerReturnSeconds: 5,
        clientId: "shop\nacks=0",
        credentialsDirectory: "etc",
      });
    expect(wrong).toThrow("kafkaClientProfile can't be made from these arguments:");
    for (const argument of [
      "deadBrokerTimeoutSeconds",
      "messagesPerSecond",
      "averageMessageBytes",
      "brokerReturnSeconds",
      "clientId",
      "credentialsDirectory",
    ])
      expect(wrong).toThrow(`\n  - ${argument}: `);
  });

  test.each<[KafkaClientProfileArgs, RegExp]>([
    [{ deadBrokerTimeoutSeconds: 10 }, /between 11 and 30, not 10/],
    [{ deadBrokerTimeoutSeconds: 31 }, /between 11 and 30, not 31/],
    [{ deadBrokerTimeoutSeconds: 15.5 }, /whole number of seconds/],
    [{ brokerReturnSeconds: 1801 }, /between 30 and 1800/],
    [{ messagesPerSecond: 200_000 }, /spread the load over more clients/],
    [{ messagesPerSecond: 1000, averageMessageBytes: 1_000_000 }, /spread the load over more clients/],
  ])("refuses %j", (args, message) => {
    expect(() => kafkaClientProfile(args)).toThrow(message);
  });

  test("consumers: the same connection, and nothing that only producers have", () => {
    const { librdkafkaConsumer, javaConsumer, files } = kafkaClientProfile({ consumerGroup: "shop", clientId: "c" });
    expect(librdkafkaConsumer).toEqual({
      "client.id": "c",
      "group.id": "shop",
      "socket.timeout.ms": "15000",
      "socket.max.fails": "1",
      "socket.connection.setup.timeout.ms": "10000",
      "broker.address.ttl": "1000",
      "reconnect.backoff.ms": "100",
      "reconnect.backoff.max.ms": "2000",
      "topic.metadata.refresh.interval.ms": "15000",
      "socket.keepalive.enable": "true",
      "connections.max.idle.ms": "180000",
      "fetch.wait.max.ms": "500",
      "session.timeout.ms": "45000",
      "heartbeat.interval.ms": "3000",
      "statistics.interval.ms": "5000",
    });
    expect(javaConsumer).toEqual({
      "client.id": "c",
      "group.id": "shop",
      "request.timeout.ms": "15000",
      "socket.connection.setup.timeout.ms": "5000",
      "socket.connection.setup.timeout.max.ms": "10000",
      "metadata.max.age.ms": "15000",
      "reconnect.backoff.ms": "100",
      "reconnect.backoff.max.ms": "2000",
      "connections.max.idle.ms": "180000",
      "fetch.max.wait.ms": "500",
      "session.timeout.ms": "45000",
      "heartbeat.interval.ms": "3000",
    });
    expect(files["librdkafka-consumer.properties"]).toContain("group.id=shop\n");
    expect(files["java-consumer.properties"]).toContain("fetch.max.wait.ms=500\n");
    expect(JSON.parse(files["profile.json"]!)).toMatchObject({ librdkafkaConsumer, javaConsumer });
    expect(kafkaClientProfile().librdkafkaConsumer).toBeUndefined();
  });

  test("the detector's options follow from the same numbers", () => {
    const other = { deadBrokerTimeoutSeconds: 20, librdkafkaOverrides: { "statistics.interval.ms": "1000" } };
    expect(kafkaClientProfile().stallDetector).toEqual({
      socketTimeoutMs: 15_000,
      statisticsIntervalMs: 5000,
      fetchWaitMaxMs: 500,
    });
    expect(kafkaClientProfile(other).stallDetector).toEqual({
      socketTimeoutMs: 20_000,
      statisticsIntervalMs: 1000,
      fetchWaitMaxMs: 500,
    });
  });

  test("takes other properties, for producers and consumers; what is only for producers stays theirs", () => {
    const { librdkafka, librdkafkaConsumer, java } = kafkaClientProfile({
      consumerGroup: "shop",
      librdkafkaOverrides: { "linger.ms": "20", "message.timeout.ms": "300000", debug: "broker" },
      javaOverrides: { "linger.ms": "5" },
    });
    expect(librdkafka).toMatchObject({ "linger.ms": "20", "message.timeout.ms": "300000", debug: "broker" });
    expect(librdkafkaConsumer).toMatchObject({ debug: "broker" });
    expect(librdkafkaConsumer).not.toHaveProperty(["linger.ms"]);
    expect(java).toMatchObject({ "linger.ms": "5" });
  });

  test.each<["librdkafkaOverrides" | "javaOverrides", string, string, RegExp]>([
    ["librdkafkaOverrides", "socket.max.fails", "0", /must be 1, not "0": with 0 a connection to nothing is kept/],
    ["librdkafkaOverrides", "acks", "0", /must be all or -1, not "0"/],
    ["librdkafkaOverrides", "request.required.acks", "1", /must be all or -1, not "1"/],
    ["librdkafkaOverrides", "message.timeout.ms", "30000", /844 messages/],
    ["librdkafkaOverrides", "delivery.timeout.ms", "0", /from 120000/],
    ["librdkafkaOverrides", "enable.idempotence", "false", /stored twice/],
    ["librdkafkaOverrides", "retries", "0", /given up although there is time left/],
    ["librdkafkaOverrides", "statistics.interval.ms", "0", /nothing else shows a stalled connection/],
    ["librdkafkaOverrides", "socket.timeout.ms", "300000", /follows from deadBrokerTimeoutSeconds/],
    ["librdkafkaOverrides", "socket.connection.setup.timeout.ms", "30000", /old address/],
    ["librdkafkaOverrides", "topic.metadata.refresh.interval.ms", "-1", /new leaders/],
    ["librdkafkaOverrides", "max.in.flight", "6", /idempotence allows no more/],
    ["librdkafkaOverrides", "queue.buffering.max.messages", "10", /follows from messagesPerSecond/],
    ["librdkafkaOverrides", "linger.ms\nacks", "0", /must be the name of a property/],
    ["librdkafkaOverrides", "linger.ms", "1\nacks=0", /must be one line/],
    ["javaOverrides", "acks", "1", /must be all or -1/],
    ["javaOverrides", "delivery.timeout.ms", "30000", /from 120000/],
    ["javaOverrides", "request.timeout.ms", "60000", /follows from deadBrokerTimeoutSeconds/],
    ["javaOverrides", "retries", "0", /given up/],
    ["javaOverrides", "max.block.ms", "0", /send\(\) itself hangs/],
    ["javaOverrides", "metadata.max.age.ms", "300000", /new leaders/],
    ["javaOverrides", "group.id", "x", /follows from consumerGroup/],
  ])("%s: %s=%s is refused", (argument, name, value, message) => {
    const make = () => kafkaClientProfile({ [argument]: { [name]: value } });
    expect(make).toThrow(`\n  - ${argument}["${name}"]: `);
    expect(make).toThrow(message);
  });

  test.each<[object, RegExp]>([
    [{ deadBrokerTimeoutSeconds: "15" }, /- deadBrokerTimeoutSeconds: must be a number, not the text "15"/],
    [{ messagePerSecond: 5 }, /- messagePerSecond: isn't an argument: write messagesPerSecond/],
    [{ overrides: {} }, /- overrides: isn't an argument: write librdkafkaOverrides or javaOverrides/],
    [{ librdkafkaOverrides: { "linger.ms": 5 } }, /- librdkafkaOverrides\["linger.ms"\]: must be text, in quotes/],
    [{ consumerGroup: "a b" }, /- consumerGroup: must be letters/],
  ])("refuses %j of a program without types", (args, message) => {
    expect(() => kafkaClientProfile(args as KafkaClientProfileArgs)).toThrow(message);
  });
});
