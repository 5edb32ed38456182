import type { JsonObject } from "../../../cli/engine/values";
import { REPLACEMENTS } from "./replacements";
import { shapeOf } from "./shapes";

/** Key under which the bridge keeps which inputs it chose itself (pulumi-terraform-bridge pkg/tfbridge, `__defaults`). */
export const chosen = "__defaults";
const autonamed = "pulumi.com/autonamed";

/** Inputs of a resource as its provider completes them: a name where none was given, and the provider's default tags. */
export function completed(
  type: string,
  name: string,
  given: JsonObject,
  before: JsonObject,
  seed: Uint8Array,
  defaultTags: JsonObject,
): JsonObject {
  const suffix = Buffer.from(seed).toString("hex");
  if (type.startsWith("kubernetes:"))
    return type.endsWith(":Release")
      ? named(given, "name", before, `${name}-${suffix.slice(0, 8)}`)
      : objectNamed(given, before, `${name}-${suffix.slice(0, 8)}`);
  const property = REPLACEMENTS[type]?.nameProperty;
  const inputs =
    property === undefined || given[`${property}Prefix`] !== undefined
      ? { ...given }
      : named(given, property, before, `${name}-${suffix.slice(0, 7)}`);
  if (shapeOf(type).computed.has("tagsAll")) {
    const tags = { ...defaultTags, ...(given["tags"] as JsonObject | undefined) };
    if (Object.keys(tags).length > 0) inputs["tagsAll"] = tags;
  }
  return inputs;
}

function named(given: JsonObject, property: string, before: JsonObject, fresh: string): JsonObject {
  if (given[property] !== undefined) return { ...given };
  const kept = (before[chosen] as string[] | undefined)?.includes(property) === true ? before[property] : undefined;
  return { ...given, [property]: kept ?? fresh, [chosen]: [property] };
}

function objectNamed(given: JsonObject, before: JsonObject, fresh: string): JsonObject {
  const metadata = (given["metadata"] ?? {}) as JsonObject;
  if (metadata["name"] !== undefined || metadata["generateName"] !== undefined) return { ...given };
  const old = (before["metadata"] ?? {}) as JsonObject;
  const kept = isAutonamed(before) ? old["name"] : undefined;
  const annotations = { ...(metadata["annotations"] as JsonObject | undefined), [autonamed]: "true" };
  return { ...given, metadata: { ...metadata, name: kept ?? fresh, annotations } };
}

/** Whether the provider chose the name of a Kubernetes object. */
export function isAutonamed(inputs: JsonObject): boolean {
  const metadata = (inputs["metadata"] ?? {}) as JsonObject;
  return (metadata["annotations"] as JsonObject | undefined)?.[autonamed] === "true";
}
