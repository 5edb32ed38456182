import { oneOf, Problems } from "../internal/validate";
import { KafkaClientAuthentication } from "./authentication";
import { passwordSettings } from "./client-passwords";
import type { KafkaClientProfile, KafkaClientProfileArgs, KafkaPodSecurityContext } from "./client-profile-args";
import { secretKeys } from "./names";
import { propertiesFile } from "./properties-file";
import { peerCertificate } from "./server-properties";

/** Seconds on top of timeout and return: the election of a new leader (9 measured), connecting, sending the backlog, a busy day. */
const margin = 45;

/** Shortest time in seconds that messages are kept trying: at 30, 844 of them were lost in one move of a broker. */
const shortestDelivery = 120;

/**
 * Brokers always ask for keepalive, librdkafka if told so; it closes an *idle* connection to nothing after a minute (30 + 3 x 10 s). With
 * anything in flight it does nothing at all (Linux, tcp_keepalive_timer): then the request timeout alone counts.
 */
const podSecurityContext: KafkaPodSecurityContext = {
  sysctls: [
    { name: "net.ipv4.tcp_keepalive_time", value: "30" },
    { name: "net.ipv4.tcp_keepalive_intvl", value: "10" },
    { name: "net.ipv4.tcp_keepalive_probes", value: "3" },
  ],
};

/**
 * Settings with which a producer drops a dead broker in seconds and loses nothing: measured with real brokers, a broker whose node vanished was
 * dropped after 9 to 12 seconds and the backlog was gone a second later; with librdkafka's defaults that took a minute.
 *
 * What the settings can't do, the application must:
 * - librdkafka: call `poll()` regularly. Without it no delivery report is ever served, and the queue is full even on a healthy cluster.
 * - Count a message as sent when its delivery report says so, not when `produce()` returns.
 * - When the queue is full (`BufferError`, `BufferExhaustedException`), slow down whoever sends; don't drop.
 * - A failed message may still have been stored: consumers must tolerate duplicates.
 *
 * Don't add `socket.max.fails=0`, `acks=0` or a short `message.timeout.ms` to it: each brings an outage back that this profile is for.
 */
export function kafkaClientProfile(args: KafkaClientProfileArgs = {}): KafkaClientProfile {
  const problems = new Problems("kafkaClientProfile");
  const sizes = sizesOf(args, problems);
  const { clientId, credentialsDirectory } = args;
  problems.unless(
    clientId === undefined || /^[A-Za-z0-9._-]+$/.test(clientId),
    "clientId",
    `must be letters, digits, ".", "_" and "-", not "${clientId ?? ""}"`,
  );
  problems.unless(
    credentialsDirectory === undefined || /^(\/[A-Za-z0-9._-]+)+$/.test(credentialsDirectory),
    "credentialsDirectory",
    `must be an absolute path such as /etc/kafka-client, not "${credentialsDirectory ?? ""}"`,
  );
  problems.add("clientAuthentication", oneOf(KafkaClientAuthentication, args.clientAuthentication));
  const withPassword = args.clientAuthentication === KafkaClientAuthentication.Scram;
  problems.unless(
    !withPassword || credentialsDirectory !== undefined,
    "credentialsDirectory",
    "is missing: write where the Secret of KafkaCluster.clientSecretNames is mounted, which has the password",
  );
  problems.throwIfAny();

  const identity: Record<string, string> = clientId === undefined ? {} : { "client.id": clientId };
  const key = `${credentialsDirectory ?? ""}/${secretKeys.combined}`;
  const ca = `${credentialsDirectory ?? ""}/${secretKeys.ca}`;
  const librdkafkaTls = {
    "security.protocol": "ssl",
    "ssl.ca.location": ca,
    // Both from one file: OpenSSL takes from it what it looks for.
    "ssl.certificate.location": key,
    "ssl.key.location": key,
    "ssl.endpoint.identification.algorithm": "https",
  };
  const javaTls = {
    "security.protocol": "SSL",
    ...peerCertificate(key, ca),
  };
  const secure = credentialsDirectory !== undefined;
  const scram = withPassword && secure ? passwordSettings(credentialsDirectory) : undefined;
  const librdkafka = {
    ...identity,
    ...librdkafkaProperties(sizes),
    ...(scram?.librdkafka ?? (secure ? librdkafkaTls : {})),
  };
  const java = { ...identity, ...javaProperties(sizes), ...(scram?.java ?? (secure ? javaTls : {})) };
  // The JVM keeps addresses for 30 seconds, a moved broker's old one too. (Its 10 seconds for failed look-ups stand in its security file,
  // which wins over -Dsun.net.inetaddr.negative.ttl.)
  const copied = { sysctls: podSecurityContext.sysctls.map((sysctl) => ({ ...sysctl })) };
  const jvmArguments = ["-Dsun.net.inetaddr.ttl=5"];
  const librdkafkaFromFiles = scram?.librdkafkaFromFiles ?? {};
  const profile = { librdkafka, librdkafkaFromFiles, java, jvmArguments, podSecurityContext: copied };
  return {
    ...profile,
    files: {
      "librdkafka.properties": propertiesFile(librdkafka),
      "java.properties": propertiesFile(java),
      "profile.json": `${JSON.stringify(profile, null, 2)}\n`,
    },
  };
}

