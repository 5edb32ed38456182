import { secondsOf } from "../../lib/durations";
import { isUnknown } from "../../lib/known";
import { isPatch } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { isNodePoolType } from "./node-pools";

/** How long the Kubernetes provider waits for a deletion where nothing else is written (pulumi-kubernetes, `awaitDelete`). */
const defaultSeconds = 600;

/**
 * The provider deletes a pool and waits until its nodes are gone. Where it gives up first, people remove the pool from the state or the
 * finalizer from the object, then Karpenter itself, and instances stay behind that nobody looks after (karpenter-provider-aws #1955, #5727).
 */
export const nodePoolWaitsForItsNodes = resourceRule<object>({
  name: "node-pool-waits-for-its-nodes",
  displayName: "Deleting a node pool waits until its nodes have drained",
  description:
    "The delete timeout of a NodePool must be longer than the terminationGracePeriod of its nodes: Pulumi waits ten minutes by default, a node may take " +
    "an hour, and a deletion that gives up leaves instances behind that cost money and that no controller knows any more.",
  severity: "high",
  tags: ["karpenter", "cost"],
  remediationSteps: `Wait longer than nodes may take, with some time for the instances themselves:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-nodes", {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: { template: { spec: { terminationGracePeriod: "1h" /* ... */ } } /* ... */ },
}, { customTimeouts: { delete: "75m" }, dependsOn: [karpenter] });
\`\`\`

Without a terminationGracePeriod draining takes as long as disruption budgets of pods want; then any written timeout is accepted. A pool
out of a file of YAML gets its timeout by a transform. The Karpenter that drains must still be there: let the pool depend on it.`,
  configSchema: { properties: {} },
  appliesTo: isNodePoolType,
  check: (pool, report, config) => {
    if (isPatch(pool)) return;
    const findings = new Findings(report, config);
    const written = pool.opts.customTimeouts.deleteSeconds;
    const waited = written > 0 ? written : defaultSeconds;
    const grace = valueAt(pool.props, ["spec", "template", "spec", "terminationGracePeriod"]);
    const seconds = typeof grace === "string" ? secondsOf(grace) : undefined;
    const patience = written > 0 ? `after ${Math.round(waited / 60)} minutes` : "after ten minutes, the default";
    if (isUnknown(grace)) findings.unknown(grace, "may be longer than the deletion is waited for");
    else if (seconds === undefined) {
      if (written <= 0)
        report(
          `Pulumi gives up deleting the pool ${patience}, but its nodes may take as long as they like to drain. Write customTimeouts: { delete: "120m" }.`,
        );
    } else if (seconds >= waited)
      report(
        `Pulumi gives up deleting the pool ${patience}, but its nodes may take ${grace as string} to drain (terminationGracePeriod). Write customTimeouts: { delete: "${Math.ceil(seconds / 60) + 15}m" }.`,
      );
    findings.end();
  },
});
