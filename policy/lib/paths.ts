import { isUnknown, known, type Unknown } from "./known";

/** In a path: every element of an array. */
export const each = "[]";

/** Where a value is inside a resource's properties: `["spec", "targets", each, "id"]`. */
export type Path = readonly string[];

/** A value that a path led to. */
export interface Found {
  /** Path as a reader writes it: `spec.targets[0].id`. */
  readonly path: string;
  /** The same, to walk it again: indices stand as texts. */
  readonly segments: Path;
  /** The value, or the unknown that stands there or above it. */
  readonly value: unknown;
}

/** All values that are present at a path. What is absent yields nothing; an unknown on the way yields itself. */
export function valuesAt(root: unknown, path: Path, at = "", segments: Path = []): Found[] {
  const [segment, ...rest] = path;
  if (segment === undefined) return root === undefined || root === null ? [] : [{ path: at, segments, value: root }];
  if (typeof root !== "object" || root === null) return [];
  if (segment === each) {
    if (!Array.isArray(root)) return [];
    return Array.from({ length: root.length }, (_, i) => step(root, String(i), rest, `${at}[${i}]`, segments)).flat();
  }
  return step(root, segment, rest, join(at, segment), segments);
}

/** The single value at a path without {@link each}; undefined where nothing is. */
export function valueAt(root: unknown, path: Path): unknown {
  return valuesAt(root, path)[0]?.value;
}

/** The string at a path; undefined where there is none. */
export function stringAt(root: unknown, path: Path): string | Unknown | undefined {
  const value = valueAt(root, path);
  return typeof value === "string" || isUnknown(value) ? value : undefined;
}

function step(parent: object, key: string, rest: Path, at: string, above: Path): Found[] {
  // A label may be called `constructor`, and every object has one: only what somebody wrote counts.
  if (key in Object.prototype && !Object.hasOwn(parent, key)) return [];
  const value = known(() => (parent as Record<string, unknown>)[key]);
  const segments = [...above, key];
  return isUnknown(value) ? [{ path: at, segments, value }] : valuesAt(value, rest, at, segments);
}

function join(at: string, segment: string): string {
  if (segment.includes(".")) return `${at}["${segment}"]`;
  return at === "" ? segment : `${at}.${segment}`;
}
