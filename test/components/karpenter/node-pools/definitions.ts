import Ajv from "ajv";
import nodeClassFacts from "../../../fixtures/facts/karpenter-ec2nodeclasses-v1.json";
import nodePoolFacts from "../../../fixtures/facts/karpenter-nodepools-v1.json";
import { celRules, celVerdict, type CelSchema } from "../../../support/cel";

/*
 * Karpenter's definitions (1.15.2) as the API server applies them strictly.
 */

export type Kind = "pool" | "nodeClass";

/** What isn't in the schema is an error, and not dropped in silence. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const part = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  const open = "additionalProperties" in part || part["x-kubernetes-preserve-unknown-fields"] === true;
  return part["type"] === "object" && "properties" in part && !open ? { ...part, additionalProperties: false } : part;
}

const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true });
const validators = {
  pool: ajv.compile(strict(nodePoolFacts.spec) as object),
  nodeClass: ajv.compile(strict(nodeClassFacts.spec) as object),
};
const schemas: Readonly<Record<Kind, CelSchema>> = { pool: nodePoolFacts.spec, nodeClass: nodeClassFacts.spec };

/** What the schema has against an object's spec: types, enums, patterns, limits, and fields that it doesn't know. */
export function violations(kind: Kind, spec: unknown): string[] {
  validators[kind](spec);
  return (validators[kind].errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ""} ${JSON.stringify(e.params)}`);
}

/** What the rules in CEL say of an object's spec. */
export const rulesOn = (kind: Kind, spec: unknown, old?: unknown) => celVerdict(schemas[kind], spec, old);

/** The rules in CEL. */
export const rulesOf = (kind: Kind) => celRules(schemas[kind]);
