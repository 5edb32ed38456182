import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { requireNameFits } from "../internal/names";
import { Problems } from "../internal/validate";
import type { DrainSafeDeploymentArgs } from "./deployment-args";
import { checkedDeployment, deploymentProblems } from "./deployment-checks";
import { drainTimes, scaleOf } from "./drain";
import { podTemplate } from "./pod-template";

/**
 * A Deployment whose pods can be moved at any time without a request being lost: nodes may be drained, consolidated and replaced
 * under it, and versions rolled out.
 *
 * Three things work together. A pod that leaves goes on serving until the load balancer has taken notice. No more than one pod
 * leaves at a time (PodDisruptionBudget), and a rollout adds before it takes away. And a new pod counts as ready only when the load
 * balancer itself finds it healthy: the readiness gate. Without the gate a rollout trusts the pod's own probe and can run ahead of
 * the load balancer, until no healthy target is left.
 *
 * The gate comes in two ways. `readinessGates` writes it into the pods, whatever else happens; it also makes this component wait for
 * the binding. Or the controller's webhook adds it: the namespace needs the label
 * `elbv2.k8s.aws/pod-readiness-gate-inject: enabled`, and Service and binding must exist before the pods (`dependsOn`). The webhook
 * is skipped when the controller doesn't answer, so prefer the first.
 */
export class DrainSafeDeployment extends pulumi.ComponentResource {
  /** Name of the Deployment, which Pulumi generates. */
  public readonly deploymentName: pulumi.Output<string>;
  /** Fewest pods: what the autoscaler keeps, or the fixed number. */
  public readonly minReplicas: number;

  constructor(name: string, args: DrainSafeDeploymentArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:DrainSafeDeployment", name, args, opts);
    const problems = new Problems("DrainSafeDeployment", name);
    requireKubernetesProvider(this, problems);
    // Pods carry the Deployment's name and eleven or more characters; their host name is cut at 63.
    requireNameFits(problems, "Kubernetes object", `${name}-deployment`);
    const scale = scaleOf(args, problems);
    const times = drainTimes(args, problems);
    deploymentProblems(problems, args);
    const inputs = checkedDeployment(problems, args);
    problems.throwIfAny();

    const child = { parent: this };
    const metadata = { namespace: inputs.namespace };
    const selector = { matchLabels: inputs.podLabels };
    const budget = new k8s.policy.v1.PodDisruptionBudget(
      `${name}-pdb`,
      {
        metadata,
        // Pods that never became ready must not hold up a drain: they serve nobody.
        spec: { maxUnavailable: 1, selector, unhealthyPodEvictionPolicy: "AlwaysAllow" },
      },
      child,
    );
    const deployment = new k8s.apps.v1.Deployment(
      `${name}-deployment`,
      {
        metadata,
        spec: {
          replicas: scale.min,
          selector,
          strategy: {
            type: "RollingUpdate",
            rollingUpdate: { maxUnavailable: 0, maxSurge: `${args.maxSurgePercent ?? 25}%` },
          },
          progressDeadlineSeconds: 600,
          template: podTemplate(inputs, times),
        },
      },
      {
        parent: this,
        // From the first pod to the last: a budget that comes later, or goes earlier, lets a drain take too many at once.
        dependsOn: [budget],
        customTimeouts: { create: "15m", update: "30m" },
        // With an autoscaler the number is its own: sent again, each update would throw the pods back to it. Ignored, the provider leaves the
        // field to whom it belongs, and what runs as it is (pulumi-kubernetes, await.go, `handleSSAIgnoreFields`).
        ignoreChanges: scale.autoscale === undefined ? [] : ["spec.replicas"],
      },
    );
    if (scale.autoscale !== undefined)
      new k8s.autoscaling.v2.HorizontalPodAutoscaler(
        `${name}-hpa`,
        {
          metadata,
          spec: {
            scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: deployment.metadata.name },
            minReplicas: scale.autoscale.min,
            maxReplicas: scale.autoscale.max,
            metrics: [
              {
                type: "Resource",
                resource: {
                  name: "cpu",
                  target: { type: "Utilization", averageUtilization: scale.autoscale.cpuPercent },
                },
              },
            ],
          },
        },
        child,
      );

    this.deploymentName = deployment.metadata.name;
    this.minReplicas = scale.min;
    this.registerOutputs({ deploymentName: this.deploymentName, minReplicas: this.minReplicas });
  }
}
