import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { isDnsLabel } from "../internal/object-names";
import { tagsFor, type Tags } from "../internal/tags";
import { Problems } from "../internal/validate";
import { securityGroupIdProblem, vpcIdProblem } from "../internal/formats";
import { highestPort, lowestPort, safetyNet, safetyNetProblems } from "./safety-net";

/** Arguments of {@link IngressSecurityGroups}. */
export interface IngressSecurityGroupsArgs {
  /** VPC of the load balancers. */
  vpcId: pulumi.Input<string>;
  /** Security group that lets visitors in at the load balancers, on ports 80 and 443 for example. Not one that the controller made. */
  frontSecurityGroupId: pulumi.Input<string>;
  /**
   * Security groups that the pods carry, by a name of your choice (lower-case letters, digits and hyphens), which becomes part of the
   * names of their rules: `{ nodes: cluster.securityGroupId }`. At least one; which, `SafetyNetRules` says. Don't rename one that stays:
   * AWS refuses the new rule beside the equal old one.
   */
  targetSecurityGroupIds: Record<string, pulumi.Input<string>>;
  /**
   * Lowest port to open, at least 1. Defaults to 1024: containers that run without root listen above it. The controller opens lower ports
   * at the pods, but only this opens the way out of the load balancer, unless the front group does.
   */
  fromPort?: number;
  /** Highest port to open, at most 65535. Defaults to 65535. */
  toPort?: number;
  /** Added to groups and rules. Tags by which the controller finds its own groups are refused. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * Security groups for load balancers that the controller makes of Ingresses, so that their pods stay reachable whatever the controller
 * does to its own rules.
 *
 * Each load balancer carries three groups. **Front**, yours, lets visitors in. **Backend**, made here, is the source of the rules that the
 * controller makes and takes away at the pods; given to it (`backendSecurityGroupId` of `LoadBalancerController`), it never makes or
 * deletes one itself. **Edge**, made here, is the source of static rules, two for each group of pods: in there, and out of this one. The
 * controller makes rules for sources that it knows, and it doesn't know this one: a static rule from it can't be taken for a rule of the
 * controller's, nor stand in the way of one. What leaves the load balancer is what any of its groups lets out; backend needs nothing.
 *
 * Put `annotations` on each Ingress. One for a cluster is enough, unless Ingresses have different front groups. Not for load balancers
 * made here (`ApplicationLoadBalancer`), which no controller touches: those need `SafetyNetRules` only.
 *
 * On destroy, Ingresses must go before this: AWS keeps a group that a load balancer carries. They do if they take their annotations from
 * here.
 */
export class IngressSecurityGroups extends pulumi.ComponentResource {
  /** Group for `backendSecurityGroupId` of `LoadBalancerController`. Give it no rule by hand. */
  public readonly backendSecurityGroupId: pulumi.Output<string>;
  /** Group that the static rules come from. Name it nowhere else, least of all in `managedIngress` of a binding. */
  public readonly edgeSecurityGroupId: pulumi.Output<string>;
  /** Annotations that an Ingress needs. */
  public readonly annotations: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: IngressSecurityGroupsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:IngressSecurityGroups", name, args, opts);
    const fromPort = args.fromPort ?? lowestPort;
    const toPort = args.toPort ?? highestPort;
    const problems = new Problems("IngressSecurityGroups", name);
    safetyNetProblems(problems, fromPort, toPort);
    const vpcId = problems.input(args.vpcId, "vpcId", vpcIdProblem);
    const front = problems.input(args.frontSecurityGroupId, "frontSecurityGroupId", securityGroupIdProblem);
    const targets = Object.entries(args.targetSecurityGroupIds).map(([key, id]) => {
      const where = `targetSecurityGroupIds.${key}`;
      problems.unless(
        isDnsLabel(key),
        where,
        "has a name that can't be part of others: use lower-case letters and digits",
      );
      return { key, where, id: problems.input(id, where, securityGroupIdProblem) };
    });
    problems.unless(targets.length > 0, "targetSecurityGroupIds", "names no group: give that of the pods");
    const tags = problems.input<Tags>(args.tags, "tags", (known) => groupTagsProblem(Object.keys(known)));
    problems.throwIfAny();

    const group = (role: string, description: string) =>
      new aws.ec2.SecurityGroup(
        `${name}-${role}`,
        // No inline rules: the provider would take the controller's away. Without `egress` it removes AWS's allow-all.
        { vpcId, description, tags: tagsFor(tags, `${name}-${role}`) },
        { parent: this },
      );
    const backend = group("backend", "Load balancers of Ingresses: source of the rules that the controller makes");
    const edge = group("edge", "Load balancers of Ingresses: source of the static rules");
    for (const { key, where, id } of targets)
      safetyNet(this, `${name}-${key}`, {
        source: edge.id,
        sourceIs: "the edge group",
        targets: id,
        argument: where,
        fromPort,
        toPort,
        tags,
      });

    this.backendSecurityGroupId = backend.id;
    this.edgeSecurityGroupId = edge.id;
    this.annotations = pulumi.all([front, edge.id]).apply(([frontId, edgeId]): Record<string, string> => ({
      "alb.ingress.kubernetes.io/security-groups": `${frontId},${edgeId}`,
      // With groups of one's own the controller makes no rule at the pods unless it is asked to; then it adds its backend group.
      "alb.ingress.kubernetes.io/manage-backend-security-group-rules": "true",
    }));
    this.registerOutputs({
      backendSecurityGroupId: this.backendSecurityGroupId,
      edgeSecurityGroupId: this.edgeSecurityGroupId,
      annotations: this.annotations,
    });
  }
}

/** The controller edits the rules of groups with the first tag, and takes groups with the second for its own: it revokes foreign rules there. */
function groupTagsProblem(keys: readonly string[]): string | undefined {
  const found = keys.find((key) => /^(kubernetes\.io\/cluster\/|elbv2\.k8s\.aws\/)/.test(key));
  return found === undefined
    ? undefined
    : `has "${found}", by which the controller finds groups whose rules it edits: leave it out`;
}
