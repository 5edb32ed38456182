import microdiff from "microdiff";
import { isObject, type JsonObject } from "../../../cli/engine/values";
import { leadsElsewhere } from "./kubernetes-provider";
import { chosen, isAutonamed } from "./naming";
import { REPLACEMENTS } from "./replacements";

export interface Change {
  /** As Pulumi writes it: `spec.containers[0].image`. */
  readonly path: string;
  readonly kind: "add" | "delete" | "update";
  readonly replaces: boolean;
}

export interface Difference {
  readonly changes: readonly Change[];
  readonly deleteBeforeReplace: boolean;
}

/** What an update would change, and how, as the provider says. */
export function difference(
  type: string,
  before: JsonObject,
  after: JsonObject,
  ignored: readonly string[],
): Difference {
  const kinds = { CREATE: "add", REMOVE: "delete", CHANGE: "update" } as const;
  const isElsewhere = type === "pulumi:providers:kubernetes" && leadsElsewhere(before, after);
  const changes = microdiff(before, after).flatMap((change): Change[] => {
    const path = propertyPath(change.path);
    if (change.path[0] === chosen || ignored.some((prefix) => isWithin(path, prefix))) return [];
    const kind = kinds[change.type];
    return [{ path, kind, replaces: replacesFor(type, path, kind) || isElsewhere }];
  });
  const isReplaced = changes.some((change) => change.replaces);
  return { changes, deleteBeforeReplace: isReplaced && deletesFirst(type, before, after) };
}

function replacesFor(type: string, path: string, kind: Change["kind"]): boolean {
  const rule = REPLACEMENTS[type];
  const always = rule?.properties.some((property) => isWithin(path, property)) ?? false;
  return (
    always || (kind !== "update" && (rule?.whenSetOrRemoved?.some((property) => isWithin(path, property)) ?? false))
  );
}

/** A name that somebody chose can't be given to the replacement while the old one has it. */
function deletesFirst(type: string, before: JsonObject, after: JsonObject): boolean {
  const rule = REPLACEMENTS[type];
  if (rule?.deleteBeforeReplace !== undefined) return rule.deleteBeforeReplace;
  const property = rule?.nameProperty;
  if (property === "metadata.name") return !isAutonamed(after) && isSameObject(before, after);
  if (property === undefined || after[property] === undefined) return false;
  return (after[chosen] as string[] | undefined)?.includes(property) !== true;
}

function isSameObject(before: JsonObject, after: JsonObject): boolean {
  const [old, fresh] = [before, after].map(({ metadata }) => (isObject(metadata) ? metadata : {}));
  return old?.["name"] === fresh?.["name"] && old?.["namespace"] === fresh?.["namespace"];
}

function isWithin(path: string, property: string): boolean {
  return (
    path === property ||
    path.startsWith(`${property}.`) ||
    path.startsWith(`${property}[`) ||
    property.startsWith(`${path}.`)
  );
}

function propertyPath(steps: readonly (string | number)[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === "number") return `${path}[${step}]`;
    if (!/^\w+$/.test(step)) return `${path}["${step}"]`;
    return path === "" ? step : `${path}.${step}`;
  }, "");
}
