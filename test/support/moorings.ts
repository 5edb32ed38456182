import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Readable } from "node:stream";
import { execute } from "../../cli/command";
import type { Plan } from "../../cli/plan";
import { buildPolicies } from "../../tools/policies/build";

const root = resolve(__dirname, "../..");
const programs = resolve(__dirname, "../fixtures/programs");
const packs = resolve(__dirname, "../fixtures/packs");

/** How a run of the command ended. */
export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs the command in this process: the programs and packs that it starts are processes of their own all the same.
 *
 * @param input what it reads from standard input.
 */
export async function moorings(args: string[], input: string[] = []): Promise<Result> {
  let stdout = "";
  let stderr = "";
  const streams = {
    out: (text: string) => void (stdout += text),
    err: (text: string) => void (stderr += text),
    input: Readable.from(input),
  };
  const code = await execute(args, streams);
  return { code, stdout, stderr };
}

/** Runs the command as users do, by the script of package.json. */
export function spawned(args: string[]): Promise<Result> {
  // CI: some libraries color where it is set, terminal or not.
  const env: NodeJS.ProcessEnv = { ...process.env, CI: "true" };
  delete env["NO_COLOR"];
  const child = spawn("npm", ["run", "-s", "moorings", "--", ...args], { cwd: root, env });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => (stdout += String(data)));
  child.stderr.on("data", (data) => (stderr += String(data)));
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (code) => done({ code, stdout, stderr }));
  });
}

/** Folders of this test file, gone when it ends. */
export class Workspace {
  private readonly directory = mkdtempSync(join(tmpdir(), "moorings-test-"));

  /** Copies a fixture program to a place where nothing of this project is around it but installed packages. */
  program(name: string): string {
    return this.copy(join(programs, name), name);
  }

  pack(name: string): string {
    return this.copy(join(packs, name), `pack-${name}`);
  }

  /** The bundled pack as it is published: it needn't be compiled each time that it starts. */
  publishedPack(): string {
    const to = join(this.directory, "published-pack");
    if (existsSync(to)) return to;
    buildPolicies(to);
    symlinkSync(join(root, "node_modules"), join(to, "node_modules"));
    return to;
  }

  path(name: string): string {
    return join(this.directory, name);
  }

  plan(name: string): Plan {
    return JSON.parse(readFileSync(this.path(name), "utf8")) as Plan;
  }

  dispose(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  private copy(from: string, name: string): string {
    const to = join(this.directory, name);
    if (existsSync(to)) return to;
    cpSync(from, to, { recursive: true });
    symlinkSync(join(root, "node_modules"), join(to, "node_modules"));
    return to;
  }
}
