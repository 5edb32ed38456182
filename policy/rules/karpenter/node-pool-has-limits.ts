import { isUnknown } from "../../lib/known";
import { entriesOf, isPatch } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { isNodePoolType } from "./node-pools";

/** A limit is the only thing between a workload that asks for too much (a loop that makes pods, a wrong request) and the bill. */
export const nodePoolHasLimits = resourceRule<object>({
  name: "node-pool-has-limits",
  displayName: "Every node pool has limits",
  description:
    "A Karpenter NodePool must limit cpu and memory, or nodes: without limits Karpenter buys whatever pods ask for, and one " +
    "runaway workload uses up the account's quota and the subnets' addresses for all.",
  severity: "high",
  tags: ["karpenter", "cost", "availability"],
  remediationSteps: `Write what the pool may grow to at most:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-nodes", {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: {
    limits: { cpu: "200", memory: "800Gi" }, // or { nodes: "20" }
    // ...
  },
});
\`\`\`

A pool of fixed size (\`spec.replicas\`) needs none.`,
  configSchema: { properties: {} },
  appliesTo: isNodePoolType,
  check: (pool, report, config) => {
    const findings = new Findings(report, config);
    const limits = valueAt(pool.props, ["spec", "limits"]);
    const replicas = valueAt(pool.props, ["spec", "replicas"]);
    if (isUnknown(limits)) findings.unknown(limits, "may hold no limits");
    else if (isPatch(pool) && limits === undefined) return;
    else if (replicas === undefined) {
      // What a limit is needn't be known, only that there is one.
      const limited = entriesOf(limits).flatMap(([name, value]) =>
        value === undefined || value === null ? [] : [name],
      );
      if (!limited.includes("nodes") && !["cpu", "memory"].every((name) => limited.includes(name)))
        report(
          `spec.limits ${limits === undefined ? "is missing" : "leaves the pool without a bound"}. Limit cpu and memory, or nodes: { cpu: "200", memory: "800Gi" }.`,
        );
    }
    findings.end();
  },
});
