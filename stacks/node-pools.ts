import { TaintEffect } from "../components";

/*
 * The pools of nodes, and how workloads get onto them. Constants and not outputs: the layer of the workloads may be another stack
 * than the layer of the pools.
 */

/** Names of the node pools in Kubernetes. */
export const poolNames = { general: "general", kafka: "kafka" };

/** Kafka's pods select their pool and tolerate the taint that stateful pools have by default. */
export const onKafkaPool = {
  nodeSelector: { "karpenter.sh/nodepool": poolNames.kafka },
  tolerations: [
    { key: "moorings.dev/node-pool", operator: "Equal", value: poolNames.kafka, effect: TaintEffect.NoSchedule },
  ],
};

/** The EBS driver takes it off as soon as it can attach volumes: pods with volumes never meet a node that can't. */
export const withoutVolumes = { key: "ebs.csi.aws.com/agent-not-ready", effect: TaintEffect.NoExecute };

/** The longest termination grace period of the pods of each pool, in seconds: DrainSafeDeployment's and KafkaCluster's. */
export const podGraceSeconds = { general: 60, kafka: 360 };
