import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { policyDocument, type Location } from "../../internal/iam";
import { tagsFor, type Tags } from "../../internal/tags";
import { checked } from "../../internal/validate";
import { ChatService, type ChatChannel } from "./topics-args";
import { channelIdProblem, uuidProblem, workspaceIdProblem } from "./topics-checks";
import { chatRegionFor } from "./topics-plan";

/** What all channels of a component have in common. */
export interface ChatSettings {
  readonly location: Location;
  /** First part of the configurations' names, which are unique within an account: the name that Pulumi gave a topic. */
  readonly uniqueName: pulumi.Output<string>;
  readonly region: pulumi.Input<string> | undefined;
  readonly tags: pulumi.Input<Tags> | undefined;
}

/**
 * Lets a chat channel show the messages of topics. Its role can read alarms and metrics, for the graphs below a message, and nothing
 * else; the guardrail holds even if somebody gives the role more. Without a guardrail AWS's default is AdministratorAccess.
 */
export function chatChannel(
  name: string,
  who: string,
  channel: ChatChannel,
  snsTopicArns: pulumi.Output<string>[],
  settings: ChatSettings,
  parent: pulumi.Resource,
): void {
  const { location } = settings;
  const at = `chat.${who}`;
  const role = new aws.iam.Role(
    `${name}-role`,
    {
      // Without a condition: AWS documents none for this service, and one that it doesn't fill in would silence the channel.
      assumeRolePolicy: policyDocument([
        { Effect: "Allow", Principal: { Service: "chatbot.amazonaws.com" }, Action: "sts:AssumeRole" },
      ]),
      tags: tagsFor(settings.tags, `${name}-role`),
    },
    { parent },
  );
  const graphs = new aws.iam.RolePolicy(
    `${name}-graphs`,
    {
      role: role.name,
      policy: policyDocument([
        {
          Sid: "ReadAlarmsAndMetrics",
          Effect: "Allow",
          Action: ["cloudwatch:Describe*", "cloudwatch:Get*", "cloudwatch:List*"],
          Resource: "*", // metrics have no ARNs
        },
      ]),
    },
    { parent },
  );

  const common = {
    configurationName: pulumi.interpolate`${settings.uniqueName}-${who}`,
    iamRoleArn: role.arn,
    guardrailPolicyArns: [pulumi.interpolate`arn:${location.partition}:iam::aws:policy/ReadOnlyAccess`],
    snsTopicArns,
    loggingLevel: "ERROR",
    region: settings.region ?? location.region.apply(chatRegionFor),
    tags: tagsFor(settings.tags, name),
  };
  const channelId = checked(channel.channelId, `${at}.channelId`, channelIdProblem(channel.service));
  const workspaceId = checked(channel.workspaceId, `${at}.workspaceId`, workspaceIdProblem(channel.service));
  const opts = { parent, dependsOn: [graphs] };
  switch (channel.service) {
    case ChatService.Slack:
      new aws.chatbot.SlackChannelConfiguration(
        name,
        { ...common, slackChannelId: channelId, slackTeamId: workspaceId },
        opts,
      );
      break;
    case ChatService.MicrosoftTeams: {
      const tenantId = checked(channel.tenantId ?? "", `${at}.tenantId`, uuidProblem);
      new aws.chatbot.TeamsChannelConfiguration(name, { ...common, channelId, teamId: workspaceId, tenantId }, opts);
    }
  }
}
