import { isIP } from "node:net";
import { matchesAny } from "../../lib/glob";
import { isUnknown, type Undecided, type Unknown } from "../../lib/known";
import { each, stringAt, valuesAt } from "../../lib/paths";
import { resourceRule } from "../../lib/rule";
import { bindingExample } from "./binding-example";
import { Carrier, targetFields, type TargetFields } from "./target-fields";

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
  appliesTo: (type) => targetFields(type) !== undefined,
  check: ({ type, props }, report, config, undecided) => {
    const fields = targetFields(type)!;
    for (const { object, prefix } of objectsOf(props, fields, undecided)) {
      const allowed = isAllowed(object, fields, config);
      if (allowed === true) continue;
      for (const path of fields.targets) {
        for (const target of valuesAt(object, path, prefix)) {
          if (isUnknown(target.value)) {
            if (config.unknownValues === "violation")
              report(`${target.path} isn't known yet and may be an IP address. ${instead[fields.carrier]}`);
            else undecided.add(target.value);
          } else if (typeof target.value === "string" && isIP(target.value) !== 0) {
            if (isUnknown(allowed) && config.unknownValues === "advisory") undecided.add(allowed);
            else report(`${target.path} registers the IP address ${target.value} by hand. ${instead[fields.carrier]}`);
          }
        }
      }
    }
  },
});

interface Holder {
  object: Record<string, unknown>;
  prefix: string;
}

/** The objects that hold targets: the resource itself, or the items of a list. */
function objectsOf(props: Record<string, unknown>, fields: TargetFields, undecided: Undecided): Holder[] {
  if (fields.items === undefined) return [{ object: props, prefix: "" }];
  const holders: Holder[] = [];
  for (const { path, value } of valuesAt(props, [fields.items, each])) {
    if (isUnknown(value)) undecided.add(value);
    else holders.push({ object: value as Record<string, unknown>, prefix: path });
  }
  return holders;
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
