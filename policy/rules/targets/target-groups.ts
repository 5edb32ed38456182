import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { stringAt, valueAt, type Path } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { keysOfSource } from "../../lib/stack-index";
import { typeOf } from "../../lib/tokens";

interface GroupType {
  /** Where the group says what its targets are. */
  readonly type: Path;
  /** Its value for addresses. */
  readonly ip: string;
  /** What it is where the group doesn't say. */
  readonly unsaid?: string;
  /** Properties by which others name the group. */
  readonly identifiers: readonly string[];
}

const elastic: GroupType = { type: ["targetType"], ip: "ip", identifiers: ["arn"] };
const lattice: GroupType = { type: ["type"], ip: "IP", identifiers: ["arn", "id"] };

/** Target groups of load balancers, which a TargetGroupBinding can fill. */
const loadBalancerGroups = new Map<string, GroupType>([
  ["aws:lb/targetGroup:TargetGroup", elastic],
  ["aws:elasticloadbalancingv2/targetGroup:TargetGroup", elastic],
  ["aws:alb/targetGroup:TargetGroup", elastic],
  ["aws:applicationloadbalancing/targetGroup:TargetGroup", elastic],
  ["aws-native:elasticloadbalancingv2:TargetGroup", { ...elastic, identifiers: ["targetGroupArn"] }],
]);

const inSpec = (group: GroupType, ...path: Path): GroupType => ({ ...group, type: [...path, ...group.type] });

/**
 * Groups that are target groups only for what is attached to them: those of VPC Lattice, which has controllers of its own, those that other
 * packages and controllers make (target-fields.ts), and the group in a component of awsx, of which offline only the arguments are seen.
 */
const furtherGroups = new Map<string, GroupType>([
  ["aws:vpclattice/targetGroup:TargetGroup", lattice],
  ["aws-native:vpclattice:TargetGroup", { ...lattice, identifiers: ["arn", "awsId", "id"] }],
  ["aws:index/lbTargetGroup:LbTargetGroup", elastic],
  ["aws:index/albTargetGroup:AlbTargetGroup", elastic],
  ["aws:index/vpclatticeTargetGroup:VpclatticeTargetGroup", lattice],
  ["kubernetes:elbv2.services.k8s.aws:TargetGroup", inSpec(elastic, "spec")],
  ...["aws.upbound.io", "aws.m.upbound.io", "m.aws.upbound.io"].flatMap((domain): [string, GroupType][] => [
    [`kubernetes:elbv2.${domain}:LBTargetGroup`, inSpec(elastic, "spec", "forProvider")],
    [`kubernetes:vpclattice.${domain}:TargetGroup`, inSpec(lattice, "spec", "forProvider")],
  ]),
  // @pulumi/awsx 3.9.0 gives an application load balancer's group the type ip, and a network load balancer's none.
  ["awsx:lb:ApplicationLoadBalancer", { ...inSpec(elastic, "defaultTargetGroup"), unsaid: "ip" }],
  ["awsx:lb:NetworkLoadBalancer", inSpec(elastic, "defaultTargetGroup")],
]);

function groupType(token: string): GroupType | undefined {
  const type = typeOf(token);
  return loadBalancerGroups.get(type) ?? furtherGroups.get(type);
}

/** Whether this is a target group of a load balancer. */
export function isLoadBalancerTargetGroup(resource: PolicyResource): boolean {
  return loadBalancerGroups.has(resource.type);
}

/**
 * The target groups of any kind. A component counts as its group where the group itself isn't among the resources: an engine shows it,
 * `moorings check` can't.
 */
export function targetGroupsIn(resources: readonly PolicyResource[]): PolicyResource[] {
  const groups = resources.filter((r) => groupType(r.type) !== undefined);
  const seenInside = new Set(groups.map((group) => group.parent?.urn));
  // A group that is another one's parent stays a group: only a component is one of those inside it.
  return groups.filter((group) => !group.type.startsWith("awsx:") || !seenInside.has(group.urn));
}

/** Keys by which {@link namesGroup} may find a group: for `Index`. */
export function keysOfTargetGroup(group: PolicyResource): string[] {
  return keysOfSource(group, identifiersOf(group));
}

function identifiersOf(group: PolicyResource): unknown[] {
  return groupType(group.type)!.identifiers.map((name) => stringAt(group.props, [name]));
}

/** Whether a target group takes addresses; an unknown if its type isn't known yet. */
export function takesAddresses(group: PolicyResource): boolean | Unknown {
  const { type, ip, unsaid } = groupType(group.type)!;
  const said = valueAt(group.props, type) ?? unsaid;
  return isUnknown(said) ? said : typeof said === "string" && said.toLowerCase() === ip.toLowerCase();
}

/**
 * Whether a resource names this target group: by an identifier that is known and equal, or, while one of the two is
 * unknown, because the value came from the group.
 *
 * @param path where the identifier is; its first part is the property whose dependencies Pulumi records.
 */
export function namesGroup(holder: PolicyResource, path: Path, group: PolicyResource): boolean {
  const identifier = stringAt(holder.props, path);
  const own = identifiersOf(group);
  const knownOwn = own.filter((value) => typeof value === "string");
  if (typeof identifier === "string" && knownOwn.length === own.length) return knownOwn.includes(identifier);
  return cameFrom(holder, path[0]!, group);
}
