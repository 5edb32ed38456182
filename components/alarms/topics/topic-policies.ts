import * as pulumi from "@pulumi/pulumi";
import { policyDocument, type Location, type PolicyStatement } from "../../internal/iam";

/**
 * Policy of the key that encrypts the topics. The AWS managed key of SNS can't be used: CloudWatch isn't in its policy, and every
 * alarm action fails silently. The services get no conditions here: a topic's policy says who may publish, and a condition that a
 * service doesn't fill in would silence the topic.
 */
export function topicKeyPolicy(at: Location): pulumi.Output<string> {
  return policyDocument([
    {
      Sid: "AccountAdministersKey",
      Effect: "Allow",
      Principal: { AWS: pulumi.interpolate`arn:${at.partition}:iam::${at.accountId}:root` },
      Action: "kms:*",
      Resource: "*",
    },
    {
      Sid: "AlarmsAndEventsEncrypt",
      Effect: "Allow",
      Principal: { Service: ["cloudwatch.amazonaws.com", "events.amazonaws.com"] },
      Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
      Resource: "*",
    },
  ]);
}

/** Policy of a topic: alarms of this account and region publish, and rules of EventBridge. */
export function topicPolicy(topicArn: pulumi.Input<string>, at: Location): pulumi.Output<string> {
  const publish: PolicyStatement = {
    Effect: "Allow",
    Action: "sns:Publish",
    Resource: topicArn,
  };
  return policyDocument([
    {
      ...publish,
      Sid: "AlarmsOfThisAccountPublish",
      Principal: { Service: "cloudwatch.amazonaws.com" },
      Condition: {
        StringEquals: { "aws:SourceAccount": at.accountId },
        ArnLike: {
          "aws:SourceArn": pulumi.interpolate`arn:${at.partition}:cloudwatch:${at.region}:${at.accountId}:alarm:*`,
        },
      },
    },
    // Without a condition on purpose: EventBridge fills none in when it publishes, so any condition drops its messages
    // (EventBridge user guide, resource-based policies, Amazon SNS permissions).
    { ...publish, Sid: "EventRulesPublish", Principal: { Service: "events.amazonaws.com" } },
  ]);
}
