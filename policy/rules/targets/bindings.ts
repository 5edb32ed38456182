import type { PolicyResource } from "@pulumi/policy";
import { mayShareNamespace, nameOf } from "../../lib/kubernetes";
import { stringAt } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { indexOf, keysOfHolder, keysOfSource, type Keys } from "../../lib/stack-index";
import { typeOf } from "../../lib/tokens";
import { isLoadBalancerTargetGroup } from "./target-groups";

/** The API group of the AWS Load Balancer Controller. */
const controllersApi = "elbv2.k8s.aws";

/** EKS Auto Mode runs the same controller under a group of its own, which also stands in its labels and gates: eks.amazonaws.com/v1. */
const autoModeApi = "eks.amazonaws.com";

/** The API group of a binding, without a version; undefined for anything else. */
export function apiOfBinding(type: string): string | undefined {
  return [controllersApi, autoModeApi].find((api) => typeOf(type) === `kubernetes:${api}:TargetGroupBinding`);
}

/** Whether resources of this type are bindings, in any version of the API. */
export function isBindingType(type: string): boolean {
  return apiOfBinding(type) !== undefined;
}

/** Whether they are bindings of the controller that one installs oneself: of Auto Mode's nobody can read what its webhook refuses. */
export function isControllersBindingType(type: string): boolean {
  return apiOfBinding(type) === controllersApi;
}

/** Whether a binding points to this Service: by name where both are known, else because its specification came from the Service. */
export function bindsTo(binding: PolicyResource, service: PolicyResource): boolean {
  const wanted = stringAt(binding.props, ["spec", "serviceRef", "name"]);
  const name = nameOf(service);
  if (typeof wanted !== "string" || typeof name !== "string") return cameFrom(binding, "spec", service);
  return wanted === name && mayShareNamespace(binding, service);
}

/** The Services that a binding points to, patches of Services among them. */
export function servicesOf(binding: PolicyResource, resources: readonly PolicyResource[]): PolicyResource[] {
  return indexOf(resources, isServiceOrPatch, (service) => keysOfSource(service, [nameOf(service)]))
    .sharing(keysOfHolder(binding, [stringAt(binding.props, ["spec", "serviceRef", "name"])], ["spec"]))
    .filter((service) => bindsTo(binding, service));
}

function isServiceOrPatch({ type }: PolicyResource): boolean {
  return typeOf(type) === "kubernetes:core:Service";
}

/** The target groups that a binding may name: by ARN, by name, or because its specification came from them. */
export function groupsOf(binding: PolicyResource, resources: readonly PolicyResource[]): PolicyResource[] {
  const called = ["targetGroupARN", "targetGroupName"].map((property) => stringAt(binding.props, ["spec", property]));
  return indexOf(resources, isLoadBalancerTargetGroup, keysOfGroup).sharing(keysOfHolder(binding, called, ["spec"]));
}

function keysOfGroup(group: PolicyResource): Keys {
  const names = ["arn", "targetGroupArn", "name"].map((property) => stringAt(group.props, [property]));
  return keysOfSource(group, names);
}
