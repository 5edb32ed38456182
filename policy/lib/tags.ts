import { isUnknown, type Unknown } from "./known";
import { entriesOf, itemsAt } from "./kubernetes";
import { valueAt } from "./paths";
import { textOf } from "./text";

/** The tags of a resource as far as they are known; a value may still be an unknown. */
export interface Tags {
  readonly values: ReadonlyMap<string, unknown>;
  /** The first part of `tags` that isn't known at all. */
  readonly unknown: Unknown | undefined;
}

/**
 * The tags of a resource, from a map (`aws`) or a list of key and value (`aws-native`). `tagsAll` also holds the provider's default tags;
 * it is computed, and unknown in every preview that doesn't know it better, so that it doesn't count as an unknown.
 */
export function tagsOf(props: Record<string, unknown>): Tags {
  const values = new Map<string, unknown>();
  let unknown: Unknown | undefined;
  for (const property of ["tags", "tagsAll"]) {
    const tags = valueAt(props, [property]);
    if (isUnknown(tags) && property !== "tagsAll") unknown ??= tags;
    for (const [key, value] of Array.isArray(tags) ? listed(props, property) : entriesOf(tags)) {
      if (!isUnknown(key)) values.set(key, value);
      else if (property !== "tagsAll") unknown ??= key;
    }
  }
  return { values, unknown };
}

/** The tag keys of a resource. They are known even where a value isn't; an unknown stands for "all tags unknown". */
export function tagKeys(props: Record<string, unknown>): string[] | Unknown {
  const { values, unknown } = tagsOf(props);
  return unknown ?? [...values.keys()];
}

/**
 * Whether one of these tags is there and says something, as tags must that exempt a resource: nothing, and "false", aren't what anybody means
 * by it. A value that isn't known yet counts. With unknown tags no exemption can be seen, and an exemption nobody sees is none.
 */
export function tellsWhy(props: Record<string, unknown>, keys: readonly string[]): boolean {
  const { values, unknown } = tagsOf(props);
  const says = (value: unknown) => isUnknown(value) || !["", "false"].includes(textOf(value).trim());
  return unknown === undefined && keys.some((key) => values.has(key) && says(values.get(key)));
}

function listed(props: Record<string, unknown>, property: string): [string | Unknown, unknown][] {
  return itemsAt(props, [property]).flatMap((tag): [string | Unknown, unknown][] => {
    if (isUnknown(tag)) return [[tag, undefined]];
    const key = valueAt(tag, ["key"]);
    return isUnknown(key) || typeof key === "string" ? [[key, valueAt(tag, ["value"])]] : [];
  });
}
