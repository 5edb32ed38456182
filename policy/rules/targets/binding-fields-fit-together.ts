import { isUnknown, standsAt } from "../../lib/known";
import { isPatch, itemsAt, type KubernetesObject } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { Findings } from "../../lib/unknown-values";
import { bindingExample } from "./binding-example";
import { isControllersBindingType } from "./bindings";

/**
 * What the schema of the custom resource lets through and the controller doesn't: its admission webhook refuses the object in the middle of
 * an update, or, worse, takes a rule of `networking` and makes nothing of it.
 */
export const bindingFieldsFitTogether = resourceRule<object>({
  name: "binding-fields-fit-together",
  displayName: "The fields of a binding fit together",
  description:
    "A TargetGroupBinding must name a target group, its networking rules need peers and ports (without ports the controller opens nothing at all, " +
    "although its documentation says all), and nodeSelector or a role to assume must fit the target type.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `With static security group rules leave \`networking\` out: then the controller touches no rule.

${bindingExample}

If the controller is to write the rules, name each port of the pods:

\`\`\`ts
const networking = {
  ingress: [{ from: [{ securityGroup: { groupID: loadBalancer.id } }], ports: [{ protocol: "TCP", port: 8080 }] }],
};
\`\`\``,
  configSchema: { properties: {} },
  appliesTo: isControllersBindingType,
  check: (binding, report, config) => {
    const findings = new Findings(report, config);
    if (!isPatch(binding)) checkGroup(binding, findings);
    checkTargetType(binding, findings);
    itemsAt(binding.props, ["spec", "networking", "ingress"]).forEach((rule, i) => {
      for (const [list, effect] of [
        ["from", "it lets nobody in"],
        ["ports", "the controller makes no rule of it, whatever its documentation says"],
      ] as const) {
        const value = isUnknown(rule) ? rule : valueAt(rule, [list]);
        if (isUnknown(value)) findings.unknown(value, "may hold nothing");
        else if (!Array.isArray(value) || value.length === 0)
          report(
            `spec.networking.ingress[${i}].${list} is ${Array.isArray(value) ? "empty" : "missing"}: ${effect}. Write ${list === "ports" ? '[{ protocol: "TCP", port: 8080 }]' : "[{ securityGroup: { groupID } }]"}, or leave networking out and write the rule as a resource.`,
          );
      }
    });
    findings.end();
  },
});

/** webhooks/elbv2/targetgroupbinding_validator.go, v3.5.0: checkRequiredFields. */
function checkGroup({ props }: KubernetesObject, findings: Findings): void {
  const paths = [
    ["spec", "targetGroupARN"],
    ["spec", "targetGroupName"],
  ];
  const names = paths.map((path) => stringAt(props, path));
  // Of a group that is still to be made nobody knows the ARN.
  if (names.some((name, i) => (isUnknown(name) ? standsAt(name, paths[i]!) : name !== undefined && name !== "")))
    return;
  const unknown = names.find(isUnknown);
  if (unknown !== undefined) findings.unknown(unknown, "may name no target group");
  else findings.report("spec names no target group. Write its targetGroupARN.");
}

/** The same: checkNodeSelector and checkAssumeRoleConfig. */
function checkTargetType({ props }: KubernetesObject, findings: Findings): void {
  const type = stringAt(props, ["spec", "targetType"]);
  const misfit = (field: string, refusedWith: string, advice: string) => {
    const value = valueAt(props, ["spec", field]);
    if (value === undefined || value === "" || isUnknown(value)) return;
    if (isUnknown(type)) findings.unknown(type, `may not go with ${field}`);
    else if (type === refusedWith)
      findings.report(`spec.${field} can't be set with targetType ${type}: the controller refuses it. ${advice}`);
  };
  misfit("nodeSelector", "ip", "Leave it out: pods are chosen by the Service's selector.");
  misfit("iamRoleArnToAssume", "instance", 'Write targetType: "ip", or bind from an account that needs no other role.');
}
