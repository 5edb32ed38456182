import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { locationOf, policyDocument } from "../../internal/iam";
import { tagsFor } from "../../internal/tags";
import { Problems } from "../../internal/validate";
import { actionsOf, alarmNameOf, descriptionOf, warmUpMinutes } from "../alarm-parts";
import { AlarmSeverity } from "../routes";
import { delivery } from "./delivery";
import { destinations } from "./destinations";
import { exportAlarms, period, watched, type ExportAlarm, type Watched } from "./export-alarms";
import { MetricFormat, type MetricExportArgs } from "./export-args";
import { checkedExport, type CheckedExport } from "./export-checks";
import { metricFilters } from "./filters";

/**
 * Sends metrics of CloudWatch to an outside service, such as New Relic or Datadog, about two to three minutes after they were measured:
 * a metric stream, a Firehose delivery stream to the service's HTTPS endpoint, a bucket for what the service didn't take, and alarms on
 * the export itself.
 *
 * CloudWatch stays the pager: keep `TargetHealthAlarms`. The copy is for graphs and questions, and may be late, or missing; its alarms are
 * tickets therefore.
 *
 *     new MetricExport("outside", {
 *       destination: MetricDestination.NewRelicEu,
 *       accessKeySecretArn: "arn:aws:secretsmanager:eu-west-1:...:secret:new-relic-AbCdEf", // { "api_key": "..." }
 *       routes: topics.routes,
 *     });
 */
export class MetricExport extends pulumi.ComponentResource {
  /** Name of the metric stream. */
  public readonly streamName: pulumi.Output<string>;
  /** Name of the Firehose delivery stream. */
  public readonly deliveryStreamName: pulumi.Output<string>;
  /** Name of the bucket with what the service didn't take. */
  public readonly backupBucketName: pulumi.Output<string>;
  /** Physical names of the alarms, for mute rules. */
  public readonly alarmNames: pulumi.Output<string[]>;

  constructor(name: string, args: MetricExportArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:MetricExport", name, args, opts);
    const problems = new Problems("MetricExport", name);
    const inputs = checkedExport(problems, name, args);
    problems.throwIfAny();

    const child = { parent: this };
    const { stream: target, bucketName } = delivery(
      name,
      {
        ...inputs,
        destination: destinations[args.destination],
        forceDestroy: args.forceDestroy ?? false,
        location: locationOf(this),
        tags: args.tags,
      },
      this,
    );
    const role = new aws.iam.Role(
      `${name}-stream`,
      {
        // Without a condition: CloudWatch documents none for this service ("Trust between CloudWatch and Firehose"), and one that it doesn't
        // fill in would stop the stream.
        assumeRolePolicy: policyDocument([
          {
            Effect: "Allow",
            Principal: { Service: "streams.metrics.cloudwatch.amazonaws.com" },
            Action: "sts:AssumeRole",
          },
        ]),
        tags: tagsFor(args.tags, `${name}-stream`),
      },
      child,
    );
    const policy = new aws.iam.RolePolicy(
      `${name}-stream-policy`,
      {
        role: role.name,
        policy: policyDocument([
          {
            Sid: "PutMetrics",
            Effect: "Allow",
            Action: ["firehose:PutRecord", "firehose:PutRecordBatch"],
            Resource: target.arn,
          },
        ]),
      },
      child,
    );
    const stream = new aws.cloudwatch.MetricStream(
      `${name}-stream`,
      {
        firehoseArn: target.arn,
        roleArn: role.arn,
        outputFormat: args.format ?? MetricFormat.OpenTelemetry1,
        includeFilters: metricFilters(args.metrics).map(({ namespace, metricNames }) => ({
          namespace,
          metricNames: [...metricNames],
        })),
        tags: tagsFor(args.tags, `${name}-stream`),
      },
      { parent: this, dependsOn: [policy] },
    );

    const names: Record<Watched, pulumi.Output<string>> = { stream: stream.name, delivery: target.name };
    const alarms = exportAlarms.map((alarm) => exportAlarm(name, alarm, names[alarm.of], args, inputs, this));
    this.streamName = stream.name;
    this.deliveryStreamName = target.name;
    this.backupBucketName = bucketName;
    this.alarmNames = pulumi.all(alarms.map((alarm) => alarm.name));
    this.registerOutputs({
      streamName: this.streamName,
      deliveryStreamName: this.deliveryStreamName,
      backupBucketName: this.backupBucketName,
      alarmNames: this.alarmNames,
    });
  }
}

function exportAlarm(
  name: string,
  alarm: ExportAlarm,
  watchedName: pulumi.Output<string>,
  args: MetricExportArgs,
  inputs: CheckedExport,
  parent: pulumi.Resource,
): aws.cloudwatch.MetricAlarm {
  const { namespace, dimension } = watched[alarm.of];
  const severity = args.severity ?? AlarmSeverity.Ticket;
  const alarmName = alarmNameOf(args.namePrefix, name, alarm.suffix);
  const command = watchedName.apply((known) => alarm.command.replace("NAME", known));
  return new aws.cloudwatch.MetricAlarm(
    `${name}-${alarm.suffix}`,
    {
      name: alarmName,
      alarmDescription: descriptionOf(
        `${alarm.happened} CloudWatch's own alarms still page.`,
        command,
        alarm.suffix,
        inputs.runbookUrl,
      ),
      namespace,
      metricName: alarm.metricName,
      dimensions: { [dimension]: watchedName },
      statistic: alarm.statistic,
      period,
      comparisonOperator: alarm.comparison,
      threshold: alarm.threshold,
      datapointsToAlarm: alarm.periods,
      evaluationPeriods: alarm.periods,
      treatMissingData: alarm.missingData,
      warmUpConfiguration: alarm.warmsUp
        ? { warmUpPeriodDurationInMinutes: warmUpMinutes, onlyStartEvaluatingAfterWarmUpPeriodEnds: true }
        : undefined,
      ...actionsOf(severity, args.routes),
      tags: tagsFor(args.tags, alarmName, { "alarm-severity": severity }),
    },
    { parent },
  );
}
