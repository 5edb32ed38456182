import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { confined } from "../internal/kubernetes";
import type { KafkaRef } from "./kafka-ref";
import { adminLabels, secretKeys } from "./names";
import { kafkaUser } from "./pod-template";
import { propertiesFile } from "./properties-file";
import { peerCertificate } from "./server-properties";
import type { Tolerations } from "./tolerations";

/** A Secret that a script finds as files. */
export interface MountedSecret {
  readonly name: string;
  readonly mountPath: string;
  readonly secretName: string;
  /** Keys that become files. Defaults to all. */
  readonly keys?: string[];
}

/** Work of Kafka's administrator. */
export interface AdminWork {
  readonly kafka: Omit<KafkaRef, "tolerations"> & { readonly tolerations?: Tolerations };
  /**
   * Script for bash. It may run again at any time, after any part of an earlier run. `tool kafka-topics --list` runs one of Kafka's tools as the
   * administrator; the few with other options find `$BOOTSTRAP_SERVERS` and the file `$ADMIN_PROPERTIES`.
   */
  readonly script: string;
  /** What the script finds as `$1` and so on. No secrets: everybody who may read jobs sees them. */
  readonly scriptArguments: pulumi.Input<string>[];
  /** Further variables that the script finds, no secrets either. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly MountedSecret[];
  /** Seconds that it may take. Defaults to a quarter of an hour. */
  readonly deadlineSeconds?: number;
}

/** The same as a job that runs once, and again whenever it changes. */
export interface AdminJob extends AdminWork {
  /** Name of the job; its log is `kubectl logs job/<name>`. Defaults to one that Pulumi makes. */
  readonly jobName?: string;
}

/** Below it are certificates, in folders of whom they are. */
export const certificatesFolder = "/mnt/kafka";
const certificateFolder = `${certificatesFolder}/admin`;
const propertiesPath = "/tmp/admin.properties";

/** How the administrator connects: to the listener of the brokers, as one of them. */
const properties = propertiesFile({
  "security.protocol": "SSL",
  ...peerCertificate(`${certificateFolder}/${secretKeys.combined}`, `${certificateFolder}/${secretKeys.ca}`),
  "client.id": "moorings-admin",
  "default.api.timeout.ms": "60000",
});

const prelude = `set -euo pipefail
tool() { local name=$1; shift; "/opt/kafka/bin/$name.sh" --bootstrap-server "$BOOTSTRAP_SERVERS" --command-config "$ADMIN_PROPERTIES" "$@"; }
cat > "$ADMIN_PROPERTIES" <<'PROPERTIES'
${properties}PROPERTIES
`;

/** A pod that does such work once. It passes the "restricted" Pod Security Standard. */
export function adminPod(name: string, work: AdminWork): k8s.types.input.core.v1.PodSpec {
  const { kafka, environment = {}, volumes = [] } = work;
  return {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    restartPolicy: "Never", // each try keeps its log
    nodeSelector: kafka.nodeSelector,
    tolerations: kafka.tolerations,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: kafkaUser,
      runAsGroup: kafkaUser,
      fsGroup: kafkaUser,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [
      {
        name: "admin",
        image: kafka.image,
        command: ["/bin/bash", "-c", prelude + work.script, name, ...work.scriptArguments],
        env: [
          { name: "BOOTSTRAP_SERVERS", value: kafka.adminServers },
          { name: "ADMIN_PROPERTIES", value: propertiesPath },
          { name: "LOG_DIR", value: "/tmp" },
          { name: "KAFKA_HEAP_OPTS", value: "-Xms64m -Xmx128m" },
          ...Object.entries(environment).map(([variable, value]) => ({ name: variable, value })),
        ],
        resources: { requests: { cpu: "100m", memory: "320Mi" }, limits: { memory: "320Mi" } },
        securityContext: confined,
        volumeMounts: [
          { name: "certificate", mountPath: certificateFolder, readOnly: true },
          { name: "tmp", mountPath: "/tmp" },
          ...volumes.map((volume) => ({ name: volume.name, mountPath: volume.mountPath, readOnly: true })),
        ],
      },
    ],
    volumes: [
      { name: "certificate", secret: { secretName: kafka.adminSecretName, defaultMode: 0o440 } },
      { name: "tmp", emptyDir: {} },
      ...volumes.map(({ name: volume, secretName, keys }) => ({
        name: volume,
        secret: { secretName, defaultMode: 0o440, items: keys?.map((key) => ({ key, path: key })) },
      })),
    ],
  };
}

/**
 * Makes the job. Pulumi waits until it has succeeded, and shows the log of one that fails; Kubernetes tries three times more before.
 *
 * The script stands in the job itself: whatever is changed of it makes a new job, and `kubectl describe` shows what ran.
 */
export function adminJob(name: string, job: AdminJob, options: pulumi.CustomResourceOptions): k8s.batch.v1.Job {
  const { deadlineSeconds = 900 } = job;
  const wait = `${Math.ceil(deadlineSeconds / 60) + 5}m`;
  const { kafkaName, namespace } = job.kafka;
  return new k8s.batch.v1.Job(
    name,
    {
      metadata: { name: job.jobName, namespace },
      spec: {
        backoffLimit: 3,
        activeDeadlineSeconds: deadlineSeconds,
        template: { metadata: { labels: adminLabels(kafkaName) }, spec: adminPod(name, job) },
      },
    },
    { ...options, customTimeouts: { create: wait, update: wait, delete: "5m" } },
  );
}
