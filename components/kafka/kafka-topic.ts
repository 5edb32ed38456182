import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../internal/arguments";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { Problems } from "../internal/validate";
import { adminJob } from "./admin-job";
import type { KafkaTopicArgs } from "./kafka-topic-args";
import { topicArguments } from "./topic-arguments";
import { planTopic } from "./topic-plan";
import { topicScript } from "./topic-script";

/**
 * A topic, kept by a job of the cluster's administrator: it makes the topic, adds partitions and changes settings, whenever the arguments do.
 *
 *     const orders = new KafkaTopic("orders", { kafka: kafka.ref, partitions: 12 }, { dependsOn: [kafka], providers: [provider] });
 *
 * Who may use it is said where clients are: `KafkaCluster.clients`. Let clients depend on the topic: topics are never made by accident.
 *
 * The topic outlives this component, and its name: messages aren't deleted by a line of code. To delete one: `kafka-topics.sh --delete`.
 */
export class KafkaTopic extends pulumi.ComponentResource {
  /** Name of the topic. Plain. */
  public readonly topicName: string;

  constructor(name: string, args: KafkaTopicArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KafkaTopic", name, args, opts);
    const problems = new Problems("KafkaTopic", name);
    requireKubernetesProvider(this, problems);
    const plan = planTopic(name, corrected(problems, args, topicArguments), problems);
    problems.throwIfAny();

    adminJob(
      `${name}-job`,
      {
        kafka: plan.kafka,
        script: topicScript,
        scriptArguments: [plan.topicName, plan.partitions, plan.replicationFactor, plan.settings],
      },
      { parent: this },
    );
    this.topicName = plan.topicName;
    this.registerOutputs({ topicName: this.topicName });
  }
}
