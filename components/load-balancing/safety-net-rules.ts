import * as pulumi from "@pulumi/pulumi";
import { Problems } from "../internal/validate";
import type { LoadBalancerRef, SafetyNetRef } from "./refs";
import { highestPort, lowestPort, safetyNet, safetyNetProblems } from "./safety-net";

/** Arguments of {@link SafetyNetRules}. */
export interface SafetyNetRulesArgs {
  /** Load balancer that the traffic comes from. */
  loadBalancer: LoadBalancerRef;
  /**
   * Security group that the pods carry. On nodes that `EksCluster` and `KarpenterNodePool` make, and on Fargate, it is the cluster's
   * (`ClusterRef.securityGroupId`); on other nodes, that of the nodes. Pods that a SecurityGroupPolicy gives groups of their own carry
   * those instead, on nodes and on Fargate: name one that all the pods have, and make a net for each such group.
   */
  targetSecurityGroupId: pulumi.Input<string>;
  /** Lowest port to open, at least 1. Defaults to 1024: containers that run without root listen above it. */
  fromPort?: number;
  /** Highest port to open, at most 65535. Defaults to 65535. */
  toPort?: number;
  /** Added to both rules. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * The way from a load balancer to its pods, as two static rules: in at the pods' group, out at the load balancer's. No controller
 * owns them, so none can revoke them, whatever it believes the state of the group to be.
 *
 * Make exactly one for each pair of load balancer and targets' group, and share its `ref` between the services: AWS refuses an
 * equal rule twice (the pack's rule `no-equal-security-group-rules` says so in the preview), and two services on one port would need the
 * same. For load balancers of Ingresses make `IngressSecurityGroups` instead. Don't name the load balancer's group in `networking` of a
 * target group binding or as the controller's backend group: the controller would then manage rules with this source too.
 */
export class SafetyNetRules extends pulumi.ComponentResource {
  /** Rule that lets the traffic in at the targets. */
  public readonly ingressRuleId: pulumi.Output<string>;
  /** Rule that lets the traffic out at the load balancer. */
  public readonly egressRuleId: pulumi.Output<string>;
  /** What `LoadBalancedService` takes. */
  public readonly ref: SafetyNetRef;

  constructor(name: string, args: SafetyNetRulesArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:SafetyNetRules", name, args, opts);
    const fromPort = args.fromPort ?? lowestPort;
    const toPort = args.toPort ?? highestPort;
    const problems = new Problems("SafetyNetRules", name);
    safetyNetProblems(problems, fromPort, toPort);
    problems.throwIfAny();

    const { ingress, egress } = safetyNet(this, name, {
      source: args.loadBalancer.securityGroupId,
      sourceIs: "the load balancer's own group",
      targets: args.targetSecurityGroupId,
      argument: "targetSecurityGroupId",
      fromPort,
      toPort,
      tags: args.tags,
    });

    this.ingressRuleId = ingress.securityGroupRuleId;
    this.egressRuleId = egress.securityGroupRuleId;
    this.ref = { fromPort, toPort };
    this.registerOutputs({ ingressRuleId: this.ingressRuleId, egressRuleId: this.egressRuleId, ref: this.ref });
  }
}
