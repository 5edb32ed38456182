import { isUnknown, type Unknown } from "./known";
import { stringsAt, type Properties } from "./kubernetes";
import type { Path } from "./paths";

const shells = new Set(["sh", "bash", "ash", "dash", "ksh", "zsh"]);

/** The words of a command, or the first of them that isn't known yet. */
export function wordsAt(root: Properties, ...paths: Path[]): string[] | Unknown {
  const lists = paths.map((path) => stringsAt(root, path));
  return lists.find(isUnknown) ?? lists.flatMap((list) => (isUnknown(list) ? [] : list));
}

/** The script that a command hands to a shell (`bash -ec "..."`); undefined if it starts a program or a file. */
export function scriptIn(words: readonly string[]): string | undefined {
  const shell = words.findIndex((word) => shells.has(word.split("/").pop()!));
  if (shell < 0) return undefined;
  const flag = words.findIndex((word, i) => i > shell && /^-[a-z]*c[a-z]*$/.test(word));
  // Between the shell and its script stand options only, or it runs a file.
  if (flag < 0 || !words.slice(shell + 1, flag).every((word) => /^[-+]|^(pipefail|errexit|nounset)$/.test(word)))
    return undefined;
  return words[flag + 1];
}

/** The single commands of a script, without lines that are comments, as far as one can tell without a shell. */
export function commandsOf(script: string): string[] {
  return script
    .replace(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*#.*$/, ""))
    .flatMap((line) => line.split(/;|&&|\|\||(?<![>&])&(?![>&\d])/))
    .map((command) => command.trim().replace(/^(then|else|do|\{|\()\s+/, ""))
    .filter((command) => command !== "");
}

/**
 * Whether a stop signal to the shell reaches what its script starts: the shell replaces itself (`exec`, or a sourced file at the end, which
 * may), or it handles the signal.
 */
export function passesSignals(script: string): boolean {
  const commands = commandsOf(script);
  return (
    commands.some((command) => /^(\w+=\S*\s+|[^\s()]*\)\s*)*exec\s+(?!\d*[<>])/.test(command)) ||
    commands.some((command) => /^trap\s.*\b(SIG)?(TERM|15)\b/.test(command)) ||
    /^(\.|source)\s/.test(commands.at(-1) ?? "")
  );
}
