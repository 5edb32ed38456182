/*
 * What librdkafka's statistics say about a fault: when the broker was dropped, how long the queue was, when it was empty again. Pure.
 */

/** The fields of a broker that matter here (librdkafka's STATISTICS.md). */
interface BrokerStatistics {
  readonly nodeid: number;
  readonly state: string;
  readonly disconnects: number;
  readonly req_timeouts: number;
  readonly tx: number;
}

/** One document, with the time when it was made, in seconds since 1970. */
export interface Moment {
  readonly at: number;
  readonly statistics: {
    readonly msg_cnt: number;
    readonly brokers: Readonly<Record<string, BrokerStatistics>>;
  };
}

/** A recording as producer.py writes it; a line that isn't whole yet is left out. */
export function momentsOf(text: string): Moment[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Moment);
}

/** A broker failed at a time and was well again at another. */
export interface Fault {
  readonly victim: number;
  readonly began: number;
  readonly ended: number;
}

/** Seconds are since the fault began; undefined is never, while it lasted. */
export interface Reaction {
  readonly dropped: number | undefined;
  /** The queue was at its longest before, and is short again. */
  readonly drained: number | undefined;
  readonly peakQueue: number;
  /** Brokers that were well and lost a connection meanwhile. */
  readonly healthyDropped: readonly number[];
}

/** Fewer messages than this in the queue are no backlog: a second's worth, at the lab's rate. */
const backlog = 100;

const nodesOf = ({ statistics }: Moment) => Object.values(statistics.brokers).filter(({ nodeid }) => nodeid >= 0);

export function reactionOf(moments: readonly Moment[], { victim, began, ended }: Fault): Reaction {
  const before = moments.filter(({ at }) => at <= began).at(-1);
  if (before === undefined) throw new Error("the recording begins after the fault");
  const meanwhile = moments.filter(({ at }) => at > began && at <= ended);
  const disconnects = new Map(nodesOf(before).map((broker) => [broker.nodeid, broker.disconnects]));
  const lost = (moment: Moment) =>
    nodesOf(moment).filter(({ nodeid, disconnects: now }) => now > (disconnects.get(nodeid) ?? 0));
  const isDropped = (moment: Moment) => {
    const broker = nodesOf(moment).find(({ nodeid }) => nodeid === victim);
    return broker?.state !== "UP" || lost(moment).includes(broker);
  };
  const dropped = meanwhile.find(isDropped)?.at;
  const queues = meanwhile.map(({ statistics }) => statistics.msg_cnt);
  const peakQueue = Math.max(...queues);
  const peak = queues.indexOf(peakQueue);
  const drained = meanwhile.find(({ statistics }, n) => n > peak && statistics.msg_cnt < backlog)?.at;
  const healthy = meanwhile.flatMap(lost).map(({ nodeid }) => nodeid);
  const since = (at: number | undefined) => (at === undefined ? undefined : at - began);
  return {
    dropped: since(dropped),
    drained: peakQueue < backlog ? 0 : since(drained),
    peakQueue,
    healthyDropped: [...new Set(healthy)].filter((nodeid) => nodeid !== victim).sort(),
  };
}
