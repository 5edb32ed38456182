import { isUnknown, known, type Unknown } from "./known";

/** In a path: every element of an array. */
export const each = "[]";

/** Where a value is inside a resource's properties: `["spec", "targets", each, "id"]`. */
export type Path = readonly string[];

/** A value that is somewhere. */
export interface Leaf {
  /** Path as a reader writes it: `spec.targets[0].id`. */
  readonly path: string;
  /** The value, or the unknown that stands there or above it. */
  readonly value: unknown;
}

/** A value that a path led to. */
export interface Found extends Leaf {
  /** The path, to walk it again: indices stand as texts. */
  readonly segments: Path;
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

/**
 * All values at a path, and in lists below it, wherever lists stand: a provider that flattens lists of one, or a schema that changed, must
 * not decide whether a rule sees a value. {@link each} in the path says nothing more.
 */
export function leavesAt(root: unknown, path: Path, at = ""): Leaf[] {
  if (Array.isArray(root))
    return Array.from({ length: root.length }, (_, i) => leafStep(root, String(i), path, `${at}[${i}]`)).flat();
  const [segment, ...rest] = path;
  if (root === undefined || root === null) return [];
  if (segment === undefined) return [{ path: at, value: root }];
  if (segment === each) return leavesAt(root, rest, at);
  return typeof root === "object" ? leafStep(root, segment, rest, join(at, segment)) : [];
}

function leafStep(parent: object, key: string, rest: Path, at: string): Leaf[] {
  const value = known(() => (parent as Record<string, unknown>)[key]);
  return isUnknown(value) ? [{ path: at, value }] : leavesAt(value, rest, at);
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
