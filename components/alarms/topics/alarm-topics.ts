import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { locationOf } from "../../internal/iam";
import { requireNameFits } from "../../internal/names";
import { tagsFor } from "../../internal/tags";
import { checked, Problems } from "../../internal/validate";
import { AlarmSeverity, type AlarmRoutes } from "../routes";
import { chatChannel } from "./chat-channel";
import { topicKeyPolicy, topicPolicy } from "./topic-policies";
import { AlarmEndpointProtocol, type AlarmEndpoint, type AlarmTopicsArgs } from "./topics-args";
import { topicsProblems } from "./topics-checks";
import { defaultOwner, planTopics, topicsShown } from "./topics-plan";

/**
 * Two encrypted SNS topics: one that wakes somebody up and one that opens tickets; and two more for each owner of a layer, so that a page
 * goes to the team that can end it. Alarms and EventBridge rules of the same account and region can publish to them; a topic reaches no
 * alarm of another region.
 *
 * Alarms send their end (OK) to the same topic: PagerDuty and Opsgenie resolve the incident then, a mail or a chat channel shows it.
 *
 * Test the wiring once after the first update (docs/runbooks/wiring-test.md), because CloudWatch never checks whether an action works.
 */
export class AlarmTopics extends pulumi.ComponentResource {
  /** ARN of the topic that wakes somebody up. */
  public readonly pageTopicArn: pulumi.Output<string>;
  /** ARN of the topic that opens tickets. */
  public readonly ticketTopicArn: pulumi.Output<string>;
  /** ARN of the key that encrypts all topics. */
  public readonly keyArn: pulumi.Output<string>;
  /** Both topics, as alarms take them. */
  public readonly routes: AlarmRoutes;
  /** The topics of each of `owners`, as alarms of their layers take them. */
  public readonly ownerRoutes: Record<string, AlarmRoutes>;

  constructor(name: string, args: AlarmTopicsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:AlarmTopics", name, args, opts);
    const problems = new Problems("AlarmTopics", name);
    topicsProblems(problems, args);
    for (const who of Object.keys(args.chat ?? {})) requireNameFits(problems, "IAM role", `${name}-chat-${who}-role`);
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

    const topics = planTopics(args).map((planned) => {
      const topicName = `${name}-${planned.suffix}`;
      const resource = new aws.sns.Topic(
        topicName,
        { kmsMasterKeyId: key.arn, tags: tagsFor(args.tags, topicName) },
        { parent: this },
      );
      new aws.sns.TopicPolicy(
        `${topicName}-policy`,
        { arn: resource.arn, policy: topicPolicy(resource.arn, location) },
        { parent: this },
      );
      for (const [who, endpoint] of Object.entries(planned.endpoints))
        new aws.sns.TopicSubscription(
          `${topicName}-${who}`,
          { topic: resource.arn, ...subscription(endpoint, `${planned.at}.${who}.address`) },
          { parent: this },
        );
      return { ...planned, resource };
    });
    const arnOf = (owner: string, severity: AlarmSeverity) =>
      topics.find((topic) => topic.owner === owner && topic.severity === severity)?.resource.arn;
    this.pageTopicArn = arnOf(defaultOwner, AlarmSeverity.Page)!;
    this.ticketTopicArn = arnOf(defaultOwner, AlarmSeverity.Ticket)!;
    const routesOf = (owner: string): AlarmRoutes => ({
      pageTopicArn: arnOf(owner, AlarmSeverity.Page) ?? this.pageTopicArn,
      ticketTopicArn: arnOf(owner, AlarmSeverity.Ticket) ?? this.ticketTopicArn,
    });
    this.keyArn = key.arn;
    this.routes = routesOf(defaultOwner);
    this.ownerRoutes = Object.fromEntries(Object.keys(args.owners ?? {}).map((owner) => [owner, routesOf(owner)]));

    for (const [who, channel] of Object.entries(args.chat ?? {})) {
      const shown = topicsShown(channel, topics).map(({ resource }) => resource.arn);
      const settings = { location, uniqueName: topics[0]!.resource.name, region: args.chatRegion, tags: args.tags };
      chatChannel(`${name}-chat-${who}`, who, channel, shown, settings, this);
    }
    this.registerOutputs({
      pageTopicArn: this.pageTopicArn,
      ticketTopicArn: this.ticketTopicArn,
      keyArn: this.keyArn,
      routes: this.routes,
      ownerRoutes: this.ownerRoutes,
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
