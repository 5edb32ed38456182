import { AlarmSeverity } from "../routes";
import type { AlarmEndpoint, AlarmTopicsArgs, ChatChannel } from "./topics-args";

/** Whose the topics without an owner of their own are, where chat channels choose. */
export const defaultOwner = "default";

/** A topic that there will be. */
export interface PlannedTopic {
  readonly owner: string;
  readonly severity: AlarmSeverity;
  /** Last part of its resource's name. */
  readonly suffix: string;
  /** Where its endpoints are in the arguments. */
  readonly at: string;
  readonly endpoints: Record<string, AlarmEndpoint>;
}

/** The topics of everybody and of each owner. */
export function planTopics(args: AlarmTopicsArgs): PlannedTopic[] {
  const { Page, Ticket } = AlarmSeverity;
  const everybody = { owner: defaultOwner };
  return [
    { ...everybody, severity: Page, suffix: Page, at: "pageEndpoints", endpoints: args.pageEndpoints },
    { ...everybody, severity: Ticket, suffix: Ticket, at: "ticketEndpoints", endpoints: args.ticketEndpoints ?? {} },
    ...Object.entries(args.owners ?? {}).flatMap(([owner, given]) => {
      const at = `owners.${owner}`;
      const tickets = given.ticketEndpoints ?? {};
      const page = {
        severity: Page,
        suffix: `${owner}-${Page}`,
        at: `${at}.pageEndpoints`,
        endpoints: given.pageEndpoints,
      };
      const ticket = {
        severity: Ticket,
        suffix: `${owner}-${Ticket}`,
        at: `${at}.ticketEndpoints`,
        endpoints: tickets,
      };
      // A topic of their own that nobody listens to would swallow their tickets.
      return (Object.keys(tickets).length === 0 ? [page] : [page, ticket]).map((topic) => ({ owner, ...topic }));
    }),
  ];
}

/** The topics that a chat channel shows. */
export function topicsShown<T extends PlannedTopic>(channel: ChatChannel, topics: readonly T[]): T[] {
  return topics
    .filter(({ owner }) => channel.owners?.includes(owner) ?? true)
    .filter(({ severity }) => channel.severities?.includes(severity) ?? true);
}

/** Regions with an endpoint of the chat service (AWS General Reference, "Amazon Q Developer in chat applications endpoints"). */
const chatRegions = ["us-east-2", "us-west-2", "eu-west-1", "ap-southeast-1"];

/** The region whose endpoint makes a configuration; anywhere else there is no such host. */
export function chatRegionFor(region: string): string {
  return chatRegions.includes(region) ? region : "us-east-2";
}
