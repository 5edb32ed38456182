import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { checkedLabels } from "../internal/labels";
import { Problems } from "../internal/validate";
import { deleteMinutes, NodePoolProfile, planDisruption, profileLabel } from "./disruption";
import { nodeClassSpec } from "./node-class";
import { nodeLabelProblem } from "./node-labels";
import type { KarpenterNodePoolArgs } from "./node-pool-args";
import { nodePoolProblems } from "./node-pool-checks";
import { nodePoolSpec } from "./node-pool-spec";
import { TaintEffect, tolerationsOf, type NodeTaint, type NodeToleration } from "./taints";

/**
 * Makes Pulumi wait for the object's condition. Karpenter tries a dry run with AWS first, so a wrong role, image or group fails the
 * update that brought it.
 */
const waitForReady = { "pulumi.com/waitFor": "condition=Ready" };

/**
 * A kind of nodes that Karpenter makes: a NodePool and its EC2NodeClass.
 *
 *     const pool = new KarpenterNodePool("web", {
 *       cluster: cluster.ref, nodeRoleName: karpenter.nodeRoleName, subnetIds, profile: NodePoolProfile.Stateless,
 *       amiAlias: "al2023@v20240703", limits: { cpu: "200", memory: "800Gi" },
 *     }, { dependsOn: [karpenter], providers: [kubernetes] });
 *
 * `dependsOn` the `Karpenter` is needed: on destroy Pulumi deletes the pool and waits until its nodes are gone, which only a running
 * Karpenter can see to. Let workloads on the pool depend on it in turn.
 *
 * Changes of labels, taints, image, user data, tags, expiry and grace replace the nodes, as budgets allow; changes of budgets, freeze
 * windows, limits and weight don't.
 */
export class KarpenterNodePool extends pulumi.ComponentResource {
  /** Name of the NodePool. Plain, never unknown. */
  public readonly poolName: string;
  /** Name of the EC2NodeClass. Plain, never unknown. */
  public readonly nodeClassName: string;
  /** Node selector of pods that must run in this pool. */
  public readonly nodeSelector: Record<string, string>;
  /** Tolerations that pods need to run in this pool. */
  public readonly tolerations: NodeToleration[];

  constructor(name: string, args: KarpenterNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KarpenterNodePool", name, args, opts);
    const poolName = args.poolName ?? name;
    const problems = new Problems("KarpenterNodePool", name);
    requireKubernetesProvider(this, problems);
    nodePoolProblems(problems, poolName, args);
    const plan = planDisruption(args, problems);
    const classSpec = nodeClassSpec(problems, args);
    const labels = args.labels && checkedLabels(problems, "labels", args.labels, nodeLabelProblem);
    problems.throwIfAny();

    const stateful = args.profile === NodePoolProfile.Stateful;
    const taints = args.taints ?? (stateful ? [ownTaint(poolName)] : []);
    const options = {
      parent: this,
      // Undefined leaves the decision to the component's own options.
      protect: args.protect ?? (stateful ? true : undefined),
      // The provider waits until the nodes are gone. Ten minutes, its default, are too few to drain one.
      customTimeouts: { create: "15m", update: "15m", delete: `${deleteMinutes(plan.terminationGracePeriod)}m` },
    };
    const metadata = { name: poolName, annotations: waitForReady, labels: { [profileLabel]: args.profile } };

    const nodeClass = new k8s.apiextensions.CustomResource(
      `${name}-class`,
      { apiVersion: "karpenter.k8s.aws/v1", kind: "EC2NodeClass", metadata, spec: classSpec },
      options,
    );
    new k8s.apiextensions.CustomResource(
      `${name}-pool`,
      {
        apiVersion: "karpenter.sh/v1",
        kind: "NodePool",
        metadata,
        spec: nodePoolSpec({ ...args, labels }, plan, poolName, taints),
      },
      { ...options, dependsOn: [nodeClass] },
    );

    this.poolName = poolName;
    this.nodeClassName = poolName;
    this.nodeSelector = { "karpenter.sh/nodepool": poolName };
    this.tolerations = tolerationsOf(taints);
    this.registerOutputs({
      poolName: this.poolName,
      nodeClassName: this.nodeClassName,
      nodeSelector: this.nodeSelector,
      tolerations: this.tolerations,
    });
  }
}

/** Keeps everything off the pool that doesn't ask for it: a stray pod would keep a node that should go. */
function ownTaint(poolName: string): NodeTaint {
  return { key: "moorings.dev/node-pool", value: poolName, effect: TaintEffect.NoSchedule };
}
