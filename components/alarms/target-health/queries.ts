import type * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { ReadyPodsMetric } from "./args";
import type { HostCount, Measure } from "./definitions";

/** The hosts that one target group has behind one load balancer, in all zones or in one. There is no series of a target group alone. */
export interface HostSeries {
  /** What tells it from the others of the edge. Empty where there is only one. */
  readonly label: string;
  readonly namespace: string;
  readonly dimensions: Record<string, pulumi.Input<string>>;
}

/** CloudWatch's name of a count. Mind the capital H of the second: `UnhealthyHostCount` doesn't exist and would stay silent. */
const metricNames = { healthy: "HealthyHostCount", unhealthy: "UnHealthyHostCount" };

type Query = aws.types.input.cloudwatch.MetricAlarmMetricQuery;

/**
 * The arguments of a metric alarm that say what it measures: a plain metric, or metric math.
 *
 * Several series are `h1`, `h2`, ... and their sum is `h`. CloudWatch's arithmetic takes a missing summand for 0 as long as another one is there
 * ("Using metric math", missing data), and where all are missing the sum is, too: that is what an empty target group and a silent edge should be.
 */
export function measureArgs(
  measure: Measure,
  period: number,
  series: readonly HostSeries[],
  readyPods?: ReadyPodsMetric,
): aws.cloudwatch.MetricAlarmArgs {
  const counts = Object.entries(measure.counts);
  const [first] = counts;
  if (first !== undefined && series.length === 1 && measure.expression === undefined && measure.fill !== true) {
    const { stat, ...rest } = metric(first[1], period, series[0]!);
    return { ...rest, statistic: stat };
  }
  const { expression } = measure;
  const sums = counts.map(([id]) => ({ id, expression: sum(id, series.length, measure.fill === true) }));
  return {
    metricQueries: [
      ...(measure.ready === true && readyPods !== undefined ? [ready(readyPods, period)] : []),
      ...counts.flatMap(([id, count]) => series.map((one, at) => query(id, count, period, one, series.length, at))),
      ...(expression === undefined || series.length === 1 ? [] : sums),
      result(expression ?? sums.map((s) => s.expression).join()),
    ],
  };
}

function result(expression: string): Query {
  return { id: "result", expression, label: expression, returnData: true };
}

function sum(id: string, of: number, fill: boolean): string {
  return Array.from({ length: of }, (_, at) => (fill ? `FILL(${idOf(id, of, at)}, 0)` : idOf(id, of, at))).join(" + ");
}

function idOf(id: string, of: number, at: number): string {
  return of === 1 ? id : `${id}${at + 1}`;
}

function query(id: string, count: HostCount, period: number, series: HostSeries, of: number, at: number): Query {
  return {
    id: idOf(id, of, at),
    metric: metric(count, period, series),
    ...(series.label === "" ? {} : { label: `${count.count} ${series.label}` }),
  };
}

function ready({ namespace, metricName, dimensions }: ReadyPodsMetric, period: number): Query {
  return { id: "ready", metric: { namespace, metricName, dimensions, stat: "Minimum", period } };
}

function metric(count: HostCount, period: number, series: HostSeries) {
  return {
    namespace: series.namespace,
    metricName: metricNames[count.count],
    dimensions: series.dimensions,
    stat: count.statistic,
    period,
  };
}
