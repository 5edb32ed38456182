import type { PolicyResource } from "@pulumi/policy";
import { isUnknown } from "../../lib/known";
import { isPatch, itemsAt, nameOf } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { typeOf } from "../../lib/tokens";
import { kafkaStackRule, type KafkaSetInStack } from "./kafka-rule";

const defaultClass = "storageclass.kubernetes.io/is-default-class";

/** A volume that is made first picks a zone by itself, and its pod has to follow, wherever the spread wanted it. */
export const kafkaVolumesWaitForTheirPod = kafkaStackRule<object>({
  name: "kafka-volumes-wait-for-their-pod",
  displayName: "Kafka's volumes are made where their pods go",
  description:
    "The storage class of Kafka's volumes must wait for the first consumer: bound at once (the default), a volume picks a zone before the pod has " +
    "one, the spread over zones is undone, and pods stay Pending when that zone has no fitting node.",
  severity: "high",
  tags: ["kafka", "availability"],
  remediationSteps: `Let the class wait:

\`\`\`ts
new kubernetes.storage.v1.StorageClass("kafka", {
  metadata: { name: "kafka" },
  provisioner: "ebs.csi.aws.com",
  parameters: { type: "gp3", encrypted: "true" },
  volumeBindingMode: "WaitForFirstConsumer",
  reclaimPolicy: "Retain",
  allowVolumeExpansion: true,
});
\`\`\`

Kubernetes lets nobody change the mode of a class: make one with another name. The class is only looked at if it is in the same stack.`,
  configSchema: { properties: {} },
  check: ({ sets, resources, report, undecided }) => {
    const classes = resources.filter((r) => typeOf(r.type) === "kubernetes:storage.k8s.io:StorageClass" && !isPatch(r));
    for (const set of sets)
      for (const storageClass of classes.filter((c) => provides(c, set))) {
        const mode = valueAt(storageClass.props, ["volumeBindingMode"]);
        if (isUnknown(mode)) undecided.add(mode, set.object, storageClass.name);
        else if (mode !== "WaitForFirstConsumer")
          report(
            `The volumes of "${set.object.name}" are of the StorageClass "${storageClass.name}", which binds them before their pods have a zone. Write volumeBindingMode: "WaitForFirstConsumer".`,
            set.object.urn,
          );
      }
  },
});

/** Whether a set claims volumes of this class: by name, because its name came from there, or as the cluster's default. */
function provides(storageClass: PolicyResource, { object }: KafkaSetInStack): boolean {
  const name = nameOf(storageClass);
  return itemsAt(object.props, ["spec", "volumeClaimTemplates"]).some((claim) => {
    if (isUnknown(claim)) return cameFrom(object, "spec", storageClass);
    const wanted = stringAt(claim, ["spec", "storageClassName"]);
    if (wanted === undefined) return isDefault(storageClass);
    return typeof wanted === "string" && typeof name === "string"
      ? wanted === name
      : cameFrom(object, "spec", storageClass);
  });
}

function isDefault(storageClass: PolicyResource): boolean {
  return valueAt(storageClass.props, ["metadata", "annotations", defaultClass]) === "true";
}
