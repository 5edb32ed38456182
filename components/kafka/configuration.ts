import { nearest } from "../internal/nearest";
import { flag, number, text, type Shape } from "../internal/shapes";
import { oneOf, type Problems } from "../internal/validate";
import { KafkaCompression, type KafkaConfiguration } from "./configuration-args";

/*
 * The typed part of the servers' configuration: names, units and limits of Kafka 4.4.0 (org.apache.kafka.server.config, .storage.internals.log,
 * .coordinator.group; every name is in the test's list of that version).
 */

/** A setting: its property, and what one of our units is of Kafka's. */
interface Setting {
  readonly property: string;
  /** What a number is multiplied by. Defaults to 1. */
  readonly times?: number;
  readonly least?: number;
  readonly most?: number;
  /** Whether -1 stands for no end. */
  readonly endless?: true;
  /** Other names of the same, which would win. */
  readonly also?: readonly string[];
}

const mebi = 1024 * 1024;
const second = 1000;
const hour = 3600 * second;
/** Kafka keeps these as 32-bit numbers of milliseconds. */
const mostSeconds = 2_147_483;
const tenYears = 87_600;

const settings: Readonly<Record<keyof KafkaConfiguration, Setting>> = {
  retentionHours: {
    property: "log.retention.hours",
    also: ["log.retention.ms", "log.retention.minutes"],
    least: 1,
    most: tenYears,
    endless: true,
  },
  retentionMiBPerPartition: { property: "log.retention.bytes", times: mebi, least: 1, most: 64 * mebi },
  segmentMiB: { property: "log.segment.bytes", times: mebi, least: 1, most: 2047 },
  segmentHours: { property: "log.roll.hours", also: ["log.roll.ms"], least: 1, most: tenYears },
  maxMessageBytes: {
    property: "message.max.bytes",
    also: ["replica.fetch.max.bytes", "replica.fetch.response.max.bytes"],
    least: 1024,
    most: 64 * mebi,
  },
  compression: { property: "compression.type" },
  cleanerThreads: { property: "log.cleaner.threads", least: 1, most: 16 },
  offsetsRetentionHours: { property: "offsets.retention.minutes", times: 60, least: 1, most: tenYears },
  groupMinSessionSeconds: { property: "group.min.session.timeout.ms", times: second, least: 1, most: mostSeconds },
  groupMaxSessionSeconds: { property: "group.max.session.timeout.ms", times: second, least: 1, most: mostSeconds },
  groupInitialRebalanceDelaySeconds: {
    property: "group.initial.rebalance.delay.ms",
    times: second,
    least: 0,
    most: 60,
  },
  consumerSessionSeconds: {
    property: "group.consumer.session.timeout.ms",
    also: ["group.consumer.min.session.timeout.ms", "group.consumer.max.session.timeout.ms"],
    times: second,
    least: 6,
    most: 1800,
  },
  consumerHeartbeatSeconds: {
    property: "group.consumer.heartbeat.interval.ms",
    also: ["group.consumer.min.heartbeat.interval.ms", "group.consumer.max.heartbeat.interval.ms"],
    times: second,
    least: 1,
    most: 600,
  },
  transactionMaxSeconds: { property: "transaction.max.timeout.ms", times: second, least: 1, most: mostSeconds },
  // 32 bits of milliseconds are 24 days and 20 hours.
  transactionalIdHours: { property: "transactional.id.expiration.ms", times: hour, least: 1, most: 596 },
  timestampAheadHours: { property: "log.message.timestamp.after.max.ms", times: hour, least: 1, most: tenYears },
  networkThreads: { property: "num.network.threads", least: 1, most: 64 },
  ioThreads: { property: "num.io.threads", least: 1, most: 128 },
  replicaFetchers: { property: "num.replica.fetchers", least: 1, most: 16 },
  maxConnections: { property: "max.connections", least: 100, most: 1_000_000 },
  maxConnectionsPerIp: { property: "max.connections.per.ip", least: 1, most: 1_000_000 },
  connectionsMaxIdleSeconds: { property: "connections.max.idle.ms", times: second, least: 60, most: 86_400 },
  deleteTopics: { property: "delete.topic.enable" },
};
const names = Object.keys(settings) as (keyof KafkaConfiguration)[];

/** What of extraConfig is a field here, by the property's name. */
export const configurationFields: ReadonlyMap<string, keyof KafkaConfiguration> = new Map(
  names.flatMap((name) =>
    [settings[name].property, ...(settings[name].also ?? [])].map((property) => [property, name]),
  ),
);

/** What its values are. Unknown names get a better answer below. */
export const configurationShape: Shape = {
  is: "fields",
  open: true,
  fields: Object.fromEntries(
    names.map((name) => [name, name === "compression" ? text : name === "deleteTopics" ? flag : number]),
  ),
};

