import { isUnknown } from "../../lib/known";
import { each, valuesAt, type Found, type Path } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";

/** Marker in the labels that the controller writes into the descriptions of its rules. */
const marker = "elbv2.k8s.aws/";

const own: Path[] = [["description"]];
const inline: Path[] = [
  ["ingress", each, "description"],
  ["egress", each, "description"],
];
const inDefaultGroup = inline.map((path) => ["defaultSecurityGroup", "args", ...path]);

/** Where each type says what its rules are for. */
const descriptions: Readonly<Record<string, readonly Path[]>> = {
  "aws:ec2/securityGroupRule:SecurityGroupRule": own,
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": own,
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": own,
  "aws:ec2/securityGroup:SecurityGroup": inline,
  "aws:ec2/defaultSecurityGroup:DefaultSecurityGroup": inline,
  "aws-native:ec2:SecurityGroupIngress": own,
  "aws-native:ec2:SecurityGroupEgress": own,
  "aws-native:ec2:SecurityGroup": [
    ["securityGroupIngress", each, "description"],
    ["securityGroupEgress", each, "description"],
  ],
  "awsx:lb:ApplicationLoadBalancer": inDefaultGroup,
  "awsx:lb:NetworkLoadBalancer": inDefaultGroup,
};

/**
 * The controller finds its own rules by their description alone: it reads `key=value` pairs out of it, and a rule with
 * `elbv2.k8s.aws/targetGroupBinding=shared` is its to revoke (controller v3.5.0, pkg/networking/security_group_info.go,
 * buildIPPermissionLabelsForDescription). This rule refuses every mention of the prefix: what comes after it today decides
 * nothing about tomorrow's release.
 */
export const noControllerManagedDescriptions = resourceRule<object>({
  name: "no-controller-managed-descriptions",
  displayName: "No descriptions that read as controller-managed",
  description:
    "The description of a security group rule must not contain elbv2.k8s.aws/: the AWS Load Balancer Controller recognises " +
    "its own rules by that text alone, and revokes the ones it finds no use for.",
  severity: "high",
  tags: ["security-groups", "availability"],
  remediationSteps: `Say in other words what the rule is for:

\`\`\`ts
new aws.vpc.SecurityGroupIngressRule("pods-from-load-balancer", {
  description: "Load balancer to pods",
  // ...
});
\`\`\``,
  configSchema: { properties: {} },
  appliesTo: (type) => type in descriptions,
  check: ({ type, props }, report, config) => {
    const findings = new Findings(report, config);
    for (const { path, value } of descriptionsOf(type, props)) {
      if (isUnknown(value)) findings.unknown(value, `may contain "${marker}"`);
      else if (typeof value === "string" && value.includes(marker))
        report(`${path} is "${value}". Leave "${marker}" out: the controller takes such rules for its own.`);
    }
    findings.end();
  },
  repair: {
    writes: `writes the description without \`${marker}\`, and none where nothing else stands in it.`,
    appliesTo: (type) => !type.startsWith("awsx:"),
    changes: ({ type, props }) =>
      descriptionsOf(type, props).flatMap(({ segments, value }) =>
        typeof value === "string" && value.includes(marker)
          ? [{ path: segments, value: withoutMarker(value) || undefined }]
          : [],
      ),
  },
});

/** What is left may be one again, of the parts on both sides. */
function withoutMarker(text: string): string {
  const left = text.replaceAll(marker, "").trim();
  return left.includes(marker) ? withoutMarker(left) : left;
}

function descriptionsOf(type: string, props: Record<string, unknown>): Found[] {
  return descriptions[type]!.flatMap((path) => valuesAt(props, path));
}
