import type { Problems } from "../internal/validate";
import { durationProblem, DurationForm, secondsOf } from "./durations";
import { observedDays, scheduleProblem, startsOf } from "./schedules";

/** A time in which no node is taken away, and where it was given. */
export interface Freeze {
  readonly where: string;
  /** Reasons that it holds for. */
  readonly reasons: readonly string[];
  readonly scheduleUtc: string | undefined;
  readonly duration: string | undefined;
}

interface Window {
  readonly scheduleUtc: string;
  readonly duration: string;
}

const minutesPerDay = 1440;

/** Whether one of these windows is always open once the first has begun. A window that ends when the next begins leaves no time between. */
export function neverThaws(windows: readonly Window[]): boolean {
  const all = windows.map(({ scheduleUtc, duration }) => ({
    ...startsOf(scheduleUtc),
    length: secondsOf(duration) / 60,
  }));
  let frozenUntil: number | undefined;
  for (let day = 0; day < observedDays; day++) {
    const begun = all
      .filter(({ days }) => days.has(day))
      .flatMap(({ minutes, length }) => minutes.map((minute) => ({ start: day * minutesPerDay + minute, length })))
      .sort((a, b) => a.start - b.start);
    for (const { start, length } of begun) {
      if (frozenUntil !== undefined && start > frozenUntil) return false;
      frozenUntil = Math.max(frozenUntil ?? 0, start + length);
    }
  }
  // Whatever begins at all begins twice in the observed days, so a gap would have been seen.
  return frozenUntil !== undefined;
}

/** Refuses freezes that leave no time for what they hold back: new images would never come, and nothing says so. */
export function freezeProblems(problems: Problems, freezes: readonly Freeze[]): void {
  const valid = freezes.flatMap(({ scheduleUtc, duration, ...freeze }) =>
    scheduleUtc !== undefined &&
    duration !== undefined &&
    scheduleProblem(scheduleUtc) === undefined &&
    durationProblem(duration, DurationForm.Budget) === undefined &&
    secondsOf(duration) > 0
      ? [{ ...freeze, scheduleUtc, duration }]
      : [],
  );
  const instead =
    'nodes would be frozen for ever, old images with them. Leave a time between, or write a budget of "0" without schedule if you mean that';

  const alone = valid.filter((freeze) => neverThaws([freeze]));
  for (const { where, scheduleUtc, duration } of alone)
    problems.add(
      `${where}.duration`,
      `is ${duration}, but "${scheduleUtc}" always begins again before that is over: ${instead}`,
    );
  if (alone.length > 0) return;

  for (const reason of new Set(valid.flatMap(({ reasons }) => reasons))) {
    const together = valid.filter(({ reasons }) => reasons.includes(reason));
    const [first, ...others] = together;
    if (first === undefined || others.length === 0 || !neverThaws(together)) continue;
    problems.add(
      first.where,
      `and ${others.map(({ where }) => where).join(", ")} follow each other without a gap: ${instead}`,
    );
    return;
  }
}
