#!/usr/bin/env node
import { execute } from "./command";
import { exitCodes } from "./run";

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
