import type { Problems } from "../../internal/validate";

/** A time of planned work, once or again and again. Plain: it is checked before anything is created. */
export interface PlannedWorkArgs {
  /**
   * When it begins: once as `at(2026-12-31T22:00)`, or again and again as `cron(0 2 * * SUN)` with minute, hour, day of the month, month and day of
   * the week.
   */
  schedule: string;
  /** How long it lasts, 1 minute to 15 days (21600; CloudWatch, "Schedule"). */
  durationMinutes: number;
  /** Time zone of the schedule, such as `Europe/Vienna`. Defaults to UTC. */
  timezone?: string;
  /** What is done, for whoever wonders why nothing rings. Defaults to none. */
  description?: string;
}

/** The longest time that a rule mutes at a stretch: P15D (CloudWatch, "Schedule"). */
const longestMinutes = 15 * 24 * 60;

/** Records what is wrong with the times of planned work. */
export function plannedWorkProblems(problems: Problems, plannedWork: Record<string, PlannedWorkArgs>): void {
  for (const [name, work] of Object.entries(plannedWork)) {
    const at = (what: string) => `plannedWork.${name}.${what}`;
    problems.unless(
      /^[A-Za-z0-9-]+$/.test(name),
      `plannedWork.${name}`,
      "must have a name of letters, digits and hyphens",
    );
    problems.add(at("schedule"), scheduleProblem(work.schedule));
    const { durationMinutes: minutes } = work;
    problems.unless(
      Number.isInteger(minutes) && minutes >= 1 && minutes <= longestMinutes,
      at("durationMinutes"),
      `must be a whole number from 1 to ${longestMinutes} (15 days), not ${minutes}: CloudWatch mutes no longer at a stretch`,
    );
    problems.unless(
      work.timezone === undefined || isTimezone(work.timezone),
      at("timezone"),
      `must be a time zone of the IANA database such as Europe/Vienna, not "${work.timezone ?? ""}"`,
    );
    problems.unless(
      work.description === undefined || (/^[\x20-\x7e]*$/.test(work.description) && work.description.length <= 1024),
      at("description"),
      "must be ASCII of at most 1024 characters",
    );
  }
}

/** A duration as ISO 8601 writes it: `P2DT12H30M`. */
export function isoDuration(minutes: number): string {
  const part = (count: number, unit: string) => (count === 0 ? "" : `${count}${unit}`);
  const time = part(Math.floor(minutes / 60) % 24, "H") + part(minutes % 60, "M");
  return `P${part(Math.floor(minutes / 1440), "D")}${time === "" ? "" : `T${time}`}`;
}

function isTimezone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).format() !== "" && zone.length <= 50;
  } catch {
    return false;
  }
}

/** What is wrong with a schedule, or undefined. */
function scheduleProblem(schedule: string): string | undefined {
  const once = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d)\)$/.exec(schedule)?.[1];
  const often = /^cron\(([^()]*)\)$/.exec(schedule)?.[1];
  if (once !== undefined && isMoment(once)) return undefined;
  if (often !== undefined) {
    const values = often.trim().split(/\s+/);
    const wrong = fields.filter((field, index) => !isField(values[index] ?? "", field));
    if (values.length === fields.length && wrong.length === 0) return undefined;
    const what =
      values.length === fields.length
        ? `its ${wrong.map((f) => f.name).join(" and ")} can't be read`
        : `it has ${values.length} fields and not 5 (CloudWatch takes no seconds and no year)`;
    return `must be such as cron(0 2 * * SUN), not "${schedule}": ${what}`;
  }
  return `must be at(2026-12-31T22:00), a moment without seconds and zone, or cron(0 2 * * SUN), not "${schedule}"`;
}

/** Whether there is such a moment: the calendar turns 30 February into 2 March. */
function isMoment(text: string): boolean {
  const date = new Date(`${text}:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

interface Field {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const months = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const days = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const fields: readonly Field[] = [
  { name: "minute", from: 0, to: 59 },
  { name: "hour", from: 0, to: 23 },
  { name: "day of the month", from: 1, to: 31 },
  { name: "month", from: 1, to: 12, names: months },
  { name: "day of the week", from: 0, to: 7, names: days },
];

/** A field of cron: `*`, a value, a range, each with a step, or a list of these. */
function isField(text: string, { from, to, names = [] }: Field): boolean {
  const isValue = (value: string) =>
    (/^\d{1,2}$/.test(value) && Number(value) >= from && Number(value) <= to) || names.includes(value.toUpperCase());
  return text.split(",").every((part) => {
    const [span, step, ...more] = part.split("/");
    if (more.length > 0 || (step !== undefined && !/^[1-9]\d?$/.test(step))) return false;
    const ends = span!.split("-");
    return span === "*" || (ends.length <= 2 && ends.every(isValue));
  });
}
