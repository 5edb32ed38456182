import { readdirSync } from "node:fs";
import { resolve } from "node:path";

export { stackConfig } from "./recordings";

/** Environments that the repository ships: those with a stack file. */
export const environments = readdirSync(resolve(__dirname, "../..")).flatMap(
  (file) => /^Pulumi\.(.+)\.yaml$/.exec(file)?.[1] ?? [],
);
