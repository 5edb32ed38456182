import type * as pulumi from "@pulumi/pulumi";
import { routesProblems, alarmNameOf, asciiProblem, requireAlarmName } from "../../alarms";
import { targetGroupArnProblem } from "../../internal/formats";
import { isClusterName, requireNameFits } from "../../internal/names";
import { isLate, type Problems } from "../../internal/validate";
import { rolePatternProblem } from "../role-patterns";
import { reports } from "./reports";
import type { TamperDetectionArgs } from "./tamper-args";

/** Last part of the name of the alarm on the reports themselves. */
export const failingAlarm = "tamper-report-failing";

/** Arguments that may only be known later: checked when they are. */
export interface CheckedTamper {
  readonly targetGroupArns: pulumi.Input<string>[];
  readonly securityGroupIds: pulumi.Input<string>[];
  readonly controllerRoleArn: pulumi.Input<string>;
  readonly runbookUrl: pulumi.Input<string> | undefined;
}

/** Records what is wrong with the arguments. */
export function tamperProblems(problems: Problems, name: string, args: TamperDetectionArgs): CheckedTamper {
  for (const suffix of [...reports.map((report) => report.suffix), "identity"])
    requireNameFits(problems, "EventBridge rule", `${name}-${suffix}`);
  requireNameFits(problems, "IAM role", `${name}-identity`);
  for (const suffix of [...reports.map((report) => report.suffix), failingAlarm])
    requireAlarmName(problems, alarmNameOf(args.namePrefix, name, suffix));
  routesProblems(problems, args.routes);
  problems.unless(
    isClusterName(args.clusterName),
    "clusterName",
    `must be the name of a cluster (letters, digits, - and _), not "${args.clusterName}"`,
  );
  problems.unless(
    /^[a-z]{2,4}(-[a-z]+)+-\d$/.test(args.region),
    "region",
    `must be a region such as eu-west-1, not "${args.region}"`,
  );
  problems.unless(
    args.deployRoles.length > 0,
    "deployRoles",
    "must name the role that deploys: else each deployment is a page",
  );
  args.deployRoles.forEach((pattern, i) => problems.add(`deployRoles[${i}]`, rolePatternProblem(pattern)));
  problems.unless(
    args.targetGroupArns.length > 0,
    "targetGroupArns",
    "names no target group: there is nothing to watch",
  );
  problems.unless(
    args.securityGroupIds.length > 0,
    "securityGroupIds",
    "names no security group: there is nothing to watch",
  );
  trailProblems(problems, name, args);

  // What resources give out is right, and mocks of a program's tests give out any text.
  const given = (value: pulumi.Input<string>, argument: string, check: (text: string) => string | undefined) =>
    isLate(value) ? value : problems.input(value, argument, check);
  return {
    targetGroupArns: args.targetGroupArns.map((arn, i) => given(arn, `targetGroupArns[${i}]`, targetGroupArnProblem)),
    securityGroupIds: args.securityGroupIds.map((id, i) => given(id, `securityGroupIds[${i}]`, groupProblem)),
    controllerRoleArn: given(args.controllerRoleArn, "controllerRoleArn", (arn) =>
      /^arn:[^:]+:iam::\d{12}:role\/\S+$/.test(arn) ? undefined : `must be the ARN of a role, not "${arn}"`,
    ),
    runbookUrl: problems.input<string>(args.runbookUrl, "runbookUrl", urlProblem),
  };
}

function trailProblems(problems: Problems, name: string, { trail = {} }: TamperDetectionArgs): void {
  const { existingArn, retentionDays, forceDestroy, verify } = trail;
  if (existingArn === undefined) {
    requireNameFits(problems, "bucket", `${name}-trail`);
    problems.unless(
      /^[a-z0-9][a-z0-9-]*$/.test(name),
      "name",
      `makes the bucket "${name}-trail": use lower-case letters, digits and hyphens, as S3 does`,
    );
    problems.unless(verify === undefined, "trail.verify", "is for a trail that is there: leave it out");
    const days = retentionDays ?? 90;
    problems.unless(
      Number.isInteger(days) && days >= 1 && days <= 3650,
      "trail.retentionDays",
      `must be a whole number from 1 to 3650, not ${days}`,
    );
    return;
  }
  problems.unless(
    /^arn:[^:]+:cloudtrail:[^:]+:\d{12}:trail\/\S+$/.test(existingArn),
    "trail.existingArn",
    `must be the ARN of a trail (arn:aws:cloudtrail:<region>:<account>:trail/<name>), not "${existingArn}"`,
  );
  for (const [argument, value] of Object.entries({ retentionDays, forceDestroy }))
    problems.unless(value === undefined, `trail.${argument}`, "is for a trail made here: leave it out, or existingArn");
}

function groupProblem(id: string): string | undefined {
  return /^sg-\S+$/.test(id) ? undefined : `must be the id of a security group (sg-...), not "${id}"`;
}

/** The address becomes part of a template, which has its own marks. */
function urlProblem(url: string): string | undefined {
  return (
    asciiProblem(url) ?? (/[<>"\\]/.test(url) ? `must have no <, >, quotation mark or backslash: "${url}"` : undefined)
  );
}
