import * as fc from "fast-check";

const resolution = 2 ** 30;

/** Seeded chance, from the generator that random tests use. The same seed is the same fortnight, whoever asks. */
export class Chance {
  private readonly stream: fc.Stream<number>;

  /** @param part Draws that mustn't depend on how many others there were have a part of their own. */
  constructor(seed: number, part = 0) {
    const parameters = { seed: seed * 31 + part, numRuns: 1, unbiased: true };
    const numbers = fc.infiniteStream(fc.integer({ min: 0, max: resolution - 1 }), { noHistory: true });
    const [stream] = fc.sample(numbers, parameters);
    if (stream === undefined) throw new Error("nothing was drawn");
    this.stream = stream;
  }

  /** Evenly from `least` to below `most`. */
  between(least: number, most: number): number {
    const { value } = this.stream.next();
    return least + ((most - least) * Number(value)) / resolution;
  }

  /** A whole number from `least` to `most`. */
  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  /** A waiting time until something that comes so often on average, at any time. */
  wait(average: number): number {
    return -average * Math.log(1 - this.between(0, 1));
  }
}
