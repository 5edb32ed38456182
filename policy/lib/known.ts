import { UnknownValueError } from "@pulumi/policy";

/**
 * What reading an unknown property yields: the error that `@pulumi/policy` throws, as a value. Thrown again, it becomes the
 * advisory message "can't run policy ... during preview".
 */
export interface Unknown extends Error {
  /** Path of the property that isn't known yet. */
  readonly props: readonly string[];
}

/**
 * Reads a property that a preview may not know. An unknown would abort the whole rule and so hide what its other
 * checks see; here it is a value that the rule decides about.
 */
export function known<T>(read: () => T): T | Unknown {
  try {
    return read();
  } catch (error) {
    if (isUnknown(error)) return error;
    throw error;
  }
}

/** Whether {@link known} met an unknown. */
export function isUnknown(value: unknown): value is Unknown {
  return value instanceof UnknownValueError;
}

/** Whether an unknown stands at this path of a resource itself: then something is written there. Above it, nobody knows. */
export function standsAt(unknown: Unknown, path: readonly string[]): boolean {
  return unknown.props.length >= path.length;
}

/** Stands for an object that isn't known yet in the engine's protocol (@pulumi/policy proxy.ts, `unknownObjectValue`, which it doesn't export). */
const unknownObjectValue = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff";

/** An unknown of a rule's own making, for a property that nobody can read: `notKnown("valueYamlFiles")`. */
export function notKnown(...props: string[]): Unknown {
  return known((): never => {
    throw new UnknownValueError(unknownObjectValue, props);
  });
}

/** "And" of answers that may be unknown: false if one is, else the first unknown, else true. */
export function allOf(answers: readonly (boolean | Unknown)[]): boolean | Unknown {
  return answers.includes(false) ? false : (answers.find(isUnknown) ?? true);
}

/** "Or" of answers that may be unknown: true if one is, else the first unknown, else false. */
export function anyOf(answers: readonly (boolean | Unknown)[]): boolean | Unknown {
  return answers.includes(true) || (answers.find(isUnknown) ?? false);
}

/** An unknown that kept a rule from deciding. */
export interface Doubt {
  readonly unknown: Unknown;
  /** What it is about, to stand before the unknown's own message. */
  readonly where: string | undefined;
  /** The resource that a violation would be reported on. */
  readonly urn: string | undefined;
}

/**
 * Collects what a rule can't decide about while the rule goes on, so that one unknown doesn't hide a violation elsewhere. The framework
 * passes one to every rule and says afterwards what was left open ({@link conclude} in unknown-values.ts).
 */
export class Undecided {
  readonly doubts: Doubt[] = [];

  /**
   * @param at the resource that would be reported on; a message would otherwise name only the property.
   * @param where what to call it instead of by its name.
   */
  add(unknown: Unknown, at?: string | { readonly name: string; readonly urn: string }, where?: string): void {
    const [name, urn] = typeof at === "object" ? [at.name, at.urn] : [at, undefined];
    this.doubts.push({ unknown, where: where ?? name, urn });
  }

  /** For a rule that collects by itself: reports the first one, by throwing it. */
  throwIfAny(): void {
    const [first] = this.doubts;
    if (first !== undefined) throw inContext(first);
  }
}

/** The unknown of a doubt, with what it is about in its message. */
export function inContext({ unknown, where }: Doubt): Unknown {
  if (where !== undefined && !unknown.message.startsWith(`${where}: `))
    unknown.message = `${where}: ${unknown.message}`;
  return unknown;
}
