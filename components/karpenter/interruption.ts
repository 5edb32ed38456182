import type * as pulumi from "@pulumi/pulumi";
import type { PolicyStatement } from "../internal/iam";

/*
 * What tells Karpenter that EC2 takes an instance away: events of the account, by a queue. The texts are matched exactly, so a
 * misspelt one loses its events in silence. Source: Karpenter's CloudFormation template, v1.14.
 */

/** An EventBridge rule. */
interface InterruptionRule {
  readonly source: string;
  readonly detailType: string;
  readonly description: string;
}

/** The rules, by a name that becomes part of their resources' names. Karpenter itself drops events of other clusters' instances. */
export const interruptionRules: Readonly<Record<string, InterruptionRule>> = {
  "scheduled-change": {
    source: "aws.health",
    detailType: "AWS Health Event",
    description: "EC2 maintenance of an instance",
  },
  "spot-interruption": {
    source: "aws.ec2",
    detailType: "EC2 Spot Instance Interruption Warning",
    description: "a spot instance ends in two minutes",
  },
  rebalance: {
    source: "aws.ec2",
    detailType: "EC2 Instance Rebalance Recommendation",
    description: "a spot instance is likely to end soon",
  },
  "instance-state-change": {
    source: "aws.ec2",
    detailType: "EC2 Instance State-change Notification",
    description: "an instance is stopped or terminated",
  },
  "capacity-reservation": {
    source: "aws.ec2",
    detailType: "EC2 Capacity Reservation Instance Interruption Warning",
    description: "a capacity reservation takes an instance back",
  },
};

/** Seconds that a message is kept: after five minutes the instance is gone anyway. */
export const messageRetentionSeconds = 300;

/**
 * Who may send to the queue, and how. The template lets both services send for whomever; here EventBridge sends for these rules only
 * (EventBridge user guide, "Amazon SQS permissions"), and SQS for this account only.
 */
export function queueStatements(
  queueArn: pulumi.Input<string>,
  ruleArns: pulumi.Input<string>[],
  accountId: pulumi.Input<string>,
): PolicyStatement[] {
  return [
    {
      Sid: "AllowInterruptionRules",
      Effect: "Allow",
      Principal: { Service: "events.amazonaws.com" },
      Action: "sqs:SendMessage",
      Resource: queueArn,
      Condition: { ArnEquals: { "aws:SourceArn": ruleArns } },
    },
    {
      Sid: "AllowSqs",
      Effect: "Allow",
      Principal: { Service: "sqs.amazonaws.com" },
      Action: "sqs:SendMessage",
      Resource: queueArn,
      Condition: { StringEquals: { "aws:SourceAccount": accountId } },
    },
    {
      Sid: "DenyHTTP",
      Effect: "Deny",
      Principal: "*",
      Action: "sqs:*",
      Resource: queueArn,
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    },
  ];
}
