import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { RunError } from "../errors";
import { end, lazyArborist, ownGroup, tracked } from "./children";
import { waitsFrom } from "./waits";

/** How to start a Node program as Pulumi's language host does. */
export interface ProgramSource {
  /** Folder that the program runs in. */
  readonly directory: string;
  /** Entry point relative to it, `.` to let package.json decide. */
  readonly entryPoint: string;
  readonly rootDirectory: string;
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  readonly config: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
  readonly typescript: boolean;
  readonly tsconfig: string | undefined;
  readonly nodeArguments: readonly string[];
}

/** How a program ended. */
export interface ProgramExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** What it still waited for, in words. */
  readonly waits: string;
}

/** A running program. */
export class Program {
  readonly exit: Promise<ProgramExit>;
  private waits = "";
  private onWaits: () => void = () => undefined;

  private constructor(
    private readonly process: ChildProcess,
    onOutput: (line: string) => void,
  ) {
    readLines(process.stdout, onOutput);
    readLines(process.stderr, (line) => {
      const waits = waitsFrom(line);
      if (waits === undefined) return onOutput(line);
      this.waits = waits;
      this.onWaits();
    });
    this.exit = new Promise((resolve, reject) => {
      process.on("error", reject);
      process.on("exit", () => end(process)); // else a process that the program left behind would keep its output open
      process.on("close", (code, signal) => resolve({ code, signal, waits: this.waits }));
    });
  }

  static start(source: ProgramSource, address: string, onOutput: (line: string) => void): Program {
    const child = tracked(
      spawn(
        process.execPath,
        [
          // The SDK takes a stack trace for each promise; most of a run would be spent on them.
          "--stack-trace-limit=1",
          ...source.nodeArguments,
          ...lazyArborist,
          "-r",
          join(__dirname, "preload.cjs"),
          runScript(source.directory),
          `--monitor=${address}`,
          `--engine=${address}`,
          `--project=${source.project}`,
          `--stack=${source.stack}`,
          `--organization=${source.organization}`,
          `--root-directory=${source.rootDirectory}`,
          `--pwd=${source.directory}`,
          "--dry-run",
          source.entryPoint,
        ],
        { cwd: source.directory, env: environmentOf(source), stdio: ["ignore", "pipe", "pipe", "ipc"], ...ownGroup },
      ),
    );
    return new Program(child, onOutput);
  }

  /** Asks the program what it is waiting for; empty when it can't answer within a second. */
  async askWaits(): Promise<string> {
    const answered = new Promise<void>((resolve) => (this.onWaits = resolve));
    if (this.process.connected) this.process.send("moorings-waits", () => undefined);
    await Promise.race([answered, new Promise((resolve) => setTimeout(resolve, 1000))]);
    return this.waits;
  }

  kill(): void {
    end(this.process);
  }
}

function runScript(directory: string): string {
  try {
    return createRequire(join(directory, "package.json")).resolve("@pulumi/pulumi/cmd/run");
  } catch {
    throw new RunError(`the program in ${directory} has no @pulumi/pulumi: run npm install there`);
  }
}

function environmentOf(source: ProgramSource): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PULUMI_NODEJS_TYPESCRIPT: String(source.typescript),
    // A check for pull requests needn't repeat the type check that the project has of its own.
    PULUMI_NODEJS_TRANSPILE_ONLY: process.env["PULUMI_NODEJS_TRANSPILE_ONLY"] ?? "true",
    ...(source.tsconfig === undefined ? {} : { PULUMI_NODEJS_TSCONFIG_PATH: source.tsconfig }),
    PULUMI_CONFIG: JSON.stringify(source.config),
    PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(source.secretKeys),
  };
}

function readLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = "";
  stream?.on("data", (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") onLine(line);
  });
  stream?.on("end", () => {
    if (rest.trim() !== "") onLine(rest);
  });
}
