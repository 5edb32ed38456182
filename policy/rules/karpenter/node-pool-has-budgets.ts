import { allOf, anyOf, isUnknown, type Unknown } from "../../lib/known";
import { isPatch, type Properties } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { budgetsOf, isAlwaysActive, isFor, Reason } from "./budgets";
import { isNodePoolType } from "./node-pools";

const path = ["spec", "disruption", "budgets"];
const reasons = [Reason.Underutilized, Reason.Drifted];
const byDefault = { nodes: "10%" };

/**
 * Karpenter takes the least of the budgets that are active for a reason, and no limit at all where none is (v1.14.1,
 * pkg/apis/v1/nodepool.go, GetAllowedDisruptionsByReason starts from MaxInt32): a list of freeze windows alone, which looks careful,
 * lets everything go at once outside of them.
 */
export const nodePoolHasBudgets = resourceRule<object>({
  name: "node-pool-has-budgets",
  displayName: "Every node pool has disruption budgets",
  description:
    "A Karpenter NodePool must say how many nodes may be disrupted at a time, at any hour and for every reason: the implied 10 % round " +
    "up to one of two nodes, and outside of its schedules a list of scheduled budgets limits nothing.",
  severity: "high",
  tags: ["karpenter", "availability"],
  remediationSteps: `Write budgets, at least one of them without a schedule:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-nodes", {
  apiVersion: "karpenter.sh/v1",
  kind: "NodePool",
  metadata: { name: "web" },
  spec: {
    disruption: {
      consolidationPolicy: "WhenEmptyOrUnderutilized",
      consolidateAfter: "5m",
      budgets: [
        { nodes: "10%" },
        { nodes: "1", reasons: ["Underutilized"] },
        { nodes: "0", schedule: "0 7 * * mon-fri", duration: "10h" }, // UTC
      ],
    },
    // ...
  },
});
\`\`\`

Empty nodes carry no pods: a budget for them isn't required.`,
  configSchema: { properties: {} },
  appliesTo: isNodePoolType,
  check: (pool, report, config) => {
    const findings = new Findings(report, config);
    const written = valueAt(pool.props, path);
    const budgets = budgetsOf(pool);
    if (isUnknown(written)) findings.unknown(written, "may be empty");
    else if (isPatch(pool) && written === undefined) return;
    else if (budgets.length === 0)
      report(
        `spec.disruption.budgets is ${written === undefined ? "missing" : "empty"}. Write how many nodes may be disrupted at a time: [{ nodes: "10%" }].`,
      );
    else
      for (const reason of reasons) {
        const bounded = isBounded(budgets, reason);
        if (isUnknown(bounded)) findings.unknown(bounded, `may leave the reason ${reason} without a budget`);
        else if (!bounded)
          report(
            `spec.disruption.budgets has no budget without a schedule for the reason ${reason}: outside of the schedules all nodes may go at once. Add one, e.g. { nodes: "10%" }.`,
          );
      }
    findings.end();
  },
  repair: {
    writes:
      'adds `{ nodes: "10%" }`, which is what Karpenter takes where nothing is written. Of several budgets the least holds: those that are there keep their say.',
    changes: (pool) => {
      const written = valueAt(pool.props, path);
      if (written === undefined) return isPatch(pool) ? [] : [{ path, value: [{ ...byDefault }] }];
      if (!Array.isArray(written)) return [];
      const unbounded = written.length === 0 || reasons.some((reason) => isBounded(budgetsOf(pool), reason) === false);
      return unbounded ? [{ path: [...path, String(written.length)], value: { ...byDefault } }] : [];
    },
  },
});

function isBounded(budgets: readonly (Properties | Unknown)[], reason: Reason): boolean | Unknown {
  return anyOf(budgets.map((b) => (isUnknown(b) ? b : allOf([isAlwaysActive(b), isFor(b, reason)]))));
}
