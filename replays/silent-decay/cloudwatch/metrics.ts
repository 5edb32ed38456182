import { isMissing, missing } from "./math";

// Globals by names of this file: under Jest each mention of a global takes its time, and these are asked a million times.
const { min, max, clz32 } = Math;
const infinity = Infinity;

export type Statistic = "Minimum" | "Maximum" | "Average";

/** Longest delay, in minutes, between the end of a minute and the arrival of a report about it. */
export const longestLag = 3;

/** One source of data points: a load balancer's node, or whatever counts pods. */
export interface Reporter {
  /** What it reports of each minute; NaN where it reports nothing. */
  readonly values: Float64Array;
  /** How many minutes after the end of each minute CloudWatch has the report: at most `longestLag`. */
  readonly lags: Uint8Array;
}

/** What identifies a metric, all of it: CloudWatch sums nothing up over dimensions that aren't given. */
export interface MetricName {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** The metrics of one simulation. */
export class Metrics {
  private readonly published = new Map<string, readonly Reporter[]>();
  private readonly metrics = new Map<string, Metric>();

  publish(name: MetricName, reporters: readonly Reporter[]): void {
    this.published.set(keyOf(name), reporters);
  }

  /** CloudWatch would accept an alarm on a metric that nobody publishes, and it would watch nothing. Here that is an error. */
  get(name: MetricName): Metric {
    const key = keyOf(name);
    const reporters = this.published.get(key);
    if (reporters === undefined) throw new Error(`nobody publishes ${key}`);
    const metric = this.metrics.get(key) ?? new Metric(reporters);
    this.metrics.set(key, metric);
    return metric;
  }
}

function keyOf({ namespace, metricName, dimensions }: MetricName): string {
  const pairs = Object.entries(dimensions).map(([key, value]) => `${key}=${value}`);
  return `${namespace} ${metricName} ${pairs.sort().join(" ")}`;
}

/**
 * Data points of periods that slide by the minute, each by the minute at which its period ends. What doesn't exist is missing.
 */
export interface Points {
  /** Once all reports have arrived. */
  readonly settled: Float64Array;
  /** As they are 0, 1, 2 ... minutes after the end, as long as reports may still come. */
  readonly fresh: readonly Float64Array[];
}

/** One metric: whatever its reporters say, condensed to periods. */
export class Metric {
  private readonly known = new Map<string, Points>();

  constructor(private readonly reporters: readonly Reporter[]) {}

  /** The data points of a statistic over so many minutes. */
  points(statistic: Statistic, period: number): Points {
    const key = `${statistic} ${period}`;
    const points = this.known.get(key) ?? this.condense(statistic, period);
    this.known.set(key, points);
    return points;
  }

  private condense(statistic: Statistic, period: number): Points {
    const minutes = this.reporters[0]?.values.length ?? 0;
    const condenser = statistic === "Average" ? new Mean(this.reporters) : new Extreme(this.reporters, statistic);
    const ends = (of: (end: number) => number) => Float64Array.from({ length: minutes + 1 }, (_, end) => of(end));
    const fresh = (age: number) => (end: number) => {
      const settled = end + age - longestLag;
      return condenser.over(end - period, max(settled, end - period), end, end + age);
    };
    return {
      settled: ends((end) => condenser.over(end - period, end, end, infinity)),
      // Periods follow each other: nobody asks for one that ended in between.
      fresh: Array.from({ length: longestLag }, (_, age) =>
        age % period === 0 ? ends(fresh(age)) : new Float64Array(),
      ),
    };
  }
}

/** Condenses all reports from one minute on, and those of the minutes from `settled` to before `end` only that have arrived by `now`. */
interface Condenser {
  over(from: number, settled: number, end: number, now: number): number;
}

/** Reports of the minutes from `settled` on that have arrived. */
function forArrived(
  reporters: readonly Reporter[],
  [settled, end, now]: readonly [number, number, number],
  take: (value: number) => void,
): void {
  for (let minute = max(settled, 0); minute < end; minute++)
    for (const { values, lags } of reporters) {
      const value = values[minute] ?? missing;
      if (!isMissing(value) && minute + 1 + (lags[minute] ?? 0) <= now) take(value);
    }
}

class Mean implements Condenser {
  /** Sum and number of all reports before each minute. */
  private readonly sums = [0];
  private readonly counts = [0];

  constructor(private readonly reporters: readonly Reporter[]) {
    const minutes = reporters[0]?.values.length ?? 0;
    for (let minute = 0; minute < minutes; minute++) {
      let [sum, count] = [this.sums[minute] ?? 0, this.counts[minute] ?? 0];
      forArrived(reporters, [minute, minute + 1, infinity], (value) => {
        sum += value;
        count++;
      });
      this.sums.push(sum);
      this.counts.push(count);
    }
  }

  over(from: number, settled: number, end: number, now: number): number {
    const before = max(from, 0);
    const until = max(settled, 0);
    let sum = (this.sums[until] ?? 0) - (this.sums[before] ?? 0);
    let count = (this.counts[until] ?? 0) - (this.counts[before] ?? 0);
    forArrived(this.reporters, [settled, end, now], (value) => {
      sum += value;
      count++;
    });
    return count === 0 ? missing : sum / count;
  }
}

/** Minimum or maximum over any span at once: those of spans of 1, 2, 4, 8 ... minutes, of which two cover any other. */
class Extreme implements Condenser {
  private readonly levels: Float64Array[];
  private readonly sign: 1 | -1;

  constructor(
    private readonly reporters: readonly Reporter[],
    statistic: "Minimum" | "Maximum",
  ) {
    // The maximum is the minimum of what is turned round.
    this.sign = statistic === "Minimum" ? 1 : -1;
    const minutes = reporters[0]?.values.length ?? 0;
    let level = new Float64Array(minutes).fill(infinity);
    for (let minute = 0; minute < minutes; minute++)
      forArrived(reporters, [minute, minute + 1, infinity], (value) => {
        level[minute] = min(level[minute] ?? infinity, this.sign * value);
      });
    this.levels = [level];
    for (let half = 1; half * 2 <= minutes; half *= 2) {
      const below = level;
      level = new Float64Array(minutes - half * 2 + 1);
      for (let i = 0; i < level.length; i++) level[i] = min(below[i] ?? infinity, below[i + half] ?? infinity);
      this.levels.push(level);
    }
  }

  over(from: number, settled: number, end: number, now: number): number {
    let least = this.least(max(from, 0), settled);
    forArrived(this.reporters, [settled, end, now], (value) => {
      least = min(least, this.sign * value);
    });
    return least === infinity ? missing : this.sign * least;
  }

  private least(from: number, to: number): number {
    if (to <= from) return infinity;
    const power = 31 - clz32(to - from);
    const level = this.levels[power];
    return min(level?.[from] ?? infinity, level?.[to - (1 << power)] ?? infinity);
  }
}
