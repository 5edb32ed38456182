/*
 * What the detector reads of one statistics document (librdkafka's STATISTICS.md). Everything else in it is nobody's business, and may be
 * missing, new or wrong.
 */

/** One entry of `brokers`. */
export interface BrokerFacts {
  /** Its key: `kafka-1:9092/101`, `kafka:9092/bootstrap`, `GroupCoordinator`. */
  readonly name: string;
  readonly kind: "broker" | "bootstrap" | "logical";
  readonly state: string;
  /** Whether anything is waiting for it: requests in flight or not sent, or messages of partitions that it leads. */
  readonly demand: boolean;
  readonly rx: number;
  /** Connections that were tried. Missing before librdkafka 1.0. */
  readonly connects: number | undefined;
  readonly requestTimeouts: number;
}

/** One document. */
export interface StatisticsFacts {
  /** Name of the client's instance, such as `orders#producer-1`. */
  readonly name: string;
  /** Its clock in seconds: monotonic, and of no day. */
  readonly seconds: number;
  /** Age of the client in seconds, which tells a client that began anew. */
  readonly age: number | undefined;
  readonly brokers: readonly BrokerFacts[];
  /** Messages of a producer that wait for their delivery report. */
  readonly waiting: number;
  /** Messages that it has been given since it began. */
  readonly produced: number;
  /** The fuller one of the two limits of its queue, from 0 to 1. */
  readonly queueRatio: number;
}

/** A document, or what is wrong with it; entries of brokers that can't be read are left out and named. */
export interface ReadStatistics {
  readonly facts: StatisticsFacts | undefined;
  readonly problems: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads a parsed document. */
export function readStatistics(document: unknown): ReadStatistics {
  const top = fieldsOf(document);
  if (top === undefined) return { facts: undefined, problems: ["isn't a JSON object"] };
  const ts = countOf(top, "ts");
  const given = fieldsOf(top["brokers"]);
  if (ts === undefined || given === undefined) {
    const problems = [
      ...(ts === undefined ? ["ts isn't a number of microseconds"] : []),
      ...(given === undefined ? ["brokers isn't an object"] : []),
    ];
    return { facts: undefined, problems };
  }
  const { queued, produced } = partitionsOf(top);
  const problems: string[] = [];
  const brokers = Object.entries(given).flatMap(([name, entry]) => {
    // librdkafka's own queue, which no broker is behind.
    if (fieldsOf(entry)?.["source"] === "internal") return [];
    const broker = brokerOf(name, entry, queued);
    if (typeof broker !== "string") return [broker];
    problems.push(`brokers["${name}"]: ${broker}`);
    return [];
  });
  const age = countOf(top, "age");
  const facts = {
    name: typeof top["name"] === "string" ? top["name"] : "unnamed",
    seconds: ts / 1e6,
    age: age === undefined ? undefined : age / 1e6,
    brokers,
    waiting: countOf(top, "msg_cnt") ?? 0,
    produced,
    queueRatio: Math.max(ratio(top, "msg_cnt", "msg_max"), ratio(top, "msg_size", "msg_size_max")),
  };
  return { facts, problems };
}

function brokerOf(name: string, entry: unknown, queued: ReadonlyMap<number, number>): BrokerFacts | string {
  const broker = fieldsOf(entry);
  if (broker === undefined) return "isn't an object";
  const { nodeid, source, state } = broker;
  const rx = countOf(broker, "rx");
  if (typeof nodeid !== "number" || typeof state !== "string" || rx === undefined)
    return "has no nodeid, state or rx as librdkafka writes them";
  const waiting = (countOf(broker, "waitresp_cnt") ?? 0) + (countOf(broker, "outbuf_cnt") ?? 0);
  return {
    name,
    kind: source === "logical" ? "logical" : nodeid >= 0 ? "broker" : "bootstrap",
    state,
    // A consumer always has a Fetch in flight while it wants anything. That a partition's fetch_state is "active" isn't asked: so it is, too,
    // when the application has paused it, or has its queue full.
    demand: waiting + (queued.get(nodeid) ?? 0) > 0,
    rx,
    connects: countOf(broker, "connects"),
    requestTimeouts: countOf(broker, "req_timeouts") ?? 0,
  };
}

/** Messages that wait by the id of their leader, and all that were ever produced. */
function partitionsOf(top: Fields): { queued: ReadonlyMap<number, number>; produced: number } {
  const queued = new Map<number, number>();
  let produced = 0;
  for (const topic of Object.values(fieldsOf(top["topics"]) ?? {}))
    for (const [id, entry] of Object.entries(fieldsOf(fieldsOf(topic)?.["partitions"]) ?? {})) {
      const partition = fieldsOf(entry) ?? {};
      const leader = partition["leader"];
      if (typeof leader === "number")
        queued.set(leader, (queued.get(leader) ?? 0) + (countOf(partition, "msgq_cnt") ?? 0));
      // Messages without a partition are counted again when they have one.
      if (id !== "-1") produced += countOf(partition, "msgs") ?? 0;
    }
  return { queued, produced };
}

function ratio(top: Fields, used: string, limit: string): number {
  const most = countOf(top, limit) ?? 0;
  return most === 0 ? 0 : (countOf(top, used) ?? 0) / most;
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** A counter. -1 says "none", and was written as 18446744073709551615 before librdkafka 1.8: neither is a count. */
function countOf(fields: Fields, name: string): number | undefined {
  const value = fields[name];
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : undefined;
}
