import { between, clientRule, faultsIn, type Demand } from "./client-rule";
import { profileExample, whatIsSeen } from "./client-profile-example";

/**
 * While a dead follower is still counted as in sync, `acks=all` on the healthy brokers takes up to 9.8 s (measured with 4.4.0): a client that
 * waits less drops healthy brokers, and one that waits a minute fills its queue.
 */
const inTime = { accepts: between(11_000, 30_000), write: "15000, at least 11000 and at most 30000" };

const demands: readonly Demand[] = [
  {
    names: ["socket.timeout.ms"],
    library: "librdkafka",
    ...inTime,
    badDefaults: { librdkafka: "60000" },
    because:
      "for so long a broker whose node is gone keeps what is sent to it, or, below 11 seconds, healthy ones are dropped",
  },
  {
    names: ["socket.max.fails"],
    library: "librdkafka",
    accepts: between(1, Number.MAX_SAFE_INTEGER),
    write: "1",
    badDefaults: {},
    because: "with 0 a connection to nothing is kept, however many requests get no answer",
  },
  {
    names: ["request.timeout.ms"],
    library: "java",
    ...inTime,
    badDefaults: {},
    because:
      "for so long a broker whose node is gone keeps what is sent to it, or, below 11 seconds, healthy ones are dropped",
  },
  {
    names: ["socket.connection.setup.timeout.ms"],
    accepts: between(1, 10_000),
    write: "10000 or less",
    badDefaults: { librdkafka: "30000" },
    because: "after a broker's move a client tries its old address for so long",
  },
];

export const kafkaClientDropsDeadBrokers = clientRule<object>({
  name: "kafka-client-drops-dead-brokers",
  displayName: "Kafka clients drop a broker that doesn't answer in seconds",
  description:
    "A client of Kafka must give up a connection without answers after 11 to 30 seconds, and a connection attempt after 10: when a node vanishes nothing closes its connections, " +
    "and with the defaults of librdkafka, or socket.max.fails=0, the queue is full before the client looks for the new leader.",
  severity: "high",
  tags: ["kafka", "availability"],
  remediationSteps: `${profileExample}

By hand, for librdkafka \`socket.timeout.ms=15000\`, \`socket.max.fails=1\`, \`socket.connection.setup.timeout.ms=10000\`; for Java \`request.timeout.ms=15000\`,
\`socket.connection.setup.timeout.ms=5000\`. TCP keepalive is no substitute: with anything in flight it does nothing.

${whatIsSeen}`,
  configSchema: { properties: {} },
  faults: (_, settings) => faultsIn(settings, demands),
});
