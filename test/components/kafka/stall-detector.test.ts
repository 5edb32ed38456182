import * as pulumi from "@pulumi/pulumi";
import { kafkaClientProfile, kafkaStallDetector, type KafkaStallDetectorArgs } from "../../../components/kafka";

const options = kafkaClientProfile().stallDetector;

describe("kafkaStallDetector", () => {
  test("a native sidecar that passes the Pod Security Standard `restricted`", () => {
    const { container, volumes, volumeMounts, env, podLabels, files, port } = kafkaStallDetector("stall", { options });
    expect(container).toMatchObject({
      name: "kafka-stall",
      image: "node:24.11.1-alpine3.22",
      restartPolicy: "Always",
      command: ["node", "/opt/kafka-stall/kafka-stall.cjs"],
      ports: [{ name: "kafka-stall", containerPort: 9405, protocol: "TCP" }],
      livenessProbe: { httpGet: { path: "/health", port: 9405 } },
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 1000,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
        seccompProfile: { type: "RuntimeDefault" },
      },
      volumeMounts: [
        { name: "kafka-stall", mountPath: "/var/run/kafka-stall" },
        { name: "kafka-stall-program", mountPath: "/opt/kafka-stall", readOnly: true },
      ],
    });
    expect(container.env).toEqual([
      { name: "STALL_DIRECTORY", value: "/var/run/kafka-stall" },
      { name: "STALL_PORT", value: "9405" },
      { name: "STALL_SOCKET_TIMEOUT_MS", value: "15000" },
      { name: "STALL_STATISTICS_INTERVAL_MS", value: "5000" },
      { name: "STALL_FETCH_WAIT_MAX_MS", value: "500" },
      { name: "NODE_OPTIONS", value: "--max-old-space-size=40" },
    ]);
    expect(volumes).toEqual([
      { name: "kafka-stall", emptyDir: { sizeLimit: "64Mi" } },
      { name: "kafka-stall-program", configMap: { name: "stall" } },
    ]);
    expect(volumeMounts).toEqual([{ name: "kafka-stall", mountPath: "/var/run/kafka-stall" }]);
    expect(env).toEqual([{ name: "KAFKA_STALL_DIRECTORY", value: "/var/run/kafka-stall" }]);
    expect(podLabels).toEqual({ "moorings.dev/kafka-stall-detector": "true" });
    expect(Object.keys(files)).toEqual(["kafka-stall.cjs"]);
    expect(port).toBe(9405);
  });

  test("other places, users, ports and images", () => {
    const image = pulumi.output("registry.example.com/node:22");
    const args = { options, directory: "/stats", userId: 65_532, port: 9500, directorySizeMiB: 16, image };
    const { container, volumes, volumeMounts, port } = kafkaStallDetector("stall", args);
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { port: 9500 } },
      securityContext: { runAsUser: 65_532 },
    });
    expect(volumes[0]).toEqual({ name: "kafka-stall", emptyDir: { sizeLimit: "16Mi" } });
    expect(volumeMounts).toEqual([{ name: "kafka-stall", mountPath: "/stats" }]);
    expect(port).toBe(9500);
  });

  test("refuses everything that is wrong at once, by name", () => {
    const wrong = {
      options: { socketTimeoutMs: 1.5, statisticsIntervalMs: 60_000, fetchWaitMaxMs: 0 },
      userId: 0,
      port: 80,
      directory: "stats",
      directorySizeMiB: 1,
      image: "no de",
    };
    const make = () => kafkaStallDetector("stall", wrong);
    for (const argument of [
      ...["socketTimeoutMs", "statisticsIntervalMs", "fetchWaitMaxMs"].map((name) => `options.${name}`),
      ...["userId", "port", "directory", "directorySizeMiB", "image"],
    ])
      expect(make).toThrow(`\n  - ${argument}: must be `);
  });

  test.each<[object, RegExp]>([
    [{}, /- options: is missing: write kafkaClientProfile/],
    [{ profile: {} }, /- profile: isn't an argument: write options: profile\.stallDetector/],
    [{ options: { socketTimeoutMs: "15000" } }, /- options\.socketTimeoutMs: must be a number/],
    [{ options, userId: "1000" }, /- userId: must be a number, not the text "1000"/],
    [{ options, directory: "/opt/kafka-stall" }, /- directory: .*which the program is in/],
  ])("refuses %j of a program without types", (args, message) => {
    expect(() => kafkaStallDetector("stall", args as KafkaStallDetectorArgs)).toThrow(message);
  });
});
