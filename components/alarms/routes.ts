import type * as pulumi from "@pulumi/pulumi";

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
