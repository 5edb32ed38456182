import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";
import { messageOf, UsageError } from "./errors";
import { isObject, type Json, type JsonObject } from "./engine/values";

/** What the check needs of a Pulumi.yaml. */
export interface Project {
  readonly name: string;
  readonly directory: string;
  /** Where the program runs, and its entry point relative to that. */
  readonly programDirectory: string;
  readonly entryPoint: string;
  readonly typescript: boolean;
  readonly tsconfig: string | undefined;
  readonly nodeArguments: readonly string[];
  /** Folder of the stack files. */
  readonly stackDirectory: string;
  /** The `config` section: declarations, defaults and values. */
  readonly config: JsonObject;
}

const fileNames = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** Reads a YAML or JSON file that must hold an object. */
export function readYaml(file: string): JsonObject {
  let parsed: Json;
  try {
    parsed = (parse(readFileSync(file, "utf8")) ?? {}) as Json;
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${messageOf(error)}`);
  }
  if (!isObject(parsed)) throw new UsageError(`${file} must hold an object`);
  return parsed;
}

/** Reads the project in a folder. */
export function readProject(given: string): Project {
  const directory = resolve(given);
  const file = fileNames.map((name) => join(directory, name)).find((path) => existsSync(path));
  if (file === undefined) {
    throw new UsageError(`there is no Pulumi.yaml in ${directory}: give the project's folder with --project DIR`);
  }
  const parsed = readYaml(file);
  const name = parsed["name"];
  if (typeof name !== "string" || name === "") throw new UsageError(`${file} has no name: write "name: my-project"`);
  const runtime = isObject(parsed["runtime"]) ? parsed["runtime"] : { name: parsed["runtime"] ?? null };
  if (runtime["name"] !== "nodejs") {
    throw new UsageError(
      `${file} has the runtime ${JSON.stringify(runtime["name"])}: this check runs "runtime: nodejs" only`,
    );
  }
  const options = isObject(runtime["options"]) ? runtime["options"] : {};
  return {
    name,
    directory,
    ...locate(directory, file, parsed["main"]),
    typescript: options["typescript"] !== false,
    tsconfig: typeof options["tsconfig"] === "string" ? resolve(directory, options["tsconfig"]) : undefined,
    nodeArguments: typeof options["nodeargs"] === "string" ? options["nodeargs"].split(/\s+/).filter(Boolean) : [],
    stackDirectory: resolve(directory, typeof parsed["stackConfigDir"] === "string" ? parsed["stackConfigDir"] : "."),
    config: isObject(parsed["config"]) ? parsed["config"] : {},
  };
}

/** `main` may be a file or a folder inside the project (pulumi/pulumi pkg/engine, getPwdMain). */
function locate(
  directory: string,
  file: string,
  main: Json | undefined,
): { programDirectory: string; entryPoint: string } {
  if (main === undefined || main === "") return { programDirectory: directory, entryPoint: "." };
  if (typeof main !== "string") throw new UsageError(`${file}: main must be a path`);
  const path = resolve(directory, main);
  if (relative(directory, path).split(sep)[0] === "..") {
    throw new UsageError(`${file}: main (${main}) must be inside the project's folder`);
  }
  if (!existsSync(path)) throw new UsageError(`${file}: main names ${main}, which doesn't exist`);
  if (statSync(path).isDirectory()) return { programDirectory: path, entryPoint: "." };
  return { programDirectory: dirname(path), entryPoint: basename(path) };
}
