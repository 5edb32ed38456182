import { spawnSync } from "node:child_process";
import { RunError } from "../../cli/errors";

/**
 * Begins the command line of a program that is to run in a network of its own: nothing but a loopback device. Its processes are a world of
 * their own, too, which ends with the program: even when that is killed, no server stays behind. Whoever isn't root may try as root of a user
 * namespace, where the system lets users have those.
 */
export function ownNetwork(): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  return [
    "unshare",
    ...asRoot,
    "--net",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc", // with it come mounts of its own: what /run gets here is nobody else's
    "--",
    "sh",
    "-c",
    'mount -t tmpfs tmpfs /run && ip link set lo up && MOORINGS_OWN_NETWORK=1 exec "$0" "$@"',
  ];
}

/** Fails where this isn't possible. */
export function requireOwnNetwork(): void {
  const [command, ...args] = [...ownNetwork(), "true"];
  const { error, status, stderr } = spawnSync(command!, args, { encoding: "utf8", env: process.env });
  const why = "its servers listen on all interfaces, and so run in a network of their own";
  if (error !== undefined)
    throw new RunError(
      `${command} can't be run (${error.message}): ${why}. That needs Linux, with unshare (util-linux) and ip (iproute2) on the PATH.`,
    );
  if (status !== 0)
    throw new RunError(
      `a network of its own can't be had (${stderr.trim()}): ${why}. Run the suite as root, in a container with --privileged.`,
    );
}
