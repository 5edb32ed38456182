import { isUnknown } from "../../lib/known";
import { nameOf } from "../../lib/kubernetes";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { apiOfBinding, isBindingType } from "./bindings";

/** What a condition may have after its prefix (apimachinery validation, IsQualifiedName). */
const longest = 63;

/** The name becomes the second half of a condition's name. The API server takes any binding, and then refuses the pods. */
export const bindingNameFitsItsGate = resourceRule<object>({
  name: "binding-name-fits-its-gate",
  displayName: "A binding's name fits the readiness gate",
  description:
    `The name of a TargetGroupBinding must have at most ${longest} characters: its readiness gate is target-health.elbv2.k8s.aws/<name>, and with ` +
    "a longer one Kubernetes refuses every pod that the webhook adds the gate to, at the next rollout or node replacement.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Leave \`metadata.name\` out: Pulumi makes one of the resource's name and nine characters more. Or write a short one:

\`\`\`ts
new kubernetes.apiextensions.CustomResource("web", {
  apiVersion: "elbv2.k8s.aws/v1beta1",
  kind: "TargetGroupBinding",
  metadata: { namespace: "shop" }, // its name will be web-1a2b3c4d
  spec: {
    targetGroupARN: targetGroup.arn,
    targetType: "ip",
    serviceRef: { name: "web", port: 80 },
  },
});
\`\`\`

A name that Pulumi makes has another advantage: a binding to another target group can be made before the old one goes.`,
  configSchema: { properties: {} },
  appliesTo: isBindingType,
  check: (binding, report, config) => {
    const findings = new Findings(report, config);
    const name = nameOf(binding);
    if (isUnknown(name)) findings.unknown(name, `may have more than ${longest} characters`);
    else if (name !== undefined && name.length > longest)
      report(
        `metadata.name has ${name.length} characters; with more than ${longest} the readiness gate target-health.${apiOfBinding(binding.type)}/${name} is invalid, and so is every pod that gets it. Shorten it, or leave it to Pulumi.`,
      );
    findings.end();
  },
});
