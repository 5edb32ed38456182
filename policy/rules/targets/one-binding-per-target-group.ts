import type { PolicyResource } from "@pulumi/policy";
import { isUnknown } from "../../lib/known";
import { isPatch } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { stackRule } from "../../lib/rule";
import { isBindingType } from "./bindings";
import { isLoadBalancerTargetGroup } from "./target-groups";

/**
 * A binding owns its target group: what its own Service doesn't give is taken out. Two of them take out each other's, in turn, unless both
 * know of it. In one cluster the webhook refuses the second; nobody looks into another cluster.
 */
export const oneBindingPerTargetGroup = stackRule<object>({
  name: "one-binding-per-target-group",
  displayName: "One binding per target group",
  description:
    "A target group must have one TargetGroupBinding, or only ones with multiClusterTargetGroup: the controller refuses the second in the middle " +
    "of an update, and two controllers deregister each other's pods for ever.",
  severity: "critical",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Give each Service a target group of its own, and let the listener rule share the traffic:

\`\`\`ts
new aws.lb.ListenerRule("web", {
  listenerArn: listener.arn,
  conditions: [{ hostHeader: { values: ["www.example.com"] } }],
  actions: [
    {
      type: "forward",
      forward: {
        targetGroups: [
          { arn: blue.arn, weight: 90 },
          { arn: green.arn, weight: 10 },
        ],
      },
    },
  ],
});
\`\`\`

If several clusters fill one group on purpose, write \`multiClusterTargetGroup: true\` into all of its bindings, when they are made: the controller
then leaves alone what it didn't register itself.`,
  configSchema: { properties: {} },
  check: ({ resources }, report, _config, undecided) => {
    const groups = resources.filter(isLoadBalancerTargetGroup);
    const byGroup = new Map<string, PolicyResource[]>();
    for (const binding of resources.filter((r) => isBindingType(r.type) && !isPatch(r)))
      for (const group of boundGroups(binding, groups)) byGroup.set(group, [...(byGroup.get(group) ?? []), binding]);

    for (const [first, ...others] of byGroup.values()) {
      if (first === undefined || others.length === 0) continue;
      const shared = [first, ...others].map((binding) => valueAt(binding.props, ["spec", "multiClusterTargetGroup"]));
      const alone = shared.some((value) => !isUnknown(value) && value !== true);
      const unknown = shared.find(isUnknown);
      if (alone)
        for (const other of others)
          report(
            `"${other.name}" binds the target group that "${first.name}" binds already. Give it a group of its own, or, for several clusters, write multiClusterTargetGroup: true into all bindings of the group.`,
            other.urn,
          );
      else if (unknown !== undefined) undecided.add(unknown, others[0], first.name);
    }
  },
});

/**
 * The target group of a binding, by what tells it from others in this stack. None while that can't be told: two bindings whose
 * specifications came from two groups may well have one each.
 */
function boundGroups(binding: PolicyResource, groups: readonly PolicyResource[]): string[] {
  const arn = stringAt(binding.props, ["spec", "targetGroupARN"]);
  const name = stringAt(binding.props, ["spec", "targetGroupName"]);
  if (typeof arn === "string") return [ownerOf(groups, ["arn", "targetGroupArn"], arn) ?? arn];
  if (arn === undefined && typeof name === "string") return [ownerOf(groups, ["name"], name) ?? `name ${name}`];
  const origins = groups.filter((group) => cameFrom(binding, "spec", group));
  return origins.length === 1 && (isUnknown(arn) || isUnknown(name)) ? [origins[0]!.urn] : [];
}

function ownerOf(groups: readonly PolicyResource[], properties: readonly string[], value: string): string | undefined {
  return groups.find((group) => properties.some((property) => stringAt(group.props, [property]) === value))?.urn;
}
