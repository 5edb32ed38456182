import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { AlarmSeverity, alarmNameOf, descriptionOf } from "../../alarms";
import { locationOf, policyDocument, type Location } from "../../internal/iam";
import { tagsFor } from "../../internal/tags";
import { checked, Problems } from "../../internal/validate";
import { globalRegion, identityChanged, longestPattern, type EventPattern, type TamperScope } from "./patterns";
import { reports, transformerOf, type Report } from "./reports";
import type { TamperDetectionArgs } from "./tamper-args";
import { failingAlarm, tamperProblems, type CheckedTamper } from "./tamper-checks";
import { trail } from "./trail";

/** Seconds that one data point of the alarm stands for. */
const period = 300;

/**
 * Reports what no guard stopped: targets registered by anybody but the controller, rules of security groups revoked by anybody but a deployment,
 * and changes of what guards. Rules of EventBridge read CloudTrail and send who, what, when and where to the topics of alarms.
 *
 * It is late by some minutes and makes no promise (CloudTrail delivers events as well as it can), so it replaces no alarm: `TargetHealthAlarms` tell
 * what visitors feel, this tells who did it. Calls of IAM are reported in one region of a partition; a rule there sends them here.
 *
 *     new TamperDetection("tampering", {
 *       clusterName: "shop", region: "eu-west-1", deployRoles: ["moorings-deployer"], routes: topics.routes,
 *       controllerRoleArn: controller.roleArn, targetGroupArns: [service.targetGroupArn],
 *       securityGroupIds: [cluster.securityGroupId, loadBalancer.securityGroupId],
 *     });
 */
export class TamperDetection extends pulumi.ComponentResource {
  /** ARN of the trail that calls are read from. */
  public readonly trailArn: pulumi.Output<string>;
  /** ARNs of the rules, by the last part of their reports' names. */
  public readonly ruleArns: pulumi.Output<Record<string, string>>;
  /** Name of the alarm on the reports themselves. */
  public readonly alarmName: pulumi.Output<string>;

  constructor(name: string, args: TamperDetectionArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:TamperDetection", name, args, opts);
    const problems = new Problems("TamperDetection", name);
    const inputs = tamperProblems(problems, name, args);
    problems.throwIfAny();

    const location = locationOf(this);
    this.trailArn = trail(`${name}-trail`, args.trail ?? {}, location, args.tags, this);
    const scope = scopeOf(name, args, inputs, location, this.trailArn);

    const rules = reports.map((report) => ({ report, rule: reportRule(name, report, args, inputs, scope, this) }));
    if (globalRegion(args.region) !== args.region) forwardIdentity(name, args, location, scope, this);
    const alarm = failing(
      name,
      args,
      inputs,
      rules.map(({ rule }) => rule.name),
      this,
    );

    const arns: Record<string, pulumi.Output<string>> = Object.fromEntries(
      rules.map(({ report, rule }) => [report.suffix, rule.arn]),
    );
    this.ruleArns = pulumi.output(arns);
    this.alarmName = alarm.name;
    this.registerOutputs({ trailArn: this.trailArn, ruleArns: this.ruleArns, alarmName: this.alarmName });
  }
}

/** What patterns compare with. It waits for the trail: rules without one look well and hear nothing. */
function scopeOf(
  name: string,
  args: TamperDetectionArgs,
  inputs: CheckedTamper,
  { partition, accountId }: Location,
  trailArn: pulumi.Output<string>,
): pulumi.Output<TamperScope> {
  const { pageTopicArn, ticketTopicArn } = args.routes;
  const late = {
    partition,
    accountId,
    targetGroupArns: inputs.targetGroupArns,
    securityGroupIds: inputs.securityGroupIds,
    controllerRoleArn: inputs.controllerRoleArn,
    topicArns: [pageTopicArn, ticketTopicArn],
    trailArn,
  };
  return pulumi.output(late).apply(({ controllerRoleArn, topicArns, ...known }) => ({
    ...known,
    clusterName: args.clusterName,
    deployRoles: args.deployRoles,
    controllerRoleName: controllerRoleArn.split("/").at(-1)!, // calls name roles without their path
    topicArns: [...new Set(topicArns)],
    ruleNames: `${name}-`,
  }));
}

function patternText(
  scope: pulumi.Output<TamperScope>,
  pattern: (scope: TamperScope) => EventPattern,
  argument: string,
): pulumi.Output<string> {
  return checked(
    scope.apply((known) => JSON.stringify(pattern(known))),
    argument,
    (text) =>
      text.length <= longestPattern
        ? undefined
        : `makes an event pattern of ${text.length} characters; EventBridge takes ${longestPattern}: give the rest to another TamperDetection`,
  );
}

