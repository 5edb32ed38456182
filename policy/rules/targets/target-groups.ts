import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, known, type Unknown } from "../../lib/known";
import { stringAt, type Path } from "../../lib/paths";
import { cameFrom } from "../../lib/references";

interface GroupType {
  /** Property that says what the targets are. */
  readonly typeProperty: string;
  /** Its value for addresses. */
  readonly ip: string;
  /** Properties by which others name the group. */
  readonly identifiers: readonly string[];
}

const elastic: GroupType = { typeProperty: "targetType", ip: "ip", identifiers: ["arn"] };

/** Target groups of load balancers, which a TargetGroupBinding can fill. */
const loadBalancerGroups: Readonly<Record<string, GroupType>> = {
  "aws:lb/targetGroup:TargetGroup": elastic,
  "aws:elasticloadbalancingv2/targetGroup:TargetGroup": elastic,
  "aws:alb/targetGroup:TargetGroup": elastic,
  "aws:applicationloadbalancing/targetGroup:TargetGroup": elastic,
  "aws-native:elasticloadbalancingv2:TargetGroup": { ...elastic, identifiers: ["targetGroupArn"] },
};

/** Target groups of VPC Lattice, which has controllers of its own. */
const latticeGroups: Readonly<Record<string, GroupType>> = {
  "aws:vpclattice/targetGroup:TargetGroup": { typeProperty: "type", ip: "IP", identifiers: ["arn", "id"] },
  "aws-native:vpclattice:TargetGroup": { typeProperty: "type", ip: "IP", identifiers: ["arn", "awsId", "id"] },
};

const allGroups = { ...loadBalancerGroups, ...latticeGroups };

/** Whether this is a target group of a load balancer. */
export function isLoadBalancerTargetGroup(resource: PolicyResource): boolean {
  return resource.type in loadBalancerGroups;
}

/** Whether this is a target group of any kind. */
export function isTargetGroup(resource: PolicyResource): boolean {
  return resource.type in allGroups;
}

/** Whether a target group takes addresses; an unknown if its type isn't known yet. */
export function takesAddresses(group: PolicyResource): boolean | Unknown {
  const { typeProperty, ip } = allGroups[group.type]!;
  const type = known(() => group.props[typeProperty] as unknown);
  return isUnknown(type) ? type : type === ip;
}

/**
 * Whether a resource names this target group: by an identifier that is known and equal, or, while one of the two is
 * unknown, because the value came from the group.
 *
 * @param path where the identifier is; its first part is the property whose dependencies Pulumi records.
 */
export function namesGroup(holder: PolicyResource, path: Path, group: PolicyResource): boolean {
  const identifier = stringAt(holder.props, path);
  const own = allGroups[group.type]!.identifiers.map((name) => stringAt(group.props, [name]));
  const knownOwn = own.filter((value) => typeof value === "string");
  if (typeof identifier === "string" && knownOwn.length === own.length) return knownOwn.includes(identifier);
  return cameFrom(holder, path[0]!, group);
}
