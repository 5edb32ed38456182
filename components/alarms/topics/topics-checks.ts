import type { Problems } from "../../internal/validate";
import { ChatService, type AlarmOwner, type AlarmTopicsArgs, type ChatChannel } from "./topics-args";
import { defaultOwner, planTopics, topicsShown, type PlannedTopic } from "./topics-plan";

/** Records what is wrong with the plain arguments. */
export function topicsProblems(problems: Problems, args: AlarmTopicsArgs): void {
  requireReceiver(problems, "", args);
  for (const [owner, given] of Object.entries(args.owners ?? {})) {
    requireReceiver(problems, `owners.${owner}.`, given);
    // Hyphens would let two owners make resources of one name, as would the names of everybody's topics.
    problems.unless(
      /^[a-zA-Z][a-zA-Z0-9]*$/.test(owner) && ![defaultOwner, "page", "ticket", "chat"].includes(owner),
      `owners.${owner}`,
      `can't be an owner's name: use letters and digits, such as loadBalancer, but not ${defaultOwner}, page, ticket or chat`,
    );
  }
  const topics = planTopics(args);
  for (const [who, channel] of Object.entries(args.chat ?? {})) channelProblems(problems, who, channel, topics);
  sameChannelTwice(problems, args.chat ?? {});
}

function requireReceiver(problems: Problems, at: string, given: AlarmOwner): void {
  problems.unless(
    Object.keys(given.pageEndpoints).length > 0 || given.subscribedElsewhere === true,
    `${at}pageEndpoints`,
    'is empty, so alarms would reach nobody: name an endpoint, for example { oncall: { protocol: AlarmEndpointProtocol.Email, address: "..." } }, or set subscribedElsewhere',
  );
}

function channelProblems(problems: Problems, who: string, channel: ChatChannel, topics: PlannedTopic[]): void {
  const at = `chat.${who}`;
  // Part of the configuration's name (CreateSlackChannelConfiguration, ConfigurationName).
  problems.unless(/^[A-Za-z0-9_-]+$/.test(who), at, "must be named by letters, digits, hyphens and underscores");
  const teams = channel.service === ChatService.MicrosoftTeams;
  problems.unless(
    (channel.tenantId !== undefined) === teams,
    `${at}.tenantId`,
    teams ? "is missing: Microsoft Teams needs the id of the tenant" : "is for Microsoft Teams only: leave it out",
  );
  const owners = [...new Set(topics.map(({ owner }) => owner))];
  const unknown = (channel.owners ?? []).filter((owner) => !owners.includes(owner));
  for (const owner of unknown) problems.add(`${at}.owners`, `has no owner "${owner}": there are ${owners.join(", ")}`);
  problems.unless(
    unknown.length > 0 || topicsShown(channel, topics).length > 0,
    at,
    "would show nothing: no topic has these owners and severities; tickets of an owner without ticketEndpoints are those of " +
      defaultOwner,
  );
}

/** Refuses what AWS refuses late ("has already been configured for AWS account"). */
function sameChannelTwice(problems: Problems, chat: Readonly<Record<string, ChatChannel>>): void {
  const seen = new Map<unknown, string>();
  for (const [who, { channelId }] of Object.entries(chat)) {
    const other = seen.get(channelId);
    if (typeof channelId === "string" && other !== undefined)
      problems.add(
        `chat.${who}.channelId`,
        `is the channel of chat.${other}: AWS takes one configuration for each channel; let one entry show all`,
      );
    seen.set(channelId, who);
  }
}

/** What is wrong with the id of a channel, or undefined (API references of CreateSlackChannelConfiguration and its like for Teams). */
export function channelIdProblem(service: ChatService): (id: string) => string | undefined {
  return service === ChatService.Slack
    ? (id) => (/^[A-Za-z0-9]+$/.test(id) ? undefined : `must be a Slack channel's id, such as C07EZ1ABC23, not "${id}"`)
    : (id) =>
        /^\S+%3a\S+%40\S+$/i.test(id)
          ? undefined
          : `must be a Teams channel's id as its link has it, such as 19%3Aab12%40thread.tacv2, not "${id}"`;
}

/** What is wrong with the id of a workspace or team, or undefined. */
export function workspaceIdProblem(service: ChatService): (id: string) => string | undefined {
  return service === ChatService.Slack
    ? (id) => (/^[0-9A-Z]+$/.test(id) ? undefined : `must be a Slack workspace's id, such as T07EA123LEP, not "${id}"`)
    : uuidProblem;
}

/** What is wrong with one of Microsoft's ids, or undefined. */
export function uuidProblem(id: string): string | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id) ? undefined : `must be a UUID, not "${id}"`;
}