function reportRule(
  name: string,
  report: Report,
  args: TamperDetectionArgs,
  { runbookUrl }: CheckedTamper,
  scope: pulumi.Output<TamperScope>,
  parent: pulumi.Resource,
): aws.cloudwatch.EventRule {
  const ruleName = `${name}-${report.suffix}`;
  const rule = new aws.cloudwatch.EventRule(
    ruleName,
    {
      description: report.happened,
      eventPattern: patternText(scope, report.pattern, report.argument),
      tags: tagsFor(args.tags, ruleName, { "alarm-severity": report.severity }),
    },
    { parent },
  );
  const { pageTopicArn, ticketTopicArn } = args.routes;
  new aws.cloudwatch.EventTarget(
    ruleName,
    {
      rule: rule.name,
      arn: report.severity === AlarmSeverity.Page ? pageTopicArn : ticketTopicArn,
      inputTransformer: pulumi
        .output(runbookUrl)
        .apply((url) => transformerOf(report, alarmNameOf(args.namePrefix, name, report.suffix), url)),
    },
    { parent },
  );
  return rule;
}

/** IAM's calls arrive in one region: a rule there sends those that matter to the default bus here, where the rules are. */
function forwardIdentity(
  name: string,
  args: TamperDetectionArgs,
  { partition, accountId }: Location,
  scope: pulumi.Output<TamperScope>,
  parent: pulumi.Resource,
): void {
  const own = `${name}-identity`;
  const region = globalRegion(args.region);
  const bus = pulumi.interpolate`arn:${partition}:events:${args.region}:${accountId}:event-bus/default`;
  const role = new aws.iam.Role(
    own,
    {
      assumeRolePolicy: policyDocument([
        {
          Effect: "Allow",
          Principal: { Service: "events.amazonaws.com" },
          Action: "sts:AssumeRole",
          Condition: { StringEquals: { "aws:SourceAccount": accountId } },
        },
      ]),
      tags: tagsFor(args.tags, own),
    },
    { parent },
  );
  const policy = new aws.iam.RolePolicy(
    own,
    {
      role: role.name,
      policy: policyDocument([{ Effect: "Allow", Action: "events:PutEvents", Resource: bus }]),
    },
    { parent },
  );
  const rule = new aws.cloudwatch.EventRule(
    own,
    {
      region,
      description: `Sends changes of the controller's identity to ${args.region}`,
      eventPattern: patternText(scope, identityChanged, "deployRoles"),
      tags: tagsFor(args.tags, own),
    },
    { parent },
  );
  new aws.cloudwatch.EventTarget(
    own,
    { region, rule: rule.name, arn: bus, roleArn: role.arn },
    { parent, dependsOn: [policy] },
  );
}

/** A report that can't be delivered is lost in silence, but for this metric. Both topics are told: one of them may be what failed. */
function failing(
  name: string,
  args: TamperDetectionArgs,
  { runbookUrl }: CheckedTamper,
  ruleNames: pulumi.Output<string>[],
  parent: pulumi.Resource,
): aws.cloudwatch.MetricAlarm {
  const alarmName = alarmNameOf(args.namePrefix, name, failingAlarm);
  const topics = [args.routes.pageTopicArn, args.routes.ticketTopicArn];
  return new aws.cloudwatch.MetricAlarm(
    `${name}-${failingAlarm}`,
    {
      name: alarmName,
      alarmDescription: descriptionOf(
        "EventBridge couldn't deliver a report of tampering: whoever did it isn't known to anybody yet.",
        "aws events list-targets-by-rule --rule NAME, then its topic's policy and key",
        failingAlarm,
        runbookUrl,
      ),
      // EventBridge user guide, "Monitoring Amazon EventBridge": the metric is there only when it isn't 0.
      metricQueries: [
        {
          id: "failed",
          expression: ruleNames.map((_, i) => `FILL(rule${i}, 0)`).join(" + "),
          label: "reports that were lost",
          returnData: true,
        },
        ...ruleNames.map((RuleName, i) => ({
          id: `rule${i}`,
          metric: {
            namespace: "AWS/Events",
            metricName: "FailedInvocations",
            dimensions: { RuleName },
            stat: "Sum",
            period,
          },
        })),
      ],
      comparisonOperator: "GreaterThanThreshold",
      threshold: 0,
      evaluationPeriods: 1,
      datapointsToAlarm: 1,
      treatMissingData: "notBreaching",
      alarmActions: topics,
      okActions: topics,
      insufficientDataActions: [args.routes.ticketTopicArn],
      tags: tagsFor(args.tags, alarmName, { "alarm-severity": AlarmSeverity.Page }),
    },
    { parent },
  );
}
