import { isUnknown, type Unknown } from "./known";
import { isPatch, mayShareNamespace, selects, type KubernetesObject, type Properties } from "./kubernetes";
import { stringAt, valueAt } from "./paths";
import { typeOf } from "./tokens";

/** Where a workload (Deployment, StatefulSet) says what its pods are. */
export const podTemplate = ["spec", "template"];
export const podSpec = [...podTemplate, "spec"];
export const podLabels = [...podTemplate, "metadata", "labels"];

/** What Kubernetes gives a pod to stop that says nothing. */
export const defaultGraceSeconds = 30;

export const zoneLabel = "topology.kubernetes.io/zone";

/** How messages call a container. */
export function containerName(container: Properties): string {
  const name = stringAt(container, ["name"]);
  return typeof name === "string" ? `container "${name}"` : "container";
}

/** The number in a share of pods, `25%`; undefined for anything else, such as a number of them. */
export function percentOf(value: unknown): number | undefined {
  const [, percent] = /^(\d+)%$/.exec(typeof value === "string" ? value : "") ?? [];
  return percent === undefined ? undefined : Number(percent);
}

/** Whether this is a whole PodDisruptionBudget. */
export function isBudget(object: KubernetesObject): boolean {
  return typeOf(object.type) === "kubernetes:policy:PodDisruptionBudget" && !isPatch(object);
}

/** Whether a selector (of a budget, of a spread constraint) selects the pods of a workload. */
export function selectsPodsOf(selector: unknown, workload: KubernetesObject): boolean | Unknown {
  return selects(selector, valueAt(workload.props, podLabels));
}

/** Whether a disruption budget covers the pods of a workload. */
export function coversPodsOf(budget: KubernetesObject, workload: KubernetesObject): boolean | Unknown {
  return mayShareNamespace(budget, workload) && selectsPodsOf(valueAt(budget.props, ["spec", "selector"]), workload);
}

/**
 * How many of so many pods a budget lets go at a time: Infinity if it says nothing. Kubernetes rounds both kinds of share up
 * (pkg/controller/disruption, getExpectedPodCount), and refuses what is neither a number nor a share.
 */
export function letsGo(budget: KubernetesObject, pods: number | Unknown): number | Unknown {
  const most = valueAt(budget.props, ["spec", "maxUnavailable"]);
  if (isUnknown(most) || typeof most === "number") return most;
  const least = valueAt(budget.props, ["spec", "minAvailable"]);
  const said = most ?? least;
  if (said === undefined) return Infinity;
  const unknown = [said, pods].find(isUnknown);
  if (unknown !== undefined || isUnknown(pods)) return unknown ?? NaN;
  const percent = percentOf(said);
  const count = percent === undefined ? said : Math.ceil((pods * percent) / 100);
  if (typeof count !== "number") return NaN;
  return most === undefined ? pods - count : count;
}
