import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes, AlarmSeverity } from "../routes";

/** Where metrics go. The addresses are in `destinations.ts`; a service may move them, so compare them with its documentation. */
export enum MetricDestination {
  /** New Relic, data centre in the United States. */
  NewRelicUs = "new-relic-us",
  /** New Relic, data centre in Europe. */
  NewRelicEu = "new-relic-eu",
  /** Datadog, site US1 (datadoghq.com). */
  DatadogUs1 = "datadog-us1",
  /** Datadog, site US5 (us5.datadoghq.com). */
  DatadogUs5 = "datadog-us5",
  /** Datadog, site EU1 (datadoghq.eu). */
  DatadogEu1 = "datadog-eu1",
  /** Datadog, site AP1 (ap1.datadoghq.com). */
  DatadogAp1 = "datadog-ap1",
  /** Any service that takes the requests of Amazon Data Firehose: `url` says where it is. */
  Generic = "generic",
}

/** How metrics are written. */
export enum MetricFormat {
  /** OpenTelemetry 1.0, as length-delimited protocol buffers. */
  OpenTelemetry1 = "opentelemetry1.0",
  /** OpenTelemetry 0.7, for services that can't read 1.0 yet. */
  OpenTelemetry07 = "opentelemetry0.7",
  /** One JSON object a line. */
  Json = "json",
}

/** Arguments of {@link MetricExport}. */
export interface MetricExportArgs {
  /** Where metrics go. */
  destination: MetricDestination;
  /**
   * ARN of the secret in Secrets Manager that holds the service's key as `{"api_key": "..."}`: New Relic's ingest licence key, Datadog's API
   * key. In the same region. The key itself never gets into the state. Whoever rotates it changes nothing here.
   */
  accessKeySecretArn: pulumi.Input<string>;
  /** ARN of the customer key that encrypts the secret. Defaults to none: the AWS managed key of Secrets Manager needs no permission. */
  accessKeySecretKmsKeyArn?: pulumi.Input<string>;
  /** HTTPS address that takes the metrics. Required with `MetricDestination.Generic`. Defaults to the destination's own. */
  url?: pulumi.Input<string>;
  /** How metrics are written. Defaults to `MetricFormat.OpenTelemetry1`, which New Relic and Datadog read. */
  format?: MetricFormat;
  /**
   * Further metrics, by namespace: names, or an empty list for the whole namespace. Each update costs, so name what you use. Namespaces
   * and names count together, at most 1000 with the ones that are always sent: host counts and fail-open counts of `AWS/ApplicationELB` and
   * `AWS/NetworkELB`. Names given for
   * these two are sent beside them. Namespaces of AWS's own begin with `AWS/`. Defaults to none.
   */
  metrics?: Record<string, string[]>;
  /** Where the alarms on the export itself go: `AlarmTopics.routes`, or two topics of yours in the same region. */
  routes: AlarmRoutes;
  /** How urgent they are. Defaults to `AlarmSeverity.Ticket`: CloudWatch stays the pager, so a dead export hides no outage. */
  severity?: AlarmSeverity;
  /**
   * First part of the physical alarm names, which are `<namePrefix>-<name>-<alarm>`. Give the environment where two stacks share
   * an account and region: alarms of one name silently overwrite each other. ASCII. Defaults to none.
   */
  namePrefix?: string;
  /**
   * Address of the runbooks; it becomes part of every description. `{alarm}` in it stands for the
   * last part of the alarm's name. ASCII. Defaults to this library's pages, `docs/runbooks/{alarm}.md`.
   */
  runbookUrl?: pulumi.Input<string>;
  /** Days that metrics which the service didn't take are kept in the backup bucket, 1 to 365. Defaults to 14. */
  backupRetentionDays?: number;
  /** Whether deleting the export deletes a backup bucket that isn't empty. Defaults to false: the deletion then fails. */
  forceDestroy?: boolean;
  /** Days that the log of failed deliveries is kept, one of those that CloudWatch Logs takes. Defaults to 14. */
  logRetentionDays?: number;
  /** Added to everything that takes tags. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
