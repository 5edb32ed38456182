import type { PolicyResource } from "@pulumi/policy";
import { each, stringAt, valuesAt, type Path } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { indexOf, keysOfHolder, type Index } from "../../lib/stack-index";
import { listenerRuleTypes, listenerTypes } from "./listener-types";

/** Load balancers that make their own listeners from what they are given. */
const loadBalancerTypes = new Set(["awsx:lb:ApplicationLoadBalancer", "awsx:lb:NetworkLoadBalancer"]);

/** The properties by which a resource may send requests to a target group. */
function forwarding({ type }: PolicyResource): readonly string[] {
  if (listenerTypes.has(type)) return ["defaultActions"];
  if (listenerRuleTypes.has(type)) return ["actions"];
  return loadBalancerTypes.has(type) ? ["listener", "listeners", "defaultTargetGroup"] : [];
}

/** Where an action names a target group, with one or with weighted ones; of @pulumi/aws and of aws-native. */
const targetsOfAction: readonly Path[] = [
  ["targetGroupArn"],
  ["forward", "targetGroups", each, "arn"],
  ["forwardConfig", "targetGroups", each, "targetGroupArn"],
];

/** What names a target group to send requests there, by its keys (`keysOfSource` of the group and its ARN). */
export function forwarders(resources: readonly PolicyResource[]): Index<PolicyResource> {
  return indexOf(resources, isForwarder, (holder) => {
    const arns = forwarding(holder).flatMap((property) =>
      targetsOfAction.flatMap((path) => valuesAt(holder.props, [property, each, ...path])),
    );
    return keysOfHolder(
      holder,
      arns.map(({ value }) => value),
      forwarding(holder),
    );
  });
}

function isForwarder(resource: PolicyResource): boolean {
  return forwarding(resource).length > 0;
}

/** Whether a listener, one of its rules or a load balancer sends requests to this target group. */
export function forwardsTo(holder: PolicyResource, group: PolicyResource): boolean {
  const arns = [["arn"], ["targetGroupArn"]].map((path) => stringAt(group.props, path));
  return forwarding(holder).some(
    (property) =>
      cameFrom(holder, property, group) ||
      targetsOfAction.some((path) =>
        valuesAt(holder.props, [property, each, ...path]).some(
          ({ value }) => typeof value === "string" && arns.includes(value),
        ),
      ),
  );
}
