import { closest, distance } from "fastest-levenshtein";
import { z } from "zod";

/** Words for each issue: the full key, what is wrong, and for an unknown key the nearest right name. */
export function problemsOf(schema: z.ZodType, issues: readonly z.core.$ZodIssue[], prefix: string): string[] {
  return issues.flatMap((issue) => {
    const key = prefix + issue.path.map(String).join(".");
    switch (issue.code) {
      case "unrecognized_keys":
        return issue.keys.map((unknown) => {
          const names = keysAt(schema, issue.path);
          const separator = issue.path.length === 0 ? "" : ".";
          return `${key}${separator}${unknown}: is not a key${nearest(unknown, names)}`;
        });
      case "invalid_type":
        return [`${key}: ${issue.message.startsWith("Invalid input") ? typeText(issue) : issue.message}`];
      case "invalid_value":
        return [`${key}: must be one of ${issue.values.map(String).join(", ")}`];
      default:
        return [`${key}: ${issue.message}`];
    }
  });
}

function typeText(issue: z.core.$ZodIssueInvalidType): string {
  return issue.input === undefined && issue.message.endsWith("received undefined")
    ? `is missing; it must be ${issue.expected}`
    : `must be ${issue.expected}`;
}

/** Names that an object of the schema has, found by its path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let current: unknown = schema;
  for (const step of path) {
    const object = unwrapped(current);
    current = object instanceof z.ZodObject ? (object.shape as Record<PropertyKey, unknown>)[step] : undefined;
  }
  const object = unwrapped(current);
  return object instanceof z.ZodObject ? Object.keys(object.shape as object) : [];
}

function unwrapped(schema: unknown): unknown {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault ? unwrapped(schema.unwrap()) : schema;
}

function nearest(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const best = closest(wrong, [...names]);
  return distance(wrong, best) <= Math.max(2, wrong.length / 2)
    ? `; did you mean "${best}"?`
    : `; there are ${names.join(", ")}`;
}
