import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { find } from "../../support/graph";
import { types, type Resources } from "./setup";

/** A script with tools in place of Kafka's, which note how they were called and say what a case wants. */
export interface Told {
  readonly status: number | null;
  readonly log: string;
  /** What was called, one in a line, without the addresses and the file that every call has. */
  readonly calls: string[];
}

/** The arguments of a job's shell. */
export function commandOf(resources: Resources, name: string): string[] {
  const spec = find(resources, types.job, name).inputs["spec"] as {
    template: { spec: { containers: { command: string[] }[] } };
  };
  return spec.template.spec.containers[0]!.command;
}

/**
 * Runs a command whose tools are those of `/opt/kafka/bin`, by name and as texts for bash: `calls` counts how often each was called before
 * (`$CALLS`).
 */
export function tell(
  command: readonly string[],
  tools: Record<string, string>,
  env: Record<string, string> = {},
): Told {
  const folder = mkdtempSync(join(tmpdir(), "kafka-script-"));
  try {
    for (const [tool, body] of Object.entries(tools)) {
      const file = join(folder, tool);
      const head = `#!/bin/bash
CALLS=$(grep -c "^${tool} " ${folder}/calls 2>/dev/null)
shown=" $* "
shown=\${shown/ --bootstrap-server b:9094/}
shown=\${shown/ --command-config $ADMIN_PROPERTIES/}
echo "${tool}$shown" | sed 's/ *$//' >> ${folder}/calls
`;
      writeFileSync(file, head + body);
      chmodSync(file, 0o755);
    }
    const [shell, ...words] = command.map((word) =>
      word.replaceAll("/tmp/", `${folder}/`).replaceAll("/opt/kafka/bin", folder),
    );
    const { status, stdout, stderr } = spawnSync(shell!, words, {
      env: {
        ...process.env,
        PATH: `${folder}:${process.env["PATH"]}`,
        BOOTSTRAP_SERVERS: "b:9094",
        ADMIN_PROPERTIES: join(folder, "admin.properties"),
        ...env,
      },
      encoding: "utf8",
    });
    const calls = join(folder, "calls");
    const lines = existsSync(calls) ? readFileSync(calls, "utf8").trim().split("\n") : [];
    return { status, log: stdout + stderr, calls: lines.map((line) => line.replaceAll(folder, "")) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether bash takes a script. */
export function parses(script: string): boolean {
  execFileSync("/bin/bash", ["-n"], { input: script });
  return true;
}
