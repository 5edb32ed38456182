import type { ErrorObject } from "ajv";
import { existsSync, readFileSync, statSync } from "node:fs";
import { messageOf, UsageError } from "../errors";
import { nearest } from "../nearest";
import { analyzer, fromStruct, toStruct } from "./proto";
import type { Enforcement } from "./records";
import { type Json, isObject, type JsonObject } from "./values";

/** Configuration of one pack, as `--policy-pack-config` and Pulumi's own flag of that name read it. */
export type PackConfig = Readonly<Record<string, Enforcement | JsonObject>>;

const levels: readonly Enforcement[] = ["advisory", "mandatory", "disabled", "remediate"];
const levelNumbers: Record<Enforcement, analyzer.EnforcementLevel> = {
  advisory: analyzer.EnforcementLevel.ADVISORY,
  mandatory: analyzer.EnforcementLevel.MANDATORY,
  disabled: analyzer.EnforcementLevel.DISABLED,
  remediate: analyzer.EnforcementLevel.REMEDIATE,
};

/** Name of an enforcement level. */
export function enforcementName(level: analyzer.EnforcementLevel): Enforcement {
  return levels.find((name) => levelNumbers[name] === level) ?? "advisory";
}

/** Reads a policy configuration file: an object of policy names, each with a level or with an object of properties. */
export function readPackConfig(file: string): PackConfig {
  if (!existsSync(file)) throw new UsageError(`there is no policy configuration file ${file}`);
  if (statSync(file).isDirectory()) throw new UsageError(`${file} is a folder: name a policy configuration file in it`);
  let parsed: Json;
  try {
    parsed = JSON.parse(readFileSync(file, "utf8")) as Json;
  } catch (error) {
    throw new UsageError(`${file} isn't JSON: ${messageOf(error)}`);
  }
  if (!isObject(parsed))
    throw new UsageError(`${file} must hold an object: { "policy-name": "advisory" } or { "policy-name": { ... } }`);
  const problems: string[] = [];
  for (const [name, value] of Object.entries(parsed)) {
    const level = isObject(value) ? value["enforcementLevel"] : value;
    if (level === undefined && isObject(value)) continue;
    if (!levels.includes(level as Enforcement))
      problems.push(`"${name}" has the enforcement level ${JSON.stringify(level)}; write one of ${levels.join(", ")}`);
  }
  if (problems.length > 0) throw new UsageError(`${file} is wrong:\n  - ${problems.join("\n  - ")}`);
  return parsed as PackConfig;
}

/**
 * Joins what the pack starts with and what the file says, checks it against each policy's schema, and makes the call that tells the
 * pack; undefined when there is nothing to tell. `all` sets the level of every policy that has no level of its own.
 */
export async function configure(
  info: analyzer.AnalyzerInfo,
  file: PackConfig,
): Promise<analyzer.ConfigureAnalyzerRequest | undefined> {
  const policies = info.getPoliciesList();
  const names = policies.map((p) => p.getName());
  const initial = info.getInitialconfigMap();
  const problems: string[] = [];
  for (const name of Object.keys(file)) {
    if (name !== "all" && !names.includes(name)) {
      problems.push(`pack "${info.getName()}" has no policy "${name}"${nearest(name, names)}`);
    }
  }

  const request = new analyzer.ConfigureAnalyzerRequest();
  for (const policy of policies) {
    const name = policy.getName();
    const given = settingOf(file[name]);
    const start = initial.get(name);
    const level = given.level ?? settingOf(file["all"]).level;
    const defaults = defaultsOf(policy);
    const properties = { ...defaults, ...fromStruct(start?.getProperties()), ...given.properties };
    const found = await schemaProblems(policy, properties, defaults);
    problems.push(...found.map((p) => `policy "${name}": ${p}`));
    const config = new analyzer.PolicyConfig();
    config.setEnforcementlevel(
      level === undefined ? (start?.getEnforcementlevel() ?? policy.getEnforcementlevel()) : levelNumbers[level],
    );
    config.setProperties(toStruct(properties));
    request.getPolicyconfigMap().set(name, config);
  }
  if (problems.length > 0) throw new UsageError(`the policy configuration is wrong:\n  - ${problems.join("\n  - ")}`);
  return policies.length === 0 ? undefined : request;
}

function settingOf(value: Enforcement | JsonObject | undefined): {
  level: Enforcement | undefined;
  properties: JsonObject;
} {
  if (value === undefined || typeof value === "string") return { level: value, properties: {} };
  const { enforcementLevel, ...properties } = value;
  return { level: enforcementLevel as Enforcement | undefined, properties };
}

function defaultsOf(policy: analyzer.PolicyInfo): JsonObject {
  const schemas = fromStruct(policy.getConfigschema()?.getProperties());
  const withDefault = Object.entries(schemas).filter(([, schema]) => isObject(schema) && "default" in schema);
  return Object.fromEntries(withDefault.map(([key, schema]) => [key, (schema as JsonObject)["default"] ?? null]));
}

async function schemaProblems(
  policy: analyzer.PolicyInfo,
  properties: JsonObject,
  defaults: JsonObject,
): Promise<string[]> {
  const schema = policy.getConfigschema();
  if (schema === undefined)
    return Object.keys(properties).map((key) => `takes no configuration, but "${key}" was given`);
  const isDefault = Object.keys(properties).every((key) => properties[key] === defaults[key]);
  // Loading and compiling would be a tenth of a preview, for nothing: few runs configure anything.
  if (isDefault && schema.getRequiredList().every((key) => key in properties)) return [];
  const { Ajv } = await import("ajv");
  const known = fromStruct(schema.getProperties());
  const ajv = new Ajv({ allErrors: true, strict: false, verbose: true });
  const validate = ajv.compile({
    type: "object",
    properties: known,
    required: schema.getRequiredList(),
    additionalProperties: false,
  });
  return validate(properties) ? [] : (validate.errors ?? []).map(problemOf);
}

/** One problem in words, with what the schema says about the place: it knows better what to write than a keyword of the schema. */
function problemOf(error: ErrorObject): string {
  const place = error.instancePath.slice(1).replaceAll("/", ".");
  const about = (error.parentSchema ?? {}) as { description?: string; properties?: object };
  const extra = (error.params as { additionalProperty?: string }).additionalProperty;
  const hint = place === "" || about.description === undefined ? "" : ` (${about.description})`;
  if (extra !== undefined) {
    const at = place === "" ? "" : `${place}: `;
    return `${at}unknown property "${extra}"${nearest(extra, Object.keys(about.properties ?? {}))}${hint}`;
  }
  // A regular expression is for machines: where the schema says what it means, what was written is the better half of the message.
  if (error.keyword === "pattern" && hint !== "") return `${place} can't be ${JSON.stringify(error.data)}${hint}`;
  return `${place || "configuration"} ${error.message ?? "is wrong"}${hint}`;
}
