import { comparePlans } from "../compare";
import { UsageError } from "../errors";
import { exitCodes } from "../exit-codes";
import { packsOf } from "../packs";
import { planOf, readPlan, writePlan } from "../plan";
import { without } from "../redact";
import * as report from "../report/text";
import { judgeState } from "./judge";
import { readState, textOf } from "./read";

/** What the command line says of an audit, after parsing. */
export interface AuditOptions {
  readonly state: string;
  readonly policyPack: readonly string[];
  readonly policyPackConfig: readonly string[];
  readonly json: string | undefined;
  readonly against: string | undefined;
}

/** Options that have nothing to say about a state, and why. */
const senseless: Readonly<Record<string, string>> = {
  project: "no program runs",
  stack: "the state says of which stack it is",
  configFile: "no program runs that would read configuration",
  config: "no program runs that would read configuration",
  stackReference: "the outputs of other stacks are in the state already",
  invoke: "no program runs that would invoke anything",
  timeout: "no program runs",
  failOnClosedBox: "a state holds what remote components made, and it is checked",
  allowClosedBox: "a state holds what remote components made, and it is checked",
};

/** Refuses options that would be ignored. */
export function refuseSenseless(given: (option: string) => boolean): void {
  const refused = Object.keys(senseless).filter(given);
  if (refused.length === 0) return;
  const flags = refused.map(
    (option) => `--${option.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)}: ${senseless[option] ?? ""}`,
  );
  throw new UsageError(`with --state leave out ${flags.join("; ")}`);
}

/** Checks an exported stack, prints the report, and returns the exit code. */
export async function audit(
  options: AuditOptions,
  print: (text: string) => void,
  input: AsyncIterable<Buffer | string>,
): Promise<number> {
  const packs = packsOf(options.policyPack, options.policyPackConfig);
  const before = options.against === undefined ? undefined : readPlan(options.against);
  const file = options.state === "-" ? "standard input" : options.state;
  const state = await readState(file, await textOf(options.state, input));
  const recording = without(await judgeState(state, packs), state.secrets);
  const plan = planOf(recording);
  const sections = [
    `Checking ${plan.project}/${plan.stack}, as ${file} says that it is: ${state.resources.length} resources`,
    ...state.notes.map((note) => `Note: ${note}`),
    report.diagnosticsText(plan.diagnostics),
    report.policiesText(plan, recording),
    before === undefined ? "" : report.comparisonText(comparePlans(before, plan)),
  ];
  if (options.json !== undefined) writePlan(options.json, plan);
  print(sections.filter((s) => s !== "").join("\n\n"));
  return plan.policies.some((v) => v.enforcement === "mandatory") ? exitCodes.violated : exitCodes.fine;
}
