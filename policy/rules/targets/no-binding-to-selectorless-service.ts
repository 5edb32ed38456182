import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { isPatch, isProperties } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { stackRule } from "../../lib/rule";
import { typeOf } from "../../lib/tokens";
import { bindsTo, isBindingType } from "./bindings";

interface Config {
  allowedNamespaces: string[];
}

/** Hand registration one level up: the controller faithfully registers whatever stands in a Service's endpoints. */
export const noBindingToSelectorlessService = stackRule<Config>({
  name: "no-binding-to-selectorless-service",
  displayName: "No binding to a Service without a selector",
  description:
    "A TargetGroupBinding must point to a Service with a selector. Without one Kubernetes doesn't keep the Service's " +
    "endpoints: somebody writes addresses by hand, and the load balancer gets them as if they were pods.",
  severity: "high",
  tags: ["load-balancing", "availability"],
  remediationSteps: `Give the Service the labels of its pods:

\`\`\`ts
new kubernetes.core.v1.Service("web", {
  metadata: { namespace: "shop", name: "web" },
  spec: { selector: { app: "web" }, ports: [{ port: 80, targetPort: 8080 }] },
});
\`\`\`

If something that follows its backends writes the endpoints (a mesh, an operator), list the namespace in \`allowedNamespaces\`.`,
  configSchema: {
    properties: {
      allowedNamespaces: {
        type: "array",
        items: { type: "string" },
        default: [],
        description: "Kubernetes namespaces in which bindings may point to Services without a selector.",
      },
    },
  },
  check: ({ resources }, report, config, undecided) => {
    const services = resources.filter((r) => typeOf(r.type) === "kubernetes:core:Service");
    for (const binding of resources) {
      if (!isBindingType(binding.type)) continue;
      const namespace = stringAt(binding.props, ["metadata", "namespace"]) ?? "default";
      if (typeof namespace === "string" && config.allowedNamespaces.includes(namespace)) continue;
      for (const service of services.filter((s) => bindsTo(binding, s))) {
        const selects = hasSelector(service);
        if (isUnknown(selects)) undecided.add(selects, binding, service.name);
        else if (!selects)
          report(
            `"${binding.name}" binds a target group to the Service "${service.name}", which has no selector. Give it the labels of its pods in spec.selector.`,
            binding.urn,
          );
      }
    }
  },
});

/** Whether Kubernetes keeps the endpoints of a Service. Of type ExternalName it has none, whatever its selector. */
function hasSelector(service: PolicyResource): boolean | Unknown {
  const spec = valueAt(service.props, ["spec"]);
  if (isPatch(service) && !(isProperties(spec) && Object.keys(spec).includes("selector"))) return true;
  const [type, selector] = [valueAt(spec, ["type"]), valueAt(spec, ["selector"])];
  if (type === "ExternalName") return false;
  const unknown = [spec, selector].find(isUnknown);
  if (unknown !== undefined) return unknown;
  return typeof selector === "object" && selector !== null && Object.keys(selector).length > 0;
}