interface Sizes {
  readonly deadMs: number;
  readonly deliveryMs: number;
  readonly queueMessages: number;
  readonly queueBytes: number;
}

function sizesOf(args: KafkaClientProfileArgs, problems: Problems): Sizes {
  const {
    deadBrokerTimeoutSeconds: dead = 15,
    messagesPerSecond: rate = 100,
    averageMessageBytes: bytes = 1024,
    brokerReturnSeconds: back = 120,
  } = args;
  problems.unless(
    Number.isInteger(dead) && dead >= 11 && dead <= 30,
    "deadBrokerTimeoutSeconds",
    `must be a whole number of seconds between 11 and 30, not ${dead}: sooner, healthy brokers are dropped; later, nobody wants to wait`,
  );
  problems.unless(Number.isFinite(rate) && rate > 0, "messagesPerSecond", `must be more than 0, not ${rate}`);
  problems.unless(
    Number.isFinite(bytes) && bytes > 0,
    "averageMessageBytes",
    `must be a number of bytes above 0, not ${bytes}`,
  );
  problems.unless(
    Number.isInteger(back) && back >= 30 && back <= 1800,
    "brokerReturnSeconds",
    `must be a whole number of seconds between 30 and 1800, not ${back}`,
  );
  // Everything that is produced until the broker has been dropped and is back must fit.
  const queueMessages = Math.ceil(rate * (dead + back));
  const queueBytes = Math.ceil(2 * queueMessages * bytes); // twice: sizes vary
  problems.unless(
    !(queueMessages > mostMessages || queueBytes > mostBytes),
    "messagesPerSecond",
    `makes a queue of ${queueMessages} messages and ${Math.ceil(queueBytes / 2 ** 20)} MiB in one client; at most ${mostMessages} and ${mostBytes / 2 ** 20} MiB are sensible: spread the load over more clients`,
  );
  return {
    deadMs: dead * 1000,
    deliveryMs: Math.max(shortestDelivery, dead + back + margin) * 1000,
    queueMessages,
    queueBytes,
  };
}

/** librdkafka up to 2.0 takes no more messages (CONFIGURATION.md); the bytes are memory of one process. */
const mostMessages = 10_000_000;
const mostBytes = 8 * 2 ** 30;

/** Names and ranges: librdkafka's CONFIGURATION.md. */
function librdkafkaProperties({ deadMs, deliveryMs, queueMessages, queueBytes }: Sizes): Record<string, string> {
  return {
    acks: "all",
    // Retries neither duplicate nor reorder.
    "enable.idempotence": "true",
    // The bound: a request without an answer for so long closes the connection, at the first time.
    "socket.timeout.ms": `${deadMs}`,
    "socket.max.fails": "1",
    // A slow broker says so before it is dropped, though not while a dead one is still counted as in sync (up to 9.8 s). Only the first
    // request in flight gains by it: a broker takes one after the other.
    "request.timeout.ms": `${Math.max(10_000, deadMs - 3000)}`,
    // A new connection goes to an old address until DNS has the new one; the default tries each for 30 seconds.
    "socket.connection.setup.timeout.ms": "10000",
    "broker.address.ttl": "1000",
    "reconnect.backoff.ms": "100",
    "reconnect.backoff.max.ms": "2000",
    // Finds the new leaders, and from librdkafka 2.10 on also drops a broker that is gone from the cluster.
    "topic.metadata.refresh.interval.ms": "15000",
    // Idle connections only; the second works without the sysctls.
    "socket.keepalive.enable": "true",
    "connections.max.idle.ms": "180000",
    "message.timeout.ms": `${deliveryMs}`,
    "queue.buffering.max.messages": `${queueMessages}`,
    "queue.buffering.max.kbytes": `${Math.max(1024, Math.ceil(queueBytes / 1024))}`,
    // A stalled connection shows in the statistics only: librdkafka 2.11 and later call no error callback for it.
    "statistics.interval.ms": "5000",
  };
}

/** Names and defaults: org.apache.kafka.clients.producer.ProducerConfig. */
function javaProperties({ deadMs, deliveryMs, queueBytes }: Sizes): Record<string, string> {
  return {
    acks: "all",
    "enable.idempotence": "true",
    // delivery.timeout.ms is the limit. Written out although it is the default: kafka-verifiable-producer sets 0 before it reads this.
    retries: "2147483647",
    "max.in.flight.requests.per.connection": "5",
    "request.timeout.ms": `${deadMs}`,
    "delivery.timeout.ms": `${deliveryMs}`,
    "socket.connection.setup.timeout.ms": "5000",
    "socket.connection.setup.timeout.max.ms": "10000",
    "metadata.max.age.ms": "15000",
    "reconnect.backoff.ms": "100",
    "reconnect.backoff.max.ms": "2000",
    "connections.max.idle.ms": "180000",
    // send() waits so long when the buffer is full or no broker answers, then fails.
    "max.block.ms": "10000",
    "buffer.memory": `${Math.max(33_554_432, queueBytes)}`,
    // Messages without a key avoid a broker that doesn't take any.
    "partitioner.availability.timeout.ms": "10000",
  };
}
