import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "./known";
import { textOf } from "./text";

/** What stands for a value in a comparison of resources, some of whose values a preview doesn't know. */
export interface Part {
  /** Equal for equal values. */
  readonly key: string;
  /** The first value that is unknown and could differ although it comes from the same resource; undefined if none. */
  readonly doubt: Unknown | undefined;
}

/**
 * What stands for a value in a comparison. An unknown is stood for by what it came from: equal origins mean an equal value if
 * the origin is one resource with one such value to give; else (a cluster, say, which has several groups) they only may.
 *
 * @param single types that have one such value to give: an unknown that came from one alone is that value.
 */
export function partOf(
  resource: PolicyResource,
  property: string,
  value: unknown,
  single: (type: string) => boolean,
): Part {
  if (!isUnknown(value)) return exact(value === undefined ? "" : textOf(value));
  const origins = resource.propertyDependencies[property] ?? [];
  const sole = origins.length === 1 && single(origins[0]!.type);
  const key = `from ${origins
    .map((r) => r.urn)
    .sort()
    .join(" ")}`;
  return { key, doubt: sole ? undefined : value };
}

export function exact(key: string): Part {
  return { key, doubt: undefined };
}

export function combine(parts: readonly Part[]): Part {
  return { key: JSON.stringify(parts.map((p) => p.key)), doubt: parts.find((p) => p.doubt !== undefined)?.doubt };
}
