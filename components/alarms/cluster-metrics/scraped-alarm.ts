import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { tagsFor, type Tags } from "../../internal/tags";
import { actionsOf, descriptionOf, warmUpMinutes } from "../alarm-parts";
import type { AlarmRoutes, AlarmSeverity } from "../routes";
import { metricNamespaceOf, targetLabel } from "./agent-config";

type Statistic = "SampleCount" | "Sum" | "Maximum" | "Minimum" | "Average";

/** An alarm on one series, or on a few that belong together, as plain data, but for where they are. */
export interface WatchedSeries {
  /** Last part of the physical name, and the name of its runbook's page. */
  readonly suffix: string;
  readonly severity: AlarmSeverity;
  readonly metric: string;
  readonly statistic: Statistic;
  /** An expression over the metric, which is `m` in it, and others beside it; its values are compared. Defaults to the metric alone. */
  readonly expression?: string;
  /** Further metrics of the expression, from the same place, by their ids. */
  readonly beside?: Readonly<Record<string, { readonly metric: string; readonly statistic: Statistic }>>;
  /** Seconds that one data point stands for. */
  readonly period: number;
  readonly datapointsToAlarm: number;
  readonly evaluationPeriods: number;
  readonly comparison: "LessThanThreshold" | "GreaterThanOrEqualToThreshold";
  readonly threshold: number;
  readonly missingData: "breaching" | "notBreaching";
  /** Seconds after which what the series counts is forgotten: data points of it must breach before. Defaults to never. */
  readonly forgottenAfter?: number;
  /** Whether a new alarm waits for the first scrapes. */
  readonly warmsUp: boolean;
  /** What has happened when it fires, and what follows. */
  readonly happened: string;
}

/** An alarm on one metric that the agent brings. */
export interface ScrapedAlarm extends WatchedSeries {
  /** Name of the target, which is the dimension `job`. */
  readonly target: string;
  /** Further dimensions, by label. */
  readonly dimensions?: Readonly<Record<string, string>>;
}

/** Where a series is in CloudWatch. */
interface Place {
  readonly namespace: string;
  readonly dimensions: Record<string, pulumi.Input<string>>;
}

/** What the alarms of one component have in common. */
export interface ScrapedAlarmSettings {
  readonly clusterName: string;
  readonly routes: AlarmRoutes;
  readonly runbookUrl: pulumi.Input<string> | undefined;
  readonly strictWarmUp: boolean;
  readonly tags: pulumi.Input<Tags> | undefined;
  readonly dependsOn?: pulumi.Resource[];
}

/**
 * A series of silence, or of something that must not stay: a quarter of an hour of it. One scrape that fails, a drained node or a retried call
 * isn't worth a page.
 */
export const quarterOfAnHour = { period: 300, datapointsToAlarm: 3, evaluationPeriods: 3 };

/** Makes an alarm on what the agent brings. */
export function makeScrapedAlarm(
  parent: pulumi.ComponentResource,
  resourceName: string,
  alarmName: string,
  alarm: ScrapedAlarm,
  first: pulumi.Input<string>,
  settings: ScrapedAlarmSettings,
): aws.cloudwatch.MetricAlarm {
  const place = {
    namespace: metricNamespaceOf(settings.clusterName),
    dimensions: { [targetLabel]: alarm.target, ...alarm.dimensions },
  };
  return makeAlarm(parent, resourceName, alarmName, alarm, place, first, settings);
}

/** Makes an alarm. */
export function makeAlarm(
  parent: pulumi.ComponentResource,
  resourceName: string,
  alarmName: string,
  alarm: WatchedSeries,
  place: Place,
  first: pulumi.Input<string>,
  settings: ScrapedAlarmSettings,
): aws.cloudwatch.MetricAlarm {
  return new aws.cloudwatch.MetricAlarm(
    resourceName,
    {
      // Explicit, because mute rules and composite alarms refer to names.
      name: alarmName,
      alarmDescription: descriptionOf(alarm.happened, first, alarm.suffix, settings.runbookUrl),
      ...watched(alarm, place),
      comparisonOperator: alarm.comparison,
      threshold: alarm.threshold,
      datapointsToAlarm: alarm.datapointsToAlarm,
      evaluationPeriods: alarm.evaluationPeriods,
      treatMissingData: alarm.missingData,
      warmUpConfiguration: alarm.warmsUp
        ? {
            warmUpPeriodDurationInMinutes: warmUpMinutes,
            onlyStartEvaluatingAfterWarmUpPeriodEnds: settings.strictWarmUp,
          }
        : undefined,
      ...actionsOf(alarm.severity, settings.routes),
      tags: tagsFor(settings.tags, alarmName, { "alarm-severity": alarm.severity }),
    },
    { parent, dependsOn: settings.dependsOn },
  );
}

/** What is compared: a metric, or what an expression makes of several. */
function watched(alarm: WatchedSeries, place: Place): Partial<aws.cloudwatch.MetricAlarmArgs> {
  const { metric, statistic, period, expression, beside = {} } = alarm;
  if (expression === undefined) return { ...place, metricName: metric, statistic, period };
  const all = { m: { metric, statistic }, ...beside };
  const queries = Object.entries(all).map(([id, one]) => ({
    id,
    metric: { ...place, metricName: one.metric, stat: one.statistic, period },
  }));
  return { metricQueries: [...queries, { id: "result", expression, label: alarm.suffix, returnData: true }] };
}
