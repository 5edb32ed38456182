import type * as pulumi from "@pulumi/pulumi";

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

/** Arguments of {@link AlarmTopics}. */
export interface AlarmTopicsArgs {
  /**
   * Who is woken up, by a name of your choice (`pagerduty`, `platform-team`), which becomes part of the resource names. At least
   * one, unless `subscribedElsewhere`: alarms that reach nobody are how an outage lasts.
   */
  pageEndpoints: Record<string, AlarmEndpoint>;
  /** Who gets tickets, likewise. Defaults to nobody. */
  ticketEndpoints?: Record<string, AlarmEndpoint>;
  /** True allows `pageEndpoints` to be empty, because the subscriptions are made elsewhere. Defaults to false. */
  subscribedElsewhere?: boolean;
  /** Days in which a deleted key can be restored, 7 to 30. Defaults to 30. */
  keyDeletionWindowInDays?: pulumi.Input<number>;
  /** Added to the key and the topics. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
