import type * as aws from "@pulumi/aws";
import { alarmOf } from "./cloudwatch/definition";
import { declared, dimensionsOf, namespaceOf, type Edge } from "./edge/edge";
import type { AlarmSet } from "./ours";

/** How tables call them. */
export const anchorNames: Readonly<Record<string, string>> = {
  cdkMonitoring: "cdk-monitoring-constructs",
  providerExample: "AWS provider's example",
  terraformAlb64: "terraform-aws-alb#64",
  breachingBelowOne: "below one, breaching",
};

/** What others define for the same purpose, on the metric of load balancer and target group. */
export function anchors(edge: Edge): AlarmSet {
  const metric = { namespace: namespaceOf(edge), metricName: "HealthyHostCount", dimensions: dimensionsOf(edge) };
  const comparisonOperator = "LessThanThreshold";
  return read({
    /** cdklabs/cdk-monitoring-constructs, `addMinHealthyTaskCountAlarm`: 3 of 3, missing data missing; metrics there have 5 minutes. */
    cdkMonitoring: {
      ...metric,
      comparisonOperator,
      threshold: 2,
      statistic: "Minimum",
      period: 300,
      evaluationPeriods: 3,
      datapointsToAlarm: 3,
      treatMissingData: "missing",
    },
    /** The example "Monitoring Healthy NLB Hosts" of the AWS provider's documentation: fewer than there are servers. */
    providerExample: {
      ...metric,
      comparisonOperator,
      threshold: declared(edge),
      statistic: "Average",
      period: 60,
      evaluationPeriods: 1,
      actionsEnabled: true,
    },
    /** terraform-aws-modules/terraform-aws-alb issue 64. */
    terraformAlb64: {
      ...metric,
      comparisonOperator,
      threshold: 2,
      statistic: "Maximum",
      period: 60,
      evaluationPeriods: 5,
      datapointsToAlarm: 3,
      treatMissingData: "missing",
    },
    /** Below one for three minutes, and silence breaches: what a team measured, and found late or never (alarms research, ADR4). */
    breachingBelowOne: {
      ...metric,
      comparisonOperator,
      threshold: 1,
      statistic: "Average",
      period: 60,
      evaluationPeriods: 3,
      treatMissingData: "breaching",
    },
  });
}

function read(definitions: Record<string, aws.cloudwatch.MetricAlarmArgs>): AlarmSet {
  return Object.fromEntries(Object.entries(definitions).map(([key, args]) => [key, alarmOf({ name: key, ...args })]));
}
