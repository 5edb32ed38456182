import type * as k8s from "@pulumi/kubernetes";
import type { RolePlan } from "./plan";
import { gracePeriodSeconds, minReadySeconds } from "./pod-template";

type StatefulSetSpec = k8s.types.input.apps.v1.StatefulSetSpec;

/** What one role's StatefulSet is made of. */
export interface StatefulSetInputs {
  readonly rolePlan: RolePlan;
  readonly storageClassName: string;
  readonly retainVolumes: boolean;
  readonly template: k8s.types.input.core.v1.PodTemplateSpec;
}

/** The StatefulSet of one role. */
export function statefulSetSpec(inputs: StatefulSetInputs): StatefulSetSpec {
  const { rolePlan } = inputs;
  return {
    serviceName: rolePlan.headlessName,
    replicas: rolePlan.replicas,
    // One after the other they would wait for ever: the first is ready only when a majority of controllers answers.
    podManagementPolicy: "Parallel",
    updateStrategy: { type: "RollingUpdate" },
    minReadySeconds,
    ordinals: { start: rolePlan.firstId },
    selector: { matchLabels: rolePlan.labels },
    // A broker that is taken away and put back finds its messages, even where a destroy deletes everything.
    persistentVolumeClaimRetentionPolicy: {
      whenDeleted: inputs.retainVolumes ? "Retain" : "Delete",
      whenScaled: "Retain",
    },
    template: inputs.template,
    volumeClaimTemplates: [
      {
        metadata: { name: "data", labels: rolePlan.labels },
        spec: {
          accessModes: ["ReadWriteOnce"],
          storageClassName: inputs.storageClassName,
          resources: { requests: { storage: `${rolePlan.storageGiB}Gi` } },
        },
      },
    ],
  };
}

/** Minutes that a first start may take: what the startup probe allows, and a little for nodes and volumes. */
const firstStart = 35;

/** Minutes in which a pod is on another node with its volume and serves again; measured up to two, unclean stops take longer. */
const podReturn = 4;

/** How long Pulumi waits. A rollout replaces one pod at a time: each leaves, returns, and must then have been ready for a while. */
export function timeouts({ replicas }: RolePlan): { create: string; update: string; delete: string } {
  const onePod = (gracePeriodSeconds + minReadySeconds) / 60 + podReturn;
  return {
    create: `${firstStart}m`,
    update: `${Math.max(firstStart, Math.ceil(onePod * replicas))}m`,
    // All at once; the rest is for letting go of the volumes.
    delete: `${gracePeriodSeconds / 60 + 9}m`,
  };
}
