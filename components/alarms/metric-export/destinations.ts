import { MetricDestination } from "./export-args";

/** What a service wants of the requests that it takes. */
export interface Destination {
  /** Shown in the console. */
  readonly service: string;
  /** Undefined where the caller must say it. */
  readonly url?: string;
  /** MiB and seconds after which a request is sent. */
  readonly buffer: { readonly mebibytes: number; readonly seconds: number };
}

/**
 * Sources, read in November 2026 from stored copies; the services may move their addresses:
 * New Relic: docs.newrelic.com, "Manual integration from AWS console" and its Terraform module's README (metric stream endpoints; 1 MiB, 60 s).
 * Datadog: AWS CDK, `DatadogEndpoint` of aws-cdk-lib/aws-kinesisfirehose (`METRICS_US`, `METRICS_US5`, `METRICS_EU`, `METRICS_AP1`), and
 * docs.datadoghq.com, "AWS CloudWatch Metric Streams with Amazon Data Firehose" (4 MiB, 60 s). Other sites are in neither: use Generic.
 */
const newRelic = { service: "New Relic", buffer: { mebibytes: 1, seconds: 60 } };
const datadog = { service: "Datadog", buffer: { mebibytes: 4, seconds: 60 } };
const datadogPath = "api/v2/awsmetrics?dd-protocol=aws-kinesis-firehose";

export const destinations: Readonly<Record<MetricDestination, Destination>> = {
  [MetricDestination.NewRelicUs]: { ...newRelic, url: "https://aws-api.newrelic.com/cloudwatch-metrics/v1" },
  [MetricDestination.NewRelicEu]: { ...newRelic, url: "https://aws-api.eu01.nr-data.net/cloudwatch-metrics/v1" },
  [MetricDestination.DatadogUs1]: { ...datadog, url: "https://awsmetrics-intake.datadoghq.com/v1/input" },
  [MetricDestination.DatadogUs5]: {
    ...datadog,
    url: `https://event-platform-intake.us5.datadoghq.com/${datadogPath}`,
  },
  [MetricDestination.DatadogEu1]: { ...datadog, url: "https://awsmetrics-intake.datadoghq.eu/v1/input" },
  [MetricDestination.DatadogAp1]: {
    ...datadog,
    url: `https://event-platform-intake.ap1.datadoghq.com/${datadogPath}`,
  },
  [MetricDestination.Generic]: { service: "HTTP endpoint", buffer: { mebibytes: 1, seconds: 60 } },
};
