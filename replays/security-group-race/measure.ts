import * as fc from "fast-check";
import { emitted, ourCoexisting, ourDefault } from "./ours";
import { timelines } from "./random";
import { replay } from "./timeline";
import { upstreamDefault, upstreamUnrestricted } from "./topology";

// npm run replay:race [-- timelines [seed]]: the table of docs/security-group-race.md.
async function main(count: number, seed: number): Promise<void> {
  const parts = await emitted();
  const drawn = fc.sample(timelines, { numRuns: count, seed });
  console.log(`${count} random timelines of three hours, seed ${seed}\n`);
  console.log(
    "| topology | timelines with lost requests | for a minute or more | seconds in all | worst timeline, seconds |",
  );
  console.log("| --- | --- | --- | --- | --- |");
  for (const topology of [upstreamDefault, upstreamUnrestricted, ourCoexisting(parts), ourDefault(parts)]) {
    const lost = drawn.map((timeline) => replay(timeline, topology).lost);
    const hit = lost.filter((seconds) => seconds > 0);
    const total = hit.reduce((sum, seconds) => sum + seconds, 0);
    const long = hit.filter((seconds) => seconds >= 60).length;
    const cells = [topology.name, hit.length, long, Math.round(total), Math.round(Math.max(0, ...hit))];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

const [count = "1000", seed = "4889"] = process.argv.slice(2);
void main(Number(count), Number(seed));
