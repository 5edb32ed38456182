import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isObject, type Json, type JsonObject, rewrite } from "./engine/values";
import { UsageError } from "./errors";
import { nearest } from "./nearest";
import { type Project, readYaml } from "./project";

/** Configuration of a stack, as the program receives it. */
export interface StackConfig {
  readonly values: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
  /** What the user should know about how it was read. */
  readonly notes: readonly string[];
}

/** Stands for an encrypted value: only the stack's secrets provider could open it. */
export const encryptedPlaceholder = "[secret]";

/** Where the configuration of a stack comes from, besides Pulumi.yaml. */
export interface ConfigSources {
  /** File to read instead of the stack's own, as `--config-file` of the Pulumi CLI. */
  readonly file?: string | undefined;
  /** `key=value` texts; they win over the file. */
  readonly overrides: readonly string[];
}

/**
 * Joins the defaults of Pulumi.yaml, the stack's file and `--config`, and checks them against the declared types, as
 * `pulumi preview` does.
 */
export function readStackConfig(project: Project, stack: string, sources: ConfigSources): StackConfig {
  const values: Record<string, string> = {};
  const secretKeys: string[] = [];
  const notes: string[] = [];
  const file = sources.file === undefined ? stackFile(project, stack) : givenFile(sources.file);
  if (file === undefined) requireNoOtherStack(project, stack);
  const stackYaml = file === undefined ? {} : readYaml(file);
  if ("environment" in stackYaml)
    notes.push(`${file ?? ""} imports ESC environments, which can't be read offline: give their values with --config`);

  const set = (key: string, value: Json, secret: boolean) => {
    values[key] = typeof value === "string" ? value : JSON.stringify(value);
    if (secret && !secretKeys.includes(key)) secretKeys.push(key);
  };
  const declared = Object.entries(project.config).map(([key, declaration]) => ({
    key: qualified(project, key),
    declaration: isObject(declaration) ? declaration : shortForm(key, declaration),
  }));
  for (const { key, declaration } of declared) {
    const value = declaration["value"] ?? declaration["default"];
    if (value !== undefined) set(key, value, declaration["secret"] === true);
  }

  const stackConfig = isObject(stackYaml["config"]) ? stackYaml["config"] : {};
  const encrypted: string[] = [];
  for (const [shortKey, value] of Object.entries(stackConfig)) {
    const key = qualified(project, shortKey);
    const opened = withoutCiphertext(value);
    if (opened.encrypted) encrypted.push(key);
    set(key, opened.value, opened.encrypted);
  }
  for (const override of sources.overrides) {
    const split = override.indexOf("=");
    if (split < 1) throw new UsageError(`--config ${override}: write --config key=value`);
    const key = qualified(project, override.slice(0, split));
    set(key, override.slice(split + 1), secretKeys.includes(key));
    if (encrypted.includes(key)) encrypted.splice(encrypted.indexOf(key), 1);
  }
  if (encrypted.length > 0) {
    notes.push(
      `encrypted configuration can't be read offline; the program got "${encryptedPlaceholder}" for ${encrypted.join(", ")} (--config KEY=VALUE gives another)`,
    );
  }
  checkDeclared(project, stack, declared, values);
  return { values, secretKeys, notes };
}

/** Replaces `{ secure: ... }`, at any depth. */
function withoutCiphertext(value: Json): { value: Json; encrypted: boolean } {
  let encrypted = false;
  const opened = rewrite(value, (element) => {
    if (!isObject(element) || typeof element["secure"] !== "string" || Object.keys(element).length !== 1)
      return undefined;
    encrypted = true;
    return encryptedPlaceholder;
  });
  return { value: opened, encrypted };
}

/** A key without a namespace belongs to the project. */
function qualified(project: Project, key: string): string {
  return key.includes(":") ? key : `${project.name}:${key}`;
}

/** `key: value` is a default for the project's own keys and a value for foreign ones. */
function shortForm(key: string, value: Json): JsonObject {
  return key.includes(":") ? { value } : { default: value };
}

function stackFile(project: Project, stack: string): string | undefined {
  return ["yaml", "yml", "json"]
    .map((ext) => join(project.stackDirectory, `Pulumi.${stack}.${ext}`))
    .find((f) => existsSync(f));
}

/** Resolved like every path of the command line: against the working directory, where the Pulumi CLI resolves it too. */
function givenFile(given: string): string {
  const file = resolve(given);
  if (!existsSync(file)) throw new UsageError(`--config-file ${given}: there is no file ${file}`);
  return file;
}

/** Stack files, but none for this stack: a misspelt name. A project without any runs unconfigured. */
function requireNoOtherStack(project: Project, stack: string): void {
  const stacks = knownStacks(project);
  if (stacks.length > 0)
    throw new UsageError(
      `there is no stack "${stack}" in ${project.stackDirectory}${nearest(stack, stacks)} (--config-file ${fileOf(stack, stacks)} takes another stack's settings)`,
    );
}

/** Where the settings of a stack that has no file may be: `dev-network` often shares those of `dev`. */
function fileOf(stack: string, stacks: readonly string[]): string {
  const shared = stacks.find((other) => stack.startsWith(`${other}-`));
  return shared === undefined ? "FILE" : `Pulumi.${shared}.yaml`;
}

/** The stack to take when none was named: the only one there is, else `dev`. */
export function defaultStack(project: Project): string {
  const stacks = knownStacks(project);
  return stacks.length === 1 && stacks[0] !== undefined ? stacks[0] : "dev";
}

function knownStacks(project: Project): string[] {
  if (!existsSync(project.stackDirectory)) return [];
  return readdirSync(project.stackDirectory).flatMap((f) => /^Pulumi\.(.+)\.(?:ya?ml|json)$/.exec(f)?.[1] ?? []);
}

function checkDeclared(
  project: Project,
  stack: string,
  declared: readonly { key: string; declaration: JsonObject }[],
  values: Readonly<Record<string, string>>,
): void {
  const problems = declared.flatMap(({ key, declaration }) => {
    const type = declaration["type"];
    if (typeof type !== "string") return [];
    const value = values[key];
    if (value === undefined) return [`${key} (${type}) is missing`];
    return hasType(value, type) ? [] : [`${key} must be of type ${type}, not ${JSON.stringify(value)}`];
  });
  if (problems.length > 0) {
    throw new UsageError(
      `configuration of stack "${stack}" of ${project.name}:\n  - ${problems.join("\n  - ")}\nSet it in Pulumi.${stack}.yaml or with --config KEY=VALUE`,
    );
  }
}

function hasType(value: string, type: string): boolean {
  if (value === encryptedPlaceholder) return true;
  switch (type) {
    case "integer":
      return /^-?\d+$/.test(value);
    case "boolean":
      return value === "true" || value === "false";
    case "array":
    case "object":
      try {
        const parsed = JSON.parse(value) as Json;
        return type === "array" ? Array.isArray(parsed) : isObject(parsed);
      } catch {
        return false;
      }
    default:
      return true;
  }
}
