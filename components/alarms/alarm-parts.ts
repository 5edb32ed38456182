import type * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { checked, type Problems } from "../internal/validate";
import { AlarmSeverity, type AlarmRoutes } from "./routes";

/*
 * What alarms of every kind have in common: how they are called, whom they tell, what they say.
 */

/** Longest name that CloudWatch takes (PutMetricAlarm, AlarmName). */
const longestAlarmName = 255;

/** Longest description that CloudWatch takes (PutMetricAlarm, AlarmDescription). */
const longestDescription = 1024;

/** How long a strict warm-up lasts: pods that pull an image, and a first scrape. */
export const warmUpMinutes = 30;

/** `<prefix>-<name>-<suffix>`, without saying the prefix twice. */
export function alarmNameOf(prefix: string | undefined, name: string, suffix: string): string {
  const own = `${name}-${suffix}`;
  return prefix === undefined || prefix === "" || own.startsWith(`${prefix}-`) ? own : `${prefix}-${own}`;
}

/** Refuses a name that CloudWatch wouldn't take: non-ASCII ones pass a preview and fail late, in the middle of an update. */
export function requireAlarmName(problems: Problems, alarmName: string): void {
  problems.unless(
    /^[\x20-\x7e]+$/.test(alarmName) && alarmName.length <= longestAlarmName,
    "name",
    `makes the alarm name "${alarmName}" of ${alarmName.length} characters; it must be ASCII of at most ${longestAlarmName} characters`,
  );
}

/** OK goes to the same topic, so that a pager closes its incident; a lack of data is nobody's emergency. */
export function actionsOf(
  severity: AlarmSeverity,
  routes: AlarmRoutes,
): Pick<aws.cloudwatch.MetricAlarmArgs, "alarmActions" | "okActions" | "insufficientDataActions"> {
  const topic = severity === AlarmSeverity.Page ? routes.pageTopicArn : routes.ticketTopicArn;
  return { alarmActions: [topic], okActions: [topic], insufficientDataActions: [routes.ticketTopicArn] };
}

/** What has happened, what to type first, and where the rest is written. */
export function descriptionOf(
  happened: string,
  first: pulumi.Input<string>,
  runbookUrl: pulumi.Input<string> | undefined,
): pulumi.Output<string> {
  const runbook = runbookUrl === undefined ? "" : pulumi.interpolate`\nRunbook: ${runbookUrl}`;
  return checked(pulumi.interpolate`${happened}\nFirst: ${first}${runbook}`, "runbookUrl", (known) =>
    known.length <= longestDescription && /^[\x20-\x7e\n]*$/.test(known)
      ? undefined
      : `makes an alarm description of ${known.length} characters; CloudWatch takes ${longestDescription}, ASCII only: use a shorter address`,
  );
}
