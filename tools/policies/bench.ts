import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Pack } from "../../test/support/policy";
import { buildPolicies } from "./build";
import { workload } from "./workload";

/*
 * CPU that a pack takes for a resource: each asked for by itself and then all as a stack, as in an update, in a new process for each size.
 * Beside ours Pulumi's own pack for AWS. Linux only: it reads the processes' times from /proc.
 */

const root = resolve(__dirname, "..", "..");
const sizes = [100, 1_000, 10_000];

/** Seconds of CPU that a process has taken (proc(5): fields 14 and 15 of stat, in hundredths of a second). */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

interface Measured {
  start: number;
  resources: number;
  stack: number;
}

async function measure(folder: string, size: number): Promise<Measured> {
  const given = workload(size);
  const pack = await Pack.start(folder);
  await pack.info();
  const start = cpuOf(pack.pid);
  for (const resource of given) await pack.analyze(resource);
  const asked = cpuOf(pack.pid);
  await pack.analyzeStack(given);
  const end = cpuOf(pack.pid);
  await pack.stop();
  return { start, resources: asked - start, stack: end - asked };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "moorings-bench-"));
  try {
    const [ours, awsguard] = [join(folder, "moorings"), join(folder, "awsguard")];
    buildPolicies(ours);
    symlinkSync(join(root, "node_modules"), join(ours, "node_modules"));
    cpSync(join(__dirname, "awsguard"), awsguard, { recursive: true });
    execFileSync("npm", ["ci"], { cwd: awsguard, stdio: "inherit" });
    console.log("pack       resources  start s  ms of CPU per resource  (each)  (as a stack)");
    for (const size of sizes)
      for (const [name, pack] of Object.entries({ moorings: ours, awsguard })) {
        const { start, resources, stack } = await measure(pack, size);
        const per = (seconds: number) => ((seconds * 1000) / size).toFixed(3);
        const columns = [
          ...[name.padEnd(9), String(size).padStart(10), start.toFixed(2).padStart(8)],
          ...[per(resources + stack).padStart(23), per(resources).padStart(7), per(stack).padStart(13)],
        ];
        console.log(columns.join(" "));
      }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

void main();
