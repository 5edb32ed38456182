import { stripVTControlCharacters } from "node:util";
import { resourceMonitor } from "./monitor";
import { engineServer, listen, startAll } from "./packs";
import { Policies } from "./policies";
import type { PackSource } from "./policy-pack";
import { Program, type ProgramExit, type ProgramSource } from "./program";
import { ResourceMonitorService } from "./proto";
import type { Diagnostic, Recording } from "./records";
import { Registry } from "./registry";
import type { StackOutputs } from "./stack-reference";
import { Transforms } from "./transforms";
import { messageOf, UsageError } from "../errors";
import { describe } from "./urn";
import type { JsonObject } from "./values";

/** What to preview, with which policies, and what is known from elsewhere. */
export interface PreviewRequest {
  readonly program: ProgramSource;
  readonly packs: readonly PackSource[];
  readonly disabledProviders: readonly string[];
  /** Configuration of the default provider of a package. */
  readonly providerConfig: (pkg: string) => JsonObject;
  readonly stackOutputs: StackOutputs;
  readonly invokeResults: ReadonlyMap<string, JsonObject>;
  /** A program that does nothing for so long is stopped. */
  readonly idleSeconds: number;
  readonly onProgress: (resources: number, what: string) => void;
}

/** Runs a program and its policies against an engine in this process. Nothing is created anywhere. */
export async function preview(request: PreviewRequest): Promise<Recording> {
  const started = Date.now();
  const registry = new Registry(request.program, request.disabledProviders, request.providerConfig);
  const transforms = new Transforms();
  const diagnostics: Diagnostic[] = [];
  const outputLines: string[] = [];
  let outputs: JsonObject = {};
  let failure: string | undefined;
  let lastActivity = { what: "the start", at: Date.now() };
  let inFlight = 0;
  let program: Program | undefined;

  const fail = (message: string) => {
    failure ??= message;
    program?.kill();
  };
  const onLog = (diagnostic: Diagnostic, ephemeral: boolean) => {
    if (!ephemeral) diagnostics.push({ ...diagnostic, message: stripVTControlCharacters(diagnostic.message) });
  };

  const server = engineServer(onLog);
  let startPacks: (address: string) => void = () => undefined;
  const packs = new Promise<string>((resolve) => (startPacks = resolve)).then((address) =>
    startAll(request.packs, { ...request.program, engineAddress: address }),
  );
  packs.catch(() => undefined); // awaited below
  const policies = new Policies(packs, registry);
  server.addService(
    ResourceMonitorService,
    resourceMonitor({
      registry,
      transforms,
      policies,
      stackOutputs: request.stackOutputs,
      invokeResults: request.invokeResults,
      activity: (what) => {
        lastActivity = { what, at: Date.now() };
        request.onProgress(registry.all().length, what);
      },
      inFlight: (change) => void (inFlight += change),
      fail,
      setOutputs: (urn, value) => {
        const record = registry.get(urn);
        if (record !== undefined) record.outputs = value;
        if (record?.type === "pulumi:pulumi:Stack") outputs = value;
      },
    }),
  );
  const address = await listen(server);
  startPacks(address);

  let programMs = 0;
  try {
    program = Program.start(request.program, address, (line) => outputLines.push(stripVTControlCharacters(line)));
    packs.catch((error: unknown) => fail(messageOf(error)));
    const watch = watchIdle(
      request.idleSeconds,
      program,
      () => (inFlight > 0 ? { ...lastActivity, at: Date.now() } : lastActivity),
      fail,
    );
    const exit = await program.exit.finally(() => clearInterval(watch));
    programMs = Date.now() - started;
    failure ??= failureOf(exit, diagnostics, outputLines);
    await packs;
    await policies.finish(failure === undefined);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    failure ??= messageOf(error);
  } finally {
    program?.kill();
    transforms.close();
    server.forceShutdown();
    await packs.then((all) => all.forEach((pack) => pack.stop())).catch(() => undefined);
  }

  return {
    project: request.program.project,
    stack: request.program.stack,
    resources: registry.all(),
    violations: policies.violations,
    remediations: policies.remediations,
    packs: await packs.then(
      (all) => all.map((p) => p.summary()),
      () => [],
    ),
    diagnostics: [...diagnostics, ...withoutLeakText(outputLines).map(printed)],
    outputs,
    failure,
    timing: { programMs, policyMs: policies.waitedMs },
  };
}

/** Stops a program that has done nothing for too long, and says what it is waiting for. */
function watchIdle(
  idleSeconds: number,
  program: Program,
  lastActivity: () => { what: string; at: number },
  fail: (message: string) => void,
): NodeJS.Timeout {
  let asked = false;
  return setInterval(() => {
    const last = lastActivity();
    if (asked || Date.now() - last.at < idleSeconds * 1000) return;
    asked = true;
    void program
      .askWaits()
      .then((waits) =>
        fail(
          `the program did nothing for ${idleSeconds} s after ${last.what} and was stopped; it waits for ${waits === "" ? "something that Node doesn't name" : waits}. Raise --timeout if it only needs longer`,
        ),
      );
  }, 250);
}

/** Why a program failed, in one message, or undefined when it ended well. */
function failureOf(
  exit: ProgramExit,
  diagnostics: readonly Diagnostic[],
  lines: readonly string[],
): string | undefined {
  if (exit.code === 0) return undefined;
  const said = diagnostics.filter((d) => d.severity === "error");
  if (said.length > 0) {
    return [...new Set(said.map((d) => (d.urn === "" ? d.message : `${describe(d.urn)}: ${d.message}`)))].join("\n");
  }
  if (exit.code === 1 && exit.waits !== "") return `the program ended while it still waited for ${exit.waits}`;
  const how = exit.signal === null ? `with exit code ${exit.code ?? "?"}` : `by signal ${exit.signal}`;
  return `the program ended ${how}${lines.length === 0 ? " and said nothing" : `; its last words:\n${lines.slice(-20).join("\n")}`}`;
}

function printed(message: string): Diagnostic {
  return { severity: "info", urn: "", message };
}

/** Drops the SDK's general words on open promises: the failure names the resource instead. */
function withoutLeakText(lines: readonly string[]): readonly string[] {
  const start = lines.findIndex((line) => line.startsWith("The Pulumi runtime detected that"));
  const end = lines.findIndex((line) => line.startsWith("debug information about the leaked promises"));
  return start === -1 || end < start ? lines : [...lines.slice(0, start), ...lines.slice(end + 1)];
}
