import { isUnknown } from "../../lib/known";
import { isSelfContained, majorVersion, versionOf } from "./controllers";
import { controllerRule, releaseExample } from "./controller-rule";

/**
 * Advisory: an old controller works, and moving to the next major version is a project (definitions first, issue 4555), not the business of
 * whoever changes something else today.
 */
export const controllerChartIsCurrent = controllerRule({
  name: "controller-chart-is-current",
  enforcementLevel: "advisory",
  displayName: "The controller's chart is pinned, and version 3",
  description:
    "The chart of the AWS Load Balancer Controller should be of one version, 3 or later: unpinned, a new controller arrives with whatever update comes next, without its " +
    "definitions and permissions; before 3 it backs off longer when throttled and misses repairs of lost registrations.",
  severity: "medium",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Pin it, and move the pin in a pull request together with the custom resource definitions, which Helm never upgrades:

${releaseExample(`
region: "eu-west-1",
vpcId: vpc.id,`)}

Charts 1.x install controller 2.x; from 3.0.0 on, both have one number.`,
  check: (chart, findings) => {
    const version = versionOf(chart);
    if (isUnknown(version)) findings.unknown(version, "may be below 3");
    else if (version === undefined) {
      if (!isSelfContained(chart))
        findings.report('version is missing: Helm takes the newest at each update. Pin one, for example "3.5.0".');
    } else if (!/^v?\d+\.\d+\.\d+([-+].*)?$/.test(version))
      findings.report(`version "${version}" is a range: Helm takes the newest in it. Pin one, for example "3.5.0".`);
    else if (majorVersion(chart)! < 3)
      findings.report(`version ${version} installs a controller before 3. Plan the way to 3.5.0, definitions first.`);
  },
});
