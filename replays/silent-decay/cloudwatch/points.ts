import type { AlarmDefinition } from "./definition";
import { evaluate, type Series, type Value } from "./math";
import { longestLag, type Metrics, type Points } from "./metrics";

/**
 * The data points that an alarm compares. An expression is evaluated over series of periods that follow each other, as CloudWatch's are; here
 * over the whole simulation at once, and again for the newest, which depend on what has arrived. (The oldest point of an evaluation range
 * has a difference here, which CloudWatch can't know; with as many points as N it decides nothing.)
 */
export function pointsOf(definition: AlarmDefinition, metrics: Metrics): Points {
  const { name, result, period } = definition;
  const sources = new Map(
    [...definition.metrics].map(([id, query]) => [id, metrics.get(query).points(query.statistic, period)]),
  );
  const plain = sources.get(result);
  if (plain !== undefined) return plain;

  const compute = (series: (points: Points) => Series): Series => {
    const known = new Map<string, Value>();
    const valueOf = (id: string): Value => {
      let value = known.get(id);
      if (value !== undefined) return value;
      const source = sources.get(id);
      const expression = definition.expressions.get(id);
      if (source !== undefined) value = series(source);
      else if (expression !== undefined) value = evaluate(expression, valueOf);
      else throw new Error(`alarm ${name}: no query has the id ${id}`);
      known.set(id, value);
      return value;
    };
    const value = valueOf(result);
    if (typeof value === "number") throw new Error(`alarm ${name}: ${result} is a number, not a time series`);
    return value;
  };

  const length = [...sources.values()][0]?.settled.length ?? 0;
  const settled = new Float64Array(length);
  for (let first = 0; first < Math.min(period, length); first++) {
    const ends: number[] = [];
    for (let end = first; end < length; end += period) ends.push(end);
    compute((points) => ends.map((end) => points.settled[end] ?? Number.NaN)).forEach((value, i) => {
      settled[ends[i] ?? 0] = value;
    });
  }

  const fresh = Array.from({ length: longestLag }, () => new Float64Array(length).fill(Number.NaN));
  // One that is settled goes before them, for differences.
  const ages: number[] = [];
  for (let age = 0; age < longestLag; age += period) ages.unshift(age);
  ages.unshift(period * ages.length);
  for (let now = 0; now < length; now++) {
    const values = compute((points) => ages.map((age) => at(points, now - age, age)));
    ages.forEach((age, i) => {
      const of = fresh[age];
      if (of !== undefined && now >= age) of[now - age] = values[i] ?? Number.NaN;
    });
  }
  return { settled, fresh };
}

/** The data point of the period that ended at a minute, as it is so many minutes later. */
export function at({ settled, fresh }: Points, end: number, age: number): number {
  return (age < longestLag ? fresh[age] : settled)?.[end] ?? Number.NaN;
}
