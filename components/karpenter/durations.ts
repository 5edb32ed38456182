/*
 * Times as Karpenter writes them. Its definitions' patterns are matched here (karpenter.sh_nodepools.yaml, 1.15.2), so that a bad one
 * fails in the preview and with a hint.
 */

/** What a duration may be, besides hours and minutes. */
export enum DurationForm {
  /** `90s`, `5m`, `1h30m`. */
  Plain,
  /** The same, or `Never`. */
  OrNever,
  /** `30m`, `8h`, `1h30m`: no seconds, because cron has none. */
  Budget,
}

/** The word for a time that doesn't come. */
export const never = "Never";

const patterns = {
  [DurationForm.Plain]: /^([0-9]+(s|m|h))+$/,
  [DurationForm.OrNever]: /^(([0-9]+(s|m|h))+|Never)$/,
  [DurationForm.Budget]: /^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$/,
};

const examples = {
  [DurationForm.Plain]: "hours, minutes and seconds, such as 1h30m",
  [DurationForm.OrNever]: "hours, minutes and seconds, such as 1h30m, or Never",
  [DurationForm.Budget]: "hours and minutes, such as 8h or 1h30m",
};

/** What is wrong with a duration, or undefined. Programs in YAML or JavaScript may pass anything. */
export function durationProblem(duration: string | number | undefined, form: DurationForm): string | undefined {
  if (typeof duration === "string" && patterns[form].test(duration)) return undefined;
  if (duration === undefined) return `is missing: write ${examples[form]}`;
  const days = /^([0-9]+)d$/.exec(String(duration))?.[1];
  const hint = days === undefined ? "" : `: write ${Number(days) * 24}h`;
  return `must be ${examples[form]}, not "${duration}"${hint}`;
}

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1 };

/** Seconds of a duration that {@link durationProblem} accepts; `Never` is infinitely many. */
export function secondsOf(duration: string): number {
  if (duration === never) return Infinity;
  const parts = [...duration.matchAll(/([0-9]+)([hms])/g)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * unitSeconds[unit!]!, 0);
}
