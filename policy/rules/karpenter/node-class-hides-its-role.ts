import { isUnknown } from "../../lib/known";
import { numberAt } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { isNodeClassType } from "./node-pools";

const options = ["spec", "metadataOptions"];

/** A pod on its own network is one hop further away than the node. What isn't written is as it must be: Karpenter's definition has such defaults. */
export const nodeClassHidesItsRole = resourceRule<object>({
  name: "node-class-hides-its-role",
  displayName: "Pods can't take the role of their node",
  description:
    "An EC2NodeClass must not open the instance metadata to pods (hop limit above 1) nor take requests without a token: whoever gets a pod to fetch a URL, " +
    "or breaks into one, has the node's role with it, and so every image, every secret of the kubelet and the network of the VPC.",
  severity: "high",
  tags: ["karpenter", "security"],
  remediationSteps: `Leave \`metadataOptions\` out, or write what holds then:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-node-class", {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "web" },
  spec: {
    metadataOptions: { httpTokens: "required", httpPutResponseHopLimit: 1 },
    // ...
  },
});
\`\`\`

Pods that ask for their region or VPC get them as settings (the load balancer controller: \`region\` and \`vpcId\`), and AWS rights by IRSA or
Pod Identity. Pods on the host's network reach the metadata all the same.`,
  configSchema: { properties: {} },
  appliesTo: isNodeClassType,
  check: (nodeClass, report, config) => {
    const findings = new Findings(report, config);
    const hops = numberAt(nodeClass.props, [...options, "httpPutResponseHopLimit"]);
    const tokens = valueAt(nodeClass.props, [...options, "httpTokens"]);
    if (isUnknown(hops)) findings.unknown(hops, "may be above 1");
    else if (hops !== undefined && hops > 1)
      report(
        `spec.metadataOptions.httpPutResponseHopLimit is ${hops}, which lets pods take the node's role. Write 1, or leave it out.`,
      );
    if (isUnknown(tokens)) {
      // The same unknown, where all of the options aren't known.
      if (!isUnknown(hops)) findings.unknown(tokens, "may be optional");
    } else if (tokens === "optional")
      report(
        'spec.metadataOptions.httpTokens is "optional", which answers requests that a pod was talked into. Write "required", or leave it out.',
      );
    findings.end();
  },
});
