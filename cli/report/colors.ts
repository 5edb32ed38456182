import picocolors from "picocolors";

/**
 * Whether to color: never with NO_COLOR, always with FORCE_COLOR, else only where a terminal shows it. picocolors' own answer would
 * color every log of a CI system, and with it what scripts there read.
 */
export function colorWanted(env: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return isTerminal && env["TERM"] !== "dumb";
}

// isTTY is undefined in a pipe, and picocolors takes undefined for "decide yourself".
export const colors = picocolors.createColors(colorWanted(process.env, Boolean(process.stdout.isTTY)));
