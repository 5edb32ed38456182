import { Environment, type ParseResult } from "@marcbachmann/cel-js";

/*
 * The rules of custom resource definitions in CEL (`x-kubernetes-validations`), which the API server evaluates after the schema: here
 * without one. What Kubernetes adds to the language and these definitions use is one function.
 */

/** A part of a definition's schema, as far as this walk knows it. */
export interface CelSchema {
  readonly type?: string;
  readonly "x-kubernetes-validations"?: readonly { readonly rule: string }[];
  readonly properties?: Readonly<Record<string, CelSchema>>;
  readonly additionalProperties?: CelSchema | boolean;
  readonly items?: CelSchema;
  readonly [word: string]: unknown;
}

/** A rule that stands somewhere in a schema. */
export interface CelRule {
  /** Where, and the how manyth rule there: `disruption.budgets#0`. */
  readonly key: string;
  readonly rule: string;
}

const language = new Environment({ unlistedVariablesAreDyn: true }).registerFunction(
  // Kubernetes' library of regular expressions: the first match, or nothing.
  "string.find(string): string",
  (text: string, pattern: string) => new RegExp(pattern).exec(text)?.[0] ?? "",
);

const parsed = new Map<string, ParseResult>();

function evaluate(rule: string, variables: Record<string, unknown>): unknown {
  let program = parsed.get(rule);
  if (program === undefined) parsed.set(rule, (program = language.parse(rule)));
  return program(variables);
}

/** Every rule of a schema. */
export function celRules(schema: CelSchema, path = ""): CelRule[] {
  const below = [
    ...Object.entries(schema.properties ?? {}).map(([name, part]) => [join(path, name), part] as const),
    ...(schema.items === undefined ? [] : [[`${path}[]`, schema.items] as const]),
    ...(typeof schema.additionalProperties === "object" ? [[`${path}{}`, schema.additionalProperties] as const] : []),
  ];
  return [...ownRules(schema, path), ...below.flatMap(([where, part]) => celRules(part, where))];
}

function ownRules(schema: CelSchema, path: string): CelRule[] {
  return (schema["x-kubernetes-validations"] ?? []).map(({ rule }, index) => ({ key: `${path}#${index}`, rule }));
}

/** What the rules of a schema say of an object. */
export interface CelVerdict {
  /** Rules that were asked. */
  readonly asked: ReadonlySet<string>;
  /** Rules that refuse the object: it isn't what they want, or they can't be evaluated of it. */
  readonly refused: ReadonlySet<string>;
}

/** @param old the object as it was before an update, which some rules compare with: they aren't asked without it. */
export function celVerdict(schema: CelSchema, value: unknown, old?: unknown): CelVerdict {
  const asked = new Set<string>();
  const refused = new Set<string>();
  const walk = (part: CelSchema, self: unknown, oldSelf: unknown, path: string): void => {
    if (self === undefined || self === null) return;
    for (const { key, rule } of ownRules(part, path)) {
      if (rule.includes("oldSelf") && (oldSelf === undefined || oldSelf === null)) continue;
      asked.add(key);
      if (!holds(rule, { self: typedAs(part, self), oldSelf: typedAs(part, oldSelf) })) refused.add(key);
    }
    if (Array.isArray(self)) {
      // Rules on items can't compare with what was: a list without keys has no old item.
      if (part.items !== undefined)
        for (const item of self as unknown[]) walk(part.items, item, undefined, `${path}[]`);
    } else if (typeof self === "object") {
      for (const [name, member] of Object.entries(self)) {
        const before = (oldSelf as Record<string, unknown> | null | undefined)?.[name];
        const inner = part.properties?.[name];
        if (inner !== undefined) walk(inner, member, before, join(path, name));
        else if (typeof part.additionalProperties === "object")
          walk(part.additionalProperties, member, before, `${path}{}`);
      }
    }
  };
  walk(schema, value, old, "");
  return { asked, refused };
}

/** An error refuses, as in the API server. */
function holds(rule: string, variables: Record<string, unknown>): boolean {
  try {
    return evaluate(rule, variables) === true;
  } catch {
    return false;
  }
}

/** The value as the language has it: whole numbers are another type there, and what isn't written isn't there. */
function typedAs(schema: CelSchema, value: unknown): unknown {
  if (typeof value === "number") return schema.type === "integer" ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map((item: unknown) => typedAs(schema.items ?? {}, item));
  if (typeof value !== "object" || value === null) return value;
  const rest = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
      member === undefined ? [] : [[name, typedAs(schema.properties?.[name] ?? rest, member)]],
    ),
  );
}

function join(path: string, name: string): string {
  return path === "" ? name : `${path}.${name}`;
}
