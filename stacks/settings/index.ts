import * as pulumi from "@pulumi/pulumi";
import { layersOf, type Layer } from "../layers";
import { inconsistencies } from "./consistency";
import { foreignProblems } from "./foreign";
import { problemsOf } from "./problems";
import { schema, type Settings } from "./schema";

export type { Settings } from "./schema";

type Config = Readonly<Record<string, string>>;

/** What a stack is to make. */
export interface Run {
  readonly settings: Settings;
  readonly layers: ReadonlySet<Layer>;
}

/**
 * Reads the configuration of a stack as one frozen object. All problems are reported at once, each with its key, and an unknown
 * key with the nearest right name.
 *
 * A stack of one layer (`dev-edge`) reads the settings of its environment (`dev`), so the settings say whose they are: with those
 * of another environment a stack would turn into a second one of it.
 *
 * @param config all configuration by full key, as `pulumi.runtime.allConfig()` gives it.
 */
export function readSettings(config: Config, project: string, stack: string): Run {
  const prefix = `${project}:`;
  const own = ownKeys(config, prefix);
  if (Object.keys(own).length === 0) throw new pulumi.RunError(nothingSet(stack));

  const problems: string[] = foreignProblems(config, project);
  const region = config["aws:region"];
  const parsed = schema.safeParse(own);
  const environment = typeof own["environment"] === "string" ? own["environment"] : undefined;
  const layers = environment === undefined ? undefined : layersOf(stack, environment);
  if (typeof layers === "string") problems.push(`${prefix}environment: ${layers}`);
  if (!parsed.success) problems.push(...problemsOf(schema, parsed.error.issues, prefix));
  else if (region !== undefined)
    problems.push(...inconsistencies({ ...parsed.data, region }).map((problem) => prefix + problem));
  if (problems.length > 0 || !parsed.success || region === undefined || typeof layers !== "object") {
    const list = problems.map((p) => `\n  - ${p}`).join("");
    throw new pulumi.RunError(`the settings of stack ${stack} are wrong:${list}${encryptedHint(config)}`);
  }
  return { settings: deepFreeze({ ...parsed.data, region }), layers };
}

/** The project's own keys without their prefix. */
function ownKeys(config: Config, prefix: string): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(config)) {
    if (!key.startsWith(prefix)) continue;
    try {
      own[key.slice(prefix.length)] = JSON.parse(value);
    } catch {
      own[key.slice(prefix.length)] = value;
    }
  }
  return own;
}

/** The offline preview gives this in place of a value that only its owner can decrypt. */
function encryptedHint(config: Config): string {
  return Object.values(config).some((value) => value.includes("[secret]"))
    ? '\n"[secret]" stands for an encrypted value, which an offline preview can\'t read: encrypt addresses of alerts only, or give the value with --config'
    : "";
}

function nothingSet(stack: string): string {
  const environment = stack.replace(/-[a-z]+$/, "");
  return (
    `stack ${stack} has no settings. A stack of one layer takes those of its environment: add --config-file ` +
    `Pulumi.${environment}.yaml. A new environment starts with a copy of Pulumi.dev.yaml.`
  );
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value))
    if (typeof member === "object" && member !== null) deepFreeze(member as object);
  return Object.freeze(value);
}
