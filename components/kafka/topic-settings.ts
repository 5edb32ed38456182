import { nearest } from "../internal/arguments";

/*
 * What Kafka 4.4 takes for a topic: names, types and ranges of org.apache.kafka.storage.internals.log.LogConfig. A broker would refuse the rest
 * too, but only when the job runs, after everything else of an update.
 */

/** What is wrong with a value, or undefined. */
type Check = (value: string) => string | undefined;

const most = { int: 2_147_483_647n, long: 9_223_372_036_854_775_807n };

function whole(least: number, largest: bigint = most.long): Check {
  return (value) =>
    /^-?\d{1,19}$/.test(value) && BigInt(value) >= BigInt(least) && BigInt(value) <= largest
      ? undefined
      : `must be a whole number from ${least}${largest === most.long ? "" : ` to ${largest}`}, not "${value}"`;
}

function choice(...choices: string[]): Check {
  return (value) => (choices.includes(value) ? undefined : `must be ${choices.join(" or ")}, not "${value}"`);
}

const flag = choice("true", "false");
const bytes = whole(0, most.int);
const milliseconds = whole(0);

const cleanup: Check = (value) => {
  const policies = value.split(",");
  return policies.every((policy) => policy === "delete" || policy === "compact") &&
    new Set(policies).size === policies.length
    ? undefined
    : `must be delete, compact or "compact,delete", not "${value}"`;
};

const ratio: Check = (value) =>
  /^(0(\.\d+)?|1(\.0+)?)$/.test(value) ? undefined : `must be a number from 0 to 1, not "${value}"`;

const zeroAndMore: Record<string, Check> = Object.fromEntries(
  [
    "delete.retention.ms",
    "file.delete.delay.ms",
    "flush.ms",
    "message.timestamp.after.max.ms",
    "message.timestamp.before.max.ms",
    "min.compaction.lag.ms",
    "segment.jitter.ms",
  ].map((name) => [name, milliseconds]),
);

const flags: Record<string, Check> = Object.fromEntries(
  [
    "errors.deadletterqueue.group.enable",
    "preallocate",
    "remote.log.copy.disable",
    "remote.log.delete.on.disable",
    "remote.storage.enable",
  ].map((name) => [name, flag]),
);

const settings: ReadonlyMap<string, Check> = new Map(
  Object.entries({
    ...zeroAndMore,
    ...flags,
    "cleanup.policy": cleanup,
    "compression.gzip.level": (value: string) => (value === "-1" ? undefined : whole(1, 9n)(value)),
    "compression.lz4.level": whole(1, 17n),
    "compression.type": choice("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
    "compression.zstd.level": whole(-131_072, 22n),
    "flush.messages": whole(1),
    "index.interval.bytes": bytes,
    "local.retention.bytes": whole(-2),
    "local.retention.ms": whole(-2),
    "max.compaction.lag.ms": whole(1),
    "max.decompressed.message.bytes": whole(1, 2_147_483_639n),
    "max.message.bytes": bytes,
    "message.timestamp.type": choice("CreateTime", "LogAppendTime"),
    "min.cleanable.dirty.ratio": ratio,
    "min.insync.replicas": whole(1, most.int),
    "remote.copy.lag.bytes": whole(-1),
    "remote.copy.lag.ms": whole(-1),
    "retention.bytes": whole(-1),
    "retention.ms": whole(-1),
    "segment.bytes": whole(1_048_576, most.int),
    "segment.index.bytes": whole(4, most.int),
    "segment.ms": whole(1),
    "unclean.leader.election.enable": (value: string) =>
      value === "false"
        ? undefined
        : `must be "false" or left out, not "${value}": a copy that lacks acknowledged messages would lead; in an emergency elect by hand (kafka-leader-election.sh)`,
  }),
);

/** What brokers call it, where that isn't the topic's name behind `log.` (ServerTopicConfigSynonyms). */
const ofBrokers: Readonly<Record<string, string>> = {
  "message.max.bytes": "max.message.bytes",
  "log.flush.interval.messages": "flush.messages",
  "log.flush.interval.ms": "flush.ms",
  "log.retention.minutes": "retention.ms",
  "log.retention.hours": "retention.ms",
  "log.roll.ms": "segment.ms",
  "log.roll.hours": "segment.ms",
  "log.roll.jitter.ms": "segment.jitter.ms",
  "log.index.size.max.bytes": "segment.index.bytes",
  "log.segment.delete.delay.ms": "file.delete.delay.ms",
  "log.cleaner.min.cleanable.ratio": "min.cleanable.dirty.ratio",
  "log.cleaner.delete.retention.ms": "delete.retention.ms",
  "log.cleaner.min.compaction.lag.ms": "min.compaction.lag.ms",
  "log.cleaner.max.compaction.lag.ms": "max.compaction.lag.ms",
};

/** What is wrong with the name of a setting in `config`, or undefined. */
export function settingProblem(name: string): string | undefined {
  if (settings.has(name)) return undefined;
  const meant = ofBrokers[name] ?? nearest(name.replace(/^log\./, ""), settings.keys());
  return (
    reserved(name) ??
    (meant === undefined
      ? "is no setting of topics in Kafka 4.4: see its topic configuration, or write it in extraConfig if your version has it"
      : `is no setting of topics: write "${meant}"`)
  );
}

/** What is wrong with the name of a setting in `extraConfig`, or undefined. */
export function extraSettingProblem(name: string): string | undefined {
  if (settings.has(name)) return "is a setting that is known: write it in config";
  return /^[a-z][a-z.]*$/.test(name) ? reserved(name) : 'is no name of a setting: write one such as "retention.ms"';
}

/** What others set, and take away again. */
function reserved(name: string): string | undefined {
  return /^(leader|follower)\.replication\.throttled\.replicas$/.test(name)
    ? "belongs to whoever moves replicas (kafka-reassign-partitions.sh --throttle): leave it out"
    : undefined;
}

/**
 * What is wrong with the value of a setting of a topic with so many copies, or undefined. A line break would begin another setting, a bracket
 * end the value (kafka-configs.sh), and an equals sign is one too much (kafka-topics.sh).
 */
export function settingValueProblem(name: string, value: string, copies: number): string | undefined {
  if (/[\r\n\0[\]=]/.test(value) || value.trim() !== value || value === "")
    return "must be a single line without brackets, equals signs and blanks around it; leave it out for the brokers' value";
  if (name === "min.insync.replicas" && Number(value) >= copies)
    return `must be less than ${copies}, the number of copies, not ${value}: the loss of one broker would stop all writing`;
  return settings.get(name)?.(value);
}
