import type * as pulumi from "@pulumi/pulumi";
import { isLate, type Problems } from "../internal/validate";

/** Where an alarm goes. `AlarmTopics.routes` is one; any two topics of yours are another. */
export interface AlarmRoutes {
  /** ARN of the SNS topic that wakes somebody up. */
  pageTopicArn: pulumi.Input<string>;
  /** ARN of the SNS topic that opens a ticket for working hours. */
  ticketTopicArn: pulumi.Input<string>;
}

/** How urgent an alarm is. */
export enum AlarmSeverity {
  /** Somebody is woken up: visitors see errors, or will within the hour. */
  Page = "page",
  /** Somebody looks at it in working hours. */
  Ticket = "ticket",
}

const topics = ["pageTopicArn", "ticketTopicArn"] as const;

/**
 * Records what is wrong with routes, which may be missing where types don't say so: `ownerRoutes.kafak` is undefined. ARNs are checked as far as
 * they are plain: what a resource gives out is right, and mocks of a program's tests give out any text.
 */
export function routesProblems(
  problems: Problems,
  routes: Partial<AlarmRoutes> | undefined,
  argument = "routes",
): void {
  problems.unless(
    routes !== undefined,
    argument,
    "is missing: give AlarmTopics.routes, one of its ownerRoutes (mind its spelling), or { pageTopicArn, ticketTopicArn }",
  );
  if (routes === undefined) return;
  for (const topic of topics) {
    const arn = routes[topic];
    if (arn === undefined) problems.add(`${argument}.${topic}`, "is missing: give the ARN of an SNS topic");
    else if (!isLate(arn)) void problems.input(arn, `${argument}.${topic}`, topicProblem);
  }
}

/** CloudWatch takes other actions as well, and any text until the alarm fires. */
function topicProblem(arn: string): string | undefined {
  return /^arn:[^:]+:sns:[^:]+:\d{12}:[A-Za-z0-9_.-]+$/.test(arn)
    ? undefined
    : `must be the ARN of an SNS topic (arn:aws:sns:<region>:<account>:<name>), not "${arn}"`;
}
