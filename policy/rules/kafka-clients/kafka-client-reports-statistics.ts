import { between, clientRule, faultsIn, type Demand } from "./client-rule";
import { profileExample, whatIsSeen } from "./client-profile-example";

const demands: readonly Demand[] = [
  {
    names: ["statistics.interval.ms"],
    library: "librdkafka",
    accepts: between(1, Number.MAX_SAFE_INTEGER),
    write: "5000",
    badDefaults: { librdkafka: "0" },
    because: "without statistics nobody sees that a broker has stopped answering",
  },
];

/** librdkafka calls no error callback for a connection that stalls: the statistics are the only place where it shows. */
export const kafkaClientReportsStatistics = clientRule<object>({
  name: "kafka-client-reports-statistics",
  displayName: "Kafka clients of librdkafka report statistics",
  description:
    "A client of librdkafka must have statistics.interval.ms above 0, its default: a broker that takes requests and answers none shows nowhere else, neither in the logs nor in an error, " +
    "until the queue is full.",
  severity: "high",
  tags: ["kafka", "alarms"],
  remediationSteps: `${profileExample}

By hand: \`statistics.interval.ms=5000\`, and a callback that hands them to what raises alarms. Clients in Java have metrics by themselves.

${whatIsSeen}`,
  configSchema: { properties: {} },
  faults: (_, settings) => faultsIn(settings, demands),
});
