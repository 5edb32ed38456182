import type * as pulumi from "@pulumi/pulumi";
import type { AlarmSeverity } from "../routes";

/** How a message reaches an endpoint. */
export enum AlarmEndpointProtocol {
  /** POST to an HTTPS address: PagerDuty, Opsgenie, a webhook of yours. */
  Https = "https",
  /** A mail; somebody has to click the confirmation first. */
  Email = "email",
}

/** Somebody who is told about alarms. */
export interface AlarmEndpoint {
  /** How the message travels. */
  protocol: AlarmEndpointProtocol;
  /** The HTTPS address or the mail address. Pass a secret where the address carries an integration key. */
  address: pulumi.Input<string>;
  /**
   * HTTPS only: whether the endpoint answers Amazon SNS's confirmation by itself, as PagerDuty and Opsgenie do. The update then
   * waits for it, up to five minutes, and fails if it doesn't come. Defaults to true.
   */
  confirmsItself?: pulumi.Input<boolean>;
}

/** Who hears of the alarms of one layer: the team that owns the load balancer, the cluster, Kafka. */
export interface AlarmOwner {
  /** Who is woken up, by a name of your choice, as in {@link AlarmTopicsArgs.pageEndpoints}. At least one, unless `subscribedElsewhere`. */
  pageEndpoints: Record<string, AlarmEndpoint>;
  /** Who gets tickets, likewise. Without any, this owner's tickets go where all others go. Defaults to nobody of their own. */
  ticketEndpoints?: Record<string, AlarmEndpoint>;
  /** True allows `pageEndpoints` to be empty, because the subscriptions are made elsewhere. Defaults to false. */
  subscribedElsewhere?: boolean;
}

/** A chat service that Amazon Q Developer (once AWS Chatbot) writes to. */
export enum ChatService {
  /** Slack. */
  Slack = "slack",
  /** Microsoft Teams. */
  MicrosoftTeams = "teams",
}

/**
 * A chat channel that shows alarms and their ends. It wakes nobody: keep an endpoint that does.
 *
 * Somebody has to let AWS into the workspace or team once, in the console of "Amazon Q Developer in chat applications"; there is no API for
 * that. AWS takes one configuration for each channel of an account, so a channel belongs to one `AlarmTopics`.
 */
export interface ChatChannel {
  /** Which service it belongs to. */
  service: ChatService;
  /** Id of the channel: in Slack the end of its link (`C07EZ1ABC23`), in Teams the part `19%3A...%40thread.tacv2` of it, as it is, encoded. */
  channelId: pulumi.Input<string>;
  /** Id of the Slack workspace (`T07EA123LEP`) or of the Microsoft team (a UUID), as the console shows it after the authorization. */
  workspaceId: pulumi.Input<string>;
  /** Id of the Microsoft tenant (a UUID). Teams needs it, Slack has none. */
  tenantId?: pulumi.Input<string>;
  /** Which alarms it shows. Defaults to pages and tickets. */
  severities?: AlarmSeverity[];
  /** Whose alarms it shows: names of `owners`, and `default` for everybody who has no owner of their own. Defaults to all. */
  owners?: string[];
}

/** Arguments of {@link AlarmTopics}. */
export interface AlarmTopicsArgs {
  /**
   * Who is woken up, by a name of your choice (`pagerduty`, `platform-team`), which becomes part of the resource names. At least
   * one, unless `subscribedElsewhere`: alarms that reach nobody are how an outage lasts.
   */
  pageEndpoints: Record<string, AlarmEndpoint>;
  /** Who gets tickets, likewise. Defaults to nobody. */
  ticketEndpoints?: Record<string, AlarmEndpoint>;
  /**
   * Owners of single layers, by a name of letters and digits, such as `loadBalancer` or `kafka`: each has topics of its own, read from
   * `ownerRoutes`. A page that goes to the wrong team is half an hour lost. Defaults to none: everything goes to the endpoints above.
   */
  owners?: Record<string, AlarmOwner>;
  /** Chat channels that show alarms, by a name of your choice. Defaults to none. */
  chat?: Record<string, ChatChannel>;
  /**
   * Region whose endpoint of the chat service is asked; the configuration itself belongs to no region. Defaults to the provider's region if
   * there is one (us-east-2, us-west-2, eu-west-1, ap-southeast-1: AWS General Reference, "Amazon Q Developer in chat applications
   * endpoints"), else us-east-2.
   */
  chatRegion?: pulumi.Input<string>;
  /** True allows `pageEndpoints` to be empty, because the subscriptions are made elsewhere. Defaults to false. */
  subscribedElsewhere?: boolean;
  /** Days in which a deleted key can be restored, 7 to 30. Defaults to 30. */
  keyDeletionWindowInDays?: pulumi.Input<number>;
  /** Added to the key, the topics and what the chat channels need. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
