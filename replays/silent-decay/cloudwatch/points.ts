import type { AlarmDefinition } from "./definition";
import { evaluate, missing, type Series, type Value } from "./math";
import { longestLag, type Metrics, type Points } from "./metrics";

/**
 * The data points that an alarm compares. An expression is evaluated over series of periods that follow each other, as CloudWatch's are; here
 * over the whole simulation at once, and again for the newest ones, which depend on what has arrived. (The oldest point of an evaluation range
 * has a difference here, which CloudWatch can't know; it would decide only where the newer ones are missing.)
 */
export function pointsOf(definition: AlarmDefinition, metrics: Metrics): Points {
  const { result, period } = definition;
  const sources = new Map(
    [...definition.metrics].map(([id, query]) => [id, metrics.get(query).points(query.statistic, period)]),
  );
  const plain = sources.get(result);
  if (plain !== undefined) return plain;

  const computation = new Computation(definition, sources);
  const length = [...sources.values()][0]?.settled.length ?? 0;
  const settled = new Float64Array(length);
  for (let first = 0; first < Math.min(period, length); first++) {
    const ends = Array.from({ length: Math.ceil((length - first) / period) }, (_, i) => first + i * period);
    computation.over(ends, Infinity).forEach((value, i) => {
      settled[ends[i] ?? 0] = value;
    });
  }

  const fresh = Array.from({ length: longestLag }, () => new Float64Array(length).fill(missing));
  const count = Math.ceil(longestLag / period);
  for (let now = 0; now < length; now++) {
    // One that is settled goes before them, for differences.
    const ends = Array.from({ length: count + 1 }, (_, i) => now - (count - i) * period);
    computation.over(ends, now).forEach((value, i) => {
      const end = ends[i] ?? 0;
      const of = fresh[now - end];
      if (of !== undefined && end >= 0) of[end] = value;
    });
  }
  return { settled, fresh };
}

/** The data point of the period that ended at a minute, as it is at the beginning of minute `now`. */
export function pointAt({ settled, fresh }: Points, end: number, now: number): number {
  const age = now - end;
  return (age < longestLag ? fresh[age] : settled)?.[end] ?? missing;
}

/** An alarm's expressions, for any periods. It is used some ten thousand times: it makes no function each time. */
class Computation {
  private readonly known = new Map<string, Value>();
  private ends: readonly number[] = [];
  private now = 0;

  constructor(
    private readonly definition: AlarmDefinition,
    private readonly sources: ReadonlyMap<string, Points>,
  ) {}

  /** The result's data points of the periods that end at these minutes, as they are at the beginning of minute `now`. */
  over(ends: readonly number[], now: number): Series {
    this.known.clear();
    this.ends = ends;
    this.now = now;
    const { name, result } = this.definition;
    const value = this.valueOf(result);
    if (typeof value === "number") throw new Error(`alarm ${name}: ${result} is a number, not a time series`);
    return value;
  }

  private readonly valueOf = (id: string): Value => {
    const value = this.known.get(id) ?? this.compute(id);
    this.known.set(id, value);
    return value;
  };

  private compute(id: string): Value {
    const source = this.sources.get(id);
    if (source !== undefined) return this.ends.map((end) => pointAt(source, end, this.now));
    const expression = this.definition.expressions.get(id);
    if (expression !== undefined) return evaluate(expression, this.valueOf);
    throw new Error(`alarm ${this.definition.name}: no query has the id ${id}`);
  }
}
