import { spawn } from "node:child_process";
import * as language from "@pulumi/pulumi/proto/language_pb";
import type { RunProgram } from "./language-host";

/** The program's own exit code for an error that it has already told (pulumi/pulumi sdk/nodejs/cmd/run, `nodeJSProcessExitedAfterLoggingUserActionableMessage`). */
const alreadyTold = 32;

/** Runs a program as `pulumi up` does: in a process of its own, from its own Pulumi.yaml, compiled by Pulumi. */
export function spawned(print: (text: string) => void): RunProgram {
  return async (request, engineAddress) => {
    const directory = request.getInfo()?.getProgramDirectory() ?? ".";
    const config: Record<string, string> = {};
    request.getConfigMap().forEach((value, key) => (config[key] = value));
    const child = spawn(
      process.execPath,
      [
        "--stack-trace-limit=1", // an exception inside apply would otherwise spin for half a minute on Node 20
        require.resolve("@pulumi/pulumi/cmd/run", { paths: [directory] }),
        ...["--monitor", request.getMonitorAddress(), "--engine", engineAddress],
        ...["--project", request.getProject(), "--stack", request.getStack()],
        ...["--organization", request.getOrganization(), "--pwd", directory],
        ...(request.getDryrun() ? ["--dry-run"] : []),
        ...["--parallel", String(request.getParallel())],
        request.getInfo()?.getEntryPoint() ?? ".",
      ],
      {
        cwd: directory,
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          ...process.env,
          PULUMI_NODEJS_TYPESCRIPT: "true",
          PULUMI_NODEJS_TRANSPILE_ONLY: "true",
          PULUMI_CONFIG: JSON.stringify(config),
          PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
        },
      },
    );
    child.stdout.on("data", (data: Buffer) => print(data.toString()));
    child.stderr.on("data", (data: Buffer) => print(data.toString()));
    const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
    const response = new language.RunResponse();
    response.setBail(code === alreadyTold);
    response.setError(code === 0 || code === alreadyTold ? "" : `the program exited with ${String(code)}`);
    return response;
  };
}
