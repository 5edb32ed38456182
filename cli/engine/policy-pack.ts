import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { parse } from "yaml";
import { RunError, UsageError } from "../errors";
import { lazyArborist, tracked } from "./children";
import { configure, type PackConfig } from "./policy-config";
import { analyzer, AnalyzerClient, ask, Empty, grpc, messageLimits } from "./proto";
import type { PackSummary } from "./records";

/** Where a pack is, and how it is configured. */
export interface PackSource {
  readonly directory: string;
  readonly config: PackConfig;
}

/** What a pack is told about the stack. */
export interface PackStack {
  readonly project: string;
  readonly stack: string;
  readonly organization: string;
  readonly config: Readonly<Record<string, string>>;
  readonly secretKeys: readonly string[];
  readonly engineAddress: string;
}

/** Checks a pack's folder before anything starts, so that a wrong path is wrong usage and not a failed run. */
export function checkPack(directory: string): void {
  const manifest = join(directory, "PulumiPolicy.yaml");
  if (!existsSync(manifest)) {
    throw new UsageError(`there is no policy pack in ${directory}: a pack's folder holds a PulumiPolicy.yaml`);
  }
  const parsed = parse(readFileSync(manifest, "utf8")) as { runtime?: string | { name?: string } } | null;
  const runtime = typeof parsed?.runtime === "string" ? parsed.runtime : parsed?.runtime?.name;
  if (runtime !== "nodejs") {
    throw new UsageError(
      `${manifest} has the runtime ${JSON.stringify(runtime)}: this check runs packs with "runtime: nodejs"`,
    );
  }
}

/** What a policy says of itself. */
export interface PolicyText {
  readonly severity: string;
  readonly remediation: string;
  readonly url: string;
}

/** A running policy pack: a process that serves the analyzer protocol. */
export class PolicyPack {
  private disabled = 0;

  private constructor(
    readonly name: string,
    /** What each policy says of itself, by name. */
    readonly policies: ReadonlyMap<string, PolicyText>,
    private readonly info: analyzer.AnalyzerInfo,
    private readonly process: ChildProcess,
    private readonly client: AnalyzerClient,
  ) {}

  /** Starts a pack exactly as the Pulumi CLI does: with the `run-policy-pack` of the pack's own SDK, in the pack's folder. */
  static async start(source: PackSource, stack: PackStack): Promise<PolicyPack> {
    const child = tracked(
      spawn(
        process.execPath,
        [...lazyArborist, runPolicyPack(source.directory), stack.engineAddress, source.directory],
        {
          cwd: source.directory,
          env: environmentOf(stack),
          stdio: ["ignore", "pipe", "pipe"],
        },
      ),
    );
    try {
      const port = await portOf(child, source.directory);
      const client = new AnalyzerClient(`127.0.0.1:${port}`, grpc.credentials.createInsecure(), messageLimits);
      const info: analyzer.AnalyzerInfo = await ask(client.getAnalyzerInfo.bind(client), new Empty());
      await tolerateOld(ask(client.configureStack.bind(client), stackRequest(stack)));
      const policies = new Map(info.getPoliciesList().map((p) => [p.getName(), textOf(p)]));
      const pack = new PolicyPack(info.getName(), policies, info, child, client);
      await pack.configure(source.config);
      return pack;
    } catch (error) {
      child.kill();
      throw error;
    }
  }

  /** Checks a configuration against the policies' schemas, and lets it hold from now on. */
  async configure(config: PackConfig): Promise<void> {
    const request = await configure(this.info, config);
    if (request === undefined) return;
    const levels = [...request.getPolicyconfigMap().values()].map((policy) => policy.getEnforcementlevel());
    this.disabled = levels.filter((level) => level === analyzer.EnforcementLevel.DISABLED).length;
    await ask(this.client.configure.bind(this.client), request);
  }

  /** What a report says of the pack. */
  summary(): PackSummary {
    return { name: this.name, policies: this.policies.size, disabled: this.disabled };
  }

