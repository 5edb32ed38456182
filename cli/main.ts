#!/usr/bin/env node
import { execute } from "./command";
import { endAll } from "./engine/children";
import { exitCodes } from "./exit-codes";

// Programs and packs are processes of their own: whoever ends the command ends them, too.
for (const [signal, number] of [
  ["SIGHUP", 1],
  ["SIGINT", 2],
  ["SIGTERM", 15],
] as const) {
  process.once(signal, () => process.exit(128 + number));
}
process.once("exit", endAll);

const streams = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};

execute(process.argv.slice(2), streams).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    streams.err(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = exitCodes.failed;
  },
);
