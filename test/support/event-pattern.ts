/*
 * Decides whether EventBridge would send an event, for the operators that our patterns use (EventBridge user guide, "Comparison operators"); any other
 * stops the test. test-real compares it with AWS's own matcher, event-ruler.
 */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Whether a pattern matches an event. */
export function matches(pattern: Json, event: Json): boolean {
  return holds(pattern, [event]);
}

/** @param values what the event has at this place: several inside of arrays, none where the place is missing. */
function holds(pattern: Json, values: Json[]): boolean {
  if (Array.isArray(pattern)) return pattern.some((matcher) => leafHolds(matcher, values.flatMap(unrolled)));
  if (typeof pattern !== "object" || pattern === null) throw new Error(`not a pattern: ${JSON.stringify(pattern)}`);
  return Object.entries(pattern).every(([key, inner]) => {
    if (key === "$or") return (inner as Json[]).some((branch) => holds(branch, values));
    const found = values.flatMap(unrolled).flatMap((value) => {
      const member = typeof value === "object" && value !== null && !Array.isArray(value) ? value[key] : undefined;
      return member === undefined ? [] : [member];
    });
    return holds(inner, found);
  });
}

/** Elements of arrays count one by one. */
function unrolled(value: Json): Json[] {
  return Array.isArray(value) ? value.flatMap(unrolled) : [value];
}

function leafHolds(matcher: Json, values: Json[]): boolean {
  // Only what has no members is a leaf.
  const leaves = values.filter((value) => typeof value !== "object" || value === null);
  if (typeof matcher !== "object" || matcher === null) return leaves.includes(matcher);
  const [operator, operand] = Object.entries(matcher)[0]!;
  const some = (test: (text: string) => boolean) => leaves.some((leaf) => typeof leaf === "string" && test(leaf));
  switch (operator) {
    case "exists":
      return operand === leaves.length > 0;
    case "prefix":
      return some((text) => text.startsWith(operand as string));
    case "equals-ignore-case":
      return some((text) => text.toLowerCase() === (operand as string).toLowerCase());
    case "anything-but": {
      const { wildcard } = operand as { wildcard: string | string[] };
      const patterns = [wildcard].flat().map(wildcardPattern);
      return some((text) => !patterns.some((pattern) => pattern.test(text)));
    }
    default:
      throw new Error(`unknown operator ${operator}: add it here`);
  }
}

function wildcardPattern(wildcard: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${wildcard.split("*").map(literal).join(".*")}$`, "s");
}
