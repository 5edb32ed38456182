import type { PolicyResource } from "@pulumi/policy";
import { anyOf, isUnknown, type Unknown } from "../../lib/known";
import { isPatch, nameOf, numberAt } from "../../lib/kubernetes";
import { each, stringAt, valueAt, valuesAt } from "../../lib/paths";
import { coversPodsOf, isBudget, podSpec } from "../../lib/pods";
import { cameFrom } from "../../lib/references";
import { typeOf } from "../../lib/tokens";
import { apiOfBinding } from "../targets/bindings";
import { isDeployment, type BoundWorkload } from "./bound-workloads";
import type { Missing } from "./pod-requirements";

/** Whether a drain may take all pods at once. */
export function budgetMissing(workload: PolicyResource, resources: readonly PolicyResource[]): Missing {
  const covering = resources.filter(isBudget).map((budget) => ({ budget, covers: coversPodsOf(budget, workload) }));
  const sure = covering.filter(({ covers }) => covers === true).map(({ budget }) => budget.name);
  if (sure.length > 1)
    return `${sure.length} PodDisruptionBudgets select the pods (${sure.join(", ")}), so that Kubernetes refuses every eviction: keep one`;
  if (sure.length === 1) return undefined;
  return (
    covering.map(({ covers }) => covers).find(isUnknown) ??
    "no PodDisruptionBudget selects the pods: a drain may take all of them at once. Make one with maxUnavailable: 1"
  );
}

/** Whether a rollout takes pods away before it has new ones. */
export function rolloutMissing(workload: PolicyResource): Missing {
  // A StatefulSet always takes the old pod first, one at a time.
  if (!isDeployment(workload)) return undefined;
  const strategy = stringAt(workload.props, ["spec", "strategy", "type"]);
  if (strategy === "Recreate") return "strategy Recreate stops all pods before it starts new ones: write RollingUpdate";
  const most = valueAt(workload.props, ["spec", "strategy", "rollingUpdate", "maxUnavailable"]);
  const unknown = [strategy, most].find(isUnknown);
  if (unknown !== undefined || [0, "0", "0%"].some((none) => none === most)) return unknown;
  const written = typeof most === "number" || typeof most === "string" ? String(most) : "25%, the default";
  return `maxUnavailable is ${written}: a rollout takes pods away before new ones serve. Write strategy.rollingUpdate.maxUnavailable: 0`;
}

/** Whether there are fewer pods than it takes to lose one. */
export function replicasMissing(
  workload: PolicyResource,
  resources: readonly PolicyResource[],
  minimum: number,
): Missing {
  const scalers = resources
    .filter((r) => typeOf(r.type) in minimumOf && !isPatch(r))
    .map((scaler) => ({ scaler, scales: scales(scaler, workload) }));
  const mine = scalers.find(({ scales }) => scales === true)?.scaler;
  const written =
    mine === undefined
      ? numberAt(workload.props, ["spec", "replicas"])
      : numberAt(mine.props, ["spec", minimumOf[typeOf(mine.type)]!]);
  if (isUnknown(written)) return written;
  if ((written ?? 1) >= minimum) return undefined;
  const perhaps = scalers.map((s) => s.scales).find(isUnknown);
  if (mine === undefined && perhaps !== undefined) return perhaps;
  const [where, what] = mine === undefined ? ["replicas", "replicas"] : [`minReplicas of "${mine.name}"`, "it"];
  return `${where} is ${written ?? "missing, which means 1"}: with fewer than ${minimum} pods every move is an outage. Write ${what === "it" ? "" : "replicas: "}${minimum} or more`;
}

/** Where each kind of autoscaler says how many pods it keeps: Kubernetes' own and KEDA's. */
const minimumOf: Readonly<Record<string, string>> = {
  "kubernetes:autoscaling:HorizontalPodAutoscaler": "minReplicas",
  "kubernetes:keda.sh:ScaledObject": "minReplicaCount",
};

function scales(scaler: PolicyResource, workload: PolicyResource): boolean | Unknown {
  const [wanted, name] = [stringAt(scaler.props, ["spec", "scaleTargetRef", "name"]), nameOf(workload)];
  if (typeof wanted === "string" && typeof name === "string") {
    const kind = stringAt(scaler.props, ["spec", "scaleTargetRef", "kind"]) ?? "Deployment";
    return wanted === name && (isUnknown(kind) || typeOf(workload.type).endsWith(`:${kind}`));
  }
  if (cameFrom(scaler, "spec", workload)) return true;
  return isUnknown(wanted) ? wanted : false;
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

/** Whether the controller's webhook adds the gate to the pods of this namespace. */
function isGated(
  workload: PolicyResource,
  label: string,
  resources: readonly PolicyResource[],
  gatedNamespaces: readonly string[],
): boolean | Unknown {
  const wanted = stringAt(workload.props, ["metadata", "namespace"]) ?? "default";
  if (typeof wanted === "string" && gatedNamespaces.includes(wanted)) return true;
  const namespaces = resources.filter((r) => {
    const name = nameOf(r);
    if (typeOf(r.type) !== "kubernetes:core:Namespace") return false;
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
