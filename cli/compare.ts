import diff from "microdiff";
import type { Plan, PlanResource } from "./plan";
import type { Json } from "./engine/values";

/** One property that differs, by its path. */
export interface PropertyChange {
  path: string;
  before: Json | undefined;
  after: Json | undefined;
}

/** What a change does to the resources of a plan. */
export interface Comparison {
  added: PlanResource[];
  removed: PlanResource[];
  changed: { resource: PlanResource; properties: PropertyChange[] }[];
  /** Moved or renamed with an alias: the same thing under another URN. */
  renamed: { resource: PlanResource; before: string }[];
}

/** Members of a plan's resource that say what will exist; the others follow from them. */
const compared = [
  "inputs",
  "provider",
  "protect",
  "retainOnDelete",
  "ignoreChanges",
  "replaceOnChanges",
  "deleteBeforeReplace",
  "customTimeouts",
] as const;

/** Compares two plans resource by resource. A resource whose alias is in the old plan is the same one, renamed. */
export function comparePlans(before: Plan, after: Plan): Comparison {
  const old = new Map(before.resources.map((r) => [r.urn, r]));
  const result: Comparison = { added: [], removed: [], changed: [], renamed: [] };
  for (const resource of after.resources) {
    const urn = [resource.urn, ...resource.aliases].find((candidate) => old.has(candidate));
    const previous = urn === undefined ? undefined : old.get(urn);
    if (urn === undefined || previous === undefined) {
      result.added.push(resource);
      continue;
    }
    old.delete(urn);
    if (urn !== resource.urn) result.renamed.push({ resource, before: urn });
    const properties = changesOf(previous, resource);
    if (properties.length > 0) result.changed.push({ resource, properties });
  }
  result.removed = [...old.values()];
  return result;
}

function changesOf(before: PlanResource, after: PlanResource): PropertyChange[] {
  const pick = (r: PlanResource) => Object.fromEntries(compared.map((key) => [key, r[key]]));
  // An update leaves ignored inputs as they are, so these are no change.
  const ignored = (path: string) => after.ignoreChanges.some((start) => isInside(path, start));
  return diff(pick(before), pick(after))
    .filter((change) => change.path[0] !== "inputs" || !ignored(pathText(change.path)))
    .map((change) => ({
      path: pathText(change.path),
      before: "oldValue" in change ? (change.oldValue as Json) : undefined,
      after: "value" in change ? (change.value as Json) : undefined,
    }));
}

function isInside(path: string, start: string): boolean {
  return start === "*" || path === start || (path.startsWith(start) && /^[.[]/.test(path.slice(start.length)));
}

/** `inputs.tags["a.b"][0]` without the leading `inputs`: what users wrote. */
function pathText(path: readonly (string | number)[]): string {
  const steps = path[0] === "inputs" ? path.slice(1) : path;
  return steps
    .map((step, i) => {
      if (typeof step === "number") return `[${step}]`;
      if (!/^[\w$]+$/.test(step)) return `["${step}"]`;
      return i === 0 ? step : `.${step}`;
    })
    .join("");
}
