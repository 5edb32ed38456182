import type { PolicyResource } from "@pulumi/policy";
import { anyOf, isUnknown, type Unknown } from "../../lib/known";
import { nameOf } from "../../lib/kubernetes";
import { each, stringAt, valueAt, valuesAt } from "../../lib/paths";
import { coversPodsOf, isBudget, letsGo, percentOf, podSpec } from "../../lib/pods";
import { cameFrom } from "../../lib/references";
import { indexOf, keysOfSelector, ofKind } from "../../lib/stack-index";
import { typeOf } from "../../lib/tokens";
import { apiOfBinding } from "../targets/bindings";
import { isDeployment, isWorkload, keysOfPods, type BoundWorkload } from "./bound-workloads";
import type { Missing } from "./pod-requirements";
import { fixedReplicas, replicasOf, type Replicas } from "./replicas";

/** Whether a drain may take all pods at once. */
export function budgetMissing(workload: PolicyResource, resources: readonly PolicyResource[]): Missing {
  const budgets = indexOf(resources, isBudget, (b) =>
    keysOfSelector(valueAt(b.props, ["spec", "selector", "matchLabels"])),
  ).sharing(keysOfPods(workload));
  const covering = budgets.map((budget) => ({ budget, covers: coversPodsOf(budget, workload) }));
  const sure = covering.filter(({ covers }) => covers === true).map(({ budget }) => budget);
  if (sure.length > 1)
    return `${sure.length} PodDisruptionBudgets select the pods (${sure.map(({ name }) => name).join(", ")}), so that Kubernetes refuses every eviction: keep one`;
  const [budget] = sure;
  if (budget !== undefined) {
    if (letsNoneGo(budget, resources))
      return `the PodDisruptionBudget "${budget.name}" lets no pod go, so that no node with one can ever be drained. Write maxUnavailable: 1, and no minAvailable`;
    const protects = keepsOne(budget, resources);
    if (isUnknown(protects) || protects) return isUnknown(protects) ? protects : undefined;
    return `the PodDisruptionBudget "${budget.name}" lets a drain take all pods at once. Write maxUnavailable: 1, and no minAvailable`;
  }
  return (
    covering.map(({ covers }) => covers).find(isUnknown) ??
    "no PodDisruptionBudget selects the pods: a drain may take all of them at once. Make one with maxUnavailable: 1"
  );
}

/** More pods than anybody has: where nothing says how many there are, only a budget that lets all of any number go keeps none. */
const many = 1e6;

/** Whether a budget leaves a pod of all that it covers. One pod alone is no fault of the budget's, so it is asked about two at least. */
function keepsOne(budget: PolicyResource, resources: readonly PolicyResource[]): boolean | Unknown {
  const counts = countsOf(budget, resources);
  const unknown = counts.find(isUnknown);
  const keeps = (pods: number) => {
    const gone = letsGo(budget, pods);
    return isUnknown(gone) ? gone : gone < pods;
  };
  const known = counts.map((count) => (isUnknown(count) ? 0 : (count ?? many)));
  const least = keeps(
    Math.max(
      2,
      known.reduce((sum, count) => sum + count, 0),
    ),
  );
  // With one that isn't known there may be any number more.
  return unknown === undefined || least === true || keeps(many) === false ? least : unknown;
}

/**
 * Whether a budget never lets a pod go, of as many as there are at least: then a drain waits for ever, and Karpenter keeps the node. Where
 * their number isn't known, only a budget that keeps all of any number does so for certain.
 */
function letsNoneGo(budget: PolicyResource, resources: readonly PolicyResource[]): boolean {
  const pods = countsOf(budget, resources).reduce<number>(
    (sum, count) => sum + (isUnknown(count) ? many : (count ?? many)),
    0,
  );
  const gone = letsGo(budget, Math.max(1, pods));
  return !isUnknown(gone) && gone <= 0;
}

/** How many pods each workload that a budget covers has at least. */
function countsOf(budget: PolicyResource, resources: readonly PolicyResource[]): Replicas["written"][] {
  return indexOf(resources, isWorkload, keysOfPods)
    .sharing(keysOfSelector(valueAt(budget.props, ["spec", "selector", "matchLabels"])))
    .filter((r) => coversPodsOf(budget, r) === true)
    .map((r) => replicasOf(r, resources).written);
}

