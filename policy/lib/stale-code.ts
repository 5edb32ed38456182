import { dirname, extname, join, sep } from "node:path";

/**
 * Refuses to run from source where a compiled file lies beside a source: Node takes it in silence, and resources would be judged by the
 * rules of the day when somebody compiled them.
 *
 * @param entry file that the pack was started with: a source, or the compiled pack, in whose folder there is no source.
 * @param loaded files of all modules that Node has loaded.
 */
export function refuseStaleCode(entry: string, loaded: readonly string[]): void {
  if (extname(entry) !== ".ts") return;
  const own = dirname(entry) + sep;
  const stale = loaded.filter(
    (file) => file.startsWith(own) && extname(file) === ".js" && !file.startsWith(join(own, "node_modules", sep)),
  );
  if (stale.length > 0)
    throw new Error(
      `compiled files lie beside the sources of the pack, and Node took them instead: delete ${stale.join(", ")}`,
    );
}
