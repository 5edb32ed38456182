import { stripVTControlCharacters } from "node:util";
import { engineServer, listen, startAll } from "../engine/packs";
import { Policies } from "../engine/policies";
import type { PackSource } from "../engine/policy-pack";
import type { Diagnostic, Recording } from "../engine/records";
import { Registry } from "../engine/registry";
import type { StoredStack } from "./read";

/**
 * Runs packs over a stack as it is: resource policies see inputs, stack policies outputs, as in an update (pulumi/pulumi
 * pkg/resource/deploy/analyze_snapshot.go). Nothing is repaired: a policy that could, says what is wrong.
 */
export async function judgeState(state: StoredStack, packs: readonly PackSource[]): Promise<Recording> {
  const started = Date.now();
  const diagnostics: Diagnostic[] = [];
  const server = engineServer((diagnostic, ephemeral) => {
    if (!ephemeral) diagnostics.push({ ...diagnostic, message: stripVTControlCharacters(diagnostic.message) });
  });
  const registry = new Registry(state, [], () => ({}));
  for (const record of state.resources) registry.add(record);
  try {
    const { project, stack } = state;
    const running = await startAll(packs, {
      ...{ project, stack, organization: "organization", config: {}, secretKeys: [] },
      engineAddress: await listen(server),
    });
    try {
      const policies = new Policies(Promise.resolve(running), registry, "outputs");
      // What is only read is somebody else's to make right.
      for (const record of state.resources) if (!record.external) policies.analyze(record);
      await policies.finish(true);
      return {
        project,
        stack,
        resources: registry.all(),
        violations: policies.violations,
        remediations: [],
        packs: running.map((p) => p.summary()),
        diagnostics,
        outputs: state.resources.find((r) => r.type === "pulumi:pulumi:Stack")?.outputs ?? {},
        failure: undefined,
        timing: { programMs: 0, policyMs: Date.now() - started },
      };
    } finally {
      running.forEach((pack) => pack.stop());
    }
  } finally {
    server.forceShutdown();
  }
}
