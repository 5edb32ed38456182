import { tuple, type Rule } from "../aws/rules";
import { managedDescription } from "./labels";
import type { Peer } from "../kubernetes";

/** Rules for each security group. */
export type RulesByGroup = ReadonlyMap<string, readonly Rule[]>;

/** The rules that one binding asks for on the groups of its endpoints. */
export function asked(networking: readonly Peer[], endpointGroups: Iterable<string>): RulesByGroup {
  const rules = networking.map(({ source, port }) => ({
    protocol: "tcp",
    from: port ?? 0,
    to: port ?? 65535,
    source,
    description: managedDescription,
  }));
  return new Map([...endpointGroups].map((group) => [group, rules]));
}

/** What all bindings together make of it. */
export function aggregate(bindings: Iterable<RulesByGroup>, restricted: boolean): RulesByGroup {
  const byGroup = new Map<string, Rule[]>();
  for (const binding of bindings)
    for (const [group, rules] of binding) byGroup.set(group, [...(byGroup.get(group) ?? []), ...rules]);
  return new Map([...byGroup].map(([group, rules]) => [group, restricted ? ranges(rules) : distinct(rules)]));
}

/** From the lowest to the highest port for each protocol and source group; CIDRs keep their rules. */
function ranges(rules: readonly Rule[]): readonly Rule[] {
  const merged = new Map<string, Rule>();
  for (const rule of rules) {
    const key = rule.source.includes("/") ? tuple(rule) : `${rule.protocol} ${rule.source}`;
    const known = merged.get(key) ?? rule;
    merged.set(key, { ...known, from: Math.min(known.from, rule.from), to: Math.max(known.to, rule.to) });
  }
  return [...merged.values()];
}

function distinct(rules: readonly Rule[]): readonly Rule[] {
  return [...new Map(rules.map((rule) => [tuple(rule), rule])).values()];
}
