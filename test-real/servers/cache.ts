import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { buildFlags, directoryOf, goFor, type Go, type GoModule } from "./go";

/** Where built tools stay: outside the checkout, so that a fresh clone has them, in the user's folder for what may be deleted. */
export function cacheDirectory(
  env: NodeJS.ProcessEnv = process.env,
  platform = process.platform,
  home = homedir(),
): string {
  const own = env["XDG_CACHE_HOME"] ?? "";
  // The specification of base directories: a relative path is to be ignored.
  const user = isAbsolute(own) ? own : platform === "darwin" ? join(home, "Library", "Caches") : join(home, ".cache");
  return join(user, "moorings", "tools");
}

/** Names all that decides what a build makes: pins, sources, flags, compiler and platform. */
export function digestOf(directory: string, flags: readonly string[], go: Go): string {
  const sources = readdirSync(directory)
    .filter((file) => /^go\.(mod|sum)$|\.go$/.test(file))
    .sort()
    .map((file) => [file, readFileSync(join(directory, file), "utf8")]);
  return createHash("sha256")
    .update(JSON.stringify([sources, flags, go.version, go.os, go.arch]))
    .digest("hex")
    .slice(0, 16);
}

/** Folder of the built tools of a module. */
export function buildDirectory(module: GoModule): string {
  return join(cacheDirectory(), digestOf(directoryOf(module), buildFlags(module), goFor(module)));
}
