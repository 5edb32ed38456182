import { setImmediate, setTimeout } from "node:timers/promises";
import type { OperationKind } from "./cloud/cloud";
import { orphans } from "./graph";
import type { Session } from "./session";

export interface Victim {
  readonly kind: OperationKind;
  /** End of the URN. */
  readonly urn: string;
}

/**
 * Kills the engine while it waits for the cloud to do something. The cloud finishes that, and nothing else that it was asked by then: the
 * engine never hears of it, and knows of everything before.
 */
export async function killDuring(
  session: Session,
  stack: string,
  victim: Victim,
  command: readonly string[],
): Promise<void> {
  const { cloud } = session;
  const isVictim = (kind: OperationKind, urn: string) => kind === victim.kind && urn.endsWith(victim.urn);
  let goOn: () => void = () => undefined;
  const killed = new Promise<void>((done) => (goOn = done));
  const reached = new Promise<void>((done) => {
    cloud.hold = (kind, urn) => {
      if (!isVictim(kind, urn)) return undefined;
      cloud.hold = () => killed; // and so is everything after it
      done();
      return killed;
    };
  });
  const { process, ended } = session.begin(...command, "--yes", "--skip-preview", "--stack", stack);
  const early = ended.then(({ output }) => {
    throw new Error(`${command.join(" ")} ended before ${victim.urn}:\n${output}`);
  });
  await Promise.race([reached, early]);
  early.catch(() => undefined); // it ends in any case
  for (;;) {
    if (process.exitCode !== null) await early;
    // Looked at while it stands still: in the middle of a write it would leave a state that no command reads, which another test is about.
    process.kill("SIGSTOP");
    await setTimeout(20);
    if (session.isWritten(stack) && orphans(cloud.living, session.state(stack).resources).length === 0) break;
    process.kill("SIGCONT");
    await setTimeout(20);
  }
  process.kill("SIGKILL");
  await ended;
  cloud.fault = (kind, urn) => (isVictim(kind, urn) ? undefined : "the connection is gone");
  goOn();
  await setImmediate();
  cloud.hold = () => undefined;
  cloud.fault = () => undefined;
}
