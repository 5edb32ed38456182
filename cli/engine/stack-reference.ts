import { nearest } from "../nearest";
import type { ResourceRecord } from "./records";
import { fromDisplay, hasSecret, type JsonObject } from "./values";

export const stackReferenceType = "pulumi:pulumi:StackReference";

/** Outputs of other stacks, by the name that the program refers to them by. */
export type StackOutputs = ReadonlyMap<string, JsonObject>;

/**
 * State of a StackReference. Without a plan of that stack its outputs are left out, which the SDK takes for unknown; with one, the
 * SDK itself complains about an output that isn't there, in Pulumi's own words.
 */
export function stackReferenceState(name: string, stacks: StackOutputs): JsonObject {
  const found = stacks.get(name);
  if (found === undefined) return { name };
  const outputs = fromDisplay(found) as JsonObject;
  return {
    name,
    outputs,
    secretOutputNames: Object.keys(outputs).filter((key) => hasSecret(outputs[key] ?? null)),
  };
}

/** Stacks whose outputs were given for nothing: under a misspelt name, the outputs that the program reads stay unknown. */
export function unusedReferences(
  given: readonly string[],
  resources: readonly Pick<ResourceRecord, "type" | "inputs">[],
): string[] {
  const made = resources.flatMap(({ type, inputs }) => {
    const name = inputs["name"];
    return type === stackReferenceType && typeof name === "string" ? [name] : [];
  });
  return given
    .filter((name) => !made.includes(name))
    .map(
      (name) => `--stack-reference ${name} isn't used, the program has no such StackReference${nearest(name, made)}`,
    );
}
