import type { PolicyResource } from "@pulumi/policy";
import { allOf, isUnknown, notKnown, type Undecided, type Unknown } from "../../lib/known";
import { isPatch, isProperties, itemsAt, mayShareNamespace, type Properties } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { podSpec, selectsPodsOf } from "../../lib/pods";
import { typeOf } from "../../lib/tokens";
import { bindsTo, isBindingType } from "../targets/bindings";
import { isLoadBalancerTargetGroup, namesGroup, takesAddresses } from "../targets/target-groups";

/** A binding and the Service that it points to. */
export interface Bound {
  readonly binding: PolicyResource;
  readonly service: PolicyResource;
}

/** A workload whose pods are targets of load balancers. */
export interface BoundWorkload {
  readonly workload: PolicyResource;
  readonly by: readonly Bound[];
}

const workloadTypes = ["kubernetes:apps:Deployment", "kubernetes:extensions:Deployment", "kubernetes:apps:StatefulSet"];

/** Whether this is a workload as a whole, not a patch. */
export function isWorkload(resource: PolicyResource): boolean {
  return workloadTypes.includes(typeOf(resource.type)) && !isPatch(resource);
}

export function isDeployment(workload: PolicyResource): boolean {
  return typeOf(workload.type).endsWith(":Deployment");
}

/** The workloads of a stack whose pods a binding of it registers. */
export function boundWorkloads(resources: readonly PolicyResource[], undecided: Undecided): BoundWorkload[] {
  const services = resources.filter((r) => typeOf(r.type) === "kubernetes:core:Service" && !isPatch(r));
  const groups = resources.filter(isLoadBalancerTargetGroup);
  const bound = resources
    .filter((r) => isBindingType(r.type) && !isPatch(r))
    .flatMap((binding) =>
      services
        .filter((service) => bindsTo(binding, service))
        .map((service) => ({ binding, service, pods: registersPods(binding, groups) })),
    );
  const workloads = resources.filter(isWorkload);
  return workloads.flatMap((workload) => {
    const by = bound.filter(({ binding, service, pods }) => {
      const selected = allOf([pods, sendsTo(service, workload)]);
      if (isUnknown(selected)) undecided.add(selected, workload, selected === pods ? binding.name : service.name);
      return selected === true;
    });
    return by.length === 0 ? [] : [{ workload, by }];
  });
}

/** Pods behind the ports of instances aren't targets themselves. A binding that doesn't say takes the type of its group. */
function registersPods(binding: PolicyResource, groups: readonly PolicyResource[]): boolean | Unknown {
  const type = stringAt(binding.props, ["spec", "targetType"]);
  if (type !== undefined) return isUnknown(type) ? type : type === "ip";
  const name = stringAt(binding.props, ["spec", "targetGroupName"]);
  const group =
    groups.find((g) => namesGroup(binding, ["spec", "targetGroupARN"], g)) ??
    groups.find((g) => typeof name === "string" && stringAt(g.props, ["name"]) === name);
  // Of a group that is made elsewhere only AWS knows it.
  return group === undefined ? notKnown("spec", "targetType") : takesAddresses(group);
}

/** A Service's selector is a plain map, and an empty one selects nothing. */
function sendsTo(service: PolicyResource, workload: PolicyResource): boolean | Unknown {
  if (!mayShareNamespace(service, workload)) return false;
  const selector = valueAt(service.props, ["spec", "selector"]);
  if (isUnknown(selector)) return selector;
  return isProperties(selector) && Object.keys(selector).length > 0
    ? selectsPodsOf({ matchLabels: selector }, workload)
    : false;
}

/** What a workload's containers are to the load balancers in front of it. */
export interface Servers {
  readonly containers: readonly (Properties | Unknown)[];
  /** Whether each of them gets requests; else one of them does, and nothing says which. */
  readonly all: boolean;
}

/** The containers that listen on the ports that the bindings lead to. */
export function serversOf({ workload, by }: BoundWorkload): Servers {
  const containers = itemsAt(workload.props, [...podSpec, "containers"]);
  const ports = by.map(targetPort);
  const serving = containers.filter((c) => isProperties(c) && ports.some((port) => listensOn(c, port)));
  return serving.length > 0 ? { containers: serving, all: true } : { containers, all: containers.length === 1 };
}

/** The port of the pods behind a binding: a number, or the name of a container's port. */
function targetPort({ binding, service }: Bound): unknown {
  const wanted = valueAt(binding.props, ["spec", "serviceRef", "port"]);
  if (wanted === undefined || isUnknown(wanted)) return undefined;
  const port = itemsAt(service.props, ["spec", "ports"])
    .filter(isProperties)
    .find((p) => [valueAt(p, ["port"]), stringAt(p, ["name"])].includes(wanted));
  return port && (valueAt(port, ["targetPort"]) ?? valueAt(port, ["port"]));
}

function listensOn(container: Properties, port: unknown): boolean {
  if (typeof port !== "number" && typeof port !== "string") return false;
  return itemsAt(container, ["ports"])
    .filter(isProperties)
    .some((p) => [valueAt(p, ["containerPort"]), valueAt(p, ["name"])].includes(port));
}
