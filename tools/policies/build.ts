import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";
import { transformSync } from "@swc/core";

const root = resolve(__dirname, "..", "..");
const sources = join(root, "policy");

/** What is there to write and check the pack, and isn't the pack. */
const notPublished = new Set(["docs.ts", "tsconfig.json", "node_modules"]);

/**
 * Makes the published form of the pack: JavaScript in the place of each source, and beside it everything else that the pack needs. Whatever
 * was in the folder is gone, so that no rule of an older build is left.
 */
export function buildPolicies(target: string): void {
  rmSync(target, { recursive: true, force: true });
  for (const entry of readdirSync(sources, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name).slice(sources.length + 1);
    if (!entry.isFile() || notPublished.has(path.split(/[\\/]/)[0]!)) continue;
    const to = join(target, path);
    mkdirSync(dirname(to), { recursive: true });
    if (path === "package.json") writeFileSync(to, published(readFileSync(join(sources, path), "utf8")));
    else if (extname(path) === ".ts") writeFileSync(to.replace(/\.ts$/, ".js"), compiled(join(sources, path)));
    else cpSync(join(sources, path), to);
  }
}

function compiled(file: string): string {
  // Types are checked by `npm run check`; this only leaves them out, in a hundredth of the compiler's time.
  return transformSync(readFileSync(file, "utf8"), {
    filename: file,
    swcrc: false,
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
    module: { type: "commonjs" },
  }).code;
}

function published(manifest: string): string {
  const { main, ...rest } = JSON.parse(manifest) as { main: string };
  return `${JSON.stringify({ ...rest, main: main.replace(/\.ts$/, ".js") }, null, 2)}\n`;
}

if (require.main === module) buildPolicies(process.argv[2] ?? join(root, "dist", "policy"));
