import { isUnknown, known, type Unknown } from "../../lib/known";
import { valuesAt, type Path } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { tagKeys } from "../../lib/tags";
import { Findings } from "../../lib/unknown-values";
import { isClusterTag } from "./groups";
import { ruleExample } from "./rule-example";

interface GroupType {
  /** Where the group's arguments are; empty for the resource itself. */
  readonly at: Path;
  /** Whether the type owns all rules even if none are written. */
  readonly ownsAllRules?: boolean;
}

const inDefaultGroup: GroupType = { at: ["defaultSecurityGroup", "args"] };

/** Types that can own the rules of a group as a whole. */
const groupTypes: Readonly<Record<string, GroupType>> = {
  "aws:ec2/securityGroup:SecurityGroup": { at: [] },
  // "Immediately removes all ingress and egress rules" when it takes the group over (documentation of the resource).
  "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": { at: [], ownsAllRules: true },
  "awsx:lb:ApplicationLoadBalancer": inDefaultGroup,
  "awsx:lb:NetworkLoadBalancer": inDefaultGroup,
};

/**
 * A group with inline rules is owned as a whole: every rule that Pulumi didn't write is drift, and drift is revoked. An empty
 * list counts, it means "no rules at all"; a missing list means "not managed here".
 */
export const noInlineRulesOnClusterSecurityGroups = resourceRule<object>({
  name: "no-inline-rules-on-cluster-security-groups",
  displayName: "No inline rules on cluster security groups",
  description:
    "A security group with a kubernetes.io/cluster/ tag must not carry inline rules: Pulumi would delete every rule that " +
    "Kubernetes controllers add to it, at the next update, and cut traffic to the pods.",
  severity: "critical",
  tags: ["security-groups", "availability"],
  remediationSteps: `Leave \`ingress\` and \`egress\` out (an empty list counts as well) and write each rule as a resource of its own:

${ruleExample}

\`aws.ec2.DefaultSecurityGroup\` owns all rules of the group in any case: don't tag a default group as a cluster's.`,
  configSchema: { properties: {} },
  appliesTo: (type) => type in groupTypes,
  check: ({ type, props }, report, config) => {
    const findings = new Findings(report, config);
    const { at, ownsAllRules } = groupTypes[type]!;
    for (const { value: group } of valuesAt(props, at)) {
      // A component's arguments as a whole: it tells which group it means only during the update.
      if (isUnknown(group)) {
        findings.unknown(group, "may own rules of a cluster's group");
        continue;
      }
      const rules = ownsAllRules === true ? ["all rules of the group"] : inlineRules(group as Record<string, unknown>);
      if (rules.length === 0) continue;
      const tag = clusterTag(group as Record<string, unknown>);
      if (isUnknown(tag)) findings.unknown(tag, `may make the group, which owns ${rules.join(" and ")}, a cluster's`);
      else if (tag !== undefined)
        report(
          `Owns ${rules.join(" and ")}, and is tagged ${tag}. Write each rule as an aws.vpc.SecurityGroupIngressRule or SecurityGroupEgressRule instead.`,
        );
    }
    findings.end();
  },
});

/** The inline lists that are present, known or not. */
export function inlineRules(group: Record<string, unknown>): string[] {
  return ["ingress", "egress"].filter((name) => {
    const rules = known(() => group[name]);
    return rules !== undefined && rules !== null;
  });
}

function clusterTag(group: Record<string, unknown>): string | Unknown | undefined {
  const keys = tagKeys(group);
  return isUnknown(keys) ? keys : keys.find(isClusterTag);
}
