/*
 * Schedules of budgets. The definition's own pattern accepts almost any five words; a schedule that Karpenter can't parse makes a
 * budget of 0, and the pool is frozen in silence (pkg/apis/v1/nodepool.go, `GetAllowedDisruptions`: "fail closed"). So each field is
 * read as Karpenter's parser does (robfig/cron v3, `ParseStandard`).
 */

interface Field {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const fields: readonly Field[] = [
  { name: "minute", min: 0, max: 59, names: [] },
  { name: "hour", min: 0, max: 23, names: [] },
  { name: "day of the month", min: 1, max: 31, names: [] },
  { name: "month", min: 1, max: 12, names: months },
  { name: "day of the week", min: 0, max: 6, names: days },
];

const descriptors = new Map([
  ["@annually", "0 0 1 1 *"],
  ["@yearly", "0 0 1 1 *"],
  ["@monthly", "0 0 1 * *"],
  ["@weekly", "0 0 * * 0"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@hourly", "0 * * * *"],
]);

/** Values of one field: all of them for `*`. */
interface Choice {
  readonly values: ReadonlySet<number>;
  /** Whether it has a `*` without a step, which changes how the two kinds of days go together. */
  readonly open: boolean;
}

/** When a schedule begins: at each of these minutes of each of these days. */
export interface Starts {
  /** Days, counted from the first of the observed ones. */
  readonly days: ReadonlySet<number>;
  /** Minutes of the day, ascending. */
  readonly minutes: readonly number[];
}

/** Days that {@link startsOf} looks at: nine years from 2027 on, with two leap days. Always the same, so that a program is right or wrong for ever. */
export const observedDays = 3287;

/** Made when it is asked for: importing the library must not cost a pool's schedules. */
function calendar() {
  return Array.from({ length: observedDays }, (_, index) => {
    const day = new Date(Date.UTC(2027, 0, 1 + index));
    return { index, date: day.getUTCDate(), month: day.getUTCMonth() + 1, weekday: day.getUTCDay() };
  });
}

/** What is wrong with a schedule, or undefined. Programs in YAML or JavaScript may pass anything. */
export function scheduleProblem(schedule: string | undefined): string | undefined {
  if (schedule === undefined) return 'is missing: write a cron expression in UTC, such as "0 8 * * mon-fri"';
  const wrong = (reason: string) =>
    `must be a cron expression in UTC of five fields, such as "0 8 * * mon-fri", or @daily and the like, not "${schedule}"${reason}`;
  if (/^(CRON_)?TZ=/.test(schedule)) return wrong(": there are no time zones, write the hours in UTC");
  const parts = partsOf(schedule);
  if (parts.length !== fields.length) return wrong("");
  const bad = fields.find((field, index) => choiceOf(parts[index]!, field) === undefined);
  if (bad !== undefined)
    return wrong(
      `: the ${bad.name} is from ${bad.min} to ${bad.max}${bad.names.length > 0 ? ` (${bad.names.join(", ")})` : ""}`,
    );
  // Karpenter takes a schedule without a next start for one that has begun.
  return startsOf(schedule).days.size > 0
    ? undefined
    : `is "${schedule}", a day that never comes: Karpenter would let the budget hold for ever`;
}

/** When a schedule that {@link scheduleProblem} accepts begins. */
export function startsOf(schedule: string): Starts {
  const [minute, hour, date, month, weekday] = partsOf(schedule).map((part, index) => choiceOf(part, fields[index]!)!);
  const begun = calendar().filter((day) => {
    const [byDate, byWeekday] = [date!.values.has(day.date), weekday!.values.has(day.weekday)];
    // As cron always did it: where both are given, either will do.
    const onDay = date!.open || weekday!.open ? byDate && byWeekday : byDate || byWeekday;
    return onDay && month!.values.has(day.month);
  });
  return {
    days: new Set(begun.map(({ index }) => index)),
    minutes: sorted(hour!).flatMap((h) => sorted(minute!).map((m) => h * 60 + m)),
  };
}

function partsOf(schedule: string): string[] {
  return (descriptors.get(schedule) ?? schedule).split(/\s+/);
}

function sorted({ values }: Choice): number[] {
  return [...values].sort((a, b) => a - b);
}

/** Reads `*`, `a`, `a-b`, one of them with a step, or several with commas. Undefined if it is none of these. */
function choiceOf(text: string, field: Field): Choice | undefined {
  const values = new Set<number>();
  let open = false;
  for (const part of text.split(",")) {
    const [range = "", step, ...rest] = part.split("/");
    if (rest.length > 0 || (step !== undefined && !/^[1-9][0-9]*$/.test(step))) return undefined;
    const every = step === undefined ? 1 : Number(step);
    const star = range === "*" || range === "?";
    const bounds = star ? [field.min, field.max] : range.split("-").map((value) => numberOf(value, field));
    // A number with a step goes on to the end.
    if (bounds.length === 1) bounds.push(step === undefined ? bounds[0] : field.max);
    const [first, last] = bounds;
    if (bounds.length > 2 || first === undefined || last === undefined || first > last) return undefined;
    for (let value = first; value <= last; value += every) values.add(value);
    open ||= star && every === 1;
  }
  return { values, open };
}

function numberOf(value: string, field: Field): number | undefined {
  const named = field.names.indexOf(value.toLowerCase());
  if (named >= 0) return named + field.min;
  const number = /^[0-9]+$/.test(value) ? Number(value) : NaN;
  return number >= field.min && number <= field.max ? number : undefined;
}
