import { mkdirSync, writeFileSync, cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Count } from "../../test/support/kafka/counted";
import type { Producers } from "./producers";
import type { Reaction } from "../../test/support/kafka/statistics";

/** A fault and what came of it. */
export interface Outcome {
  readonly producers: Producers;
  readonly counts: Readonly<Record<string, Count>>;
  readonly reactions: Readonly<Record<string, Reaction>>;
  /** Seconds since 1970. */
  readonly began: number;
  readonly ended: number;
}

/**
 * Keeps a run's findings in the folder KAFKA_RECORDINGS, where somebody asks for it: statistics as JSON lines, for whoever replays them (the
 * stall detector) or draws them (replays/kafka-black-hole), and the numbers.
 */
export function record(scenario: string, { producers, counts, reactions, began, ended }: Outcome): void {
  const folder = process.env["KAFKA_RECORDINGS"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  for (const name of Object.keys(counts))
    for (const file of [`${name}.statistics.jsonl`, `${name}.deliveries`, `${name}.waiting`]) {
      const from = join(producers.directory, file);
      if (existsSync(from)) cpSync(from, join(folder, file));
    }
  writeFileSync(join(folder, `${scenario}.json`), JSON.stringify({ began, ended, counts, reactions }, null, 2));
}
