import { between, clientRule, faultsIn, oneOf, type Demand } from "./client-rule";
import { profileExample, whatIsSeen } from "./client-profile-example";
import { isConsumer } from "./properties";

const longEnough = between(120_000, Number.MAX_SAFE_INTEGER);

const demands: readonly Demand[] = [
  {
    names: ["acks", "request.required.acks"],
    accepts: oneOf("all", "-1"),
    write: "acks=all",
    badDefaults: {},
    because: "a message counts as sent that the next broken node takes with it",
  },
  {
    names: ["enable.idempotence"],
    accepts: oneOf("true"),
    write: "true",
    badDefaults: { librdkafka: "false" },
    // A transactional producer is idempotent by itself (CONFIGURATION.md, transactional.id).
    unless: (values) => isConsumer(values) || values.has("transactional.id"),
    because: "retries after a broker's loss store messages twice, and in another order",
  },
  {
    names: ["message.timeout.ms", "delivery.timeout.ms"],
    // In librdkafka 0 means for ever.
    accepts: (value) => (value === "0" ? undefined : longEnough(value)),
    write: "180000, at least 120000",
    badDefaults: {},
    because:
      "a broker's move takes 90 to 120 seconds, and what waits longer than this is thrown away (844 messages in one move, with 30000)",
  },
];

export const kafkaClientKeepsItsMessages = clientRule<object>({
  name: "kafka-client-keeps-its-messages",
  displayName: "Kafka producers lose and double nothing when a broker goes",
  description:
    "A producer must ask for acks=all, be idempotent, and keep trying for 120 seconds at least: less is lost, doubled or reordered whenever a broker moves to another node, which " +
    "is what Karpenter does on any working day.",
  severity: "high",
  tags: ["kafka", "availability"],
  remediationSteps: `${profileExample}

By hand, in both libraries: \`acks=all\`, \`enable.idempotence=true\`, \`delivery.timeout.ms=180000\` (librdkafka also calls it \`message.timeout.ms\`).

A file with \`group.id\` and nothing that only a producer needs is taken for a consumer's.

${whatIsSeen}`,
  configSchema: { properties: {} },
  faults: (_, settings) => faultsIn(settings, demands),
});
