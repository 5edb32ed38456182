import { constants } from "node:os";
import { endAll } from "../cli/engine/children";
import { execute } from "./command";

// Builds and Jest are processes of their own: whoever ends the command ends them, too, and the servers go with Jest.
for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => process.exit(128 + constants.signals[signal]));
}
process.once("exit", endAll);

const streams = {
  out: (text: string) => void process.stdout.write(text),
  err: (text: string) => void process.stderr.write(text),
};

void execute(process.argv.slice(2), streams).then((code) => {
  process.exitCode = code;
});
