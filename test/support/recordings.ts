import { resolve } from "node:path";
import { Policies } from "../../cli/engine/policies";
import type { PolicyPack } from "../../cli/engine/policy-pack";
import { preview } from "../../cli/engine/preview";
import type { Recording, ResourceRecord, Violation } from "../../cli/engine/records";
import { Registry } from "../../cli/engine/registry";
import { readProject } from "../../cli/project";
import { requestOf } from "../../cli/request";
import { readStackConfig } from "../../cli/stack-config";

const root = resolve(__dirname, "../..");

/** Configuration of a committed stack, by full key. */
export function stackConfig(stack: string): Record<string, string> {
  return { ...readStackConfig(readProject(root), stack, { overrides: [] }).values };
}

/** Runs the repository's own program, from its own Pulumi.yaml and stack file, in the offline engine. */
export function recordStack(stack: string): Promise<Recording> {
  return start(root, stack, [], 120);
}

/** Runs any program without a policy pack: half the work, where policies aren't the matter. */
export function record(project: string, config: Record<string, string>, idleSeconds: number): Promise<Recording> {
  return start(
    project,
    "dev",
    Object.entries(config).map(([key, value]) => `${key}=${value}`),
    idleSeconds,
  );
}

function start(directory: string, stack: string, overrides: string[], idleSeconds: number): Promise<Recording> {
  const project = readProject(directory);
  const config = readStackConfig(project, stack, { overrides });
  return preview({
    ...requestOf(project, stack, config),
    packs: [],
    stackOutputs: new Map(),
    invokeResults: new Map(),
    idleSeconds,
    onProgress: () => undefined,
  });
}

/** Judges resources as if a program had registered them. */
export async function judge(pack: PolicyPack, resources: readonly ResourceRecord[]): Promise<Violation[]> {
  const registry = new Registry({ project: "moorings", stack: "dev" }, [], () => ({}));
  const policies = new Policies(Promise.resolve([pack]), registry);
  for (const record of resources) registry.add(record);
  for (const record of resources) policies.analyze(record);
  await policies.finish(true);
  return policies.violations;
}
