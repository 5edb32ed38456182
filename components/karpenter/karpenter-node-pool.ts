import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../internal/arguments";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { checkedLabels } from "../internal/labels";
import { objectNameProblem } from "../internal/object-names";
import { Problems } from "../internal/validate";
import { deleteMinutes, NodePoolProfile, planDisruption, profileLabel } from "./disruption";
import { ownClassSpec } from "./node-class";
import { nodeLabelProblem } from "./node-labels";
import { classObject, poolObject } from "./node-objects";
import type { KarpenterNodePoolArgs } from "./node-pool-args";
import { nodePoolProblems } from "./node-pool-checks";
import { nodePoolSpec } from "./node-pool-spec";
import { nodePoolArguments } from "./node-shapes";
import { TaintEffect, tolerationsOf, type NodeTaint, type NodeToleration } from "./taints";

/**
 * A kind of nodes that Karpenter makes: a NodePool and its EC2NodeClass, or a NodePool of a `KarpenterNodeClass` that several share.
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
  /** Name of the EC2NodeClass: the pool's own, which other pools may name too, or the shared one. */
  public readonly nodeClassName: pulumi.Output<string>;
  /** Node selector of pods that must run in this pool. */
  public readonly nodeSelector: Record<string, string>;
  /** Tolerations that pods need to run in this pool. */
  public readonly tolerations: NodeToleration[];

  constructor(name: string, args: KarpenterNodePoolArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KarpenterNodePool", name, args, opts);
    const problems = new Problems("KarpenterNodePool", name);
    requireKubernetesProvider(this, problems);
    const given = corrected(problems, args, nodePoolArguments);
    const poolName = given.poolName ?? name;
    nodePoolProblems(problems, poolName, given);
    const plan = planDisruption(given, problems);
    const classSpec = ownClassSpec(problems, given);
    const sharedName = problems.input(given.nodeClassName, "nodeClassName", objectNameProblem);
    const labels = given.labels && checkedLabels(problems, "labels", given.labels, nodeLabelProblem);
    problems.throwIfAny();

    const stateful = given.profile === NodePoolProfile.Stateful;
    const taints = given.taints ?? (stateful ? [ownTaint(poolName)] : []);
    const options = {
      parent: this,
      // Undefined leaves the decision to the component's own options.
      protect: given.protect ?? (stateful ? true : undefined),
      // The provider waits until the nodes are gone. Ten minutes, its default, are too few to drain one.
      customTimeouts: { create: "15m", update: "15m", delete: `${deleteMinutes(plan.terminationGracePeriod)}m` },
    };
    const object = { name: poolName, labels: { [profileLabel]: given.profile } };
    const own = classSpec && classObject(`${name}-class`, { ...object, spec: classSpec }, options);
    const nodeClassName = own?.nodeClassName ?? pulumi.output(sharedName ?? poolName);
    const spec = nodePoolSpec({ ...given, labels }, plan, nodeClassName, taints);
    poolObject(`${name}-pool`, { ...object, spec }, options);

    this.poolName = poolName;
    this.nodeClassName = nodeClassName;
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
