import { inspect } from "node:util";
import { asset } from "@pulumi/pulumi";
import { isUnknown, known, type Unknown } from "./known";
import { leavesAt, type Path } from "./paths";

/** A text in a resource's properties, or the unknown that stands in the place of one. */
export interface Text {
  /** Path as a reader writes it: `spec.containers[0].args[1]`. */
  readonly path: string;
  readonly text: string | Unknown;
}

/** Deeper than any template or object that an API takes: what is deeper only wants to break the walk. */
const deepest = 100;

/** All texts at a path and below it, those in assets among them. */
export function textsAt(root: unknown, path: Path): Text[] {
  return leavesAt(root, path).flatMap(({ path: at, value }) => textsIn(value, at));
}

/** All texts in a value. */
export function textsIn(value: unknown, at: string, depth = 0): Text[] {
  if (isUnknown(value) || typeof value === "string") return [{ path: at, text: value }];
  if (typeof value !== "object" || value === null || depth > deepest) return [];
  const inAsset = assetText(value);
  if (inAsset !== undefined) return [{ path: at, text: inAsset }];
  return Object.keys(value).flatMap((key) => {
    const below = known(() => (value as Record<string, unknown>)[key]);
    return textsIn(below, Array.isArray(value) ? `${at}[${key}]` : `${at}.${key}`, depth + 1);
  });
}

/**
 * What an asset or archive holds; undefined for anything else. The SDK keeps it in a promise that is settled already: a rule, which answers
 * at once, can only look into it as a debugger does.
 */
export function assetText(value: unknown): string | undefined {
  if (!asset.Asset.isInstance(value) && !asset.Archive.isInstance(value)) return undefined;
  return inspect(value, {
    depth: deepest,
    maxStringLength: Infinity,
    maxArrayLength: Infinity,
    breakLength: Infinity,
    compact: true,
  });
}
