import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { portProblem } from "../internal/kubernetes";
import { tagsFor } from "../internal/tags";
import { checked, Problems } from "../internal/validate";
import type { LoadBalancerRef, SafetyNetRef } from "./refs";

/** Arguments of {@link SafetyNetRules}. */
export interface SafetyNetRulesArgs {
  /** Load balancer that the traffic comes from. */
  loadBalancer: LoadBalancerRef;
  /** Security group of the targets: the pods', which usually is their nodes' (`ClusterRef.securityGroupId`). */
  targetSecurityGroupId: pulumi.Input<string>;
  /** Lowest port to open, at least 1. Defaults to 1024: containers that run without root listen above it. */
  fromPort?: number;
  /** Highest port to open, at most 65535. Defaults to 65535. */
  toPort?: number;
  /** Added to both rules. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/** Text of both rules. The controller takes a rule for its own if the description carries its label, so it never appears here. */
const description = "Moorings safety net from load balancer to pods";

/**
 * The way from a load balancer to its pods, as two static rules: in at the pods' group, out at the load balancer's. No controller
 * owns them, so none can revoke them, whatever it believes the state of the group to be.
 *
 * Make exactly one for each pair of load balancer and targets' group, and share its `ref` between the services: AWS refuses an
 * equal rule twice, and two services on one port would need the same. Don't name the load balancer's group in `networking` of a
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
    const fromPort = args.fromPort ?? 1024;
    const toPort = args.toPort ?? 65535;
    const problems = new Problems("SafetyNetRules", name);
    safetyNetProblems(problems, fromPort, toPort);
    problems.throwIfAny();

    const loadBalancerGroup = args.loadBalancer.securityGroupId;
    const targetGroup = pulumi
      .all([args.targetSecurityGroupId, loadBalancerGroup])
      .apply(([targets, loadBalancer]) => ({ targets, loadBalancer }));
    const targetSecurityGroupId = checked(targetGroup, "targetSecurityGroupId", ({ targets, loadBalancer }) =>
      targets === loadBalancer
        ? `is the load balancer's own group (${targets}): give the group of the pods`
        : undefined,
    ).targets;
    const span = { ipProtocol: "tcp", fromPort, toPort, description };

    const ingress = new aws.vpc.SecurityGroupIngressRule(
      `${name}-ingress`,
      {
        ...span,
        securityGroupId: targetSecurityGroupId,
        referencedSecurityGroupId: loadBalancerGroup,
        tags: tagsFor(args.tags, `${name}-ingress`),
      },
      { parent: this },
    );
    const egress = new aws.vpc.SecurityGroupEgressRule(
      `${name}-egress`,
      {
        ...span,
        securityGroupId: loadBalancerGroup,
        referencedSecurityGroupId: targetSecurityGroupId,
        tags: tagsFor(args.tags, `${name}-egress`),
      },
      { parent: this },
    );

    this.ingressRuleId = ingress.securityGroupRuleId;
    this.egressRuleId = egress.securityGroupRuleId;
    this.ref = { fromPort, toPort };
    this.registerOutputs({ ingressRuleId: this.ingressRuleId, egressRuleId: this.egressRuleId, ref: this.ref });
  }
}

/** Records what is wrong with a span of ports. */
export function safetyNetProblems(problems: Problems, fromPort: number, toPort: number): void {
  // The one shape that the controller makes whatever the services' ports are. An equal tuple is taken for its own.
  if (fromPort === 0 && toPort === 65535) {
    problems.add(
      "fromPort",
      "makes tcp 0-65535, the rule that the controller itself generates and may revoke: leave it out, or write 1",
    );
    return;
  }
  for (const [argument, port] of [
    ["fromPort", fromPort],
    ["toPort", toPort],
  ] as const)
    problems.add(argument, portProblem(port));
  problems.unless(fromPort <= toPort, "toPort", `must not be below fromPort (${fromPort}), but is ${toPort}`);
}
