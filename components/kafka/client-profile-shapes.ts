import { mapOf, number, text } from "../internal/shapes";
import type { KnownArguments } from "../internal/arguments";
import type { KafkaClientProfileArgs } from "./client-profile-args";

/** What the profile's arguments are. Names of properties are what people write who know the libraries. */
export const clientProfileArguments: KnownArguments<KafkaClientProfileArgs> = {
  shapes: {
    deadBrokerTimeoutSeconds: number,
    messagesPerSecond: number,
    averageMessageBytes: number,
    brokerReturnSeconds: number,
    clientId: text,
    consumerGroup: text,
    credentialsDirectory: text,
    clientAuthentication: text,
    librdkafkaOverrides: mapOf(text),
    javaOverrides: mapOf(text),
  },
  elsewhere: {
    rate: "isn't an argument: write messagesPerSecond",
    overrides: "isn't an argument: write librdkafkaOverrides or javaOverrides, whose names differ",
    groupId: "isn't an argument: write consumerGroup",
    bootstrapServers:
      "isn't an argument: it may only be known later; give KafkaCluster.bootstrapServers to the client beside the profile",
  },
};