  analyze(request: analyzer.AnalyzeRequest): Promise<analyzer.AnalyzeResponse> {
    return ask(this.client.analyze.bind(this.client), request);
  }

  analyzeStack(request: analyzer.AnalyzeStackRequest): Promise<analyzer.AnalyzeResponse | undefined> {
    return tolerateOld(ask(this.client.analyzeStack.bind(this.client), request));
  }

  remediate(request: analyzer.AnalyzeRequest): Promise<analyzer.RemediateResponse | undefined> {
    return tolerateOld(ask(this.client.remediate.bind(this.client), request));
  }

  stop(): void {
    this.client.close();
    this.process.kill();
  }
}

/** Name of a severity, empty where none was set. */
export function severityName(severity: analyzer.PolicySeverity): string {
  switch (severity) {
    case analyzer.PolicySeverity.POLICY_SEVERITY_LOW:
      return "low";
    case analyzer.PolicySeverity.POLICY_SEVERITY_MEDIUM:
      return "medium";
    case analyzer.PolicySeverity.POLICY_SEVERITY_HIGH:
      return "high";
    case analyzer.PolicySeverity.POLICY_SEVERITY_CRITICAL:
      return "critical";
    case analyzer.PolicySeverity.POLICY_SEVERITY_UNSPECIFIED:
      return "";
  }
}

function textOf(info: analyzer.PolicyInfo): PolicyText {
  return { severity: severityName(info.getSeverity()), remediation: info.getRemediationSteps(), url: info.getUrl() };
}

function runPolicyPack(directory: string): string {
  try {
    return createRequire(join(directory, "package.json")).resolve("@pulumi/pulumi/cmd/run-policy-pack");
  } catch {
    throw new RunError(`the policy pack in ${directory} has no @pulumi/pulumi: run npm install there`);
  }
}

/** A pack built on an older SDK lacks some calls; the Pulumi CLI goes on without them, too. */
async function tolerateOld<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if ((error as Partial<grpc.ServiceError>).code === grpc.status.UNIMPLEMENTED) return undefined;
    throw error;
  }
}

function environmentOf(stack: PackStack): NodeJS.ProcessEnv {
  const told = {
    ORGANIZATION: stack.organization,
    PROJECT: stack.project,
    STACK: stack.stack,
    DRY_RUN: "true",
  };
  const variables = Object.entries(told).flatMap(([key, value]) => [
    [`PULUMI_NODEJS_${key}`, value],
    [`PULUMI_${key}`, value],
  ]);
  return { ...process.env, ...Object.fromEntries(variables), PULUMI_CONFIG: JSON.stringify(stack.config) };
}

function stackRequest(stack: PackStack): analyzer.AnalyzerStackConfigureRequest {
  const request = new analyzer.AnalyzerStackConfigureRequest();
  request.setStack(stack.stack);
  request.setProject(stack.project);
  request.setOrganization(stack.organization);
  request.setDryRun(true);
  request.setConfigSecretKeysList([...stack.secretKeys]);
  for (const [key, value] of Object.entries(stack.config)) request.getConfigMap().set(key, value);
  return request;
}

/** A pack prints the port that it serves on as its first line. */
function portOf(child: ChildProcess, directory: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    let errors = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      const port = /^(\d+)\r?\n/m.exec(output)?.[1];
      if (port !== undefined) resolve(port);
    });
    child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
    child.on("error", reject);
    child.on("exit", (code) => {
      const said = ownWords(errors.trim() || output.trim());
      reject(new RunError(`the policy pack in ${directory} stopped with code ${code}:\n${said}`));
    });
  });
}

/** What a pack said when it stopped, without colours and without the frames of Node and of the runner. */
function ownWords(text: string): string {
  const lines = stripVTControlCharacters(text).split("\n");
  return lines.filter((line) => !/^\s*at .*(node:internal|run-policy-pack)/.test(line)).join("\n");
}
