/*
 * What became of numbered messages: from delivery reports and from what a reader found. Pure.
 */

/** What a producer was told of one message. Seconds since 1970. */
export interface Delivery {
  readonly sequence: number;
  readonly partition: number;
  readonly produced: number;
  readonly reported: number;
  /** `ok`, or the name of the error. */
  readonly outcome: string;
}

/** Delivery reports as the producers write them; a line that isn't whole yet is left out. */
export function deliveriesOf(text: string): Delivery[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => {
      const [sequence, partition, produced, reported, outcome] = line.split(" ");
      return {
        sequence: Number(sequence),
        partition: Number(partition),
        produced: Number(produced),
        reported: Number(reported),
        outcome: outcome ?? "",
      };
    });
}

/** What the numbers say of one producer. */
export interface Count {
  readonly acknowledged: number;
  /** Acknowledged, and not there. */
  readonly lost: number;
  /** Copies beyond the first, of any message. */
  readonly duplicated: number;
  /** Later than a message of the same partition that was sent after them. */
  readonly disordered: number;
  /** Reported as failed. */
  readonly failed: number;
  /** Reported as failed, and there. */
  readonly failedButStored: number;
}

/** Compares a producer's delivery reports with what was read, in the order of reading: `producer sequence partition` in a line. */
export function countOf(producer: string, deliveries: readonly Delivery[], read: string): Count {
  const copies = new Map<number, number>();
  const last = new Map<string, number>();
  let disordered = 0;
  for (const line of read.split("\n")) {
    const [name, number, partition] = line.split(" ");
    if (name !== producer || number === undefined || partition === undefined) continue;
    const sequence = Number(number);
    copies.set(sequence, (copies.get(sequence) ?? 0) + 1);
    const before = last.get(partition) ?? -1;
    if (sequence < before) disordered += 1;
    last.set(partition, Math.max(sequence, before));
  }
  const acknowledged = deliveries.filter(({ outcome }) => outcome === "ok");
  const failed = deliveries.filter(({ outcome }) => outcome !== "ok");
  return {
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ sequence }) => !copies.has(sequence)).length,
    duplicated: [...copies.values()].reduce((sum, n) => sum + n - 1, 0),
    disordered,
    failed: failed.length,
    failedButStored: failed.filter(({ sequence }) => copies.has(sequence)).length,
  };
}

/** The longest time between two acknowledgments of each partition, from a moment on: how long it took nothing. Seconds, by partition. */
export function longestGaps(deliveries: readonly Delivery[], from: number): Map<number, number> {
  const last = new Map<number, number>();
  const gaps = new Map<number, number>();
  const acknowledged = deliveries.filter(({ outcome }) => outcome === "ok");
  for (const { partition, reported } of [...acknowledged].sort((a, b) => a.reported - b.reported)) {
    const before = last.get(partition);
    if (before !== undefined && reported >= from)
      gaps.set(partition, Math.max(gaps.get(partition) ?? 0, reported - before));
    last.set(partition, reported);
  }
  return gaps;
}

/** Whether the newest acknowledgments came fast: a cold broker takes up to 40 seconds to get there. */
export function isSteady(deliveries: readonly Delivery[], now: number): boolean {
  const recent = deliveries.filter(({ reported }) => reported > now - 3);
  return (
    recent.length >= 20 &&
    recent.every(({ produced, reported, outcome }) => outcome === "ok" && reported - produced < 0.7)
  );
}
