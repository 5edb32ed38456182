import type { KubernetesObject } from "../../lib/kubernetes";
import type { Change } from "../../lib/repairs";
import { resourceRule, type ResourceRule, type Rule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { isChartType, isController, isRendered } from "./controllers";

/** A rule on how the chart of the controller is installed. */
export interface ControllerRule extends Omit<ResourceRule<object>, "appliesTo" | "check" | "configSchema" | "repair"> {
  check: (chart: KubernetesObject, findings: Findings) => void;
  /** What is missing in the values of a Release, and what it `writes`. */
  repair?: { readonly writes: string; readonly values: (chart: KubernetesObject) => readonly Change[] };
}

export function controllerRule({ repair, ...rule }: ControllerRule): Rule {
  return resourceRule<object>({
    ...rule,
    configSchema: { properties: {} },
    appliesTo: isChartType,
    check: (chart, report, config) => {
      if (!isController(chart)) return;
      const findings = new Findings(report, config);
      rule.check(chart, findings);
      findings.end();
    },
    ...(repair && {
      repair: {
        writes: repair.writes,
        // A Chart renders itself in the program.
        appliesTo: (type) => !isRendered(type),
        changes: (chart) =>
          isController(chart)
            ? repair.values(chart).map(({ path, value }) => ({ path: ["values", ...path], value }))
            : [],
      },
    }),
  });
}

/** The example in the advice of these rules: a release with what each of them is about. */
export function releaseExample(values: string): string {
  return `\`\`\`ts
new kubernetes.helm.v3.Release("aws-load-balancer-controller", {
  chart: "aws-load-balancer-controller",
  version: "3.5.0",
  repositoryOpts: { repo: "https://aws.github.io/eks-charts" },
  namespace: "kube-system",
  values: {
    clusterName: cluster.name,
${values
  .trim()
  .split("\n")
  .map((line) => `    ${line}`)
  .join("\n")}
    // ...
  },
});
\`\`\``;
}

/** Part of the advice of rules that judge values. */
export const filesAreNotRead =
  "Values in `valueYamlFiles` can't be read by a policy: what only they may say is reported as not known. Write what matters into `values`, which wins.";
