import type { Problems } from "../internal/validate";

/*
 * Properties that developers of clients change, each with what happens then. Refused are those that lose messages, or wait for ever.
 */

/** Says what is wrong with a value, or undefined. */
type Check = (value: string) => string | undefined;

const number = (value: string) => (/^-?\d+$/.test(value) ? Number(value) : NaN);
const between =
  (least: number, most: number, because: string): Check =>
  (value) =>
    number(value) >= least && number(value) <= most
      ? undefined
      : `must be a whole number from ${least} to ${most}, not "${value}": ${because}`;
const only =
  (values: readonly string[], because: string): Check =>
  (value) =>
    values.includes(value.toLowerCase()) ? undefined : `must be ${values.join(" or ")}, not "${value}": ${because}`;
/** What follows from an argument, so that everything else that follows from it changes too. */
const instead =
  (argument: string): Check =>
  () =>
    `follows from ${argument}: give that, and what depends on it changes with it`;

const most = 2_147_483_647;

const acks = only(
  ["all", "-1"],
  "a message counts as sent that the next broken node takes with it, and with 0 a dead broker can't be seen",
);
const idempotence = only(["true"], "what is tried again after a broker's loss is stored twice, and in another order");
const delivery = between(
  120_000,
  most,
  "a broker's move takes 90 to 120 seconds, and what waits longer than this is thrown away (844 messages in one move, with 30000)",
);
const retries = between(10, most, "a message that couldn't be sent is given up although there is time left");
const connectionSetup = between(1000, 10_000, "after a broker's move a client tries its old address for so long");
const inFlight = between(1, 5, "idempotence allows no more");

const librdkafka: Readonly<Record<string, Check>> = {
  acks,
  "request.required.acks": acks,
  "enable.idempotence": idempotence,
  "message.timeout.ms": delivery,
  "delivery.timeout.ms": delivery,
  "message.send.max.retries": retries,
  retries,
  "max.in.flight": inFlight,
  "max.in.flight.requests.per.connection": inFlight,
  "socket.max.fails": only(
    ["1"],
    "with 0 a connection to nothing is kept, however many requests get no answer; each one more adds a timeout",
  ),
  "socket.timeout.ms": instead("deadBrokerTimeoutSeconds"),
  "request.timeout.ms": instead("deadBrokerTimeoutSeconds"),
  "socket.connection.setup.timeout.ms": connectionSetup,
  "topic.metadata.refresh.interval.ms": between(
    1000,
    60_000,
    "new leaders, and brokers that are gone, are found so late (-1: only after errors)",
  ),
  "statistics.interval.ms": between(
    1000,
    15_000,
    "nothing else shows a stalled connection: librdkafka 2.11 and later call no error callback for it",
  ),
  "queue.buffering.max.messages": instead("messagesPerSecond and brokerReturnSeconds"),
  "queue.buffering.max.kbytes": instead("messagesPerSecond and averageMessageBytes"),
  "client.id": instead("clientId"),
  "group.id": instead("consumerGroup"),
};

const java: Readonly<Record<string, Check>> = {
  acks,
  "enable.idempotence": idempotence,
  "delivery.timeout.ms": delivery,
  retries,
  "max.in.flight.requests.per.connection": inFlight,
  "request.timeout.ms": instead("deadBrokerTimeoutSeconds"),
  "socket.connection.setup.timeout.ms": connectionSetup,
  "socket.connection.setup.timeout.max.ms": connectionSetup,
  "metadata.max.age.ms": between(1000, 60_000, "new leaders are found so late"),
  "max.block.ms": between(1, 60_000, "send() itself hangs for so long when no broker answers"),
  "buffer.memory": instead("messagesPerSecond and averageMessageBytes"),
  "client.id": instead("clientId"),
  "group.id": instead("consumerGroup"),
};

/** Checks what is to be changed in one library's properties. */
export function overrideProblems(
  problems: Problems,
  argument: "librdkafkaOverrides" | "javaOverrides",
  overrides: Readonly<Record<string, string>>,
): void {
  const checks = new Map(Object.entries(argument === "javaOverrides" ? java : librdkafka));
  for (const [name, value] of Object.entries(overrides)) {
    const where = `${argument}["${name}"]`;
    problems.unless(
      /^[a-z][a-z0-9._]*$/.test(name),
      where,
      `must be the name of a property, such as "linger.ms", not "${name}"`,
    );
    problems.unless(!/[\r\n]/.test(value), where, "must be one line");
    problems.add(where, checks.get(name)?.(value));
  }
}
