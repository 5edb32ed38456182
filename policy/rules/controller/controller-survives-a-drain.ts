import { isUnknown } from "../../lib/known";
import type { KubernetesObject } from "../../lib/kubernetes";
import type { Path } from "../../lib/paths";
import type { Findings } from "../../lib/unknown-values";
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
    atLeastTwo(chart, ["replicaCount"], 2, findings);
    const scaled = chartValue(chart, ["autoscaling", "enabled"]);
    // With its autoscaler on, the chart leaves the number of replicas to it.
    if (scaled === true) atLeastTwo(chart, ["autoscaling", "minReplicas"], 1, findings);

    const budget = chartSays(chart, ["podDisruptionBudget"]);
    if (isUnknown(budget)) findings.unknown(budget, "may leave podDisruptionBudget out");
    else if (!budget)
      findings.report(
        "values.podDisruptionBudget is missing: a drain may take all controllers at once. Write podDisruptionBudget: { maxUnavailable: 1 }.",
      );
  },
});

function atLeastTwo(chart: KubernetesObject, path: Path, byDefault: number, findings: Findings): void {
  const written = chartValue(chart, path);
  const name = path.join(".");
  if (isUnknown(written)) findings.unknown(written, `may leave ${name} below 2`);
  else if (Number(written ?? byDefault) < 2)
    findings.report(
      `values.${name} is ${written === undefined ? `missing, which means ${byDefault}` : Number(written)}: while its one pod moves, nobody registers pods. Write at least 2.`,
    );
}
