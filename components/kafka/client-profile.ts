import { corrected } from "../internal/arguments";
import { oneOf, Problems } from "../internal/validate";
import { KafkaClientAuthentication } from "./authentication";
import { overrideProblems } from "./client-overrides";
import { passwordSettings } from "./client-passwords";
import type { KafkaClientProfile, KafkaClientProfileArgs, KafkaPodSecurityContext } from "./client-profile-args";
import { clientProfileArguments } from "./client-profile-shapes";
import {
  consumerOnly,
  consumerProperties,
  fetchWaitMaxMs,
  javaProperties,
  librdkafkaProperties,
  statisticsIntervalMs,
  type Sizes,
} from "./client-properties";
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
 * What is changed by `librdkafkaOverrides` and `javaOverrides` must not bring back what this profile is for: `socket.max.fails=0`, `acks=0`, a short
 * `message.timeout.ms` and the like are refused.
 */
export function kafkaClientProfile(given: KafkaClientProfileArgs = {}): KafkaClientProfile {
  const problems = new Problems("kafkaClientProfile");
  const args = corrected(problems, given, clientProfileArguments);
  const sizes = sizesOf(args, problems);
  const { clientId, consumerGroup, credentialsDirectory, librdkafkaOverrides = {}, javaOverrides = {} } = args;
  overrideProblems(problems, "librdkafkaOverrides", librdkafkaOverrides);
  overrideProblems(problems, "javaOverrides", javaOverrides);
  problems.unless(
    consumerGroup === undefined || /^[A-Za-z0-9._-]+$/.test(consumerGroup),
    "consumerGroup",
    `must be letters, digits, ".", "_" and "-", not "${consumerGroup ?? ""}"`,
  );
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
    ...librdkafkaOverrides,
  };
  const java = {
    ...identity,
    ...javaProperties(sizes),
    ...(scram?.java ?? (secure ? javaTls : {})),
    ...javaOverrides,
  };
  const consumer = consumerGroup !== undefined && {
    librdkafkaConsumer: { ...consumerProperties(librdkafka, consumerGroup), ...consumerOnly.librdkafka },
    javaConsumer: { ...consumerProperties(java, consumerGroup), ...consumerOnly.java(sizes) },
  };
  // The JVM keeps addresses for 30 seconds, a moved broker's old one too. (Its 10 seconds for failed look-ups stand in its security file,
  // which wins over -Dsun.net.inetaddr.negative.ttl.)
  const copied = { sysctls: podSecurityContext.sysctls.map((sysctl) => ({ ...sysctl })) };
  const jvmArguments = ["-Dsun.net.inetaddr.ttl=5"];
  const librdkafkaFromFiles = scram?.librdkafkaFromFiles ?? {};
  const interval = Number(librdkafkaOverrides["statistics.interval.ms"] ?? statisticsIntervalMs);
  const stallDetector = { socketTimeoutMs: sizes.deadMs, statisticsIntervalMs: interval, fetchWaitMaxMs };
  const profile = {
    librdkafka,
    librdkafkaFromFiles,
    java,
    ...consumer,
    jvmArguments,
    podSecurityContext: copied,
    stallDetector,
  };
  return {
    ...profile,
    files: {
      "librdkafka.properties": propertiesFile(librdkafka),
      "java.properties": propertiesFile(java),
      ...(consumer && {
        "librdkafka-consumer.properties": propertiesFile(consumer.librdkafkaConsumer),
        "java-consumer.properties": propertiesFile(consumer.javaConsumer),
      }),
      "profile.json": `${JSON.stringify(profile, null, 2)}\n`,
    },
  };
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
