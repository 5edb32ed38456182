import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { tagsFor } from "../../internal/tags";
import { Problems } from "../../internal/validate";
import { actionsOf } from "../alarm-parts";
import { AlarmSeverity, routesProblems } from "../routes";
import type { TargetHealthAlarmsArgs } from "./args";
import { combinedRule } from "./combined";
import { longestPlace, placeOf } from "./commands";
import { checkDescriptions, description } from "./description";
import { mutedBy, planTargetHealth } from "./plan";
import type { PlannedAlarm } from "./planned-alarm";
import { isoDuration } from "./planned-work";
import { measureArgs } from "./queries";
import { checkedSeries } from "./series";

/**
 * Alarms on the health of the targets of a load balancer: too few healthy hosts, none at all, all bad, hosts that stay unhealthy, fewer than
 * declared, slow decay, and pods that are ready but not registered. Together they page within about an hour when targets rot while every other
 * metric is green, and stay quiet through deploys, autoscaling and the loss of a zone.
 *
 *     new TargetHealthAlarms("shop", {
 *       routes: topics.routes,
 *       loadBalancerArnSuffix: "app/edge/50dc6c495c0c9188",
 *       targetGroupArnSuffix: "targetgroup/shop/73e2d6bc24d8a067",
 *       minReplicas: 3,
 *       owner: "platform team, #platform-oncall",
 *       overrides: { staleTargets: { severity: AlarmSeverity.Ticket } },
 *     });
 *
 * Another name of the component makes other alarms, because they are known by their names.
 */
export class TargetHealthAlarms extends pulumi.ComponentResource {
  /**
   * ARNs by alarm: `lowHealthyHosts`, `noHealthyHosts`, `allTargetsUnhealthy`, `staleTargets`, `belowDeclaredMinimum`, `hostDecay24h` and
   * `readyNotRegistered`, without those left out. With levels by `lowHealthyHosts.<level>`.
   */
  public readonly alarmArns: pulumi.Output<Record<string, string>>;
  /** Physical names by alarm, for mute rules and composite alarms. */
  public readonly alarmNames: pulumi.Output<Record<string, string>>;
  /** ARNs of the composite alarms, `shortOfHosts` and `noService`. Empty without `combinePages`. */
  public readonly combinedAlarmArns: pulumi.Output<Record<string, string>>;

  constructor(name: string, args: TargetHealthAlarmsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:TargetHealthAlarms", name, args, opts);
    const problems = new Problems("TargetHealthAlarms", name);
    const plan = planTargetHealth(name, args, problems);
    const { loadBalancer, targetGroups, series, readyPods } = checkedSeries(args, problems);
    routesProblems(problems, args.routes);
    checkDescriptions(plan, longestPlace(loadBalancer, targetGroups), args, problems);
    problems.throwIfAny();

    const child = { parent: this };
    const place = placeOf(this, loadBalancer, targetGroups);
    const alarms = plan.alarms.map((alarm) => {
      const paged = plan.combined.some((one) => one.of.includes(alarm));
      const resource = new aws.cloudwatch.MetricAlarm(
        `${name}-${alarm.suffix}`,
        {
          // Explicit, because mute rules and composite alarms refer to names.
          name: alarm.alarmName,
          alarmDescription: description(alarm, plan, place, args),
          ...measureArgs(alarm.measure, alarm.period, series, readyPods),
          comparisonOperator: alarm.comparison,
          threshold: alarm.threshold,
          datapointsToAlarm: alarm.datapointsToAlarm,
          evaluationPeriods: alarm.evaluationPeriods,
          treatMissingData: alarm.missingData,
          warmUpConfiguration:
            alarm.warmUpMinutes > 0
              ? {
                  warmUpPeriodDurationInMinutes: alarm.warmUpMinutes,
                  onlyStartEvaluatingAfterWarmUpPeriodEnds: args.strictWarmUp ?? true,
                }
              : undefined,
          ...actions(alarm, paged, args),
          tags: tagsFor(args.tags, alarm.alarmName, { "alarm-severity": alarm.severity }),
        },
        child,
      );
      return { alarm, resource };
    });
    const nameOf = new Map(alarms.map(({ alarm, resource }) => [alarm, resource.name]));

    const combined = plan.combined.map((one) => {
      const names = one.of.map((alarm) => nameOf.get(alarm)!);
      const resource = new aws.cloudwatch.CompositeAlarm(
        `${name}-${one.suffix}`,
        {
          alarmName: one.alarmName,
          alarmDescription: description(one, plan, place, args),
          // By name, and so after the alarms: CloudWatch refuses a rule about one that isn't there.
          alarmRule: pulumi.all(names).apply(combinedRule),
          ...actionsOf(AlarmSeverity.Page, args.routes),
          tags: tagsFor(args.tags, one.alarmName, { "alarm-severity": AlarmSeverity.Page }),
        },
        child,
      );
      return { one, resource };
    });

    const muted = mutedBy(plan);
    for (const [which, work] of Object.entries(args.plannedWork ?? {}))
      new aws.cloudwatch.AlarmMuteRule(
        `${name}-${which}`,
        {
          description: work.description,
          rule: {
            schedule: {
              expression: work.schedule,
              duration: isoDuration(work.durationMinutes),
              timezone: work.timezone,
            },
          },
          muteTargets: {
            alarmNames: [
              ...muted.alarms.map((alarm) => nameOf.get(alarm)!),
              ...combined.filter(({ one }) => muted.combined.includes(one)).map(({ resource }) => resource.alarmName),
            ],
          },
          tags: tagsFor(args.tags, `${name}-${which}`),
        },
        child,
      );

    this.alarmArns = pulumi.output(
      Object.fromEntries(alarms.map(({ alarm, resource }) => [alarm.output, resource.arn])),
    );
    this.alarmNames = pulumi.output(
      Object.fromEntries(alarms.map(({ alarm, resource }) => [alarm.output, resource.name])),
    );
    this.combinedAlarmArns = pulumi.output(
      Object.fromEntries(combined.map(({ one, resource }) => [one.key, resource.arn])),
    );
    this.registerOutputs({
      alarmArns: this.alarmArns,
      alarmNames: this.alarmNames,
      combinedAlarmArns: this.combinedAlarmArns,
    });
  }
}

/** Whoever is paged by the composite alarm isn't paged twice. */
function actions(
  { severity, actions: given }: PlannedAlarm,
  paged: boolean,
  { routes }: TargetHealthAlarmsArgs,
): aws.cloudwatch.MetricAlarmArgs {
  return { ...actionsOf(severity, routes), ...(paged ? { alarmActions: [], okActions: [] } : {}), ...given };
}
