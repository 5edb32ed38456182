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

/** Up to a comment: what stands in quotes, and a # inside a word, begin none. */
const beforeComment = /^((?:[^'"#]|'[^']*'|"[^"]*"|(?<=\S)#)*)(?<=^|\s)#.*$/;

/** The lines of a script without its comments, with continued lines in one. */
function linesOf(script: string): string[] {
  return script
    .replace(/\\\r?\n/g, " ")
    .split(/\r?\n/)
    .map((line) => line.replace(/^\s*#.*$/, "").replace(beforeComment, "$1"));
}

/**
 * A script without what it prints and what it starts in the background, as far as one can tell without a shell. Where it waits for the latter
 * (`wait`), that stays.
 */
export function foregroundOf(script: string): string {
  const said = linesOf(script)
    .join("\n")
    .replace(/\b(echo|printf|logger)\b([^;&|\n'"]|'[^']*'|"[^"]*")*/g, ":");
  if (commandsOf(said).some((command) => /^wait\b/.test(command))) return said;
  // A group first, whose commands else look like ones of their own.
  return said
    .replace(/[({][^(){}]*[)}]\s*&(?![>&\d])/g, ";")
    .replace(/(?<=^|[;&|\n])[^;&|\n]*(?<![>&])&(?![>&\d])/g, ";");
}

/** The single commands of a script, without comments, as far as one can tell without a shell. */
export function commandsOf(script: string): string[] {
  return linesOf(script)
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
    // Assignments and patterns of `case` before it; what may be both is an assignment, or each would be tried as both.
    commands.some((command) => /^(\w+=\S*\s+|(?!\w+=)[^\s()]*\)\s*)*exec\s+(?!\d*[<>])/.test(command)) ||
    commands.some((command) => /^trap\s.*\b(SIG)?(TERM|15)\b/.test(command)) ||
    /^(\.|source)\s/.test(commands.at(-1) ?? "")
  );
}
