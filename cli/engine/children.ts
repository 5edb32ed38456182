import type { ChildProcess } from "node:child_process";
import { join } from "node:path";

const running = new Set<ChildProcess>();

/** Option of `spawn` that makes a process and whatever it starts a group of its own. Windows has no such groups. */
export const ownGroup = { detached: process.platform !== "win32" };

/** Arguments of Node for every process that loads the Pulumi SDK: it starts in two thirds of the time. The bundled pack has it of its own. */
export const lazyArborist: readonly string[] = ["-r", join(__dirname, "../../policy/lib/lazy-arborist.cjs")];

/** Remembers a process until it ends, so that none outlives the command. */
export function tracked<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

/** Ends a process and, where it leads a group, whatever it started: one of them may hold its output open. */
export function end(child: ChildProcess): void {
  child.kill("SIGKILL");
  if (child.pid === undefined || !ownGroup.detached) return;
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // no group, or nobody left in it
  }
}

/** Ends every program and pack that still runs: a cancelled CI job must not leave them behind. */
export function endAll(): void {
  running.forEach(end);
}
