import * as pulumi from "@pulumi/pulumi";
import { locationOf } from "../../internal/iam";
import { checked } from "../../internal/validate";
import type { TargetHealthAlarmsArgs } from "./args";
import type { CombinedAlarm } from "./combined";
import { targetHealthSuffixes, type Edge } from "./definitions";
import type { PlannedAlarm } from "./planned-alarm";
import { failedLayer, happened, looksForAll, visitorsSee } from "./texts";

/** Longest description that CloudWatch takes (PutMetricAlarm, AlarmDescription). */
const longestDescription = 1024;

/** Where the pages of the alarms are. */
const ownRunbooks = "https://github.com/moorings/moorings/blob/main/docs/runbooks/{alarm}.md";

type Links = Pick<TargetHealthAlarmsArgs, "owner" | "runbookUrl" | "dashboardUrl">;

/** The commands that look at an edge. */
export interface Commands {
  readonly allTargets: pulumi.Output<string>;
  readonly unhealthyTargets: pulumi.Output<string>;
  readonly alarmsThatAreOn: (prefix: string) => pulumi.Output<string>;
}

/**
 * What to run first, where the component's provider deploys to. Of several groups the load balancer's are all listed: their own ARNs wouldn't fit
 * into a description.
 */
export function commandsFor(
  parent: pulumi.Resource,
  loadBalancer: pulumi.Input<string>,
  targetGroups: readonly pulumi.Input<string>[],
): Commands {
  const { partition, region, accountId } = locationOf(parent);
  const elb = pulumi.interpolate`arn:${partition}:elasticloadbalancing:${region}:${accountId}`;
  const health = pulumi.interpolate`aws elbv2 describe-target-health --region ${region}`;
  const [only, ...others] = targetGroups;
  const list = pulumi.interpolate`aws elbv2 describe-target-groups --region ${region} --load-balancer-arn ${elb}:loadbalancer/${loadBalancer} --query "TargetGroups[].TargetGroupArn" --output text | xargs -n1`;
  const targets =
    others.length === 0 && only !== undefined
      ? pulumi.interpolate`${health} --target-group-arn ${elb}:${only}`
      : pulumi.interpolate`${list} ${health} --target-group-arn`;
  return {
    allTargets: pulumi.interpolate`${targets} --query "TargetHealthDescriptions[].[Target.Id,TargetHealth]"`,
    unhealthyTargets: pulumi.interpolate`${targets} --query "TargetHealthDescriptions[?TargetHealth.State!='healthy']"`,
    alarmsThatAreOn: (prefix) =>
      pulumi.interpolate`aws cloudwatch describe-alarms --region ${region} --state-value ALARM --alarm-name-prefix "${prefix}" --query "MetricAlarms[].[AlarmName,AlarmDescription]" --output text`,
  };
}

/** The text of an alarm: what happened, which layer failed, what a visitor sees, whose it is, what to type first, and where to read on. */
export function description(alarm: PlannedAlarm, edge: Edge, commands: Commands, links: Links): pulumi.Output<string> {
  return text(
    [happened(alarm, edge), `Failed: ${failedLayer[alarm.key]}.`, `Visitors see: ${visitorsSee(alarm.key, edge)}.`],
    looksForAll(alarm.key) ? commands.allTargets : commands.unhealthyTargets,
    targetHealthSuffixes[alarm.key],
    links,
  );
}

/** The text of a composite alarm. Its alarms' names begin alike, unless they were given. */
export function combinedDescription(
  { of, suffix, alarmName }: CombinedAlarm,
  edge: Edge,
  commands: Commands,
  links: Links,
): pulumi.Output<string> {
  return text(
    [
      `At least one of these alarms is on: ${of.map((alarm) => alarm.suffix).join(", ")}. Another one that joins it doesn't page again.`,
      `Visitors see: ${visitorsSee(of[0]!.key, edge)}.`,
    ],
    commands.alarmsThatAreOn(alarmName.slice(0, -suffix.length)),
    suffix,
    links,
  );
}

function text(
  sentences: readonly string[],
  first: pulumi.Output<string>,
  page: string,
  { owner, runbookUrl = ownRunbooks, dashboardUrl }: Links,
): pulumi.Output<string> {
  const line = (label: string, value: pulumi.Input<string> | undefined) =>
    value === undefined ? [] : [pulumi.interpolate`${label}: ${value}`];
  const runbook = pulumi.output(runbookUrl).apply((url) => url.replaceAll("{alarm}", page));
  const lines = pulumi.all([
    ...sentences,
    ...line("Owner", owner),
    ...line("First", first),
    ...line("Runbook", runbook),
    ...line("Dashboard", dashboardUrl),
  ]);
  return checked(
    lines.apply((known) => known.join("\n")),
    "runbookUrl",
    (known) =>
      known.length <= longestDescription && /^[\x20-\x7e\n]*$/.test(known)
        ? undefined
        : `makes, with owner and dashboardUrl, an alarm description of ${known.length} characters; CloudWatch takes ${longestDescription}, ASCII only: use shorter ones`,
  );
}
