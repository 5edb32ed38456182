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

const descriptor = /^@(annually|yearly|monthly|weekly|daily|midnight|hourly)$/;

/** What is wrong with a schedule, or undefined. Programs in YAML or JavaScript may pass anything. */
export function scheduleProblem(schedule: string | undefined): string | undefined {
  const wrong = (reason: string) =>
    `must be a cron expression in UTC of five fields, such as "0 8 * * mon-fri", or @daily and the like, not "${schedule ?? ""}"${reason}`;
  if (typeof schedule !== "string") return wrong("");
  if (descriptor.test(schedule)) return undefined;
  if (/^(CRON_)?TZ=/.test(schedule)) return wrong(": there are no time zones, write the hours in UTC");
  const parts = schedule.split(/\s+/);
  if (parts.length !== fields.length) return wrong("");
  const bad = fields.find((field, index) => !parts[index]!.split(",").every((part) => isPart(part, field)));
  return bad === undefined
    ? undefined
    : wrong(
        `: the ${bad.name} is from ${bad.min} to ${bad.max}${bad.names.length > 0 ? ` (${bad.names.join(", ")})` : ""}`,
      );
}

/** Whether this is `*`, `a`, `a-b`, or one of them with a step. */
function isPart(part: string, field: Field): boolean {
  const [range = "", step, ...rest] = part.split("/");
  if (rest.length > 0 || (step !== undefined && !/^[1-9][0-9]*$/.test(step))) return false;
  if (range === "*" || range === "?") return true;
  const bounds = range.split("-").map((value) => numberOf(value, field));
  const [first, last] = [bounds[0], bounds[bounds.length - 1]];
  return bounds.length <= 2 && first !== undefined && last !== undefined && first <= last;
}

function numberOf(value: string, field: Field): number | undefined {
  const named = field.names.indexOf(value.toLowerCase());
  if (named >= 0) return named + field.min;
  const number = /^[0-9]+$/.test(value) ? Number(value) : NaN;
  return number >= field.min && number <= field.max ? number : undefined;
}
