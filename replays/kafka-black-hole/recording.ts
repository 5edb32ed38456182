import type { Delivery } from "../../test/support/kafka/counted";
import type { Moment } from "../../test/support/kafka/statistics";

/** One second of one client. */
export interface Second {
  /** Seconds since the fault began. */
  readonly at: number;
  /** Messages that wait or aren't acknowledged yet. */
  readonly queue: number;
  /** Requests that it sent to each broker since the second before, by the broker's number. */
  readonly sent: Readonly<Record<string, number>>;
  /** Messages that were acknowledged since the second before. */
  readonly acknowledged: number;
}

/** What the picture shows. */
export interface Recording {
  readonly kafka: string;
  readonly librdkafka: string;
  readonly day: string;
  /** When the fault ended, in seconds since it began. */
  readonly ended: number;
  readonly clients: Readonly<Record<"profile" | "defaults" | "keepalive", readonly Second[]>>;
}

/** Seconds before the fault and after its end that are kept. */
const before = 5;
const after = 5;

/** Reduces a client's statistics and delivery reports to what the picture needs. */
export function secondsOf(
  moments: readonly Moment[],
  deliveries: readonly Delivery[],
  fault: { readonly began: number; readonly ended: number },
): Second[] {
  const acknowledged = deliveries.filter(({ outcome }) => outcome === "ok").map(({ reported }) => reported);
  const brokers = new Set(moments.flatMap((moment) => Object.keys(sentOf(moment)))); // also those that the client has dropped by now
  return moments.flatMap((moment, n) => {
    const previous = moments[n - 1];
    if (previous === undefined || moment.at < fault.began - before || moment.at > fault.ended + after) return [];
    const sentBefore = sentOf(previous);
    const sentNow = sentOf(moment);
    const sent = [...brokers].sort().map((id) => [id, Math.max(0, (sentNow[id] ?? 0) - (sentBefore[id] ?? 0))]);
    return {
      at: Math.round((moment.at - fault.began) * 10) / 10,
      queue: moment.statistics.msg_cnt,
      sent: Object.fromEntries(sent) as Record<string, number>,
      acknowledged: acknowledged.filter((at) => at > previous.at && at <= moment.at).length,
    };
  });
}

function sentOf({ statistics }: Moment): Record<string, number> {
  const brokers = Object.values(statistics.brokers).filter(({ nodeid }) => nodeid >= 0);
  return Object.fromEntries(brokers.map(({ nodeid, tx }) => [String(nodeid), tx]));
}