/** Whether a rollout takes pods away before it has new ones. */
export function rolloutMissing(workload: PolicyResource, resources: readonly PolicyResource[]): Missing {
  // A StatefulSet always takes the old pod first, one at a time.
  if (!isDeployment(workload)) return undefined;
  const strategy = stringAt(workload.props, ["spec", "strategy", "type"]);
  if (strategy === "Recreate") return "strategy Recreate stops all pods before it starts new ones: write RollingUpdate";
  const [most, surge] = ["maxUnavailable", "maxSurge"].map((field) =>
    valueAt(workload.props, ["spec", "strategy", "rollingUpdate", field]),
  );
  const unknown = [strategy, most].find(isUnknown);
  if (unknown !== undefined || isNone(most)) return unknown;
  const written = typeof most === "number" || typeof most === "string" ? most : undefined;
  // Kubernetes rounds a share down, but to 1 if it may make no new pod first either (deployment/util, ResolveFenceposts).
  const percent = percentOf(written ?? "25%");
  if (percent !== undefined && percent < 100 && !isNone(surge)) {
    const replicas = fixedReplicas(replicasOf(workload, resources));
    if (isUnknown(replicas)) return replicas;
    if (replicas !== undefined && Math.floor((replicas * percent) / 100) === 0)
      return isUnknown(surge) ? surge : undefined;
  }
  return `maxUnavailable is ${written ?? "25%, the default"}: a rollout takes pods away before new ones serve. Write strategy.rollingUpdate.maxUnavailable: 0`;
}

function isNone(value: unknown): boolean {
  return value === 0 || value === "0" || value === "0%";
}

/** The conditions and the label of a namespace have the API group of the binding. */
const gateOf = (binding: PolicyResource) => `target-health.${apiOfBinding(binding.type)}/`;
const injectedFor = (binding: PolicyResource) => `${apiOfBinding(binding.type)}/pod-readiness-gate-inject`;

/** Whether a rollout may run ahead of the load balancer. */
export function gateMissing(
  { workload, by }: BoundWorkload,
  resources: readonly PolicyResource[],
  gatedNamespaces: readonly string[],
): Missing {
  const gates = valuesAt(workload.props, [...podSpec, "readinessGates", each, "conditionType"]).map(
    ({ value }) => value,
  );
  const answers = by.map(({ binding }) => ({
    binding,
    gated: anyOf([
      ...gates.map((value) => isGateOf(value, binding, workload)),
      isGated(workload, injectedFor(binding), resources, gatedNamespaces),
    ]),
  }));
  const missing = answers.find(({ gated }) => gated === false)?.binding;
  if (missing === undefined) return answers.map(({ gated }) => gated).find(isUnknown);
  return `no readiness gate, so that a rollout doesn't wait for the load balancer: write readinessGates: [{ conditionType: "${gateOf(missing)}<name of the binding>" }], or label the namespace ${injectedFor(missing)}: enabled (if another stack does, list it in gatedNamespaces)`;
}

function isGateOf(value: unknown, binding: PolicyResource, workload: PolicyResource): boolean | Unknown {
  if (isUnknown(value)) return cameFrom(workload, "spec", binding) ? true : value;
  const gate = gateOf(binding);
  if (typeof value !== "string" || !value.startsWith(gate)) return false;
  const name = nameOf(binding);
  return typeof name !== "string" || value === gate + name;
}

function isNamespace({ type }: PolicyResource): boolean {
  return typeOf(type) === "kubernetes:core:Namespace";
}

/** Whether the controller's webhook adds the gate to the pods of this namespace. */
function isGated(
  workload: PolicyResource,
  label: string,
  resources: readonly PolicyResource[],
  gatedNamespaces: readonly string[],
): boolean | Unknown {
  const wanted = stringAt(workload.props, ["metadata", "namespace"]) ?? "default";
  if (typeof wanted === "string" && gatedNamespaces.includes(wanted)) return true;
  const namespaces = ofKind(resources, isNamespace).filter((r) => {
    const name = nameOf(r);
    return typeof wanted === "string" && typeof name === "string" ? wanted === name : cameFrom(workload, "metadata", r);
  });
  if (namespaces.length === 0) return isUnknown(wanted) ? wanted : false;
  return anyOf(
    namespaces.map((namespace) => {
      const value = valueAt(namespace.props, ["metadata", "labels", label]);
      return isUnknown(value) ? value : value === "enabled";
    }),
  );
}
