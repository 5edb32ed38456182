import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { ownGroup, tracked } from "../../cli/engine/children";
import { messageOf, RunError } from "../../cli/errors";
import { buildDirectory } from "./cache";
import { buildFlags, directoryOf, goEnvironment, type GoModule } from "./go";
import { isTool, tools, type ToolName } from "./tools";

/** How a build tells what it does, and how patient it is. */
export interface BuildOptions {
  readonly print: (line: string) => void;
  readonly progressSeconds?: number;
  readonly retrySeconds?: number;
}

/** Builds those tools that the cache lacks. */
export async function build(names: readonly ToolName[], options: BuildOptions): Promise<void> {
  for (const module of new Set(names.map((name) => tools[name].module))) {
    const directory = buildDirectory(module);
    const wanted = names.filter((name) => tools[name].module === module);
    const missing = wanted.filter((name) => !isTool(join(directory, name)));
    const cached = wanted.filter((name) => !missing.includes(name));
    if (cached.length > 0) options.print(`${cached.join(", ")}: cached in ${directory}`);
    if (missing.length > 0) await buildInto(directory, module, missing, options);
  }
}

/** Builds beside the place where the tools go, and moves each there whole: whoever is killed on the way, no half tool is ever found. */
async function buildInto(
  directory: string,
  module: GoModule,
  names: readonly ToolName[],
  options: BuildOptions,
): Promise<void> {
  const beside = temporaryIn(directory);
  const clean = () => rmSync(beside, { recursive: true, force: true, maxRetries: 3 });
  process.once("exit", clean); // also where a signal ends the command
  try {
    await download(module, beside, options);
    const packages = names.map((name) => tools[name].package);
    const flags = ["-v", ...buildFlags(module), "-o", `${beside}/`];
    await go(["build", ...flags, ...packages], `building ${names.join(", ")}`, module, beside, options);
    for (const name of names) renameSync(join(beside, programOf(tools[name].package)), join(directory, name));
  } finally {
    process.off("exit", clean);
    clean();
  }
}

/** The name that Go gives a program: the last part of its package's path that isn't a major version. */
function programOf(path: string): string {
  return basename(path.replace(/\/v\d+$/, ""));
}

/** A folder for a build. Everything that Go writes beside its caches goes there: an interrupted Go leaves it behind. */
function temporaryIn(directory: string): string {
  try {
    mkdirSync(directory, { recursive: true });
    return mkdtempSync(join(directory, ".build-"));
  } catch (error) {
    const advice = "set XDG_CACHE_HOME to a folder that you may write to";
    throw new RunError(`built tools can't be kept in ${directory}: ${messageOf(error)}; ${advice}`);
  }
}

async function download(module: GoModule, temporary: string, options: BuildOptions): Promise<void> {
  const attempts = 3;
  for (let attempt = 1; ; attempt++) {
    try {
      return await go(
        ["mod", "download"],
        `downloading the sources that ${module.folder}/go.mod pins`,
        module,
        temporary,
        options,
      );
    } catch (error) {
      if (!(error instanceof RunError) || attempt === attempts) throw error;
      const seconds = (options.retrySeconds ?? 10) * attempt;
      options.print(`${error.message}\ntrying again in ${seconds} s (${attempts - attempt} left)`);
      await delay(seconds * 1000);
    }
  }
}

/** Runs Go in a module's folder. It prints one line for each package that it has begun to compile. */
async function go(
  args: string[],
  what: string,
  module: GoModule,
  temporary: string,
  options: BuildOptions,
): Promise<void> {
  const { print, progressSeconds = 30 } = options;
  const started = Date.now();
  const elapsed = () => {
    const seconds = Math.round((Date.now() - started) / 1000);
    return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  };
  const lines: string[] = [];
  print(what);
  const progress = setInterval(() => {
    const last = lines.at(-1);
    print(`${what}: ${elapsed()}${last === undefined ? "" : `, ${lines.length} packages, now ${last}`}`);
  }, progressSeconds * 1000);
  try {
    const child = tracked(
      spawn("go", args, {
        cwd: directoryOf(module),
        env: { ...goEnvironment(), GOTMPDIR: temporary },
        stdio: ["ignore", "ignore", "pipe"],
        ...ownGroup,
      }),
    );
    createInterface({ input: child.stderr }).on("line", (line) => lines.push(line));
    const code = await new Promise<number | null>((done, failed) => {
      child.on("error", failed);
      child.on("close", done);
    });
    if (code !== 0) throw new RunError(`${what} failed: ${lines.slice(-20).join("\n")}`);
    print(`${what}: done in ${elapsed()}`);
  } finally {
    clearInterval(progress);
  }
}
