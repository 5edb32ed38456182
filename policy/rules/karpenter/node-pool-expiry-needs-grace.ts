import { isUnknown } from "../../lib/known";
import { isPatch } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { isNodePoolType } from "./node-pools";

const inTemplate = ["spec", "template", "spec"];

/** Fields that stood elsewhere in earlier API versions, or look as if they did. The API server drops them without an error. */
const misplaced = [
  ["spec", "disruption", "expireAfter"],
  ["spec", "disruption", "terminationGracePeriod"],
  ["spec", "expireAfter"],
  ["spec", "terminationGracePeriod"],
];

/** Expiry knows no budget and starts no replacement first; what it drains, it drains until the grace period ends, or for ever. */
export const nodePoolExpiryNeedsGrace = resourceRule<object>({
  name: "node-pool-expiry-needs-grace",
  displayName: "Nodes that expire have a termination grace period",
  description:
    "A NodePool whose nodes expire (by default after 720h) needs a terminationGracePeriod: without one a pod that can't be evicted " +
    "keeps its expired node draining for ever, and unpatched. Both belong under spec.template.spec; elsewhere they are dropped silently.",
  severity: "high",
  tags: ["karpenter", "availability"],
  remediationSteps: `Write both where the API reads them, with a grace period far above that of any pod, or let nodes not expire:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-nodes", {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: {
    template: {
      spec: {
        expireAfter: "720h", // the default; "Never" for nodes with data
        terminationGracePeriod: "1h",
        // ...
      },
    },
    // ...
  },
});
\`\`\`

When the grace period ends, pods are deleted whatever their disruption budgets say.`,
  configSchema: { properties: {} },
  appliesTo: isNodePoolType,
  check: (pool, report, config) => {
    const findings = new Findings(report, config);
    for (const path of misplaced)
      if (valueAt(pool.props, path) !== undefined && !isUnknown(valueAt(pool.props, path.slice(0, -1))))
        report(
          `${path.join(".")} has no effect, the API server drops it: write it under spec.template.spec. Nodes expire after 720h where nothing else stands there.`,
        );

    const expireAfter = valueAt(pool.props, [...inTemplate, "expireAfter"]);
    const grace = valueAt(pool.props, [...inTemplate, "terminationGracePeriod"]);
    const leftOut = isPatch(pool) && expireAfter === undefined;
    if (expireAfter !== "Never" && !leftOut) {
      if (isUnknown(grace)) findings.unknown(grace, "may be none, while nodes expire");
      else if (grace === undefined && isUnknown(expireAfter))
        findings.unknown(expireAfter, "needs a terminationGracePeriod unless it is Never");
      else if (grace === undefined)
        report(
          `Nodes expire after ${typeof expireAfter === "string" ? expireAfter : "720h (the default)"}, but spec.template.spec has no terminationGracePeriod. Write one ("1h"), or expireAfter: "Never".`,
        );
    }
    findings.end();
  },
});
