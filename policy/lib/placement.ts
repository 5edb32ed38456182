import { isUnknown, type Unknown } from "./known";
import { entriesOf, isProperties, itemsAt, stringsAt, type KubernetesObject } from "./kubernetes";
import { stringAt, valueAt } from "./paths";

/** The node selector and the required node affinity of a pod, as one list of what a node's labels must be. */
export interface Placement {
  /** Allowed values by label; an unknown where a selector names the label but not yet the value. */
  readonly labels: ReadonlyMap<string, readonly string[] | Unknown>;
  /** A selector or affinity that isn't known at all yet. */
  readonly unknown: Unknown | undefined;
}

/** Where the pods of an object with a pod template may go. */
export function placementOf(workload: KubernetesObject): Placement {
  const labels = new Map<string, readonly string[] | Unknown>();
  const spec = ["spec", "template", "spec"];
  const selector = valueAt(workload.props, [...spec, "nodeSelector"]);
  for (const [key, value] of entriesOf(selector)) {
    if (isUnknown(value)) labels.set(key, value);
    else if (typeof value === "string") labels.set(key, [value]);
  }
  const terms = itemsAt(workload.props, [
    ...spec,
    "affinity",
    "nodeAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
  ]);
  // One of several terms is enough for the scheduler, so what only one of them says isn't required.
  const [term] = terms;
  if (terms.length === 1 && isProperties(term)) {
    for (const expression of itemsAt(term, ["matchExpressions"])) {
      if (isUnknown(expression)) continue;
      const key = stringAt(expression, ["key"]);
      if (typeof key === "string" && stringAt(expression, ["operator"]) === "In" && !labels.has(key))
        labels.set(key, stringsAt(expression, ["values"]));
    }
  }
  return { labels, unknown: [selector, ...terms].find(isUnknown) };
}
