import { isIPv6 } from "node:net";
import { isWithoutArguments } from "../../lib/components";
import { isUnknown } from "../../lib/known";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings, type UnknownValuesConfig } from "../../lib/unknown-values";
import { clusterPaths, isClusterType } from "./clusters";

/** Nobody holds a wider network: IANA gave out IPv4 in pieces of /8, IPv6 in pieces of /12 and longer. Two halves of everything are everything. */
const widest = { v4: 8, v6: 12 };

/** AWS's default is a public endpoint for 0.0.0.0/0: what is left out is open. */
export const clusterEndpointNamesItsCallers = resourceRule<UnknownValuesConfig>({
  name: "cluster-endpoint-names-its-callers",
  displayName: "The public endpoint of a cluster is off, or for named networks",
  description:
    "The Kubernetes API of an EKS cluster must not be open to everybody (0.0.0.0/0 or ::/0, which is what AWS takes if nothing is written): one leaked token, or one flaw in the " +
    "API server, and anybody can delete what serves your visitors.",
  severity: "high",
  tags: ["eks", "security"],
  remediationSteps: `Switch the public endpoint off, or write down who may use it:

\`\`\`ts
new aws.eks.Cluster("shop", {
  vpcConfig: {
    subnetIds,
    endpointPrivateAccess: true, // nodes, and everybody inside the VPC
    endpointPublicAccess: true,
    publicAccessCidrs: ["203.0.113.0/24"], // the office
  },
  // ...
});
\`\`\`

With the public endpoint off, whoever deploys must sit inside the VPC, or in a network that is connected to it. \`EksCluster\` of Moorings has it off
unless \`publicAccessCidrs\` are given.`,
  configSchema: { properties: {} },
  appliesTo: isClusterType,
  check: ({ type, props }, report, config) => {
    if (isWithoutArguments({ type, props })) return;
    const findings = new Findings(report, config);
    const paths = clusterPaths(type);
    const at = paths.publicCidrs.join(".");
    const isPublic = valueAt(props, paths.publicAccess);
    const cidrs = valueAt(props, paths.publicCidrs);
    const advice = `Name the networks that need it, or write ${paths.publicAccess.join(".")}: false.`;
    if (isPublic === false) return;
    if (isUnknown(cidrs)) findings.unknown(cidrs, "may hold 0.0.0.0/0");
    else if (!Array.isArray(cidrs) || cidrs.length === 0) {
      if (isUnknown(isPublic)) findings.unknown(isPublic, `may be true, for everybody`);
      else report(`${at} is ${Array.isArray(cidrs) ? "empty" : "missing"}, which means 0.0.0.0/0. ${advice}`);
    } else
      for (let i = 0; i < cidrs.length; i++) {
        const cidr = valueAt(cidrs, [String(i)]);
        if (isUnknown(cidr)) findings.unknown(cidr, "may be 0.0.0.0/0");
        else if (typeof cidr === "string" && isEverybody(cidr)) {
          if (isUnknown(isPublic)) findings.unknown(isPublic, `may be true, for ${cidr}`);
          else report(`${at}[${i}] is ${cidr}: everybody. ${advice}`);
        }
      }
    findings.end();
  },
});

function isEverybody(cidr: string): boolean {
  const [address = "", length = ""] = cidr.trim().split("/");
  return /^\d+$/.test(length) && Number(length) < (isIPv6(address) ? widest.v6 : widest.v4);
}
