import type * as pulumi from "@pulumi/pulumi";
import { corrected, type KnownArguments } from "../internal/arguments";
import { confined, imageProblem } from "../internal/kubernetes";
import { fields, late, number, required, text } from "../internal/shapes";
import { Problems } from "../internal/validate";
import type { KafkaStallDetector, KafkaStallDetectorArgs } from "./stall-detector-args";
import { stallSidecarScript } from "./stall-sidecar-script";

const known: KnownArguments<KafkaStallDetectorArgs> = {
  shapes: {
    options: fields({
      socketTimeoutMs: required(number),
      statisticsIntervalMs: required(number),
      fetchWaitMaxMs: required(number),
    }),
    userId: number,
    image: late(text),
    port: number,
    directory: text,
    directorySizeMiB: number,
  },
  missing: { options: "is missing: write kafkaClientProfile(...).stallDetector" },
  standIns: { options: { socketTimeoutMs: 15_000, statisticsIntervalMs: 5000, fetchWaitMaxMs: 500 } },
  elsewhere: { profile: "isn't an argument: write options: profile.stallDetector" },
};

const script = "kafka-stall.cjs";
const programFolder = "/opt/kafka-stall";

/** Label of pods that serve the detector's metrics. */
const label = "moorings.dev/kafka-stall-detector";

/**
 * A container beside a Kafka client that reads its statistics and serves which broker takes requests and doesn't answer, to Prometheus: the
 * client's own errors don't say it. It passes the Pod Security Standard `restricted`, needs no image but Node's, and 64 MiB.
 *
 *     const profile = kafkaClientProfile({ messagesPerSecond: 100 });
 *     const detector = kafkaStallDetector("shop-stall", { options: profile.stallDetector });
 *     const program = new k8s.core.v1.ConfigMap("shop-stall", { metadata: { name: "shop-stall", namespace }, data: detector.files });
 *     // pod: labels ...detector.podLabels, initContainers [detector.container], volumes [...detector.volumes]
 *     // application: volumeMounts [...detector.volumeMounts], env [...detector.env]
 *
 * The application appends each statistics document as one line to `$KAFKA_STALL_DIRECTORY/<name>.jsonl` (docs/kafka-clients.md).
 *
 * @param configMapName name of the ConfigMap that you make of `files`, in the pods' namespace.
 */
export function kafkaStallDetector(
  configMapName: pulumi.Input<string>,
  given: KafkaStallDetectorArgs,
): KafkaStallDetector {
  const problems = new Problems("kafkaStallDetector");
  const args = corrected(problems, given, known);
  const { options, userId = 1000, port = 9405, directory = "/var/run/kafka-stall", directorySizeMiB = 64 } = args;
  const whole = (value: number, argument: string, least: number, most: number, because: string) =>
    problems.unless(
      Number.isInteger(value) && value >= least && value <= most,
      argument,
      `must be a whole number from ${least} to ${most}, not ${value}${because}`,
    );
  whole(userId, "userId", 1, 65_535, ": that of the application's container, which isn't root");
  whole(port, "port", 1024, 65_535, "");
  whole(directorySizeMiB, "directorySizeMiB", 16, 1024, "");
  whole(options.socketTimeoutMs, "options.socketTimeoutMs", 1000, 300_000, "");
  whole(
    options.statisticsIntervalMs,
    "options.statisticsIntervalMs",
    1000,
    15_000,
    ": in a longer time a stall comes and goes unseen",
  );
  whole(options.fetchWaitMaxMs, "options.fetchWaitMaxMs", 1, 300_000, "");
  problems.unless(
    /^(\/[A-Za-z0-9._-]+)+$/.test(directory) && directory !== programFolder,
    "directory",
    `must be an absolute path such as /var/run/kafka-stall, and not ${programFolder}, which the program is in; not "${directory}"`,
  );
  const image = problems.input(args.image ?? "node:24.11.1-alpine3.22", "image", imageProblem);
  problems.throwIfAny();

  const statistics = { name: "kafka-stall", mountPath: directory };
  const ask = { httpGet: { path: "/health", port } };
  return {
    files: { [script]: stallSidecarScript },
    container: {
      name: "kafka-stall",
      image,
      restartPolicy: "Always",
      command: ["node", `${programFolder}/${script}`],
      env: Object.entries({
        STALL_DIRECTORY: directory,
        STALL_PORT: port,
        STALL_SOCKET_TIMEOUT_MS: options.socketTimeoutMs,
        STALL_STATISTICS_INTERVAL_MS: options.statisticsIntervalMs,
        STALL_FETCH_WAIT_MAX_MS: options.fetchWaitMaxMs,
        // Node takes what it can get otherwise, and is killed at the limit.
        NODE_OPTIONS: "--max-old-space-size=40",
      }).map(([name, value]) => ({ name, value: String(value) })),
      ports: [{ name: "kafka-stall", containerPort: port, protocol: "TCP" }],
      resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { memory: "96Mi" } },
      // The application doesn't wait for it to be ready, only until it has started.
      livenessProbe: { ...ask, periodSeconds: 30, timeoutSeconds: 5, failureThreshold: 4 },
      securityContext: {
        runAsNonRoot: true,
        runAsUser: userId,
        ...confined,
        seccompProfile: { type: "RuntimeDefault" },
      },
      volumeMounts: [statistics, { name: "kafka-stall-program", mountPath: programFolder, readOnly: true }],
    },
    volumes: [
      { name: "kafka-stall", emptyDir: { sizeLimit: `${directorySizeMiB}Mi` } },
      { name: "kafka-stall-program", configMap: { name: configMapName } },
    ],
    volumeMounts: [statistics],
    env: [{ name: "KAFKA_STALL_DIRECTORY", value: directory }],
    podLabels: { [label]: "true" },
    port,
  };
}
