import { isUnknown, known, type Unknown } from "./known";

/**
 * The tag keys of a resource, from a map (`aws`) or a list of key and value (`aws-native`). `tagsAll` also holds the
 * provider's default tags. Keys are known even where a value isn't; an unknown stands for "all tags unknown".
 */
export function tagKeys(props: Record<string, unknown>): string[] | Unknown {
  const keys: string[] = [];
  let unknown: Unknown | undefined;
  for (const property of ["tags", "tagsAll"]) {
    const tags = known(() => props[property]);
    if (isUnknown(tags)) unknown ??= tags;
    else if (Array.isArray(tags)) {
      for (let i = 0; i < tags.length; i++) {
        const key = known(() => (tags[i] as { key?: unknown }).key);
        if (isUnknown(key)) unknown ??= key;
        else if (typeof key === "string") keys.push(key);
      }
    } else if (typeof tags === "object" && tags !== null) keys.push(...Object.keys(tags));
  }
  // `tagsAll` is computed: unknown in every preview that doesn't know it better. Keys seen in `tags` still count.
  return unknown !== undefined && unknown.props[0] !== "tagsAll" ? unknown : keys;
}
