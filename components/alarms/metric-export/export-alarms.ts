/*
 * What is watched of an export, as plain data. A dead stream looks like a quiet night at its other end, so it must be missed here.
 */

/** Resources of an export that have metrics. */
export type Watched = "stream" | "delivery";

/** Namespace and dimension of each: with another dimension the alarm would watch nothing. */
export const watched: Readonly<Record<Watched, { readonly namespace: string; readonly dimension: string }>> = {
  // CloudWatch user guide, "Monitoring your metric streams with CloudWatch metrics".
  stream: { namespace: "AWS/CloudWatch/MetricStreams", dimension: "MetricStreamName" },
  // Amazon Data Firehose developer guide, "Monitor with CloudWatch metrics", HTTP endpoints.
  delivery: { namespace: "AWS/Firehose", dimension: "DeliveryStreamName" },
};

/** One alarm. Periods are of five minutes: the metrics of streams arrive late, and nobody is woken by them. */
export interface ExportAlarm {
  readonly suffix: string;
  readonly of: Watched;
  readonly metricName: string;
  readonly statistic: "Average" | "Maximum" | "Sum";
  readonly comparison: "GreaterThanThreshold" | "LessThanThreshold";
  readonly threshold: number;
  /** All of so many periods must breach. */
  readonly periods: number;
  readonly missingData: "breaching" | "notBreaching";
  /** Whether a new alarm waits for the first metrics. */
  readonly warmsUp: boolean;
  readonly happened: string;
  /** What to type first; `NAME` is the stream's. */
  readonly command: string;
}

/** Seconds that one data point stands for. */
export const period = 300;

export const exportAlarms: readonly ExportAlarm[] = [
  {
    suffix: "metric-publish-errors",
    of: "stream",
    metricName: "PublishErrorRate",
    statistic: "Average",
    comparison: "GreaterThanThreshold",
    threshold: 0,
    periods: 3,
    missingData: "notBreaching",
    warmsUp: false,
    happened: "CloudWatch can't put metrics into the delivery stream: they are lost for the outside service.",
    command: "aws cloudwatch get-metric-stream --name NAME",
  },
  {
    suffix: "metric-stream-silent",
    of: "stream",
    metricName: "MetricUpdate",
    statistic: "Sum",
    comparison: "LessThanThreshold",
    threshold: 1,
    // The metric isn't 0 then, it isn't there at all.
    periods: 3,
    missingData: "breaching",
    warmsUp: true,
    happened: "The metric stream sends nothing: the outside service shows old numbers, or none.",
    command: "aws cloudwatch get-metric-stream --name NAME --query State",
  },
  {
    suffix: "metric-delivery-failing",
    of: "delivery",
    metricName: "DeliveryToHttpEndpoint.Success",
    statistic: "Average",
    comparison: "LessThanThreshold",
    // Single requests fail and are repeated; half of them for a quarter of an hour is no hiccup.
    threshold: 0.5,
    periods: 3,
    missingData: "notBreaching",
    warmsUp: false,
    happened: "The outside service refuses most deliveries of metrics, or can't be reached.",
    command: "aws firehose describe-delivery-stream --delivery-stream-name NAME",
  },
  {
    suffix: "metric-delivery-late",
    of: "delivery",
    metricName: "DeliveryToHttpEndpoint.DataFreshness",
    statistic: "Maximum",
    comparison: "GreaterThanThreshold",
    // The longest that Firehose may buffer, where AWS recommends an alarm (developer guide, "best practices with CloudWatch alarms").
    threshold: 900,
    periods: 3,
    missingData: "notBreaching",
    warmsUp: false,
    happened: "Metrics wait for more than a quarter of an hour before the outside service gets them.",
    command: "aws firehose describe-delivery-stream --delivery-stream-name NAME",
  },
];
