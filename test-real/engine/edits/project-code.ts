import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseDocument } from "yaml";
import { root } from "../session";

/** A change of the project's code, as somebody would make it. */
export interface CodeChange {
  readonly file: string;
  /** Text that is there once. */
  readonly from: string;
  readonly to: string;
}

/**
 * Changes code of a copied project.
 *
 * @returns what takes the changes back.
 */
export function changeCode(project: string, changes: readonly CodeChange[]): () => void {
  const undo = changes.map(({ file, from, to }) => {
    const path = join(project, file);
    const before = readFileSync(path, "utf8");
    const [head, tail, ...more] = before.split(from);
    if (head === undefined || tail === undefined || more.length > 0)
      throw new Error(`${file} doesn't have this once: ${from}`);
    writeFileSync(path, head + to + tail);
    return () => writeFileSync(path, before);
  });
  return () => undo.reverse().forEach((step) => step());
}

/** Lets a copied project run another entry point of this repository, with what is beside it. */
export function useProgram(project: string, entry: string): void {
  for (const part of [dirname(entry), "index.ts"]) cpSync(join(root, part), join(project, part), { recursive: true });
  const file = join(project, "Pulumi.yaml");
  const document = parseDocument(readFileSync(file, "utf8"));
  document.set("main", entry);
  writeFileSync(file, document.toString());
}
