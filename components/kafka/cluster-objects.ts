import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { fixedOfStorageClass } from "../internal/storage-class";
import type { KafkaClusterArgs } from "./kafka-cluster-args";
import type { KafkaPlan } from "./plan";

/** What brokers and controllers share. */
export interface SharedObjects {
  readonly serviceAccountName: string;
  readonly storageClassName: string;
  readonly priorityClassName: string;
  readonly resources: pulumi.Resource[];
}

/** Above every workload without a class. Classes of users end at 1000000000; those of Kubernetes are above. */
const priority = 1_000_000;

/** Makes the service account, and the classes that weren't given. */
export function sharedObjects(
  name: string,
  plan: KafkaPlan,
  namespace: pulumi.Output<string>,
  args: Pick<KafkaClusterArgs, "storageClassName" | "priorityClassName">,
  parent: pulumi.Resource,
): SharedObjects {
  const { kafkaName } = plan;
  const { storageClassName = `${kafkaName}-data`, priorityClassName = kafkaName } = args;
  const resources: pulumi.Resource[] = [
    new k8s.core.v1.ServiceAccount(
      `${name}-account`,
      { metadata: { name: kafkaName, namespace }, automountServiceAccountToken: false },
      { parent },
    ),
  ];
  if (args.storageClassName === undefined)
    resources.push(
      new k8s.storage.v1.StorageClass(
        `${name}-storage`,
        {
          metadata: { name: storageClassName },
          provisioner: "ebs.csi.aws.com",
          parameters: { type: "gp3", encrypted: "true" },
          volumeBindingMode: "WaitForFirstConsumer",
          allowVolumeExpansion: true,
          reclaimPolicy: plan.retainVolumes ? "Retain" : "Delete",
        },
        // The name is taken until the old one is gone. Volumes and claims only name it, so nothing happens to them.
        { parent, replaceOnChanges: fixedOfStorageClass, deleteBeforeReplace: true },
      ),
    );
  if (args.priorityClassName === undefined)
    resources.push(
      new k8s.scheduling.v1.PriorityClass(
        `${name}-priority`,
        {
          metadata: { name: priorityClassName },
          value: priority,
          description: `Brokers and controllers of ${kafkaName}`,
        },
        // Kubernetes refuses another value. Pods keep the one that they were made with.
        { parent, replaceOnChanges: ["value"], deleteBeforeReplace: true },
      ),
    );
  return { serviceAccountName: kafkaName, storageClassName, priorityClassName, resources };
}
