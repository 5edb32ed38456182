import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { entriesOf, itemsAt, nameOf, stringsAt, type KubernetesObject } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { placementOf } from "../../lib/placement";
import { cameFrom } from "../../lib/references";
import { typeOf } from "../../lib/tokens";
import { textOf } from "../../lib/text";

export const poolLabel = "karpenter.sh/nodepool";
export const capacityLabel = "karpenter.sh/capacity-type";

/** Whether resources of this type are Karpenter's node pools. */
export function isNodePoolType(type: string): boolean {
  return typeOf(type) === "kubernetes:karpenter.sh:NodePool";
}

/** Whether resources of this type are classes of nodes: what Karpenter makes instances from. */
export function isNodeClassType(type: string): boolean {
  return typeOf(type) === "kubernetes:karpenter.k8s.aws:EC2NodeClass";
}

/** Whether a workload's pods may only go to nodes of this pool: by the pool's name, or by a label that it gives its nodes. */
export function targets(workload: PolicyResource, pool: PolicyResource): boolean {
  const { labels, unknown } = placementOf(workload);
  const byName = labels.get(poolLabel);
  if (unknown !== undefined || isUnknown(byName)) return cameFrom(workload, "spec", pool);
  const name = nameOf(pool);
  if (byName !== undefined) return typeof name === "string" ? byName.includes(name) : cameFrom(workload, "spec", pool);
  const given = entriesOf(valueAt(pool.props, ["spec", "template", "metadata", "labels"]));
  const agreed = given.map(([key, value]) => {
    const wanted = labels.get(key);
    return wanted === undefined || isUnknown(wanted) || isUnknown(value) ? undefined : wanted.includes(textOf(value));
  });
  return agreed.includes(true) && !agreed.includes(false);
}

/** Whether a pool may launch nodes of this capacity type. */
export function allowsCapacity(pool: KubernetesObject, type: string): boolean | Unknown {
  const template = ["spec", "template"];
  const label = valueAt(pool.props, [...template, "metadata", "labels", capacityLabel]);
  if (isUnknown(label)) return label;
  if (typeof label === "string" && label !== type) return false;
  let unknown: Unknown | undefined;
  for (const requirement of itemsAt(pool.props, [...template, "spec", "requirements"])) {
    const allowed = isUnknown(requirement) ? requirement : permits(requirement, type);
    if (allowed === false) return false;
    if (isUnknown(allowed)) unknown ??= allowed;
  }
  return unknown ?? true;
}

/** Whether a requirement lets the capacity type through; one on another label does. */
function permits(requirement: Record<string, unknown>, type: string): boolean | Unknown {
  const key = stringAt(requirement, ["key"]);
  if (isUnknown(key)) return key;
  if (key !== capacityLabel) return true;
  const operator = stringAt(requirement, ["operator"]);
  if (isUnknown(operator)) return operator;
  if (operator === "DoesNotExist") return false;
  if (operator !== "In" && operator !== "NotIn") return true;
  const values = stringsAt(requirement, ["values"]);
  if (isUnknown(values)) return values;
  return values.includes(type) === (operator === "In");
}
