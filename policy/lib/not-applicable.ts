import type { ResourceValidationArgs } from "@pulumi/policy";

type Say = ResourceValidationArgs["notApplicable"];

/** By the SDK's function and the reason. */
const thrown = new WeakMap<Say, Map<string, unknown>>();

/**
 * Says that a rule has nothing to say, which the SDK does by throwing an error. Most rules say so of most resources, and nobody looks where it
 * was thrown: making a new error each time, with its stack, was a third of what a resource cost.
 */
export function notApplicable({ notApplicable: say }: { notApplicable: Say }, reason: string): never {
  const own = thrown.get(say) ?? new Map<string, unknown>();
  if (own.has(reason)) throw own.get(reason);
  try {
    return say(reason);
  } catch (error) {
    thrown.set(say, own.set(reason, error));
    throw error;
  }
}
