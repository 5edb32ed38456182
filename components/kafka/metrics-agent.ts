import type * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { confined, imageProblem } from "../internal/kubernetes";
import { namespaceProblem } from "../internal/object-names";
import type { Problems } from "../internal/validate";
import type { KafkaMetricsArgs } from "./metrics-args";
import { serverFiles } from "./server-files";

/**
 * The image of Kafka 4.3.1 by Strimzi, for amd64 and arm64. It has the exporter in the folder of `defaultJarPath`, whose script starts Kafka with it.
 */
const defaultImage = "quay.io/strimzi/kafka@sha256:e90a1a74af4226f3ca4d1ebef3ab13bdb09754ae17ca4c1444f7fcbb0ca8ea9a";
const defaultJarPath = "/opt/prometheus-jmx-exporter/jmx_prometheus_javaagent-*.jar";

/** Where metrics are read. */
export const metricsPort = 9404;

const folder = "/mnt/kafka/agent";
/** The agent in the pods, whatever its version. */
export const agentJar = `${folder}/jmx_prometheus_javaagent.jar`;

/** What the pods need to show metrics. */
export interface MetricsPlan {
  readonly image: pulumi.Input<string>;
  readonly jarPath: string;
  /** Of the pod that reads certificates. */
  readonly probeImage: pulumi.Input<string>;
  readonly namespaces: pulumi.Input<string>[];
}

/** Applies defaults and checks; nothing where metrics aren't wanted. */
export function planMetrics(args: KafkaMetricsArgs, problems: Problems): MetricsPlan | undefined {
  const { jarPath = defaultJarPath, namespaces = ["kube-system"] } = args;
  const image = problems.input(
    args.image ?? defaultImage,
    "metrics.image",
    (known) =>
      imageProblem(known) ??
      (/@sha256:[0-9a-f]{64}$/.test(known)
        ? undefined
        : `must end in its digest, as in "registry.acme.io/jmx-exporter@sha256:...", not be "${known}": what it has runs inside of every broker`),
  );
  problems.unless(
    /^\/[A-Za-z0-9._/*-]+\.jar$/.test(jarPath),
    "metrics.jarPath",
    `must be the path of a .jar (letters, digits, "/", ".", "_", "-" and "*"), not "${jarPath}"`,
  );
  const probeImage = problems.input(args.probeImage ?? "node:24-alpine", "metrics.probeImage", imageProblem);
  problems.unless(namespaces.length > 0, "metrics.namespaces", "names nobody: leave it out, or write enabled: false");
  const checked = namespaces.map((namespace, index) =>
    problems.input(namespace, `metrics.namespaces[${index}]`, namespaceProblem),
  );
  return args.enabled === false ? undefined : { image, jarPath, probeImage, namespaces: checked };
}

/** Option of the JVM. Tools that run in the same container must not have it: the port is taken. */
export const agentOption = `-javaagent:${agentJar}=${metricsPort}:${serverFiles.folder}/${serverFiles.metrics}`;

/** Copies the agent before Kafka starts. */
export function agentContainer(plan: MetricsPlan): k8s.types.input.core.v1.Container {
  return {
    name: "metrics-agent",
    image: plan.image,
    // No quotes: the shell finds the file. More than one is an error of cp.
    command: ["/bin/sh", "-c", `cp ${plan.jarPath} ${agentJar}`],
    resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { memory: "64Mi" } },
    securityContext: confined,
    volumeMounts: [{ name: agentVolume.name, mountPath: folder }],
  };
}

/** Where the agent is copied to. */
export const agentVolume: k8s.types.input.core.v1.Volume = { name: "metrics-agent", emptyDir: { sizeLimit: "64Mi" } };
export const agentMount = { name: "metrics-agent", mountPath: folder, readOnly: true };
