import { addressIn } from "../../lib/addresses";
import { matchesAny } from "../../lib/glob";
import { isUnknown, type Unknown } from "../../lib/known";
import { leavesAt, stringAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { bindingExample } from "./binding-example";
import { registrationsOf } from "./registrations";
import { Carrier, isNamed, targetFields, type TargetFields } from "./target-fields";

interface Config {
  allowTargetGroupArns: string[];
  allowedNamespaces: string[];
}

const instead: Record<Carrier, string> = {
  [Carrier.Attachment]: "Remove it and bind the target group to the pods' Service with a TargetGroupBinding.",
  [Carrier.Endpoints]: "Remove the object and give the Service a selector, so that Kubernetes keeps its endpoints.",
};

/** A pod's address is only right until the pod moves; whoever wrote it by hand isn't there to take it out again. */
export const noHandRegisteredIpTargets = resourceRule<Config>({
  name: "no-hand-registered-ip-targets",
  displayName: "No hand-registered IP targets",
  description:
    "IP addresses must not be registered as load balancer targets by hand. A pod's address changes whenever its node is " +
    "replaced: the targets rot one by one while everything looks healthy, until none is left.",
  severity: "critical",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Delete the resource and let the AWS Load Balancer Controller register the pods:

${bindingExample}

Instance ids and ARNs of functions and load balancers are fine as targets. For addresses that no controller can know (a
database on premises, say) name the target group in \`allowTargetGroupArns\`, or for Kubernetes endpoints the namespace in
\`allowedNamespaces\`.`,
  configSchema: {
    properties: {
      allowTargetGroupArns: {
        type: "array",
        items: { type: "string" },
        default: [],
        description:
          "ARNs of target groups that may hold addresses registered by hand; `*` stands for any text. While a group's ARN isn't known yet the finding is advisory.",
      },
      allowedNamespaces: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Kubernetes namespaces in which Endpoints and EndpointSlices may be written by hand.",
      },
    },
  },
  appliesTo: (type) => targetFields(type) !== undefined || type.startsWith("kubernetes:"),
  check: ({ type, props }, report, config, undecided) => {
    for (const registration of registrationsOf(type, props)) {
      if (isUnknown(registration)) {
        undecided.add(registration);
        continue;
      }
      const { fields, object, prefix } = registration;
      const allowed = isAllowed(object, fields, config);
      if (allowed === true) continue;
      for (const { path, value } of fields.targets.flatMap((targets) => leavesAt(object, targets, prefix))) {
        const doubt = isUnknown(value) ? value : isUnknown(allowed) ? allowed : undefined;
        const fault = isUnknown(value) ? "isn't known yet and may be an IP address" : faultOf(value, fields.carrier);
        if (fault === undefined) continue;
        if (doubt !== undefined && config.unknownValues === "advisory") undecided.add(doubt);
        else report(`${path} ${fault}. ${instead[fields.carrier]}`);
      }
    }
  },
});

/**
 * What is wrong with a target. What an attachment names is an address unless it is something else for certain: there are more ways to
 * write an address than anybody lists. Endpoints may be names (`addressType: FQDN`), which nobody registers.
 */
function faultOf(target: unknown, carrier: Carrier): string | undefined {
  if (typeof target !== "string" && typeof target !== "number") return undefined;
  const text = String(target).trim();
  const address = addressIn(text);
  if (address !== undefined) return `registers the IP address ${address} by hand`;
  if (carrier === Carrier.Endpoints || text === "" || isNamed(text)) return undefined;
  return "is neither an instance id (i-...) nor an ARN, so that it is taken for an IP address that is registered by hand";
}

/** Whether the configuration lets this object hold addresses; an unknown if that depends on one. */
function isAllowed(object: Record<string, unknown>, fields: TargetFields, config: Config): boolean | Unknown {
  if (fields.carrier === Carrier.Endpoints) {
    if (config.allowedNamespaces.length === 0) return false;
    const namespace = stringAt(object, ["metadata", "namespace"]) ?? "default";
    return isUnknown(namespace) ? namespace : config.allowedNamespaces.includes(namespace);
  }
  if (fields.group === undefined || config.allowTargetGroupArns.length === 0) return false;
  const arn = stringAt(object, fields.group);
  if (isUnknown(arn)) return arn;
  return arn !== undefined && matchesAny(arn, config.allowTargetGroupArns);
}
