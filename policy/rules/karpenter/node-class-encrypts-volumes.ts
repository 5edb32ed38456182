import { isUnknown } from "../../lib/known";
import { isProperties, itemsAt, type KubernetesObject } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { isNodeClassType } from "./node-pools";

const path = ["spec", "blockDeviceMappings"];

/** What mappings say of their volumes' encryption, by their index; those without a volume say nothing. */
function volumesOf({ props }: KubernetesObject): { index: number; encrypted: unknown }[] {
  return itemsAt(props, path).flatMap((mapping, index) => {
    const ebs = isUnknown(mapping) ? mapping : valueAt(mapping, ["ebs"]);
    if (isUnknown(ebs)) return [{ index, encrypted: ebs }];
    return isProperties(ebs) ? [{ index, encrypted: valueAt(ebs, ["encrypted"]) }] : [];
  });
}

/** Karpenter's own volumes are encrypted; with mappings that somebody writes the account decides, and its default is not to. */
export const nodeClassEncryptsVolumes = resourceRule<object>({
  name: "node-class-encrypts-volumes",
  displayName: "Volumes of nodes are encrypted",
  description:
    "Each volume that an EC2NodeClass describes must say encrypted: true: what pods write to their layers, their empty directories and their logs lands there, " +
    "and a mapping that says nothing replaces Karpenter's encrypted default by whatever the account is set to.",
  severity: "high",
  tags: ["karpenter", "security"],
  remediationSteps: `Say so for every volume:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web-node-class", {
  apiVersion: "karpenter.k8s.aws/v1",
  kind: "EC2NodeClass",
  metadata: { name: "web" },
  spec: {
    blockDeviceMappings: [
      { deviceName: "/dev/xvda", ebs: { volumeType: "gp3", volumeSize: "50Gi", encrypted: true } },
    ],
    // ...
  },
});
\`\`\`

With \`kmsKeyID\` the key's policy must let Karpenter's role use it, or no node starts.`,
  configSchema: { properties: {} },
  appliesTo: isNodeClassType,
  check: (nodeClass, report, config) => {
    const findings = new Findings(report, config);
    const written = valueAt(nodeClass.props, path);
    if (isUnknown(written)) findings.unknown(written, "may hold volumes that aren't encrypted");
    else
      for (const { index, encrypted } of volumesOf(nodeClass))
        if (isUnknown(encrypted)) findings.unknown(encrypted, "may be false");
        else if (encrypted !== true)
          report(
            `spec.blockDeviceMappings[${index}] ${encrypted === undefined ? "doesn't say whether the volume is encrypted" : "isn't encrypted"}. Write ebs.encrypted: true.`,
          );
    findings.end();
  },
  repair: {
    writes: "writes `encrypted: true` into each mapping that describes a volume.",
    changes: (nodeClass) =>
      volumesOf(nodeClass)
        .filter(({ encrypted }) => !isUnknown(encrypted) && encrypted !== true)
        .map(({ index }) => ({ path: [...path, String(index), "ebs", "encrypted"], value: true })),
  },
});
