import type * as pulumi from "@pulumi/pulumi";
import { systemToleration } from "../internal/system-nodes";
import { awsGates, type KarpenterFeatureGates } from "./feature-gates";
import { KarpenterIdentity } from "./karpenter-args";
import { controllerName } from "./karpenter-versions";

/** What the values depend on. */
export interface ControllerSettings {
  readonly clusterName: string;
  readonly clusterEndpoint: pulumi.Input<string>;
  readonly queueName: pulumi.Input<string>;
  readonly identity: KarpenterIdentity;
  readonly roleArn: pulumi.Input<string>;
  readonly replicas: number;
  readonly isolatedVpc: boolean;
  readonly zonalShift: pulumi.Input<boolean>;
  readonly featureGates: KarpenterFeatureGates;
  readonly nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * Values of the chart. Each differs from the chart's default for the reason beside it. What isn't here is right by default: no two pods
 * on a node, spread over zones, never on Karpenter's own nodes, a disruption budget, system-cluster-critical, and dry runs that make a
 * node class `Ready` only when its permissions, groups and image work.
 */
export function controllerValues(settings: ControllerSettings) {
  const gates = Object.entries(settings.featureGates).filter(([, on]) => on !== undefined);
  const irsa = settings.identity === KarpenterIdentity.Irsa;
  const isAws = ([gate]: [string, boolean | undefined]) => (awsGates as readonly string[]).includes(gate);
  return {
    replicas: settings.replicas,
    serviceAccount: {
      create: true,
      name: controllerName,
      annotations: irsa ? { "eks.amazonaws.com/role-arn": settings.roleArn } : {},
    },
    // Helm adds these to the chart's own `kubernetes.io/os: linux`.
    nodeSelector: settings.nodeSelector,
    tolerations: [systemToleration],
    // Pods get their credentials, and the way to them, when they start: another role, or another way, must start them anew.
    podAnnotations: {
      "moorings.dev/role-arn": settings.roleArn,
      ...(irsa ? {} : { "moorings.dev/identity": settings.identity }),
    },
    controller: {
      // Upstream's own suggestion, but for its limit on CPU: throttled while many pods wait, Karpenter would make nodes late, which is
      // when they are needed. The request on CPU also sets its number of workers, the limit on memory its garbage collector.
      resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "1Gi" } },
    },
    settings: {
      clusterName: settings.clusterName,
      // One question less to AWS before it starts.
      clusterEndpoint: settings.clusterEndpoint,
      // Without a name interruptions go unnoticed until the node is gone.
      interruptionQueue: settings.queueName,
      eksControlPlane: true,
      enableZonalShift: settings.zonalShift,
      isolatedVPC: settings.isolatedVpc,
      featureGates: Object.fromEntries(gates.filter((gate) => !isAws(gate))),
      awsFeatureGates: Object.fromEntries(gates.filter(isAws)),
    },
  };
}
