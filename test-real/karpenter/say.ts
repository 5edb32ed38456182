import type { Outcome } from "../../test/support/timeline";

/** Says what a test found: reports show only whether it passed. */
export function say(line: string): void {
  process.stdout.write(`    ${line}\n`);
}

/** An outcome in words. */
export function told({ fewestReady, secondsAtZero, originals, originalsLeft, mostLeaving, gone }: Outcome): string {
  return [
    `at least ${fewestReady} of ${originals} pods ready (none for ${secondsAtZero} s)`,
    `${originalsLeft} of ${originals} addresses left`,
    `${gone} nodes gone, at most ${mostLeaving} at a time`,
  ].join(", ");
}
