import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { locationOf } from "../internal/iam";
import { tagsFor } from "../internal/tags";
import { checked, Problems } from "../internal/validate";
import type { AlarmRoutes } from "./routes";
import { topicKeyPolicy, topicPolicy } from "./topic-policies";
import { AlarmEndpointProtocol, type AlarmEndpoint, type AlarmTopicsArgs } from "./topics-args";

/**
 * Two encrypted SNS topics: one that wakes somebody up and one that opens tickets. Alarms and EventBridge rules of the same account
 * and region can publish to them; a topic reaches no alarm of another region.
 *
 * Test the wiring once after the first update: `aws cloudwatch set-alarm-state` on any alarm, because CloudWatch never checks
 * whether an action works.
 */
export class AlarmTopics extends pulumi.ComponentResource {
  /** ARN of the topic that wakes somebody up. */
  public readonly pageTopicArn: pulumi.Output<string>;
  /** ARN of the topic that opens tickets. */
  public readonly ticketTopicArn: pulumi.Output<string>;
  /** ARN of the key that encrypts both topics. */
  public readonly keyArn: pulumi.Output<string>;
  /** Both topics, as alarms take them. */
  public readonly routes: AlarmRoutes;

  constructor(name: string, args: AlarmTopicsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:AlarmTopics", name, args, opts);
    const problems = new Problems("AlarmTopics", name);
    problems.unless(
      Object.keys(args.pageEndpoints).length > 0 || args.subscribedElsewhere === true,
      "pageEndpoints",
      'is empty, so alarms would reach nobody: name an endpoint, for example { oncall: { protocol: AlarmEndpointProtocol.Email, address: "..." } }, or set subscribedElsewhere',
    );
    const window = args.keyDeletionWindowInDays ?? 30;
    problems.add("keyDeletionWindowInDays", typeof window === "number" ? windowProblem(window) : undefined);
    problems.throwIfAny();

    const location = locationOf(this);
    const key = new aws.kms.Key(
      `${name}-key`,
      {
        description: `Alarm topics ${name}`,
        enableKeyRotation: true,
        deletionWindowInDays: checked(window, "keyDeletionWindowInDays", windowProblem),
        policy: topicKeyPolicy(location),
        tags: tagsFor(args.tags, `${name}-key`),
      },
      { parent: this },
    );

    const topic = (kind: string, endpoints: Record<string, AlarmEndpoint>): aws.sns.Topic => {
      const resource = new aws.sns.Topic(
        `${name}-${kind}`,
        { kmsMasterKeyId: key.arn, tags: tagsFor(args.tags, `${name}-${kind}`) },
        { parent: this },
      );
      new aws.sns.TopicPolicy(
        `${name}-${kind}-policy`,
        { arn: resource.arn, policy: topicPolicy(resource.arn, location) },
        { parent: this },
      );
      for (const [who, endpoint] of Object.entries(endpoints))
        new aws.sns.TopicSubscription(
          `${name}-${kind}-${who}`,
          { topic: resource.arn, ...subscription(endpoint, `${kind}Endpoints.${who}.address`) },
          { parent: this },
        );
      return resource;
    };

    this.pageTopicArn = topic("page", args.pageEndpoints).arn;
    this.ticketTopicArn = topic("ticket", args.ticketEndpoints ?? {}).arn;
    this.keyArn = key.arn;
    this.routes = { pageTopicArn: this.pageTopicArn, ticketTopicArn: this.ticketTopicArn };
    this.registerOutputs({
      pageTopicArn: this.pageTopicArn,
      ticketTopicArn: this.ticketTopicArn,
      keyArn: this.keyArn,
      routes: this.routes,
    });
  }
}

function subscription(endpoint: AlarmEndpoint, where: string): Omit<aws.sns.TopicSubscriptionArgs, "topic"> {
  switch (endpoint.protocol) {
    case AlarmEndpointProtocol.Https:
      return {
        protocol: "https",
        endpoint: checked(endpoint.address, where, (address) =>
          // The address isn't repeated: it may carry an integration key.
          address.startsWith("https://") ? undefined : "must start with https://",
        ),
        endpointAutoConfirms: endpoint.confirmsItself ?? true,
        confirmationTimeoutInMinutes: 5,
      };
    case AlarmEndpointProtocol.Email:
      return {
        protocol: "email",
        endpoint: checked(endpoint.address, where, (address) =>
          /^[^@\s]+@[^@\s]+$/.test(address) ? undefined : "must be a mail address",
        ),
      };
  }
}

/** KMS takes 7 to 30 days (ScheduleKeyDeletion). */
function windowProblem(days: number): string | undefined {
  return Number.isInteger(days) && days >= 7 && days <= 30 ? undefined : `must be 7 to 30 days, not ${days}`;
}
