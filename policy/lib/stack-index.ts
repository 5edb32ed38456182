import type { PolicyResource } from "@pulumi/policy";
import { isUnknown } from "./known";
import { entriesOf, isProperties } from "./kubernetes";
import { withParents } from "./parents";
import { valueAt } from "./paths";
import { textOf } from "./text";

/*
 * Rules that compare resources of a stack with each other must not ask each about all: ten thousand of them would cost a hundred times what
 * a thousand do. Here they find those that they have to ask.
 */

/** Texts of which two resources share one if they may have to do with each other; "any" where that can't be told. */
export type Keys = readonly string[] | "any";

/** Resources of one kind by their keys. */
export class Index<T> {
  private readonly byKey = new Map<string, number[]>();
  private readonly always: number[] = [];

  constructor(
    readonly all: readonly T[],
    keysOf: (item: T) => Keys,
  ) {
    all.forEach((item, i) => {
      const keys = keysOf(item);
      if (keys === "any") this.always.push(i);
      else for (const key of new Set(keys)) this.add(key, i);
    });
  }

  private add(key: string, i: number): void {
    const found = this.byKey.get(key);
    if (found === undefined) this.byKey.set(key, [i]);
    else found.push(i);
  }

  /** Those that share a key, in the order of all: a rule's own question decides about each of them. */
  sharing(keys: Keys): T[] {
    if (keys === "any") return [...this.all];
    const found = new Set([...this.always, ...keys.flatMap((key) => this.byKey.get(key) ?? [])]);
    return [...found].sort((a, b) => a - b).map((i) => this.all[i]!);
  }
}

type IsKind = (resource: PolicyResource) => boolean;

const kinds = new WeakMap<readonly PolicyResource[], Map<IsKind, readonly PolicyResource[]>>();
const indexes = new WeakMap<readonly PolicyResource[], Map<IsKind, Index<PolicyResource>>>();

/** The resources of one kind, looked for once in each stack. */
export function ofKind(resources: readonly PolicyResource[], isKind: IsKind): readonly PolicyResource[] {
  return remembered(kinds, resources, isKind, () => resources.filter((r) => isKind(r)));
}

/** The resources of one kind by their keys, made once for each stack. A kind has one way to make keys. */
export function indexOf(
  resources: readonly PolicyResource[],
  isKind: IsKind,
  keysOf: (resource: PolicyResource) => Keys,
): Index<PolicyResource> {
  return remembered(indexes, resources, isKind, () => new Index(ofKind(resources, isKind), keysOf));
}

function remembered<T>(
  cache: WeakMap<readonly PolicyResource[], Map<IsKind, T>>,
  resources: readonly PolicyResource[],
  isKind: IsKind,
  make: () => T,
): T {
  const own = cache.get(resources) ?? new Map<IsKind, T>();
  cache.set(resources, own);
  const known = own.get(isKind);
  if (known !== undefined) return known;
  const made = make();
  own.set(isKind, made);
  return made;
}

/** Keys of a resource that others name: its identifiers, as far as they are known, and the URNs that `cameFrom` takes for it. */
export function keysOfSource(source: PolicyResource, identifiers: readonly unknown[]): string[] {
  return [...identifiers.filter((value) => typeof value === "string"), ...withParents(source).map(({ urn }) => urn)];
}

/** Keys of a resource that names others: what it calls them, and what the properties came from in which it does. */
export function keysOfHolder(
  holder: PolicyResource,
  names: readonly unknown[],
  properties: readonly string[],
): string[] {
  return [
    ...names.filter((value) => typeof value === "string"),
    ...properties.flatMap((property) => (holder.propertyDependencies[property] ?? []).map((r) => r.urn)),
  ];
}

/** Keys of labels, for selectors: each label with its value. */
export function keysOfLabels(labels: unknown): Keys {
  const entries = entriesOf(labels);
  if (isUnknown(labels) || entries.some(([, value]) => isUnknown(value))) return "any";
  return entries.map(([key, value]) => `${key}=${textOf(value)}`);
}

/** The key of what a map of labels selects: any one of them, because all must hold. */
export function keysOfSelector(matchLabels: unknown): Keys {
  const [first] = isProperties(matchLabels) ? Object.keys(matchLabels) : [];
  if (first === undefined) return "any";
  const value = valueAt(matchLabels, [first]);
  return isUnknown(value) ? "any" : [`${first}=${textOf(value)}`];
}
