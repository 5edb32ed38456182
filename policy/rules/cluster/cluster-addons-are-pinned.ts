import { isWithoutArguments } from "../../lib/components";
import { allOf, isUnknown, type Unknown } from "../../lib/known";
import type { Properties } from "../../lib/kubernetes";
import { valueAt, type Path } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings, type UnknownValuesConfig } from "../../lib/unknown-values";

/** Where a resource says which version of an add-on it installs. */
interface Addon {
  readonly version: Path;
  /** Whether the resource installs it at all; always if undefined. */
  readonly installed?: (props: Properties) => boolean | Unknown;
}

const own: Addon = { version: ["addonVersion"] };

const addonTypes: Readonly<Record<string, readonly Addon[]>> = {
  "aws:eks/addon:Addon": [own],
  "aws-native:eks:Addon": [own],
  "eks:index:Addon": [own],
  "eks:index:VpcCniAddon": [own],
  // What it installs by itself are children, which a check without plugins never sees.
  "eks:index:Cluster": [
    {
      version: ["vpcCniOptions", "addonVersion"],
      installed: (props) => allOf([isntTrue(props, ["useDefaultVpcCni"]), withoutAutoMode(props)]),
    },
    {
      version: ["kubeProxyAddonOptions", "version"],
      installed: (props) => allOf([isntFalse(props, ["kubeProxyAddonOptions", "enabled"]), withoutAutoMode(props)]),
    },
    {
      version: ["corednsAddonOptions", "version"],
      // Without a node group it leaves the self-managed one that EKS brings (documentation of `enabled`).
      installed: (props) =>
        allOf([
          isntFalse(props, ["corednsAddonOptions", "enabled"]),
          isntTrue(props, ["skipDefaultNodeGroup"]),
          withoutAutoMode(props),
        ]),
    },
  ],
};

/** CoreDNS and the network plugin are every pod's: a version that nobody chose is an outage that nobody planned. */
export const clusterAddonsArePinned = resourceRule<UnknownValuesConfig>({
  name: "cluster-addons-are-pinned",
  displayName: "Cluster add-ons have written versions",
  description:
    "Every EKS add-on must say its version: without one, EKS takes the default (and @pulumi/eks the newest) of the day, so that production gets what staging never had, in " +
    "the network, the names or the volumes of all pods.",
  severity: "high",
  tags: ["eks", "availability"],
  remediationSteps: `Write the version, and move it in a pull request, in one environment after the other:

\`\`\`ts
new aws.eks.Addon("coredns", {
  clusterName: cluster.name,
  addonName: "coredns",
  addonVersion: "v1.14.3-eksbuild.23",
});
\`\`\`

Which there are: \`aws eks describe-addon-versions --kubernetes-version 1.36 --addon-name coredns\`. Don't ask for the newest in the program
(\`aws.eks.getAddonVersion({ mostRecent: true })\`): to the rule that looks like a version, and it is another one every week.`,
  configSchema: { properties: {} },
  appliesTo: (type) => type in addonTypes,
  check: ({ type, props }, report, config) => {
    if (isWithoutArguments({ type, props })) return;
    const findings = new Findings(report, config);
    for (const { version: path, installed } of addonTypes[type]!) {
      const version = valueAt(props, path);
      const applies = installed?.(props) ?? true;
      if (applies === false || (typeof version === "string" && version !== "" && !followers.test(version))) continue;
      const unknown = [version, applies].find(isUnknown);
      if (unknown !== undefined) findings.unknown(unknown, `may leave ${path.join(".")} open`);
      else
        report(
          `${path.join(".")} is ${typeof version === "string" && version !== "" ? version : "missing"}. Write one build, such as "v1.14.3-eksbuild.23".`,
        );
    }
    findings.end();
  },
});

/** Words that mean another version every week. */
const followers = /^(latest|default|most[ _-]?recent)$/i;

function withoutAutoMode(props: Properties): boolean | Unknown {
  return isntTrue(props, ["autoMode", "enabled"]);
}

function isntTrue(props: Properties, path: Path): boolean | Unknown {
  const value = valueAt(props, path);
  return isUnknown(value) ? value : value !== true;
}

function isntFalse(props: Properties, path: Path): boolean | Unknown {
  const value = valueAt(props, path);
  return isUnknown(value) ? value : value !== false;
}
