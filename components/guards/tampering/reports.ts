import { AlarmSeverity, runbookOf } from "../../alarms";
import {
  guardChanged,
  handRegistration,
  registrationRefused,
  rulesRevoked,
  type EventPattern,
  type TamperScope,
} from "./patterns";

/** One kind of report. */
export interface Report {
  /** Last part of its name, and the name of its runbook. */
  readonly suffix: string;
  readonly severity: AlarmSeverity;
  readonly happened: string;
  readonly pattern: (scope: TamperScope) => EventPattern;
  /** Where in the event it says what was changed. */
  readonly where: string;
  /** Which argument grows the pattern. */
  readonly argument: string;
}

export const reports: readonly Report[] = [
  {
    suffix: "hand-registration",
    severity: AlarmSeverity.Page,
    happened:
      "Somebody else than the load balancer controller changed the targets of a group. Targets that nobody keeps decay.",
    pattern: handRegistration,
    where: "$.detail.requestParameters.targetGroupArn",
    argument: "targetGroupArns",
  },
  {
    suffix: "registration-refused",
    severity: AlarmSeverity.Ticket,
    happened:
      "Somebody else than the load balancer controller tried to change the targets of a group, and was refused.",
    pattern: registrationRefused,
    where: "$.detail.requestParameters.targetGroupArn",
    argument: "targetGroupArns",
  },
  {
    suffix: "rules-revoked",
    severity: AlarmSeverity.Page,
    happened:
      "A rule of a security group between load balancer and pods was taken away or changed, and not by a deployment.",
    pattern: rulesRevoked,
    where: "$.detail.requestParameters.groupId",
    argument: "securityGroupIds",
  },
  {
    suffix: "guard-changed",
    severity: AlarmSeverity.Page,
    happened: "What keeps targets from being registered by hand, or reports it, was changed, and not by a deployment.",
    pattern: guardChanged,
    where: "$.detail.requestParameters.roleName",
    argument: "deployRoles",
  },
];

/**
 * What a topic gets: who, what, when, from where, and what to type first, in the shape of a CloudWatch alarm's message, because that is what
 * paging services understand. There is no end of it: somebody closes the incident.
 *
 * Only values go in that can't hold a quotation mark, which would make the message no JSON: not the user agent, which the caller writes.
 */
export function transformerOf(report: Report, alarmName: string, runbookUrl: string | undefined) {
  const first =
    "aws cloudtrail lookup-events --region <region> --lookup-attributes AttributeKey=EventId,AttributeValue=<event>";
  return {
    inputPaths: {
      account: "$.account",
      error: "$.detail.errorCode",
      event: "$.detail.eventID",
      from: "$.detail.sourceIPAddress",
      kind: "$.detail.userIdentity.type",
      region: "$.detail.awsRegion",
      service: "$.detail.userIdentity.invokedBy",
      what: "$.detail.eventName",
      when: "$.detail.eventTime",
      where: report.where,
      who: "$.detail.userIdentity.arn",
    },
    inputTemplate: JSON.stringify({
      AlarmName: alarmName,
      AlarmDescription: `${report.happened} First: ${first} Runbook: ${runbookOf(report.suffix, runbookUrl)}`,
      AWSAccountId: "<account>",
      Region: "<region>",
      NewStateValue: "ALARM",
      OldStateValue: "OK",
      NewStateReason:
        "<what> by <kind> <who> <service> from <from> at <when>. On: <where>. Error: <error>. Event: <event>.",
      StateChangeTime: "<when>",
      Trigger: { Namespace: "CloudTrail", MetricName: "<what>", Dimensions: [] },
    }),
  };
}
