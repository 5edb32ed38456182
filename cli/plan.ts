import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Diagnostic, Recording, ResourceRecord, Violation } from "./engine/records";
import { forDisplay, isObject, type Json, type JsonObject } from "./engine/values";
import { messageOf, UsageError } from "./errors";

/** One resource of a plan. Secrets are "[secret]", what is unknown before an update "[unknown]". */
export interface PlanResource {
  urn: string;
  type: string;
  name: string;
  custom: boolean;
  remote: boolean;
  /** Read, not made. */
  external: boolean;
  parent: string;
  provider: string;
  inputs: JsonObject;
  dependencies: string[];
  propertyDependencies: Record<string, string[]>;
  protect: boolean;
  retainOnDelete: boolean;
  aliases: string[];
  ignoreChanges: string[];
  replaceOnChanges: string[];
  deleteBeforeReplace: boolean;
  customTimeouts: Record<string, string>;
  outputs: JsonObject;
}

/** What `--json` writes. Other programs read it: members are added, never changed. */
export interface Plan {
  version: 1;
  project: string;
  stack: string;
  resources: PlanResource[];
  policies: Violation[];
  closedBoxes: string[];
  outputs: JsonObject;
  diagnostics: Diagnostic[];
  timing: { programMs: number; policyMs: number };
}

/** Makes the plan of a recording. The order of registration varies from run to run; a plan is sorted by URN, so that two compare. */
export function planOf(recording: Recording): Plan {
  const resources = recording.resources.map(planResource).sort((a, b) => compare(a.urn, b.urn));
  const policies = [...recording.violations].sort((a, b) =>
    compare(a.urn + a.policy + a.message, b.urn + b.policy + b.message),
  );
  return {
    version: 1,
    project: recording.project,
    stack: recording.stack,
    resources,
    policies,
    closedBoxes: resources.filter((r) => r.remote).map((r) => r.urn),
    outputs: forDisplay(recording.outputs) as JsonObject,
    diagnostics: recording.diagnostics.filter((d) => d.severity !== "debug"),
    timing: recording.timing,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function planResource(record: ResourceRecord): PlanResource {
  const outputs = forDisplay(record.outputs) as JsonObject;
  for (const key of record.additionalSecretOutputs) if (key in outputs) outputs[key] = "[secret]";
  return {
    urn: record.urn,
    type: record.type,
    name: record.name,
    custom: record.custom,
    remote: record.remote,
    external: record.external,
    parent: record.parent,
    provider: record.provider,
    inputs: forDisplay(record.inputs) as JsonObject,
    dependencies: [...record.dependencies],
    propertyDependencies: Object.fromEntries(
      Object.entries(record.propertyDependencies).map(([key, urns]) => [key, [...urns]]),
    ),
    protect: record.protect,
    retainOnDelete: record.retainOnDelete,
    aliases: [...record.aliases],
    ignoreChanges: [...record.ignoreChanges],
    replaceOnChanges: [...record.replaceOnChanges],
    deleteBeforeReplace: record.deleteBeforeReplace ?? false,
    customTimeouts: { ...record.customTimeouts },
    outputs,
  };
}

/** Writes a plan for other programs. */
export function writePlan(file: string, plan: Plan): void {
  try {
    writeFileSync(file, `${JSON.stringify(plan, null, 2)}\n`);
  } catch (error) {
    throw new UsageError(`the plan can't be written to ${file}: ${messageOf(error)}`);
  }
}

/** Reads a plan that `--json` wrote. */
export function readPlan(file: string): Plan {
  const parsed = readJson(file);
  if (
    !isObject(parsed) ||
    parsed["version"] !== 1 ||
    !Array.isArray(parsed["resources"]) ||
    !isObject(parsed["outputs"])
  ) {
    throw new UsageError(`${file} isn't a plan of version 1: write one with moorings preview --json ${file}`);
  }
  return parsed as unknown as Plan;
}

/** Reads a JSON file, or says what is wrong with it. */
export function readJson(file: string): Json {
  if (!existsSync(file)) throw new UsageError(`there is no file ${file}`);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Json;
  } catch (error) {
    throw new UsageError(`${file} isn't JSON: ${messageOf(error)}`);
  }
}
