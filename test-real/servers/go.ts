import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf, RunError } from "../../cli/errors";

const root = resolve(__dirname, "../..");

/** A Go module of this project that pins and builds tools. */
export interface GoModule {
  /** Its folder, from the root. */
  readonly folder: string;
  /** Variables that releases of its tools are stamped with, and the required module whose version each gets. */
  readonly stamps: Readonly<Record<string, string>>;
}

/** The Go on this machine. */
export interface Go {
  readonly version: string;
  readonly os: string;
  readonly arch: string;
}

export function directoryOf({ folder }: GoModule): string {
  return join(root, folder);
}

/** A go.work around the checkout has no say, and no C compiler: whether a machine has one would change what is built. */
export function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, GOWORK: "off", CGO_ENABLED: "0" };
}

/** Go as the module would be built with. With GOTOOLCHAIN=auto that may be a newer one, which Go gets by itself. */
export function goFor(module: GoModule): Go {
  const file = `${module.folder}/go.mod`;
  const needed = /^go (\S+)$/m.exec(goMod(module))?.[1] ?? "";
  const advice = `Install Go ${needed} or newer (https://go.dev/doc/install, or your system's packages) and put it on the PATH.`;
  let found: Record<string, string>;
  try {
    const output = execFileSync("go", ["env", "-json", "GOVERSION", "GOOS", "GOARCH"], {
      cwd: directoryOf(module),
      env: goEnvironment(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    found = JSON.parse(output) as Record<string, string>;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new RunError(`Go is missing: ${file} needs ${needed}. ${advice}`);
    }
    throw new RunError(`Go doesn't work in ${module.folder}: ${messageOf(error)}\n${advice}`);
  }
  const { GOVERSION: version = "", GOOS: os = "", GOARCH: arch = "" } = found;
  if (isOlder(version, needed)) {
    throw new RunError(`Go is too old: this is ${version}, and ${file} needs ${needed}. ${advice}`);
  }
  return { version, os, arch };
}

function isOlder(version: string, needed: string): boolean {
  const numbers = (text: string) => (text.match(/\d+/g) ?? []).map(Number);
  const wanted = numbers(needed);
  const has = numbers(version);
  const differing = wanted.findIndex((n, i) => n !== (has[i] ?? 0));
  return differing >= 0 && (has[differing] ?? 0) < wanted[differing]!;
}

/**
 * Flags of every build in the module: the same ones always, so that Go's own cache serves. Nobody debugs these tools, and a build from nothing
 * is what a new machine waits for: without debug information and inlining the compiler takes two thirds of the time.
 */
export function buildFlags(module: GoModule): string[] {
  const stamps = Object.entries(module.stamps).map(
    ([variable, required]) => `-X ${variable}=${versionOf(module, required)}`,
  );
  return ["-trimpath", "-gcflags=all=-dwarf=false -l", "-ldflags", ["-s", "-w", ...stamps].join(" ")];
}

/** The version that a module pins another one to. */
export function versionOf(module: GoModule, required: string): string {
  const line = goMod(module)
    .split("\n")
    .find((text) => text.startsWith(`\t${required} v`));
  if (line === undefined) throw new Error(`${module.folder}/go.mod doesn't require ${required}`);
  return line.trim().split(" ")[1]!;
}

/** Folder with the sources of a module that another one pins. Go gets them if it hasn't yet. */
export function sourcesOf(module: GoModule, required: string): string {
  try {
    const output = execFileSync("go", ["mod", "download", "-json", required], {
      cwd: directoryOf(module),
      env: goEnvironment(),
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return (JSON.parse(output) as { readonly Dir: string }).Dir;
  } catch (error) {
    throw new RunError(
      `Go can't get the sources of ${required}, which ${module.folder}/go.mod pins: ${messageOf(error)}`,
    );
  }
}

function goMod(module: GoModule): string {
  return readFileSync(join(directoryOf(module), "go.mod"), "utf8");
}
