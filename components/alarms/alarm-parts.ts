import * as pulumi from "@pulumi/pulumi";
import { checked, type Problems } from "../internal/validate";
import { AlarmSeverity, type AlarmRoutes } from "./routes";

/*
 * What alarms of every kind have in common: how they are called, whom they tell, what they say.
 */

/** Longest name that CloudWatch takes (PutMetricAlarm, AlarmName). */
const longestAlarmName = 255;

/** Longest description that CloudWatch takes (PutMetricAlarm, AlarmDescription). */
export const longestDescription = 1024;

/** How long a warm-up lasts: image pulls, health checks and registrations of a first deploy fit in, and a first scrape. */
export const warmUpMinutes = 30;

/** `<prefix>-<name>-<suffix>`, without saying the prefix twice. */
export function alarmNameOf(prefix: string | undefined, name: string, suffix: string): string {
  const own = `${name}-${suffix}`;
  return prefix === undefined || prefix === "" || own.startsWith(`${prefix}-`) ? own : `${prefix}-${own}`;
}

/**
 * Refuses a name that CloudWatch wouldn't take, or that a composite alarm's rule couldn't quote: such ones pass a preview and fail late, in the
 * middle of an update.
 */
export function requireAlarmName(problems: Problems, alarmName: string, argument = "name"): void {
  problems.unless(
    /^[\x20-\x7e]+$/.test(alarmName) && !alarmName.includes('"') && alarmName.length <= longestAlarmName,
    argument,
    `makes the alarm name "${alarmName}" of ${alarmName.length} characters; it must be ASCII without quotation marks, of at most ${longestAlarmName} characters`,
  );
}

/** OK goes to the same topic, so that a pager closes its incident; a lack of data is nobody's emergency. */
export function actionsOf(
  severity: AlarmSeverity,
  routes: AlarmRoutes,
): Record<"alarmActions" | "okActions" | "insufficientDataActions", pulumi.Input<string>[]> {
  const topic = severity === AlarmSeverity.Page ? routes.pageTopicArn : routes.ticketTopicArn;
  return { alarmActions: [topic], okActions: [topic], insufficientDataActions: [routes.ticketTopicArn] };
}

/** Where the pages of the alarms are. */
const ownRunbooks = "https://github.com/moorings/moorings/blob/main/docs/runbooks/{alarm}.md";

/** The address of an alarm's page. `{alarm}` in what is given stands for the page's name. */
export function runbookOf(page: string, runbookUrl: string = ownRunbooks): string {
  return runbookUrl.replaceAll("{alarm}", page);
}

/** What is wrong with a part of a description, or undefined: some pagers show anything else as question marks. */
export function asciiProblem(text: string): string | undefined {
  return /^[\x20-\x7e]*$/.test(text)
    ? undefined
    : `must be ASCII of one line, because it becomes part of each description, not "${text}"`;
}

/** What has happened, what to type first, and where the rest is written. */
export function descriptionOf(
  happened: string,
  first: pulumi.Input<string>,
  page: string,
  runbookUrl: pulumi.Input<string> | undefined,
): pulumi.Output<string> {
  const text = pulumi
    .all([first, runbookUrl])
    .apply(([first, runbookUrl]) => describe(happened, first, page, runbookUrl));
  return checked(text, "runbookUrl", tooLong);
}

/**
 * What is wrong with the address of the runbook of these alarms, or undefined: for one that is known before anything is made. Of one that
 * shows late {@link descriptionOf} says it.
 */
export function runbookProblem(
  alarms: readonly { readonly happened: string; readonly first: string; readonly page: string }[],
): (runbookUrl: string) => string | undefined {
  return (runbookUrl) => {
    const problems = alarms.map(({ happened, first, page }) => tooLong(describe(happened, first, page, runbookUrl)));
    return asciiProblem(runbookUrl) ?? problems.find((problem) => problem !== undefined);
  };
}

function describe(happened: string, first: string, page: string, runbookUrl: string | undefined): string {
  return `${happened}\nFirst: ${first}\nRunbook: ${runbookOf(page, runbookUrl)}`;
}

function tooLong(text: string): string | undefined {
  return text.length <= longestDescription
    ? undefined
    : `makes an alarm description of ${text.length} characters; CloudWatch takes ${longestDescription}: use a shorter address`;
}
