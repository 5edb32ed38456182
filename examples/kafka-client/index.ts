import * as k8s from "@pulumi/kubernetes";
import { kafkaClientProfile, kafkaStallDetector } from "../../index";
import { image, kafka, topic } from "./platform";

/*
 * The first client of the Kafka outage, put right: app/orders.py is the service, this is its deployment. README.md says what changed.
 */

const provider = new k8s.Provider("shop", { context: "shop" });
const namespace = new k8s.core.v1.Namespace("shop", { metadata: { name: "shop" } }, { provider });
const metadata = { namespace: namespace.metadata.name };
const labels = { app: "orders" };
const port = 8080;
/** Of the image. */
const userId = 1000;
const folders = { profile: "/etc/kafka-profile", certificate: "/etc/kafka-client" };

const profile = kafkaClientProfile({
  clientId: "orders",
  messagesPerSecond: 100,
  credentialsDirectory: folders.certificate,
});
const settings = new k8s.core.v1.ConfigMap("orders-profile", { metadata, data: profile.files }, { provider });

const stallName = "orders-stall-detector";
const detector = kafkaStallDetector(stallName, { options: profile.stallDetector, userId });
const program = new k8s.core.v1.ConfigMap(
  stallName,
  { metadata: { ...metadata, name: stallName }, data: detector.files },
  { provider },
);

new k8s.apps.v1.Deployment(
  "orders",
  {
    metadata,
    spec: {
      replicas: 2,
      selector: { matchLabels: labels },
      template: {
        metadata: {
          labels: { ...labels, ...kafka.clientPodLabels, ...detector.podLabels },
          // librdkafka reads its certificate once: a renewed one must start it anew.
          annotations: { "moorings.dev/certificate-checksum": kafka.clientChecksum },
        },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          // flush() has 40 seconds of it.
          terminationGracePeriodSeconds: 60,
          securityContext: {
            ...profile.podSecurityContext,
            runAsNonRoot: true,
            runAsUser: userId,
            runAsGroup: userId,
            fsGroup: userId,
            seccompProfile: { type: "RuntimeDefault" },
          },
          initContainers: [detector.container],
          containers: [
            {
              name: "orders",
              image,
              ports: [{ containerPort: port }],
              env: [
                { name: "PORT", value: String(port) },
                { name: "KAFKA_BOOTSTRAP_SERVERS", value: kafka.bootstrapServers },
                { name: "KAFKA_TOPIC", value: topic },
                { name: "KAFKA_PROFILE", value: `${folders.profile}/profile.json` },
                ...detector.env,
              ],
              readinessProbe: { httpGet: { path: "/healthz", port } },
              // The queue's bytes (queue.buffering.max.kbytes, 26 MiB), twice, and Python.
              resources: { requests: { cpu: "100m", memory: "192Mi" }, limits: { memory: "192Mi" } },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                capabilities: { drop: ["ALL"] },
              },
              volumeMounts: [
                { name: "profile", mountPath: folders.profile, readOnly: true },
                { name: "certificate", mountPath: folders.certificate, readOnly: true },
                ...detector.volumeMounts,
              ],
            },
          ],
          volumes: [
            { name: "profile", configMap: { name: settings.metadata.name } },
            { name: "certificate", secret: { secretName: kafka.clientSecretName } },
            ...detector.volumes,
          ],
        },
      },
    },
  },
  // Pods wait for the program.
  { provider, dependsOn: [program] },
);
