import {
  AlarmEndpointProtocol,
  AlarmSeverity,
  AlarmTopics,
  ChatService,
  type AlarmTopicsArgs,
  type ChatChannel,
} from "../../../../components/alarms";
import { find } from "../../../support/graph";
import { answers, run } from "../../../support/harness";

const mail = { team: { protocol: AlarmEndpointProtocol.Email, address: "team@acme.io" } };
const slack: ChatChannel = { service: ChatService.Slack, channelId: "C07EZ1ABC23", workspaceId: "T07EA123LEP" };
const teams: ChatChannel = {
  service: ChatService.MicrosoftTeams,
  channelId: "19%3Aab12cd%40thread.tacv2",
  workspaceId: "74361522-da01-538d-aa2e-ac7918c6bb92",
  tenantId: "5f1d9a3c-7b0e-4c53-9a55-0c8e2d4b6f10",
};

const slackType = "aws:chatbot/slackChannelConfiguration:SlackChannelConfiguration";
const teamsType = "aws:chatbot/teamsChannelConfiguration:TeamsChannelConfiguration";

const make = (args: Partial<AlarmTopicsArgs>, region = "eu-west-1") =>
  run(() => void new AlarmTopics("alarms", { pageEndpoints: mail, ...args }), {
    state: ({ name }) => ({ arn: `arn:${name}`, name: `${name}-1a2b3c4` }),
    call: (args) => (args.token === "aws:index/getRegion:getRegion" ? { region } : answers(args)),
  });
const message = async (args: Partial<AlarmTopicsArgs>) => (await make(args)).errors.map((e) => e.message).join("\n");
const shownTopics = async (channel: Partial<ChatChannel>) => {
  const kafka = { pageEndpoints: mail, ticketEndpoints: mail };
  const { resources } = await make({ owners: { kafka }, chat: { room: { ...slack, ...channel } } });
  return find(resources, slackType).inputs["snsTopicArns"];
};

test("a Slack channel shows pages and tickets, and whoever types in it can read and no more", async () => {
  const { resources, errors } = await make({ chat: { room: slack } });
  expect(errors).toEqual([]);
  expect(find(resources, slackType).inputs).toMatchObject({
    // Unique in the account by the topic's own name; two environments have components of one name.
    configurationName: "alarms-page-1a2b3c4-room",
    slackChannelId: "C07EZ1ABC23",
    slackTeamId: "T07EA123LEP",
    iamRoleArn: "arn:alarms-chat-room-role",
    snsTopicArns: ["arn:alarms-page", "arn:alarms-ticket"],
    // The provider's documentation: AdministratorAccess is the guardrail "by default if this is not set".
    guardrailPolicyArns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"],
    region: "eu-west-1",
  });
  const role = find(resources, "aws:iam/role:Role").inputs;
  expect(JSON.parse(role["assumeRolePolicy"] as string)).toEqual({
    Version: "2012-10-17",
    Statement: [{ Effect: "Allow", Principal: { Service: "chatbot.amazonaws.com" }, Action: "sts:AssumeRole" }],
  });
  const policy = JSON.parse(find(resources, "aws:iam/rolePolicy:RolePolicy").inputs["policy"] as string) as {
    Statement: { Action: string[] }[];
  };
  expect(policy.Statement.flatMap((s) => s.Action)).toEqual([
    "cloudwatch:Describe*",
    "cloudwatch:Get*",
    "cloudwatch:List*",
  ]);
});

test("a Teams channel needs its tenant", async () => {
  const { resources, errors } = await make({ chat: { room: teams } });
  expect(errors).toEqual([]);
  expect(find(resources, teamsType).inputs).toMatchObject({
    channelId: "19%3Aab12cd%40thread.tacv2",
    teamId: "74361522-da01-538d-aa2e-ac7918c6bb92",
    tenantId: "5f1d9a3c-7b0e-4c53-9a55-0c8e2d4b6f10",
    guardrailPolicyArns: ["arn:aws:iam::aws:policy/ReadOnlyAccess"],
  });
});

test("a channel chooses whose alarms it shows, and which", async () => {
  expect(await shownTopics({})).toEqual([
    "arn:alarms-page",
    "arn:alarms-ticket",
    "arn:alarms-kafka-page",
    "arn:alarms-kafka-ticket",
  ]);
  expect(await shownTopics({ owners: ["kafka"] })).toEqual(["arn:alarms-kafka-page", "arn:alarms-kafka-ticket"]);
  expect(await shownTopics({ owners: ["default"], severities: [AlarmSeverity.Page] })).toEqual(["arn:alarms-page"]);
});

// AWS General Reference: endpoints in these four regions, none elsewhere (aws/aws-cli issue 8658: "Could not connect to the endpoint URL").
test.each([
  ["eu-west-1", undefined, "eu-west-1"],
  ["ap-southeast-1", undefined, "ap-southeast-1"],
  ["eu-central-1", undefined, "us-east-2"],
  ["us-east-1", undefined, "us-east-2"],
  ["eu-central-1", "eu-west-1", "eu-west-1"],
])("from %s, asked for %s, the service is reached in %s", async (region, chatRegion, expected) => {
  const { resources } = await make({ chat: { room: slack }, chatRegion }, region);
  expect(find(resources, slackType).inputs["region"]).toBe(expected);
});

test("all that is wrong with channels is said at once", async () => {
  const text = await message({
    owners: { kafka: { pageEndpoints: mail } },
    chat: {
      "a b": slack,
      twin: slack,
      tenant: { ...slack, channelId: "C1", tenantId: teams.tenantId! },
      team: { ...teams, tenantId: undefined },
      stranger: { ...slack, channelId: "C2", owners: ["kafka", "frontend"] },
      nothing: { ...slack, channelId: "C3", owners: ["kafka"], severities: [AlarmSeverity.Ticket] },
    },
  });
  for (const part of [
    "chat.a b: must be named by letters",
    "chat.twin.channelId: is the channel of chat.a b",
    "chat.tenant.tenantId: is for Microsoft Teams only",
    "chat.team.tenantId: is missing",
    'chat.stranger.owners: has no owner "frontend": there are default, kafka',
    "chat.nothing: would show nothing",
  ])
    expect(text).toContain(part);
});

test.each<[string, ChatChannel, string]>([
  [
    "a name for a Slack channel's id",
    { ...slack, channelId: "#alarms" },
    "chat.room.channelId must be a Slack channel",
  ],
  ["a Slack workspace's name", { ...slack, workspaceId: "acme" }, "chat.room.workspaceId must be a Slack workspace"],
  ["a decoded Teams channel", { ...teams, channelId: "19:ab@thread.tacv2" }, "chat.room.channelId must be a Teams"],
  ["a team's name", { ...teams, workspaceId: "Platform" }, "chat.room.workspaceId must be a UUID"],
  ["a tenant's domain", { ...teams, tenantId: "acme.onmicrosoft.com" }, "chat.room.tenantId must be a UUID"],
])("refuses %s", async (_, room, expected) => expect(await message({ chat: { room } })).toContain(expected));
