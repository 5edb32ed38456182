import { isWithoutArguments } from "../../lib/components";
import { isUnknown } from "../../lib/known";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings, type UnknownValuesConfig } from "../../lib/unknown-values";
import { clusterPaths, isClusterType } from "./clusters";

/** With both, entries count; the ConfigMap may stay until everybody in it has an entry. */
const enough = ["API", "API_AND_CONFIG_MAP"];

/** One ConfigMap for nodes and people together: whoever writes it without the nodes' role loses every node, and cannot write it back. */
export const clusterAdmitsByAccessEntries = resourceRule<UnknownValuesConfig>({
  name: "cluster-admits-by-access-entries",
  displayName: "Clusters admit nodes and people by access entries",
  description:
    "An EKS cluster must know its callers by access entries (authenticationMode API, or API_AND_CONFIG_MAP on the way there). With the ConfigMap aws-auth alone, AWS's default, one " +
    "wrong edit of one object locks out all nodes and all people at once, and only the cluster's creator gets in to undo it.",
  severity: "high",
  tags: ["eks", "availability", "security"],
  remediationSteps: `Write the mode, and an entry for each role:

\`\`\`ts
const cluster = new aws.eks.Cluster("shop", {
  accessConfig: { authenticationMode: "API", bootstrapClusterCreatorAdminPermissions: false },
  // ...
});
new aws.eks.AccessEntry("operators", { clusterName: cluster.name, principalArn: operators.arn });
new aws.eks.AccessPolicyAssociation("operators", {
  clusterName: cluster.name,
  principalArn: operators.arn,
  policyArn: "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
  accessScope: { type: "cluster" },
});
\`\`\`

A running cluster goes to \`API_AND_CONFIG_MAP\` first, then, when every role of \`aws-auth\` has an entry, to \`API\`. There is no way back.
\`bootstrapClusterCreatorAdminPermissions\` can't be changed later: on a running cluster leave it as it is.`,
  configSchema: { properties: {} },
  appliesTo: isClusterType,
  check: ({ type, props }, report, config) => {
    if (isWithoutArguments({ type, props })) return;
    const findings = new Findings(report, config);
    const path = clusterPaths(type).authentication;
    const mode = valueAt(props, path);
    if (isUnknown(mode)) findings.unknown(mode, "may be CONFIG_MAP");
    else if (typeof mode !== "string" || !enough.includes(mode))
      report(
        `${path.join(".")} is ${typeof mode === "string" ? mode : "missing, and AWS's default is CONFIG_MAP"}. Write "API", or "API_AND_CONFIG_MAP" until all have access entries.`,
      );
    findings.end();
  },
});
