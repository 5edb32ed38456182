import type { JsonObject } from "../../../cli/engine/values";
import type { Cloud } from "./cloud";
import { text } from "./plain";

const type = "aws:lb/listenerRule:ListenerRule";

interface Forward {
  readonly targetGroupArn?: string;
  readonly forward?: { readonly targetGroups?: readonly { readonly arn: string; readonly weight?: number }[] };
}

/** Groups that a rule sends requests to, with their weights. */
export function targetGroupsOf(rule: JsonObject): readonly { readonly arn: string; readonly weight?: number }[] {
  return ((rule["actions"] ?? []) as readonly Forward[]).flatMap(({ targetGroupArn, forward }) =>
    targetGroupArn === undefined ? (forward?.targetGroups ?? []) : [{ arn: targetGroupArn }],
  );
}

/**
 * What AWS refuses: two rules of one listener with the same priority, and a target group of two load balancers (seen in
 * terraform-provider-aws issue 22005).
 */
export function refusesListenerRule(cloud: Cloud, inputs: JsonObject): string | undefined {
  const others = cloud.ofType(type).map((other) => other.inputs);
  const { listenerArn, priority } = inputs;
  if (priority !== undefined && others.some((o) => o["listenerArn"] === listenerArn && o["priority"] === priority))
    return `PriorityInUse: priority ${text(priority)} is in use`;
  const groups = targetGroupsOf(inputs).map(({ arn }) => arn);
  const taken = others
    .filter((other) => loadBalancerOf(other) !== loadBalancerOf(inputs))
    .flatMap(targetGroupsOf)
    .find(({ arn }) => groups.includes(arn));
  return taken && `TargetGroupAssociationLimit: ${taken.arn} cannot be associated with more than one load balancer`;
}

/** `app/name/id`, from the listener's ARN. */
function loadBalancerOf(rule: JsonObject): string | undefined {
  return /:listener\/(app\/[^/]+\/[^/]+)\//.exec(text(rule["listenerArn"]))?.[1];
}
