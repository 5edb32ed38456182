import type { PolicyResource } from "@pulumi/policy";
import { known } from "../../lib/known";
import { combine, exact, partOf, type Part } from "../../lib/parts";
import { stackRule } from "../../lib/rule";
import { listenerRuleTypes, listenerTypes } from "./listener-types";

/**
 * A priority is what a listener knows its rules by. Two teams that pick the same number agree in every preview: Pulumi takes the rules for
 * two resources, and only AWS compares them.
 */
export const noEqualListenerRulePriorities = stackRule<object>({
  name: "no-equal-listener-rule-priorities",
  displayName: "No two listener rules of equal priority",
  description:
    "Two rules of one listener must differ in priority: AWS refuses the second in the middle of an update (PriorityInUse), when the target group " +
    "behind it is made and its pods wait for health checks that only a rule starts.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Leave the priority out, and AWS takes the next free number. Write one only where order matters (the specific rule before the general
one), and then leave gaps:

\`\`\`ts
new aws.lb.ListenerRule("shop-checkout", {
  listenerArn: listener.arn,
  priority: 110, // before the rule for all of shop.example.com, which has 200
  conditions: [{ hostHeader: { values: ["shop.example.com"] } }, { pathPattern: { values: ["/checkout/*"] } }],
  actions: [{ type: "forward", targetGroupArn: checkout.arn }],
});
\`\`\`

A preview can't tell listeners apart that it doesn't know yet, if they come from one resource with several values to give (a component, say). A listener
made in the same stack never is such a value.`,
  configSchema: { properties: {} },
  check: ({ resources }, report, _config, undecided) => {
    const firstByKey = new Map<string, PolicyResource>();
    for (const rule of resources.filter((r) => listenerRuleTypes.has(r.type))) {
      const place = placeOf(rule);
      if (place === undefined) continue;
      const first = firstByKey.get(place.key);
      if (first === undefined) firstByKey.set(place.key, rule);
      else if (place.doubt !== undefined)
        undecided.add(
          place.doubt,
          rule,
          `"${first.name}" and "${rule.name}" have one priority and may have one listener`,
        );
      else
        report(
          `"${rule.name}" has the priority ${priorityOf(rule)} of "${first.name}" on the same listener. Give it another one, or leave priority out: AWS then takes the next free one.`,
          rule.urn,
        );
    }
  },
});

/** Listener and priority; undefined where AWS chooses the priority, or a preview doesn't know it: then nothing says that it is taken. */
function placeOf(rule: PolicyResource): Part | undefined {
  const priority = priorityOf(rule);
  if (priority === undefined) return undefined;
  const listener = known(() => rule.props["listenerArn"] as unknown);
  return combine([partOf(rule, "listenerArn", listener, (type) => listenerTypes.has(type)), exact(priority)]);
}

function priorityOf(rule: PolicyResource): string | undefined {
  const priority = known(() => rule.props["priority"] as unknown);
  return typeof priority === "number" || typeof priority === "string" ? String(priority) : undefined;
}