/** Checks values and what they make together. */
export function configurationProblems(problems: Problems, configuration: KafkaConfiguration): void {
  const at = (name: string) => `configuration.${name}`;
  for (const [name, value] of Object.entries(configuration)) {
    const setting = Object.hasOwn(settings, name) ? settings[name as keyof KafkaConfiguration] : undefined;
    if (value === undefined) continue;
    if (setting === undefined) problems.add(at(name), unknownField(name));
    else if (typeof value === "number") problems.add(at(name), amountProblem(value, setting));
  }
  problems.add(at("compression"), oneOf(KafkaCompression, configuration.compression));

  const { retentionHours = 168, segmentHours, retentionMiBPerPartition, segmentMiB = 1024 } = configuration;
  problems.unless(
    segmentHours === undefined || retentionHours === -1 || segmentHours <= retentionHours,
    at("segmentHours"),
    `must be at most the ${retentionHours} of retentionHours, not ${segmentHours ?? ""}: messages would be kept until their file is closed`,
  );
  problems.unless(
    retentionMiBPerPartition === undefined || retentionMiBPerPartition >= segmentMiB,
    at("retentionMiBPerPartition"),
    `must be at least the ${segmentMiB} of segmentMiB, not ${retentionMiBPerPartition ?? ""}: the newest file is never deleted`,
  );
  const { groupMinSessionSeconds = 6, groupMaxSessionSeconds = 1800 } = configuration;
  problems.unless(
    groupMinSessionSeconds <= groupMaxSessionSeconds,
    at(configuration.groupMinSessionSeconds === undefined ? "groupMaxSessionSeconds" : "groupMinSessionSeconds"),
    `leaves no timeout to choose: the shortest is ${groupMinSessionSeconds}, the longest ${groupMaxSessionSeconds}`,
  );
  const { consumerSessionSeconds = 45, consumerHeartbeatSeconds = 5 } = configuration;
  problems.unless(
    3 * consumerHeartbeatSeconds <= consumerSessionSeconds,
    at(configuration.consumerHeartbeatSeconds === undefined ? "consumerSessionSeconds" : "consumerHeartbeatSeconds"),
    `leaves room for less than three heartbeats (one each ${consumerHeartbeatSeconds} s) in a session of ${consumerSessionSeconds} s: a single lost one would move partitions`,
  );
}

function unknownField(name: string): string {
  const instead = configurationFields.get(name) ?? nearest(name, names);
  if (instead !== undefined) return `isn't a field: write ${instead}`;
  return "isn't a field: write Kafka's own name of it under extraConfig";
}

function amountProblem(value: number, { least = 0, most = Infinity, endless }: Setting): string | undefined {
  const ok = Number.isInteger(value) && value >= least && value <= most;
  return ok || (endless === true && value === -1)
    ? undefined
    : `must be a whole number from ${least} to ${most}${endless === true ? ", or -1 for ever" : ""}, not ${value}`;
}

/** The properties. */
export function configurationProperties(configuration: KafkaConfiguration): Record<string, string> {
  const written = names.flatMap((name): [string, string][] => {
    const { property, times = 1 } = settings[name];
    const value = configuration[name];
    if (value === undefined) return [];
    return [[property, typeof value === "number" && value !== -1 ? String(value * times) : String(value)]];
  });
  return { ...Object.fromEntries(written), ...inStep(configuration) };
}

/** What must change with others. */
function inStep(configuration: KafkaConfiguration): Record<string, string> {
  const { retentionHours = 168, segmentHours, maxMessageBytes } = configuration;
  const { consumerSessionSeconds, consumerHeartbeatSeconds } = configuration;
  const range = (kind: string, seconds: number | undefined, least: number, most: number) =>
    seconds === undefined || (seconds >= least && seconds <= most)
      ? {}
      : {
          [`group.consumer.min.${kind}.ms`]: String(second * Math.min(seconds, least)),
          [`group.consumer.max.${kind}.ms`]: String(second * Math.max(seconds, most)),
        };
  return {
    ...(segmentHours === undefined && retentionHours !== -1 && retentionHours < 168
      ? { "log.roll.hours": String(retentionHours) }
      : {}),
    // Followers fetch a first batch that is larger all the same (KIP-74), but then one at a time.
    ...(maxMessageBytes !== undefined && maxMessageBytes > mebi
      ? {
          "replica.fetch.max.bytes": String(maxMessageBytes),
          "replica.fetch.response.max.bytes": String(Math.max(10 * mebi, maxMessageBytes)),
        }
      : {}),
    ...range("session.timeout", consumerSessionSeconds, 45, 60),
    ...range("heartbeat.interval", consumerHeartbeatSeconds, 5, 15),
  };
}
