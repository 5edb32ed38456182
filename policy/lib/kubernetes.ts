import { allOf, isUnknown, known, type Unknown } from "./known";
import { each, stringAt, valueAt, valuesAt, type Path } from "./paths";

/** A Kubernetes object as a rule sees it, of a resource rule or of a stack rule. */
export interface KubernetesObject {
  readonly type: string;
  readonly name: string;
  readonly props: Record<string, unknown>;
}

/** A value that isn't null, nor a list, and has properties. */
export type Properties = Record<string, unknown>;

/**
 * Whether only a part of the object stands here. What a patch leaves out is somebody else's to say, so that a rule can't
 * take it for missing.
 */
export function isPatch(object: KubernetesObject): boolean {
  return object.type.endsWith("Patch");
}

export function isProperties(value: unknown): value is Properties {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isUnknown(value);
}

/** The objects of a list, and unknowns in their place; anything else in the list is left out. */
export function itemsAt(root: unknown, path: Path): (Properties | Unknown)[] {
  return valuesAt(root, [...path, each])
    .map(({ value }) => value)
    .filter((value) => isUnknown(value) || isProperties(value));
}

/** The strings of a list; an unknown if one of them, or the list, isn't known. */
export function stringsAt(root: unknown, path: Path): string[] | Unknown {
  const values = valuesAt(root, [...path, each]).map(({ value }) => value);
  return values.find(isUnknown) ?? values.filter((value) => typeof value === "string");
}

/** The number at a path; undefined where there is none. */
export function numberAt(root: unknown, path: Path): number | Unknown | undefined {
  const value = valueAt(root, path);
  return typeof value === "number" || isUnknown(value) ? value : undefined;
}

/** The object's own name; undefined while Pulumi still has to make one up. */
export function nameOf(object: KubernetesObject): string | Unknown | undefined {
  return stringAt(object.props, ["metadata", "name"]);
}

/** Whether two objects are, or while one isn't known may be, in one namespace. */
export function mayShareNamespace(a: KubernetesObject, b: KubernetesObject): boolean {
  const [first, second] = [a, b].map((o) => stringAt(o.props, ["metadata", "namespace"]) ?? "default");
  return isUnknown(first) || isUnknown(second) || first === second;
}

/** Whether a map (labels, annotations) has this key; an unknown if the map as a whole isn't known. */
export function hasKey(root: unknown, path: Path, key: string): boolean | Unknown {
  const map = valueAt(root, path);
  if (isUnknown(map)) return map;
  return isProperties(map) && Object.keys(map).includes(key);
}

/**
 * Whether a label selector selects these labels. No selector selects nothing, an empty one everything
 * (`metav1.LabelSelectorAsSelector`). An unknown where it depends on one.
 */
export function selects(selector: unknown, labels: unknown): boolean | Unknown {
  if (isUnknown(selector)) return selector;
  if (!isProperties(selector)) return false;
  return allOf([
    ...keysAt(selector, "matchLabels").map((wanted) =>
      isUnknown(wanted) ? wanted : compare(valueAt(wanted.map, [wanted.key]), labels, wanted.key),
    ),
    ...itemsAt(selector, ["matchExpressions"]).map((expression) =>
      isUnknown(expression) ? expression : holds(expression, labels),
    ),
  ]);
}

function keysAt(root: Properties, property: string): ({ map: Properties; key: string } | Unknown)[] {
  const map = valueAt(root, [property]);
  if (isUnknown(map)) return [map];
  return isProperties(map) ? Object.keys(map).map((key) => ({ map, key })) : [];
}

function compare(wanted: unknown, labels: unknown, key: string): boolean | Unknown {
  const label = isUnknown(labels) ? labels : valueAt(labels, [key]);
  if (isUnknown(label)) return label;
  return isUnknown(wanted) ? wanted : label === wanted;
}

function holds(expression: Properties, labels: unknown): boolean | Unknown {
  const key = stringAt(expression, ["key"]);
  const operator = stringAt(expression, ["operator"]);
  const unknown = [key, operator, labels].find(isUnknown);
  if (unknown !== undefined) return unknown;
  if (typeof key !== "string") return false;
  const label = valueAt(labels, [key]);
  if (operator === "Exists") return label !== undefined;
  if (operator === "DoesNotExist") return label === undefined;
  if (isUnknown(label)) return label;
  if (operator !== "In" && operator !== "NotIn") return false;
  const values = stringsAt(expression, ["values"]);
  if (isUnknown(values)) return values;
  return values.includes(label as string) === (operator === "In");
}

/** The keys of a map and what stands under them, which may be unknown. */
export function entriesOf(map: unknown): [string, unknown][] {
  return isProperties(map) ? Object.keys(map).map((key) => [key, known(() => map[key])]) : [];
}
