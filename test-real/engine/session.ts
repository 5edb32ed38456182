import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { grpc, messageLimits } from "../../cli/engine/proto";
import type { JsonObject } from "../../cli/engine/values";
import { buildPolicies } from "../../tools/policies/build";
import { toolPath } from "../servers/tools";
import { Cloud } from "./cloud/cloud";
import { addProvider } from "./cloud/provider";
import { InlineHost } from "./program/inline-host";
import { addLanguageHost } from "./program/language-host";
import { spawned } from "./program/spawned";
import { type Changes, changeSettings, copyProject } from "./project";
import { testValues } from "./test-values";

export const root = resolve(__dirname, "../..");
const packages = ["aws", "awsx", "eks", "kubernetes", "tls"];
const place = { region: "eu-west-1", account: "987654321098" };
/** Only stops what hangs, and shows how far it came. */
const longestCommand = 150_000;

export interface Outcome {
  /** Null for a command that was killed. */
  readonly code: number | null;
  /** What the command printed, on both streams, and then what the program did. */
  readonly output: string;
}

export interface Command {
  readonly process: ChildProcess;
  readonly ended: Promise<Outcome>;
}

export interface SessionOptions {
  /**
   * How the engine runs the program: `spawned`, as `pulumi up` does, in a process of its own for each operation, or `inline`, in one that
   * stays. Defaults to inline, which takes half the time.
   */
  readonly program?: "spawned" | "inline";
  /**
   * When the engine writes its state: at every `step`, as `pulumi up` does, so that whoever kills it finds what was done, or at the `end` of
   * each command. Defaults to end, which takes a fifth of the engine's time.
   */
  readonly checkpoints?: "step" | "end";
  /** A real Kubernetes provider's program in the place of the simulated one. Kubernetes' part of the platform then goes to that cluster. */
  readonly kubernetes?: { readonly plugin: string; readonly kubeconfig: string };
}

/** A resource in a state file, as far as tests read it. */
export interface StateResource {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly id?: string;
  readonly parent?: string;
  readonly provider?: string;
  readonly protect?: boolean;
  readonly inputs?: JsonObject;
  readonly outputs?: JsonObject;
  readonly dependencies?: readonly string[];
}

export interface State {
  readonly resources: readonly StateResource[];
  readonly pending: readonly { readonly type: string; readonly resource: StateResource }[];
}

/** The real Pulumi engine on a copy of this project, with state files of its own and one simulated cloud. */
export class Session {
  readonly cloud = new Cloud();
  /** The copy of the project. */
  readonly project: string;
  private readonly directory = mkdtempSync(join(tmpdir(), "moorings-engine-"));
  private readonly server = new grpc.Server(messageLimits);
  private host: InlineHost | undefined;
  private environment: NodeJS.ProcessEnv = {};
  private printed = "";
  private readonly print = (text: string): void => {
    this.printed += text;
  };

  private constructor() {
    this.project = join(this.directory, "project");
  }

  static async open({ program = "inline", checkpoints = "end", kubernetes }: SessionOptions = {}): Promise<Session> {
    const session = new Session();
    session.cloud.kubeconfig = kubernetes?.kubeconfig;
    copyProject(root, session.project);
    mkdirSync(join(session.directory, "state"));
    await session.serve(program, kubernetes?.plugin);
    if (checkpoints === "end") session.setEnvironment("PULUMI_SKIP_CHECKPOINTS", "true");
    return session;
  }

  /**
   * Options that make an operation run the policy pack with the profile of an environment, in the form in which it is published: each operation
   * starts it anew.
   */
  withPolicies(environment: string): readonly string[] {
    const pack = join(this.project, "policy");
    if (!existsSync(pack)) buildPolicies(pack);
    return ["--policy-pack", pack, "--policy-pack-config", join(pack, "profiles", `${environment}.json`)];
  }

  /** Puts test values in the place of an environment's examples. */
  useTestValues(environment: string): void {
    changeSettings(this.project, environment, testValues(environment));
  }

  /** Changes settings of an environment. */
  change(environment: string, changes: Changes): void {
    changeSettings(this.project, environment, changes);
  }

  /** Sets a variable of the environment that commands run in, and their plugins; undefined takes it out. */
  setEnvironment(variable: string, value: string | undefined): void {
    this.environment = { ...this.environment, [variable]: value };
  }

