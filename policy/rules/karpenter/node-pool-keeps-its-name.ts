import { isUnknown } from "../../lib/known";
import { isPatch, nameOf } from "../../lib/kubernetes";
import { stringAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { isNodeClassType, isNodePoolType } from "./node-pools";

/**
 * A pool that is replaced takes all its nodes with it at once, without new ones first, and whatever budgets say (karpenter #2386). A rule
 * sees only the new state, so it asks for what makes a replacement unlikely: Pulumi puts eight characters of chance behind a name that it
 * has to make up, and then replaces the object for every change that it can't make in place.
 */
export const nodePoolKeepsItsName = resourceRule<object>({
  name: "node-pool-keeps-its-name",
  displayName: "Node pools and node classes have names of their own",
  description:
    "A NodePool and an EC2NodeClass must have a written metadata.name: under a name that Pulumi made up the object is replaced where it could be " +
    "changed, and deleting a pool drains all its nodes at once, without replacements first and whatever its disruption budgets say.",
  severity: "high",
  tags: ["karpenter", "availability"],
  remediationSteps: `Write the name, and never change it. For a pool that exists write the name that it has:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-nodes", {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  // ...
}, { protect: true }); // where the nodes hold data
\`\`\`

To get to another name, add the new pool, let the workloads move (\`kubectl cordon\` the old nodes, or a taint), and remove the old one last.`,
  configSchema: { properties: {} },
  appliesTo: (type) => isNodePoolType(type) || isNodeClassType(type),
  check: (object, report, config) => {
    if (isPatch(object)) return;
    const findings = new Findings(report, config);
    const name = nameOf(object);
    if (isUnknown(name)) findings.unknown(name, "may be another one after each update");
    else if (name === undefined || name === "") {
      const prefix = stringAt(object.props, ["metadata", "generateName"]);
      report(
        `metadata.name is missing${prefix === undefined ? "" : ", and generateName makes a new one each time"}. Write the name, so that the object is changed and not replaced.`,
      );
    }
    findings.end();
  },
});
