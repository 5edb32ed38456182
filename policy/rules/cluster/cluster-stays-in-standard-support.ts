import { isWithoutArguments } from "../../lib/components";
import { isUnknown } from "../../lib/known";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings, type UnknownValuesConfig } from "../../lib/unknown-values";
import { clusterPaths, isClusterType } from "./clusters";

interface Config extends UnknownValuesConfig {
  oldestVersion: string;
}

/**
 * The oldest version in standard support when this release of the pack was made (aws eks describe-cluster-versions: 1.33 until 2026-07-29,
 * 1.34 until 2026-12-02, 1.35 until 2027-03-27, 1.36 until 2027-08-02). It moves with a release and never with the clock: the same
 * program must not pass today and fail tomorrow.
 */
const oldest = "1.34";

/** What isn't written is AWS's choice: the version on the day of creation, and extended support at six times the price afterwards. */
export const clusterStaysInStandardSupport = resourceRule<Config>({
  name: "cluster-stays-in-standard-support",
  displayName: "Clusters have a written version in standard support",
  description:
    "An EKS cluster must say its Kubernetes version, one that AWS supports, and upgradePolicy.supportType STANDARD: else the version is whatever was newest on the day of creation, " +
    "environments differ, and a forgotten cluster grows old in extended support, at six times the price, until several upgrades are due at once.",
  severity: "high",
  tags: ["eks", "cost", "availability"],
  remediationSteps: `Write both, and move the version in a pull request, in one environment after the other:

\`\`\`ts
new aws.eks.Cluster("shop", {
  version: "1.36",
  upgradePolicy: { supportType: "STANDARD" },
  // ...
});
\`\`\`

With \`STANDARD\` AWS upgrades a cluster by itself when its version's standard support ends: upgrade before. \`EksCluster\` of Moorings warns from 90 days before.
The rule knows no calendar. What \`oldestVersion\` is by default moves with the releases of the pack.`,
  configSchema: {
    properties: {
      oldestVersion: {
        type: "string",
        default: oldest,
        description: "The oldest Kubernetes version that a cluster may have, as `1.<minor>`.",
      },
    },
  },
  appliesTo: isClusterType,
  check: ({ type, props }, report, config) => {
    if (isWithoutArguments({ type, props })) return;
    const findings = new Findings(report, config);
    const paths = clusterPaths(type);
    const version = valueAt(props, paths.version);
    const support = valueAt(props, paths.supportType);
    const wanted = minorOf(config.oldestVersion) ?? minorOf(oldest)!;
    if (isUnknown(version)) findings.unknown(version, `may be older than ${config.oldestVersion}`);
    else {
      const written = typeof version === "string" || typeof version === "number" ? String(version) : undefined;
      const minor = minorOf(written ?? "");
      if (written === undefined || minor === undefined)
        report(`version is ${written ?? "missing"}: write the Kubernetes version, such as version: "1.36".`);
      else if (minor < wanted)
        report(
          `version is ${written}, which is out of standard support: upgrade to ${config.oldestVersion} or newer, one minor version at a time.`,
        );
    }
    if (isUnknown(support)) findings.unknown(support, "may be EXTENDED");
    else if (support !== "STANDARD")
      report(
        `${paths.supportType.join(".")} is ${typeof support === "string" ? support : "missing, which means EXTENDED"}: write supportType: "STANDARD".`,
      );
    findings.end();
  },
});

function minorOf(version: string): number | undefined {
  const [, minor] = /^1\.(\d+)$/.exec(version) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