  /**
   * Starts the program's host anew. Failed runs leave connections behind in it, and after some hundred of them each command waits ten seconds at
   * its end. Does nothing where each operation has a process of its own.
   */
  async renewHost(): Promise<void> {
    if (this.host === undefined) return;
    await this.host.stop();
    await this.startHost();
  }

  /** Runs the CLI in the project. */
  async pulumi(...args: readonly string[]): Promise<Outcome> {
    return this.begin(...args).ended;
  }

  /** Runs the CLI, which must succeed. */
  async succeed(...args: readonly string[]): Promise<string> {
    const { code, output } = await this.pulumi(...args);
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${String(code)}:\n${output}`);
    return output;
  }

  /** Starts the CLI and doesn't wait for its end. */
  begin(...args: readonly string[]): Command {
    const child = spawn(toolPath("pulumi"), [...args, "--non-interactive", "--color=never"], {
      cwd: this.project,
      env: this.environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.printed = "";
    let output = "";
    child.stdout.on("data", (data: Buffer) => (output += data.toString()));
    child.stderr.on("data", (data: Buffer) => (output += data.toString()));
    // Asked twice, the CLI ends its plugins, which are in groups of their own, and itself. Killed, it leaves them behind.
    const hung = [0, 5_000, 10_000].map((later, i) =>
      setTimeout(() => child.kill(i < 2 ? "SIGINT" : "SIGKILL"), longestCommand + later),
    );
    const ended = new Promise<Outcome>((done) => {
      child.on("close", (code) => {
        hung.forEach(clearTimeout);
        done({ code, output: output + this.printed });
      });
    });
    return { process: child, ended };
  }

  /** A stack's state file. */
  stateFile(stack: string): string {
    return join(this.directory, "state/.pulumi/stacks/moorings", `${stack}.json`);
  }

  stateText(stack: string): string {
    return readFileSync(this.stateFile(stack), "utf8");
  }

  /** Whether a stack's state and its attributes, which Pulumi writes first and not as one, are whole. */
  isWritten(stack: string): boolean {
    const file = this.stateFile(stack);
    return existsSync(file) && statSync(`${file}.attrs`).size > 0;
  }

  state(stack: string): State {
    const { latest } = (
      JSON.parse(this.stateText(stack)) as {
        checkpoint: { latest?: { resources?: StateResource[]; pending_operations?: State["pending"] } };
      }
    ).checkpoint;
    return { resources: latest?.resources ?? [], pending: latest?.pending_operations ?? [] };
  }

  async close(): Promise<void> {
    await this.host?.stop();
    this.server.forceShutdown();
    rmSync(this.directory, { recursive: true, force: true });
  }

  private async serve(program: "spawned" | "inline", plugin: string | undefined): Promise<void> {
    addProvider(this.server, this.cloud, place);
    if (program === "spawned") addLanguageHost(this.server, spawned(this.print));
    const port = await new Promise<number>((done, failed) => {
      this.server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => {
        if (error === null) done(bound);
        else failed(error);
      });
    });
    this.environment = {
      // An attached provider is cancelled after the first operation, which a real one doesn't survive: it is found by its name.
      PATH: [
        join(__dirname, "program/bin"),
        ...(plugin === undefined ? [] : [dirname(plugin)]),
        process.env["PATH"],
      ].join(delimiter),
      HOME: this.directory,
      PULUMI_HOME: join(this.directory, "home"),
      PULUMI_BACKEND_URL: `file://${join(this.directory, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "passphrase of the test",
      GOGC: "400", // a state is written as a whole at every step: by default an eighth of the time is garbage collection
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
      PULUMI_DISABLE_CHECKPOINT_BACKUPS: "true",
      PULUMI_DEBUG_PROVIDERS: packages
        .filter((name) => name !== "kubernetes" || plugin === undefined)
        .map((name) => `${name}:${port}`)
        .join(","),
      PULUMI_DEBUG_LANGUAGES: `nodejs:${port}`,
    };
    if (program === "inline") await this.startHost();
  }

  private async startHost(): Promise<void> {
    this.host = await InlineHost.start(root, this.print);
    this.setEnvironment("PULUMI_DEBUG_LANGUAGES", `nodejs:${this.host.port}`);
  }
}
