import { allOf, anyOf, isUnknown, type Unknown } from "../../lib/known";
import { itemsAt, type KubernetesObject, type Properties } from "../../lib/kubernetes";
import { each, valueAt, valuesAt } from "../../lib/paths";

/** Why Karpenter takes a node away, as far as budgets can tell. */
export enum Reason {
  /** Its pods fit elsewhere. */
  Underutilized = "Underutilized",
  /** It isn't what the pool or the node class asks for any more: a new image, say. */
  Drifted = "Drifted",
}

export function budgetsOf(pool: KubernetesObject): (Properties | Unknown)[] {
  return itemsAt(pool.props, ["spec", "disruption", "budgets"]);
}

/** Whether a budget is active at any time: it has no schedule. */
export function isAlwaysActive(budget: Properties): boolean | Unknown {
  const schedule = valueAt(budget, ["schedule"]);
  return isUnknown(schedule) ? schedule : schedule === undefined;
}

/** Whether a budget holds for a reason; one without reasons holds for all. */
export function isFor(budget: Properties, reason: Reason): boolean | Unknown {
  const reasons = valueAt(budget, ["reasons"]);
  if (reasons === undefined || isUnknown(reasons)) return reasons ?? true;
  return anyOf(valuesAt(budget, ["reasons", each]).map(({ value }) => (isUnknown(value) ? value : value === reason)));
}

/** Whether nothing may be disrupted for a reason while the budget is active. */
export function forbids(budget: Properties, reason: Reason): boolean | Unknown {
  const nodes = valueAt(budget, ["nodes"]);
  const none = isUnknown(nodes) ? nodes : ["0", "0%", 0].includes(nodes as string);
  return allOf([none, isAlwaysActive(budget), isFor(budget, reason)]);
}
