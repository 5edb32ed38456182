import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../internal/arguments";
import { requireKubernetesProvider } from "../internal/kubernetes";
import { oneOf, Problems } from "../internal/validate";
import { KarpenterChartVersion } from "./karpenter-versions";
import { nodeClassSpec } from "./node-class";
import type { KarpenterNodeClassArgs } from "./node-class-args";
import { classObject } from "./node-objects";
import { poolNameProblem } from "./node-pool-checks";
import { nodeClassArguments } from "./node-shapes";

/**
 * What nodes are made from, for several pools: an EC2NodeClass.
 *
 *     const al2023 = new KarpenterNodeClass("al2023", {
 *       cluster: cluster.ref, nodeRoleName: karpenter.nodeRoleName, subnetIds, amiAlias: "al2023@v20260903",
 *     }, { dependsOn: [karpenter], providers: [kubernetes] });
 *     const web = new KarpenterNodePool("web", {
 *       cluster: cluster.ref, nodeClassName: al2023.nodeClassName, profile: NodePoolProfile.Stateless, limits: { cpu: "200", memory: "800Gi" },
 *     }, { dependsOn: [karpenter], providers: [kubernetes] });
 *
 * A pool that gets its class by `nodeClassName` is made after it and deleted before it. `dependsOn` the `Karpenter` is needed: on destroy
 * only a running Karpenter gives the class free. Most changes replace the nodes of all its pools, each as its budgets allow.
 */
export class KarpenterNodeClass extends pulumi.ComponentResource {
  /** Name of the EC2NodeClass, for `KarpenterNodePool.nodeClassName`. Known in every preview. */
  public readonly nodeClassName: pulumi.Output<string>;

  constructor(name: string, args: KarpenterNodeClassArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:KarpenterNodeClass", name, args, opts);
    const problems = new Problems("KarpenterNodeClass", name);
    requireKubernetesProvider(this, problems);
    const given = corrected(problems, args, nodeClassArguments);
    const className = given.className ?? name;
    problems.add("chartVersion", oneOf(KarpenterChartVersion, given.chartVersion));
    problems.add("className", poolNameProblem(className));
    const spec = nodeClassSpec(problems, given);
    problems.throwIfAny();

    const { nodeClassName } = classObject(
      `${name}-class`,
      { name: className, spec },
      {
        parent: this,
        protect: given.protect,
        // It goes when the last node of it has gone. Pools wait for theirs themselves; two hours are for nodes that were left.
        customTimeouts: { create: "15m", update: "15m", delete: "120m" },
      },
    );

    this.nodeClassName = nodeClassName;
    this.registerOutputs({ nodeClassName: this.nodeClassName });
  }
}
