import { stackRule } from "../../lib/rule";
import { tagsOf } from "../../lib/tags";
import { isClusterTag } from "./groups";
import { inlineRules } from "./no-inline-rules-on-cluster-security-groups";
import { taggedGroups } from "./tagged-groups";
import { ruleExample } from "./rule-example";

const group = "aws:ec2/securityGroup:SecurityGroup";

/** Owns all rules of the group even if none are written. */
const defaultGroup = "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup";

/** The other way to the same mistake: `no-inline-rules-on-cluster-security-groups` looks at one group, and the tag is another resource. */
export const noClusterTagOnGroupsWithInlineRules = stackRule<object>({
  name: "no-cluster-tag-on-groups-with-inline-rules",
  displayName: "No cluster tag for a group with inline rules",
  description:
    "An aws.ec2.Tag must not give a kubernetes.io/cluster/ tag to a security group that carries inline rules: with the tag, Kubernetes controllers add rules to the group, and Pulumi " +
    "deletes every one of them at the next update, and cuts traffic to the pods.",
  severity: "critical",
  tags: ["security-groups", "availability"],
  remediationSteps: `Leave \`ingress\` and \`egress\` of the group out (an empty list counts as well) and write each rule as a resource of its own:

${ruleExample}

EKS makes a group with the tag for each cluster: a second one on the same nodes is a mistake by itself (\`one-cluster-group-per-node\`).`,
  certainOnly: true,
  configSchema: { properties: {} },
  check: ({ resources }, report) => {
    for (const { resource, tags } of taggedGroups(resources, (type) => type === group || type === defaultGroup)) {
      if (resource === undefined) continue;
      const own = tagsOf(resource.props).values;
      const given = [...tags.keys()].find((key) => isClusterTag(key) && !own.has(key));
      const rules = resource.type === defaultGroup ? ["all rules of the group"] : inlineRules(resource.props);
      if (given !== undefined && rules.length > 0)
        report(
          `"${resource.name}" owns ${rules.join(" and ")}, and an aws.ec2.Tag gives it the tag ${given}. Take the tag away, or write each rule as an aws.vpc.SecurityGroupIngressRule or SecurityGroupEgressRule.`,
          resource.urn,
        );
    }
  },
});
