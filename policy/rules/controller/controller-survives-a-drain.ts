import { isUnknown } from "../../lib/known";
import type { KubernetesObject } from "../../lib/kubernetes";
import type { Path } from "../../lib/paths";
import { chartSays, chartValue } from "./controllers";
import { controllerRule, filesAreNotRead, releaseExample } from "./controller-rule";

/** One replica works and the others wait, but all of them serve webhooks; and without any of them nobody registers a pod. */
export const controllerSurvivesADrain = controllerRule({
  name: "controller-survives-a-drain",
  displayName: "The controller has a second replica and a budget",
  description:
    "The AWS Load Balancer Controller needs two replicas and a PodDisruptionBudget, which its chart doesn't make by default: a drain that takes all of " +
    "them at once stops registration while pods move, and its webhooks, which fail closed, refuse bindings and Ingresses.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Write both. The chart makes the budget only from two replicas on:

${releaseExample(`
replicaCount: 2,
podDisruptionBudget: { maxUnavailable: 1 },`)}

${filesAreNotRead}`,
  check: (chart, findings) => {
    for (const { path, byDefault, written } of countsOf(chart)) {
      const name = path.join(".");
      if (isUnknown(written)) findings.unknown(written, `may leave ${name} below 2`);
      else if (isOne(written, byDefault))
        findings.report(
          `values.${name} is ${written === undefined ? `missing, which means ${byDefault}` : Number(written)}: while its one pod moves, nobody registers pods. Write at least 2.`,
        );
    }
    const budget = chartSays(chart, ["podDisruptionBudget"]);
    if (isUnknown(budget)) findings.unknown(budget, "may leave podDisruptionBudget out");
    else if (!budget)
      findings.report(
        "values.podDisruptionBudget is missing: a drain may take all controllers at once. Write podDisruptionBudget: { maxUnavailable: 1 }.",
      );
  },
  repair: {
    writes:
      "raises `replicaCount`, and with the chart's autoscaler on `autoscaling.minReplicas`, to 2, and writes `podDisruptionBudget: { maxUnavailable: 1 }` where there is none.",
    values: (chart) => [
      ...countsOf(chart).flatMap(({ path, byDefault, written }) =>
        !isUnknown(written) && isOne(written, byDefault) ? [{ path, value: 2 }] : [],
      ),
      ...(chartSays(chart, ["podDisruptionBudget"]) === false
        ? [{ path: ["podDisruptionBudget"], value: { maxUnavailable: 1 } }]
        : []),
    ],
  },
});

interface Count {
  readonly path: Path;
  readonly byDefault: number;
  readonly written: unknown;
}

/** Where the values say how many replicas there are. With its autoscaler on, the chart leaves the number to it. */
function countsOf(chart: KubernetesObject): Count[] {
  const count = (path: Path, byDefault: number) => ({ path, byDefault, written: chartValue(chart, path) });
  const scaled = chartValue(chart, ["autoscaling", "enabled"]) === true;
  return [count(["replicaCount"], 2), ...(scaled ? [count(["autoscaling", "minReplicas"], 1)] : [])];
}

function isOne(written: unknown, byDefault: number): boolean {
  return Number(written ?? byDefault) < 2;
}
