import { isUnknown } from "../../lib/known";
import { entriesOf } from "../../lib/kubernetes";
import { valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { isControllersBindingType } from "./bindings";

/**
 * Prefixes of the labels by which each controller finds the bindings that it generated (tag prefixes of tracking.NewDefaultProvider in v3.5.0:
 * Ingress, Service, and Gateway with one for each kind of load balancer).
 */
const generated = /^(ingress|service|gateway)\.k8s\.aws(\.[a-z]+)?\//;

/** What the controller notes on a binding about its own work (checkpoint and checkpoint-timestamp). */
const noted = /^elbv2\.k8s\.aws\//;

const marks = [
  {
    map: "labels",
    pattern: generated,
    harm: "the controller takes the binding for one that it generated, finds no Ingress, Service or Gateway for it, and deletes it",
  },
  {
    map: "annotations",
    pattern: noted,
    harm: "the controller notes there which pods it has registered, and skips a binding whose note looks right",
  },
];

/** Whoever copies a generated binding out of the cluster copies these too. */
export const noControllerMarksOnBindings = resourceRule<object>({
  name: "no-controller-marks-on-bindings",
  displayName: "No marks of the controller on bindings",
  description:
    "A TargetGroupBinding must not carry the labels of bindings that the AWS Load Balancer Controller generates (ingress.k8s.aws/, " +
    "service.k8s.aws/, gateway.k8s.aws.alb/ and the like), nor its elbv2.k8s.aws/ annotations: it deletes such a binding with all its targets, or leaves it unregistered.",
  severity: "critical",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Write the binding without them; what you label it with for yourself needs a prefix of your own:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web", {
  apiVersion: "elbv2.k8s.aws/v1beta1",
  kind: "TargetGroupBinding",
  metadata: { namespace: "shop", labels: { "acme.example/team": "shop" } },
  spec: {
    targetGroupARN: targetGroup.arn,
    targetType: "ip",
    serviceRef: { name: "web", port: 80 },
  },
});
\`\`\`

To keep the targets of a binding that an Ingress generated, make a target group and a binding of your own beside it and move the traffic.`,
  configSchema: { properties: {} },
  appliesTo: isControllersBindingType,
  check: ({ props }, report, config) => {
    const findings = new Findings(report, config);
    for (const { map } of marks) {
      const value = valueAt(props, ["metadata", map]);
      if (isUnknown(value)) findings.unknown(value, "may hold the controller's own");
    }
    for (const { map, key, harm } of marksOn(props))
      report(`metadata.${map}["${key}"] must go: ${harm}. Use a key of your own.`);
    findings.end();
  },
  repair: {
    writes: "takes those labels and annotations away. The others stay.",
    changes: ({ props }) => marksOn(props).map(({ map, key }) => ({ path: ["metadata", map, key], value: undefined })),
  },
});

function marksOn(props: Record<string, unknown>): { map: string; key: string; harm: string }[] {
  return marks.flatMap(({ map, pattern, harm }) =>
    entriesOf(valueAt(props, ["metadata", map])).flatMap(([key]) => (pattern.test(key) ? [{ map, key, harm }] : [])),
  );
}
