import type { PolicyResource } from "@pulumi/policy";
import { mayShareNamespace, nameOf } from "../../lib/kubernetes";
import { stringAt } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { typeOf } from "../../lib/tokens";

/**
 * The binding of EKS Auto Mode, whose own controller works like the AWS Load Balancer Controller but has another API group:
 * eks.amazonaws.com/v1.
 */
export const autoModeBinding = "kubernetes:eks.amazonaws.com:TargetGroupBinding";
export const controllersBinding = "kubernetes:elbv2.k8s.aws:TargetGroupBinding";

/** Whether resources of this type are the controller's bindings, in any version of its API. */
export function isBindingType(type: string): boolean {
  return typeOf(type) === controllersBinding;
}

/** Whether a binding points to this Service: by name where both are known, else because its specification came from the Service. */
export function bindsTo(binding: PolicyResource, service: PolicyResource): boolean {
  const wanted = stringAt(binding.props, ["spec", "serviceRef", "name"]);
  const name = nameOf(service);
  if (typeof wanted !== "string" || typeof name !== "string") return cameFrom(binding, "spec", service);
  return wanted === name && mayShareNamespace(binding, service);
}
