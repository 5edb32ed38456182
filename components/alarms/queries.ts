import type * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import type { HostCount, Measure } from "./definitions";

/** The series of one target group behind one load balancer. There is no series of a target group alone. */
export interface HostSeries {
  readonly namespace: string;
  readonly dimensions: Record<string, pulumi.Input<string>>;
}

/** CloudWatch's name of a count. Mind the capital H of the second: `UnhealthyHostCount` doesn't exist and would stay silent. */
const metricNames = { healthy: "HealthyHostCount", unhealthy: "UnHealthyHostCount" };

/** The arguments of a metric alarm that say what it measures: a plain metric, or metric math for an expression. */
export function measureArgs(measure: Measure, period: number, series: HostSeries): aws.cloudwatch.MetricAlarmArgs {
  if (!("expression" in measure)) {
    const { stat, ...rest } = metric(measure, period, series);
    return { ...rest, statistic: stat };
  }
  return {
    metricQueries: [
      ...Object.entries(measure.over).map(([id, count]) => ({ id, metric: metric(count, period, series) })),
      { id: "result", expression: measure.expression, label: measure.expression, returnData: true },
    ],
  };
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
