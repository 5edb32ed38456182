import { comparePlans } from "./compare";
import { preview } from "./engine/preview";
import type { Recording } from "./engine/records";
import { unusedReferences } from "./engine/stack-reference";
import { isObject, type JsonObject } from "./engine/values";
import { UsageError } from "./errors";
import { closedBoxViolations } from "./closed-boxes";
import { exitCodes } from "./exit-codes";
import { packsOf } from "./packs";
import { type Plan, planOf, readJson, readPlan, writePlan } from "./plan";
import { readProject } from "./project";
import { withoutSecrets } from "./redact";
import { requestOf } from "./request";
import { Progress } from "./report/progress";
import * as report from "./report/text";
import { defaultStack, readStackConfig } from "./stack-config";

/** What the command line says, after parsing. */
export interface RunOptions {
  readonly command: "preview" | "check";
  readonly project: string;
  readonly stack: string | undefined;
  readonly configFile: string | undefined;
  readonly policyPack: readonly string[];
  readonly policyPackConfig: readonly string[];
  readonly config: readonly string[];
  readonly json: string | undefined;
  readonly against: string | undefined;
  readonly stackReference: readonly string[];
  readonly invoke: readonly string[];
  readonly timeout: number;
  readonly failOnClosedBox: boolean;
  readonly allowClosedBox: readonly string[];
}

/** Previews or checks, prints the report, and returns the exit code. All input is read before the program starts. */
export async function run(options: RunOptions, print: (text: string) => void): Promise<number> {
  const project = readProject(options.project);
  const stack = options.stack ?? defaultStack(project);
  const config = readStackConfig(project, stack, { file: options.configFile, overrides: options.config });
  const packs = packsOf(options.policyPack, options.policyPackConfig);
  const before = options.against === undefined ? undefined : readPlan(options.against);
  const stackOutputs = new Map(
    options.stackReference
      .map((pair) => pairOf(pair, "--stack-reference NAME=plan.json"))
      .map(([name, file]) => [name, readPlan(file).outputs]),
  );
  const invokeResults = new Map(
    options.invoke
      .map((pair) => pairOf(pair, "--invoke TOKEN=result.json"))
      .map(([token, file]) => [token, objectIn(file)]),
  );

  const progress = new Progress(process.stderr);
  const previewed = await preview({
    ...requestOf(project, stack, config),
    packs,
    stackOutputs,
    invokeResults,
    idleSeconds: options.timeout,
    onProgress: (count, what) => progress.update(count, what),
  }).finally(() => progress.done());
  const recording = withoutSecrets(previewed, config);

  const plan = planOf(recording);
  if (recording.failure === undefined && options.failOnClosedBox) {
    plan.policies.push(...closedBoxViolations(plan, options.allowClosedBox));
  }
  const unused = recording.failure === undefined ? unusedReferences([...stackOutputs.keys()], recording.resources) : [];
  const notes = [...config.notes, ...unused].map((note) => `Note: ${note}`);
  const where = `${plan.project}/${plan.stack} in ${project.directory}`;
  const text =
    options.command === "preview" ? previewText(plan, recording) : [`Checking ${where}`, ...checkText(plan, recording)];
  const sections = [...notes, ...text];
  if (recording.failure === undefined) {
    if (before !== undefined) sections.push(report.comparisonText(comparePlans(before, plan)));
    if (options.json !== undefined) writePlan(options.json, plan);
  } else {
    sections.push(`error: ${recording.failure}`);
  }
  print(sections.filter((s) => s !== "").join("\n\n"));
  if (recording.failure !== undefined) return exitCodes.failed;
  return plan.policies.some((v) => v.enforcement === "mandatory") ? exitCodes.violated : exitCodes.fine;
}

function previewText(plan: Plan, recording: Recording): string[] {
  const title = `Previewing ${plan.project}/${plan.stack} offline: nothing is created, no cloud account is asked`;
  if (recording.failure !== undefined)
    return [title, report.treeText(plan), report.diagnosticsText(notRepeated(recording))];
  return [
    title,
    report.treeText(plan),
    report.countsText(plan),
    report.outputsText(plan),
    report.diagnosticsText(plan.diagnostics),
    report.closedBoxesText(plan, recording),
    report.policiesText(plan, recording),
  ];
}

function checkText(plan: Plan, recording: Recording): string[] {
  if (recording.failure !== undefined) return [report.diagnosticsText(notRepeated(recording))];
  return [report.closedBoxesText(plan, recording), report.policiesText(plan, recording)];
}

/** Errors are in the failure message already. */
function notRepeated(recording: Recording) {
  return recording.diagnostics.filter(
    (d) => d.severity !== "error" && !(recording.failure ?? "").includes(d.message.trim()),
  );
}

function pairOf(pair: string, form: string): [string, string] {
  const split = pair.indexOf("=");
  if (split < 1 || split === pair.length - 1) throw new UsageError(`"${pair}": write ${form}`);
  return [pair.slice(0, split), pair.slice(split + 1)];
}

function objectIn(file: string): JsonObject {
  const parsed = readJson(file);
  if (!isObject(parsed)) throw new UsageError(`${file} must hold a JSON object: what the invoke returns`);
  return parsed;
}
