import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { messageOf, RunError, UsageError } from "./errors";
import { exitCodes } from "./exit-codes";
import { run, type RunOptions } from "./run";
import { audit, refuseSenseless } from "./state/run";

const collect = (value: string, all: string[]): string[] => [...all, value];

function secondsOf(value: string): number {
  const seconds = Number(value);
  if (!(seconds > 0)) throw new InvalidArgumentError("write a number of seconds greater than 0");
  return seconds;
}

const examples = `
Examples:
  moorings preview --stack dev                           the tree, the counts and the policy verdict of stack dev
  moorings preview --json plan.json                      the same, and the plan for other programs
  moorings preview --against plan.json                   what this change adds, removes and changes
  moorings check --project infra --fail-on-closed-box    violations only, for a pull request
  moorings check --policy-pack ../our-rules --config region=eu-west-1
  moorings preview --stack-reference acme/network/dev=network.json
  pulumi stack export | moorings check --state -         what exists today, by the same policies: no program runs

Exit codes: 0 fine, 1 the program failed, 2 wrong usage, 3 a mandatory policy was violated.

This is a check and not a deployment engine: the program and the policies really run, but no provider plugin does. Providers
validate nothing, nothing is compared with the cloud, and remote components stay closed boxes.`;

/** Options that both commands have. */
function addCommand(program: Command, name: "preview" | "check", description: string): Command {
  return program
    .command(name)
    .description(description)
    .option("--project <dir>", "folder with the Pulumi.yaml", ".")
    .option("-s, --stack <name>", "stack whose configuration to use (default: the only one, or dev)")
    .option("--config-file <file>", "file with the configuration, instead of the stack's own")
    .option("--policy-pack <dir>", "policy pack to run instead of the bundled one; may be repeated", collect, [])
    .option(
      "--policy-pack-config <file>",
      "JSON configuration of the pack at the same position; may be repeated",
      collect,
      [],
    )
    .option("-c, --config <key=value>", "configuration value, over the stack's file; may be repeated", collect, [])
    .option("--json <file>", "write the plan as JSON")
    .option("--against <file>", "compare with a plan that --json wrote")
    .option(
      "--stack-reference <name=plan.json>",
      "outputs of another stack, from its plan; may be repeated",
      collect,
      [],
    )
    .option(
      "--invoke <token=file.json>",
      "result of an invoke that can't be answered offline; may be repeated",
      collect,
      [],
    )
    .option("--timeout <seconds>", "stop a program that does nothing for so long", secondsOf, 60)
    .addOption(new Option("--no-color", "no colour, even on a terminal"))
    .addHelpText("after", examples);
}

/** Where the command writes. */
export interface Streams {
  out(text: string): void;
  err(text: string): void;
  /** Where `-` reads from; standard input if left out. */
  readonly input?: AsyncIterable<Buffer | string>;
}

/** Parses a command line, does what it says, and returns the exit code. */
export async function execute(argv: readonly string[], streams: Streams): Promise<number> {
  let code: number = exitCodes.fine;
  const action = (command: "preview" | "check") => async (options: Partial<RunOptions> & CommonOptions) => {
    code = await run({ ...closedByDefault, ...options, command }, (text) => streams.out(`${text}\n`));
  };
  const program = new Command("moorings")
    .description("Previews a Pulumi program and judges it by policies, without cloud, credentials or the Pulumi CLI.")
    .exitOverride()
    .configureOutput({ writeOut: (text) => streams.out(text), writeErr: (text) => streams.err(text) })
    .showHelpAfterError("(moorings --help shows what there is)")
    .showSuggestionAfterError()
    .addHelpText("after", examples);
  addCommand(program, "preview", "show what a program would create, and the policies' verdict").action(
    action("preview"),
  );
  addCommand(program, "check", "show violations only: for pull requests")
    .option("--fail-on-closed-box", "count each remote component as a violation", false)
    .option("--allow-closed-box <type>", "type of remote component that may stay closed; may be repeated", collect, [])
    .option(
      "--state <file>",
      "check an exported stack instead of a program (pulumi stack export; - for standard input)",
    )
    .action(async (options: CheckOptions, command: Command) => {
      const { state } = options;
      if (state === undefined) return action("check")(options);
      refuseSenseless((option) => command.getOptionValueSource(option) === "cli");
      const print = (text: string) => streams.out(`${text}\n`);
      code = await audit({ ...options, state }, print, streams.input ?? process.stdin);
    });
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.usage;
    streams.err(`error: ${messageOf(error)}\n`);
    if (error instanceof UsageError) return exitCodes.usage;
    if (error instanceof RunError) return exitCodes.failed;
    throw error;
  }
}

/** Options that both commands have. */
type CommonOptions = Omit<RunOptions, "command" | "failOnClosedBox" | "allowClosedBox">;

type CheckOptions = Omit<RunOptions, "command"> & { readonly state: string | undefined };

/** A preview shows closed boxes and never fails on them. */
const closedByDefault = { failOnClosedBox: false, allowClosedBox: [] };
