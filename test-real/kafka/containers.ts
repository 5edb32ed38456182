import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Machine } from "./network";

/** What runs on a machine: a command in a file system of its own. */
export interface ContainerSpec {
  readonly name: string;
  readonly machine: Machine;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Folders or files, by the path where the container sees them. */
  readonly mounts: Readonly<Record<string, string>>;
  readonly sysctls?: Readonly<Record<string, string>>;
  readonly readOnlyRoot?: boolean;
}

/** A running container. Its process is the command itself, as in a pod. */
export class Container {
  /** Exit code, or the signal that ended it. */
  public readonly ended: Promise<number | NodeJS.Signals>;
  public outcome: number | NodeJS.Signals | undefined;

  constructor(
    private readonly child: ChildProcess,
    public readonly log: string,
  ) {
    this.ended = new Promise((done) =>
      child.once("exit", (code, signal) => done((this.outcome = code ?? signal ?? "SIGKILL"))),
    );
  }

  public kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  public text(): string {
    return readFileSync(this.log, "utf8");
  }
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Starts a container. Its root is this machine's, as an overlay whose changes go with it, with the mounts on top: paths are the component's
 * own, and nothing has to be replaced. Each step replaces the one before, so signals reach the command.
 */
export function startContainer(spec: ContainerSpec, directory: string, hostsFile: string): Container {
  const log = join(directory, `${spec.name}.log`);
  const output = openSync(log, "a");
  const [program, ...args] = commandOf(spec, directory, hostsFile);
  const child = spawn(program, args, { stdio: ["ignore", output, output] });
  closeSync(output);
  return new Container(child, log);
}

/** Runs a container to its end, as a kubelet does with those that come before the others. */
export function runContainer(spec: ContainerSpec, directory: string, hostsFile: string): void {
  const [program, ...args] = commandOf(spec, directory, hostsFile);
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${spec.name} ended with ${status}: ${stderr}`);
}

function commandOf(spec: ContainerSpec, directory: string, hostsFile: string): [string, ...string[]] {
  const root = "/mnt/root";
  const mounts = { ...spec.mounts, "/etc/hosts": hostsFile };
  const script = [
    "set -e",
    ...Object.entries(spec.sysctls ?? {}).map(([name, value]) => `sysctl -qw ${quoted(`${name}=${value}`)}`),
    "mount -t tmpfs tmpfs /mnt",
    `mkdir /mnt/upper /mnt/work ${root}`,
    `mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work ${root}`,
    // Before others are mounted into it: a mount below the read-only root stays as it is.
    ...Object.entries(mounts).map(
      ([path, source]) =>
        `if [ -d ${quoted(source)} ]; then mkdir -p ${quoted(root + path)}; else mkdir -p "$(dirname ${quoted(root + path)})"; touch ${quoted(root + path)}; fi`,
    ),
    ...["/proc", "/dev", "/sys"].map((path) => `mount --rbind ${path} ${root}${path}`),
    ...Object.entries(mounts).map(([path, source]) => `mount --bind ${quoted(source)} ${quoted(root + path)}`),
    ...(spec.readOnlyRoot === true ? [`mount -o remount,ro,bind ${root}`] : []),
    `exec chroot ${root} env -i ${Object.entries({ PATH: process.env["PATH"] ?? "", ...spec.env })
      .map(([name, value]) => quoted(`${name}=${value}`))
      .join(" ")} ${spec.command.map(quoted).join(" ")}`,
  ].join("\n");
  const file = join(directory, `${spec.name}.sh`);
  writeFileSync(file, script);
  return ["nsenter", `--net=/run/netns/${spec.machine.name}`, "unshare", "--mount", "bash", file];
}
