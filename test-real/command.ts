import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Command, CommanderError } from "commander";
import type { Streams } from "../cli/command";
import { ownGroup, tracked } from "../cli/engine/children";
import { RunError, UsageError } from "../cli/errors";
import { nearest } from "../cli/nearest";
import { exitCodes } from "../cli/exit-codes";
import { build } from "./servers/build";
import { ownNetwork, requireOwnNetwork } from "./servers/own-network";
import { sourcesOf } from "./servers/go";
import { suites, type Suite } from "./suites";

const root = resolve(__dirname, "..");

const width = Math.max(...Object.keys(suites).map(({ length }) => length)) + 2;
const list = Object.entries(suites)
  .map(
    ([name, { description, ...needs }]) =>
      `  ${name.padEnd(width)}${description}\n${" ".repeat(width + 2)}needs ${needsOf(needs)}`,
  )
  .join("\n");

function needsOf({ tools, also }: Pick<Suite, "tools" | "also">): string {
  return [tools.length > 0 && `Go, for ${tools.join(", ")}`, also].filter(Boolean).join("; ");
}

const help = `
Suites:
${list}

What a suite needs is built once, with the versions pinned in tools, into your cache folder ($XDG_CACHE_HOME, ~/.cache or
~/Library/Caches). The first build downloads some 300 MB of sources and takes minutes; later runs start at once. Delete the folder
moorings/tools in there whenever you like.

Exit codes: 0 all tests passed, 1 a test failed or something is missing, 2 wrong usage.`;

/** Parses the command line, builds what the suites need, runs them, and returns Jest's exit code. */
export async function execute(argv: readonly string[], streams: Streams): Promise<number> {
  let code: number = exitCodes.fine;
  const program = new Command("npm run test:real --")
    .description("Tests against real servers.")
    .argument("[suite...]", "suites to run")
    .option("--json <file>", "write Jest's results as JSON")
    .option("--build-only", "build what the suites need, and run nothing")
    .exitOverride()
    .configureOutput({ writeOut: (text) => streams.out(text), writeErr: (text) => streams.err(text) })
    .addHelpText("after", help)
    .action(async (names: string[], { json, buildOnly }: { json?: string; buildOnly?: true }) => {
      if (names.length === 0) program.help({ error: true });
      const unknown = names.find((name) => !Object.hasOwn(suites, name));
      if (unknown !== undefined)
        throw new UsageError(
          `there is no suite "${unknown}"${nearest(unknown, Object.keys(suites))}\nSuites:\n${list}`,
        );
      const chosen = [...new Set(names)].map((name) => suites[name]!);
      const print = (line: string) => streams.out(`${line}\n`);
      const isolated = chosen.some(({ ownNetwork: own }) => own === true);
      if (isolated && chosen.length > 1)
        throw new UsageError(`${names.join(", ")}: one of these runs in a network of its own; run it by itself`);
      if (isolated && buildOnly !== true) requireOwnNetwork();
      await build([...new Set(chosen.flatMap(({ tools }) => tools))], { print });
      for (const [module, required] of chosen.flatMap(({ sources = [] }) => sources)) sourcesOf(module, required);
      for (const { prepare } of chosen) prepare?.(print);
      if (buildOnly === true) return;
      for (const { blindTo } of chosen) if (blindTo !== undefined) print(`These tests can't show: ${blindTo}.`);
      code = await jest(names, json, isolated);
    });
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage;
    if (!(error instanceof UsageError || error instanceof RunError)) throw error;
    streams.err(`error: ${error.message}\n`);
    return error instanceof UsageError ? exitCodes.usage : exitCodes.failed;
  }
}

/** Runs Jest on the suites' folders. All their temporary files are in one folder, which goes, whatever became of the tests. */
async function jest(names: readonly string[], json: string | undefined, isolated: boolean): Promise<number> {
  const temporary = mkdtempSync(join(tmpdir(), "moorings-real-"));
  process.once("exit", () => rmSync(temporary, { recursive: true, force: true, maxRetries: 3 }));
  const args = [
    join(root, "node_modules/jest/bin/jest.js"),
    "--config=test-real/jest.config.js",
    `--cacheDirectory=${join(tmpdir(), "moorings-jest")}`, // Jest's own choice would be in the temporary folder, too
    ...(json === undefined ? [] : ["--json", `--outputFile=${resolve(json)}`]),
    ...(isolated ? ["--maxWorkers=4", "--verbose"] : []),
    ...names.map((name) => `/test-real/${name}/`),
  ];
  const [command, ...first] = [...(isolated ? ownNetwork() : []), process.execPath];
  const child = tracked(
    spawn(command!, [...first, ...args], {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ["ignore", "inherit", "inherit"],
      ...ownGroup,
    }),
  );
  return new Promise((done, failed) => {
    child.on("error", failed);
    child.on("close", (code) => done(code ?? exitCodes.failed));
  });
}
