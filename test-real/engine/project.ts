import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseDocument } from "yaml";

/** What a checkout has that a program needs. Stack commands write into the project, so tests run on a copy. */
const parts = ["Pulumi.yaml", "package.json", "tsconfig.json", "stacks", "components"];

/** Change of a setting: path within the stack file below `config` -> its new value; undefined takes it out. */
export type Changes = ReadonlyMap<readonly (string | number)[], unknown>;

/** Copies the project to a new folder, with example values as they are committed. */
export function copyProject(root: string, directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (const part of [...parts, ...readdirSync(root).filter((file) => /^Pulumi\..+\.yaml$/.test(file))]) {
    cpSync(join(root, part), join(directory, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"));
}

/** Changes settings of an environment's stack file. */
export function changeSettings(directory: string, environment: string, changes: Changes): void {
  const file = join(directory, `Pulumi.${environment}.yaml`);
  const document = parseDocument(readFileSync(file, "utf8"));
  for (const [path, value] of changes) {
    if (value === undefined) document.deleteIn(["config", ...path]);
    else document.setIn(["config", ...path], document.createNode(value));
  }
  writeFileSync(file, document.toString());
}
