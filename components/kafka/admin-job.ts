import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { confined } from "../internal/kubernetes";
import type { KafkaRef } from "./kafka-ref";
import { adminLabels, secretKeys } from "./names";
import { kafkaUser } from "./pod-template";
import { propertiesFile } from "./properties-file";
import { peerCertificate } from "./server-properties";
import type { Tolerations } from "./tolerations";

/** Work of Kafka's administrator, as a job that runs once, and again whenever it changes. */
export interface AdminJob {
  readonly kafka: Omit<KafkaRef, "tolerations"> & { readonly tolerations?: Tolerations };
  /** Name of the job; its log is `kubectl logs job/<name>`. Defaults to one that Pulumi makes. */
  readonly jobName?: string;
  /**
   * Script for bash. It may run again at any time, after any part of an earlier run. Kafka's tools find `$BOOTSTRAP_SERVERS` and the file
   * `$ADMIN_PROPERTIES`, which lets them in.
   */
  readonly script: string;
  /** What the script finds as `$1` and so on. No secrets: everybody who may read jobs sees them. */
  readonly scriptArguments: pulumi.Input<string>[];
  /** Seconds that it may take. Defaults to a quarter of an hour. */
  readonly deadlineSeconds?: number;
}

const certificateFolder = "/mnt/kafka/admin";
const propertiesPath = "/tmp/admin.properties";

/** How the administrator connects: to the listener of the brokers, as one of them. */
const properties = propertiesFile({
  "security.protocol": "SSL",
  ...peerCertificate(`${certificateFolder}/${secretKeys.combined}`, `${certificateFolder}/${secretKeys.ca}`),
  "client.id": "moorings-admin",
  "default.api.timeout.ms": "60000",
});

const prelude = `set -euo pipefail
cat > "$ADMIN_PROPERTIES" <<'PROPERTIES'
${properties}PROPERTIES
`;

/**
 * Makes the job. Pulumi waits until it has succeeded, and shows the log of one that fails; Kubernetes tries three times more before.
 *
 * The script stands in the job itself: whatever is changed of it makes a new job, and `kubectl describe` shows what ran.
 */
export function adminJob(name: string, job: AdminJob, options: pulumi.CustomResourceOptions): k8s.batch.v1.Job {
  const { kafka, deadlineSeconds = 900 } = job;
  const wait = `${Math.ceil(deadlineSeconds / 60) + 5}m`;
  const { kafkaName, namespace } = kafka;
  return new k8s.batch.v1.Job(
    name,
    {
      metadata: { name: job.jobName, namespace },
      spec: {
        backoffLimit: 3,
        activeDeadlineSeconds: deadlineSeconds,
        template: {
          metadata: { labels: adminLabels(kafkaName) },
          spec: {
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
                command: ["/bin/bash", "-c", prelude + job.script, name, ...job.scriptArguments],
                env: [
                  { name: "BOOTSTRAP_SERVERS", value: kafka.adminServers },
                  { name: "ADMIN_PROPERTIES", value: propertiesPath },
                  { name: "LOG_DIR", value: "/tmp" },
                  { name: "KAFKA_HEAP_OPTS", value: "-Xms64m -Xmx128m" },
                ],
                resources: { requests: { cpu: "100m", memory: "320Mi" }, limits: { memory: "320Mi" } },
                securityContext: confined,
                volumeMounts: [
                  { name: "certificate", mountPath: certificateFolder, readOnly: true },
                  { name: "tmp", mountPath: "/tmp" },
                ],
              },
            ],
            volumes: [
              { name: "certificate", secret: { secretName: kafka.adminSecretName, defaultMode: 0o440 } },
              { name: "tmp", emptyDir: {} },
            ],
          },
        },
      },
    },
    { ...options, customTimeouts: { create: wait, update: wait, delete: "5m" } },
  );
}
