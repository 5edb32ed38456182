import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { locationOf } from "../internal/iam";
import { tagsFor } from "../internal/tags";
import { checked, Problems } from "../internal/validate";
import { planTargetHealth, type PlannedAlarm } from "./plan";
import { measureArgs, type HostSeries } from "./queries";
import { AlarmSeverity } from "./routes";
import { LoadBalancerType, type TargetHealthAlarmsArgs } from "./target-health-args";

/** Longest description that CloudWatch takes (PutMetricAlarm, AlarmDescription). */
const longestDescription = 1024;

/** Half an hour: a first deploy's image pulls, health checks and registrations fit in (1 to 2880 minutes are possible). */
const warmUpMinutes = 30;

/**
 * Alarms on the health of one target group: too few healthy hosts, none at all, hosts that stay unhealthy, and slow decay. Together
 * they page within about an hour when targets rot while every other metric is green, and stay quiet through deploys, autoscaling
 * and the loss of a zone.
 *
 * The target group must hold targets of type `ip` or `instance`; one of type `alb` or `lambda` has no host counts.
 */
export class TargetHealthAlarms extends pulumi.ComponentResource {
  /** ARNs by alarm: `lowHealthyHosts`, `noHealthyHosts`, `staleTargets`, `hostDecay24h`, without those left out. */
  public readonly alarmArns: pulumi.Output<Record<string, string>>;
  /** Physical names by alarm, for mute rules and composite alarms. */
  public readonly alarmNames: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: TargetHealthAlarmsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:TargetHealthAlarms", name, args, opts);
    const problems = new Problems("TargetHealthAlarms", name);
    const planned = planTargetHealth(name, args, problems);
    problems.throwIfAny();

    const network = args.loadBalancerType === LoadBalancerType.Network;
    const loadBalancer = checked(args.loadBalancerArnSuffix, "loadBalancerArnSuffix", (suffix) =>
      suffixProblem(suffix, network ? "net/" : "app/"),
    );
    const targetGroup = checked(args.targetGroupArnSuffix, "targetGroupArnSuffix", (suffix) =>
      suffixProblem(suffix, "targetgroup/"),
    );
    const series: HostSeries = {
      namespace: network ? "AWS/NetworkELB" : "AWS/ApplicationELB",
      dimensions: { LoadBalancer: loadBalancer, TargetGroup: targetGroup },
    };
    const look = firstCommand(this, targetGroup);

    const alarms = planned.map((alarm) => {
      const resource = new aws.cloudwatch.MetricAlarm(
        `${name}-${alarm.suffix}`,
        {
          // Explicit, because mute rules and composite alarms refer to names.
          name: alarm.alarmName,
          alarmDescription: description(alarm, look, args.runbookUrl),
          ...measureArgs(alarm.measure, alarm.period, series),
          comparisonOperator: alarm.comparison,
          threshold: alarm.threshold,
          datapointsToAlarm: alarm.datapointsToAlarm,
          evaluationPeriods: alarm.evaluationPeriods,
          treatMissingData: alarm.missingData,
          warmUpConfiguration: alarm.warmsUp
            ? {
                warmUpPeriodDurationInMinutes: warmUpMinutes,
                onlyStartEvaluatingAfterWarmUpPeriodEnds: args.strictWarmUp ?? true,
              }
            : undefined,
          ...actions(alarm.severity, args),
          tags: tagsFor(args.tags, alarm.alarmName, { "alarm-severity": alarm.severity }),
        },
        { parent: this },
      );
      return { key: alarm.key, resource };
    });

    this.alarmArns = pulumi.output(Object.fromEntries(alarms.map((a) => [a.key, a.resource.arn])));
    this.alarmNames = pulumi.output(Object.fromEntries(alarms.map((a) => [a.key, a.resource.name])));
    this.registerOutputs({ alarmArns: this.alarmArns, alarmNames: this.alarmNames });
  }
}

/** OK goes to the same topic, so that a pager closes its incident; a lack of data is nobody's emergency. */
function actions(severity: AlarmSeverity, args: TargetHealthAlarmsArgs): aws.cloudwatch.MetricAlarmArgs {
  const topic = severity === AlarmSeverity.Page ? args.routes.pageTopicArn : args.routes.ticketTopicArn;
  return {
    alarmActions: [topic],
    okActions: [topic],
    insufficientDataActions: [args.routes.ticketTopicArn],
  };
}

/** What to run first: it lists the targets that aren't healthy, with the load balancer's reason. */
function firstCommand(parent: pulumi.Resource, targetGroupSuffix: pulumi.Output<string>): pulumi.Output<string> {
  const { partition, region, accountId } = locationOf(parent);
  return pulumi.interpolate`aws elbv2 describe-target-health --region ${region} --target-group-arn arn:${partition}:elasticloadbalancing:${region}:${accountId}:${targetGroupSuffix} --query "TargetHealthDescriptions[?TargetHealth.State!='healthy']"`;
}

function description(
  alarm: PlannedAlarm,
  look: pulumi.Output<string>,
  runbookUrl: pulumi.Input<string> | undefined,
): pulumi.Output<string> {
  const runbook = runbookUrl === undefined ? "" : pulumi.interpolate`\nRunbook: ${runbookUrl}`;
  const text = pulumi.interpolate`${alarm.happened}\nFirst: ${look}${runbook}`;
  return checked(text, "runbookUrl", (known) =>
    known.length <= longestDescription && /^[\x20-\x7e\n]*$/.test(known)
      ? undefined
      : `makes an alarm description of ${known.length} characters; CloudWatch takes ${longestDescription}, ASCII only: use a shorter address`,
  );
}

function suffixProblem(suffix: string, start: string): string | undefined {
  return suffix.startsWith(start)
    ? undefined
    : `must start with "${start}", as the arnSuffix output does, not be "${suffix}": with anything else CloudWatch watches a metric that doesn't exist`;
}
