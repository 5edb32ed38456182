import type { Rule } from "../aws/rules";

const pair = /([^\s,=]+)=([^\s,=]+)(?:,|$)/g;

/** Description that the controller gives its rules, and by which it knows them again. */
export const managedDescription = "elbv2.k8s.aws/targetGroupBinding=shared";

/**
 * Whether the controller takes a rule for its own. Nothing but the description counts, and pairs are found anywhere in it; of two
 * pairs with one key the later one counts.
 */
export function isManaged(rule: Rule): boolean {
  const labels = new Map([...(rule.description ?? "").matchAll(pair)].map(([, key, value]) => [key, value]));
  return labels.get("elbv2.k8s.aws/targetGroupBinding") === "shared";
}
