import { isObject, type Json, type JsonObject } from "../../../cli/engine/values";
import type { Cloud, Living } from "./cloud";
import { text } from "./plain";

const release = "kubernetes:helm.sh/v3:Release";
const nodes = "aws:eks/nodeGroup:NodeGroup";
const binding = "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding";

/** Charts and files that bring a kind, and the controller without which an object of it never gets Ready or never goes. */
const kinds: Readonly<Record<string, { readonly definedBy: (thing: Living) => boolean; readonly chart: string }>> = {
  "kubernetes:karpenter.sh/v1:NodePool": { definedBy: isChart("karpenter-crd"), chart: "karpenter" },
  "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass": { definedBy: isChart("karpenter-crd"), chart: "karpenter" },
  [binding]: {
    definedBy: ({ inputs }) => metadata(inputs)["name"] === "targetgroupbindings.elbv2.k8s.aws",
    chart: "aws-load-balancer-controller",
  },
};

/** Namespaces that every cluster has. */
const given = ["default", "kube-system", "kube-public", "kube-node-lease"];

/** What the API server refuses, or what never gets Ready (the provider waits, and then fails). */
export function kubernetesRefusesToCreate(cloud: Cloud, type: string, inputs: JsonObject): string | undefined {
  const unreachable = noCluster(cloud);
  if (unreachable !== undefined) return unreachable;
  const namespace = text(metadata(inputs)["namespace"] ?? inputs["namespace"] ?? "default");
  const exists =
    given.includes(namespace) ||
    cloud.ofType("kubernetes:core/v1:Namespace").some((n) => metadata(n.inputs)["name"] === namespace);
  if (!exists) return `namespaces "${namespace}" not found`;

  const name = text(metadata(inputs)["name"] ?? inputs["name"]);
  const twin = cloud.ofType(type).find((other) => isSame(other.inputs, name, namespace));
  if (twin !== undefined) return `${type} "${name}" already exists (${twin.urn})`;

  const kind = kinds[type];
  if (kind !== undefined) {
    if (!cloud.living.some(kind.definedBy))
      return `no matches for kind "${text(inputs["kind"])}" in version "${text(inputs["apiVersion"])}"`;
    if (!cloud.living.some(isChart(kind.chart))) return `timed out waiting: no controller "${kind.chart}" is running`;
  }
  const bound = cloud.ofType(type).find(({ inputs: other }) => type === binding && groupOf(other) === groupOf(inputs));
  if (bound !== undefined) return `TargetGroup ${text(groupOf(inputs))} is already bound to ${bound.id}`;
  if (type === release && cloud.ofType(nodes).length === 0) return "timed out waiting: no node runs the release's pods";
  return undefined;
}

/** Objects with a finalizer go only while their controller runs; nothing goes without an API server. */
export function kubernetesRefusesToDelete(cloud: Cloud, thing: Living): string | undefined {
  const unreachable = noCluster(cloud);
  if (unreachable !== undefined) return unreachable;
  const kind = kinds[thing.type];
  if (kind !== undefined && !cloud.living.some(isChart(kind.chart))) {
    return `timed out waiting: the finalizer of ${thing.id} is "${kind.chart}"'s, which isn't running`;
  }
  return undefined;
}

function noCluster(cloud: Cloud): string | undefined {
  return cloud.ofType("aws:eks/cluster:Cluster").length > 0 ? undefined : "unable to reach the cluster: no such host";
}

function isChart(chart: string): (thing: Living) => boolean {
  return ({ type, inputs }) => type === release && text(inputs["chart"]).split("/").pop() === chart;
}

function isSame(inputs: JsonObject, name: unknown, namespace: string): boolean {
  const own = metadata(inputs);
  return (
    (own["name"] ?? inputs["name"]) === name && (own["namespace"] ?? inputs["namespace"] ?? "default") === namespace
  );
}

function metadata(inputs: JsonObject): JsonObject {
  return (inputs["metadata"] ?? {}) as JsonObject;
}

/** A group takes one binding (aws-load-balancer-controller webhooks/elbv2/targetgroupbinding_validator.go, `checkExistingTargetGroups`). */
function groupOf(inputs: JsonObject): Json | undefined {
  const spec = inputs["spec"];
  return isObject(spec) ? spec["targetGroupARN"] : undefined;
}
