import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { kafkaClientProfile, type KafkaCluster, type KafkaTopic } from "../components";

/** What the demo producer is made of. */
interface DemoProducer {
  kafka: KafkaCluster;
  topic: KafkaTopic;
  /** Its name among the clients of the Kafka cluster, by which it has a certificate. */
  client: string;
  image: string;
  namespace: pulumi.Input<string>;
  provider: k8s.Provider;
}

const messagesPerSecond = 10;
const configFolder = "/etc/moorings/client";
const certificateFolder = "/etc/moorings/certificate";
const clientConfig = "java.properties";

/** Kafka's own tools start a JVM with what is in this variable. */
const toolEnvironment = [
  { name: "LOG_DIR", value: "/tmp" },
  { name: "KAFKA_HEAP_OPTS", value: "-Xms64m -Xmx128m" },
];

/**
 * A producer that writes increasing numbers with the client profile: kill a broker's node, and its log shows every number
 * acknowledged, the slowest after about 15 seconds. It needs no image but Kafka's.
 */
export function demoProducer(name: string, demo: DemoProducer): void {
  const { kafka, topic, client, image, namespace, provider } = demo;
  const profile = kafkaClientProfile({ messagesPerSecond, credentialsDirectory: certificateFolder });
  const config = new k8s.core.v1.ConfigMap(name, { metadata: { namespace }, data: profile.files }, { provider });

  const labels = { "app.kubernetes.io/name": "demo-producer" };
  const container = (command: string[], extra: pulumi.Input<k8s.types.input.core.v1.EnvVar>[] = []) => ({
    image,
    command,
    env: [...toolEnvironment, ...extra],
    resources: { requests: { cpu: "50m", memory: "320Mi" }, limits: { memory: "320Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [
      { name: "config", mountPath: configFolder, readOnly: true },
      { name: "certificate", mountPath: certificateFolder, readOnly: true },
      { name: "tmp", mountPath: "/tmp" },
    ],
  });
  const tool = (script: string, ...rest: string[]) => [`/opt/kafka/bin/${script}`, ...rest];
  const connection = [
    "--bootstrap-server",
    "$(BOOTSTRAP_SERVERS)",
    "--command-config",
    `${configFolder}/${clientConfig}`,
  ];
  const bootstrap = { name: "BOOTSTRAP_SERVERS", value: kafka.bootstrapServers };

  new k8s.apps.v1.Deployment(
    name,
    {
      metadata: { namespace },
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        template: {
          metadata: {
            labels: { ...labels, ...kafka.clientPodLabels },
            // A JVM reads its certificate once: a renewed one must start it anew.
            annotations: { "moorings.dev/certificate-checksum": kafka.clientChecksums[client]! },
          },
          spec: {
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            securityContext: {
              ...profile.podSecurityContext,
              runAsNonRoot: true,
              runAsUser: 1000,
              runAsGroup: 1000,
              fsGroup: 1000,
              seccompProfile: { type: "RuntimeDefault" },
            },
            containers: [
              {
                name: "producer",
                ...container(
                  tool(
                    "kafka-verifiable-producer.sh",
                    ...connection,
                    "--topic",
                    topic.topicName,
                    "--throughput",
                    String(messagesPerSecond),
                  ),
                  [bootstrap, { name: "KAFKA_OPTS", value: profile.jvmArguments.join(" ") }],
                ),
              },
            ],
            volumes: [
              { name: "config", configMap: { name: config.metadata.name } },
              { name: "certificate", secret: { secretName: kafka.clientSecretNames.apply((names) => names[client]!) } },
              { name: "tmp", emptyDir: {} },
            ],
          },
        },
      },
    },
    // Its pods wait for a broker that answers.
    { provider, dependsOn: [kafka, topic] },
  );
}
