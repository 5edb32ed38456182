import { anchorNames } from "./anchors";
import { ranges } from "./cloudwatch/alarm";
import { observe, ours, theirs } from "./compare";
import { benign } from "./situations/benign";
import { incidents } from "./situations/incidents";
import type { Situation } from "./situations/situation";
import { day, hour } from "./time";
import { firstPage, pagesIn, type Watched } from "./watch";

// npm run replay:decay [-- seeds [first seed]]: the tables of docs/silent-decay.md.
async function main(seeds: number, first: number): Promise<void> {
  const drawn = Array.from({ length: seeds }, (_, n) => first + n);
  console.log(`${seeds} seeds from ${first}: simulated minutes, CloudWatch looking back 2 | 7 periods beyond N\n`);
  const [bad, good] = [Object.values<Situation>(incidents), Object.values<Situation>(benign)];
  await table("first page after the beginning of", bad, drawn, (seen) => spread(seen.map(firstPage)));
  await table("pages in 14 days of", good, drawn, (seen) => total(seen.map(pagesIn)));
}

type Cell = (seen: readonly Watched[]) => string;

/** Prints alarms by situations. */
async function table(title: string, over: readonly Situation[], seeds: readonly number[], cell: Cell): Promise<void> {
  const rows = new Map<string, string[]>();
  for (const situation of over) {
    const alarms = { ...(await ours(situation)), ...theirs(situation) };
    const seen = seeds.map((seed) => observe(situation, seed, alarms));
    for (const key of Object.keys(alarms)) {
      const cells = ranges.map((range) => cell(seen.flatMap((one) => one[key]?.[range] ?? [])));
      rows.set(key, [...(rows.get(key) ?? []), [...new Set(cells)].join(" \\| ")]);
    }
  }
  console.log(`| ${[title, ...over.map(({ name }) => name)].join(" | ")} |`);
  console.log(`| ${["---", ...over.map(() => "---")].join(" | ")} |`);
  for (const [key, cells] of rows) console.log(`| ${[anchorNames[key] ?? key, ...cells].join(" | ")} |`);
  console.log();
}

/** Earliest and latest of all seeds. */
function spread(found: readonly (number | "on" | "never")[]): string {
  const others = [...new Set(found.filter((page) => typeof page === "string"))];
  const times = found.filter((page) => typeof page === "number").sort((a, b) => a - b);
  const [earliest, latest] = [times[0], times.at(-1)];
  const span = earliest === undefined || latest === undefined ? [] : [...new Set([earliest, latest].map(duration))];
  return [span.join(" to "), ...others].filter((part) => part !== "").join(" or ");
}

function duration(minutes: number): string {
  if (minutes < 2 * hour) return `${minutes} min`;
  return minutes < 2 * day ? `${(minutes / hour).toFixed(1)} h` : `${(minutes / day).toFixed(1)} d`;
}

/** Pages of all seeds together. */
function total(found: readonly (number | "on")[]): string {
  const on = found.filter((pages) => pages === "on").length;
  const pages = found.reduce<number>((sum, pages) => sum + (pages === "on" ? 0 : pages), 0);
  return on === 0 ? String(pages) : on === found.length ? "on" : `${pages}, on in ${on}`;
}

const [seeds = "20", first = "1"] = process.argv.slice(2);
void main(Number(seeds), Number(first));
