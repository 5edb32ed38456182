import type { ResourceValidationArgs } from "@pulumi/policy";
import { isUnknown, known } from "./known";
import { isProperties } from "./kubernetes";
import type { Path } from "./paths";

/** One property that a repair writes, or takes away where `value` is undefined. */
export interface Change {
  /** Where it is, without `each`: an index stands as a number's text. What is missing on the way is made. */
  readonly path: Path;
  readonly value: unknown;
}

/**
 * How a rule writes what it asks for, under the level `remediate`. Only what needs no guess about what somebody meant: a rule never takes
 * away anybody's targets or rules, and never writes over a value that isn't known.
 */
export interface Repair<Config> {
  /** What it writes, for the rule's page: a sentence that goes on after "It". */
  readonly writes: string;
  /**
   * Whether the registration of such a resource is what the provider gets. A component's isn't (a Chart, anything of awsx): its children are made
   * by the program, so that changed inputs would hide the fault and mend nothing.
   */
  readonly appliesTo?: (type: string) => boolean;
  /** The changes that are missing; none on what the rule finds nothing in. */
  readonly changes: (resource: ResourceValidationArgs, config: Config) => readonly Change[];
}

/**
 * Makes changes in the properties of a resource; undefined if that changes nothing. In place, because the objects are the policy server's:
 * they keep secrets secret when written over, and throw where an unknown is read.
 */
export function applied(
  props: Record<string, unknown>,
  changes: readonly Change[],
): Record<string, unknown> | undefined {
  const made = changes.filter(({ path, value }) => apply(props, path, value));
  return made.length === 0 ? undefined : props;
}

function apply(root: Record<string, unknown>, path: Path, value: unknown): boolean {
  const [key, ...rest] = path;
  if (key === undefined) return false;
  const present = known(() => root[key]);
  if (isUnknown(present)) return false;
  if (rest.length === 0) {
    if (present === value) return false;
    if (value === undefined) delete root[key];
    else root[key] = value;
    return true;
  }
  if (present === undefined || present === null) {
    if (value === undefined) return false;
    root[key] = {};
  }
  const next = root[key];
  if (Array.isArray(next)) return apply(next as unknown as Record<string, unknown>, rest, value);
  return isProperties(next) && apply(next, rest, value);
}
