import * as k8s from "@pulumi/kubernetes";
import { KafkaCluster, kafkaClientProfile, KafkaTopic, KafkaTopicAccess } from "../../components/kafka";
import { run } from "../../test/support/harness";
import type { KubernetesObject } from "../apiserver/api-client";
import { kubernetesObjects } from "../apiserver/objects";
import { certificateState } from "./certificates";

/** The topic of all scenarios: their messages have names of their own. */
export const topic = { name: "lab-orders", partitions: 24 };

/** Where clients find their Secret, as their pods would. */
export const credentialsDirectory = "/mnt/kafka/client";

/** Messages per second of one producer. */
export const rate = 100;

/** What the components make, and what they say to clients. */
export interface Rendered {
  readonly objects: readonly KubernetesObject[];
  readonly bootstrapServers: string;
  readonly clientSecretName: string;
  readonly profile: ReturnType<typeof kafkaClientProfile>;
}

/** Runs the components; memory is the least that they take. */
export async function rendered(): Promise<Rendered> {
  const { outputs, resources, errors } = await run(
    () => {
      const providers = [new k8s.Provider("cluster", { kubeconfig: "{}" })];
      const kafka = new KafkaCluster(
        "kafka",
        {
          namespace: "kafka",
          clusterId: "Zr0kq3mWQx6bT7vJc2LhNA",
          brokerResources: { cpu: "500m", memoryMiB: 768 },
          controllerResources: { cpu: "250m", memoryMiB: 512 },
          clients: {
            lab: {
              namespace: "lab",
              topics: { [topic.name]: [KafkaTopicAccess.Produce, KafkaTopicAccess.Consume] },
              consumerGroups: ["lab-*"],
            },
          },
        },
        { providers },
      );
      new KafkaTopic(
        "topic",
        { kafka: kafka.ref, topicName: topic.name, partitions: topic.partitions },
        { providers, dependsOn: [kafka] },
      );
      return { bootstrapServers: kafka.bootstrapServers, secrets: kafka.clientSecretNames };
    },
    { state: certificateState },
  );
  if (errors[0] !== undefined) throw errors[0];
  return {
    objects: kubernetesObjects(resources),
    bootstrapServers: outputs!.bootstrapServers,
    clientSecretName: outputs!.secrets["lab"]!,
    profile: kafkaClientProfile({ messagesPerSecond: rate, credentialsDirectory }),
  };
}
