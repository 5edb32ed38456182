import { matchesAny } from "../../lib/glob";
import { isUnknown, type Unknown } from "../../lib/known";
import { isProperties, numberAt, type Properties } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { commandsOf, foregroundOf, scriptIn, wordsAt } from "../../lib/scripts";

/** What a preStop hook does, as far as one can see. */
export interface Hook {
  /** Seconds that it sleeps; Infinity for one that is known to wait long enough. */
  readonly seconds: number;
  /** What it runs; undefined for a sleep of the kubelet's own. */
  readonly command?: string;
}

const unit: Readonly<Record<string, number>> = { "": 1, s: 1, m: 60, h: 3600, d: 86400 };

/**
 * The preStop hook of a container; undefined if it has none.
 *
 * @param waiting commands (`*` stands for any text) that are known to wait: nobody can see it in them.
 */
export function preStopOf(container: Properties, waiting: readonly string[]): Hook | Unknown | undefined {
  const hook = valueAt(container, ["lifecycle", "preStop"]);
  if (hook === undefined || isUnknown(hook)) return hook;
  if (!isProperties(hook)) return undefined;
  const slept = numberAt(hook, ["sleep", "seconds"]);
  if (isUnknown(slept)) return slept;
  if (slept !== undefined) return { seconds: slept };

  const words = wordsAt(hook, ["exec", "command"]);
  const path = stringAt(hook, ["httpGet", "path"]);
  if (isUnknown(words) || isUnknown(path)) return isUnknown(words) ? words : (path as Unknown);
  const command = words.length > 0 ? words.join(" ") : `GET ${path ?? "/"}`;
  return { seconds: matchesAny(command, waiting) ? Infinity : sleepsIn(scriptIn(words) ?? command), command };
}

/**
 * All that a command sleeps: `sleep 20`, also in the middle of a script, and `time.sleep(20)`. What only speaks of it (a comment, `echo`), or
 * sleeps while the hook goes on (`&`), keeps no pod alive.
 */
function sleepsIn(script: string): number {
  const commands = commandsOf(foregroundOf(script)).join("\n");
  return [...commands.matchAll(/\bsleep[\s(]+(\d+(?:\.\d+)?)([smhd]?)\b/g)].reduce(
    (sum, [, amount, suffix]) => sum + Number(amount) * unit[suffix!]!,
    0,
  );
}
