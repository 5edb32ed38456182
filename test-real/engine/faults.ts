import { nameOf, typeOf } from "../../cli/engine/urn";
import type { Operation, OperationKind } from "./cloud/cloud";
import { orphans } from "./graph";
import type { Platform, Stack } from "./platforms";
import type { Session } from "./session";

/** What a cloud answers that can't do something just now. It says neither what it is about nor where. */
const failure = "InternalFailure: please try again";

/** How many fail in one run: all whose turn it is, or one and no more. */
export type Pace = "all at once" | "one at a time";

/** How many fail in one run must not depend on how many cores there are. */
const atOnce: Record<Pace, string> = { "all at once": "64", "one at a time": "1" };

export interface Course {
  /** How often the command ran; the last run succeeded. */
  readonly runs: number;
  /** URNs of what failed, each once. */
  readonly failed: readonly string[];
  /** Everything that succeeded. */
  readonly operations: readonly Operation[];
  /** What was wrong after a run. */
  readonly problems: readonly string[];
}

/** Runs a command on a stack until it succeeds, while each resource's first operation of a kind fails. */
export async function untilGreen(
  session: Session,
  platform: Platform,
  { name, options }: Stack,
  command: readonly string[],
  kind: OperationKind,
  pace: Pace,
): Promise<Course> {
  const failed = new Set<string>();
  let now: string[] = [];
  session.cloud.fault = (asked, urn) => {
    if (asked !== kind || failed.has(urn)) return undefined;
    failed.add(urn);
    now.push(urn);
    return failure;
  };
  const problems: string[] = [];
  for (let runs = 1; ; runs++) {
    now = [];
    const { code, output } = await session.pulumi(
      ...command,
      ...["--parallel", atOnce[pace]],
      ...["--yes", "--skip-preview", "--stack", name],
      ...options,
    );
    problems.push(...now.filter((urn) => !isNamed(output, urn)).map((urn) => `run ${runs}: no error names ${urn}`));
    if (pace === "one at a time" && now.length > 1) problems.push(`run ${runs}: ${now.join(" and ")} failed`);
    problems.push(...broken(session, platform).map((problem) => `run ${runs}: ${problem}`));
    if (code === 0) {
      session.cloud.fault = () => undefined;
      return { runs, failed: [...failed], operations: session.cloud.takeOperations(), problems };
    }
    if (now.length === 0) throw new Error(`${command.join(" ")} failed by itself:\n${output}`);
  }
}

/** What the states of an environment say that isn't so in the cloud, or the other way round, and what they are still waiting for. */
export function broken(session: Session, { stacks }: Platform): string[] {
  const states = stacks.map(({ name }) => session.state(name));
  return [
    ...orphans(
      session.cloud.living,
      states.flatMap(({ resources }) => resources),
    ),
    ...states.flatMap(({ pending }) => pending).map(({ type, resource }) => `pending: ${type} of ${resource.urn}`),
  ];
}

/** Whether the summary of a run has the failure under its resource's type and name. */
function isNamed(output: string, urn: string): boolean {
  const heading = `  ${shown(typeOf(urn))} (${nameOf(urn)}):\n`;
  return output.split("\n\n").some((part) => part.includes(heading) && part.includes(`error: ${failure}`));
}

/** As the CLI shows a type: `aws:lb:Listener` for `aws:lb/listener:Listener`. */
function shown(type: string): string {
  const [pkg = "", module = "", name = ""] = type.split(":");
  const [folder = "", file = ""] = module.split("/");
  return file.toLowerCase() === name.toLowerCase() ? `${pkg}:${folder}:${name}` : type;
}
