import { StallDetector } from "../../kafka-stall";
import type { Fault, Moment } from "../../test/support/kafka/statistics";

/** What the stall detector said of a recording. */
export interface Detected {
  /** Seconds since the fault began. */
  readonly at: number;
  /** Such as `raised black-holed page`, with the number of the broker. */
  readonly what: string;
}

/** Before librdkafka drops a broker by itself after 60 s, and after the 15 s in which the profile's clients heal themselves. */
const stalledSeconds = 30;

/** Shows a client's statistics to the detector, one after the other, as they came. Pure. */
export function detectedIn(moments: readonly Moment[], { began }: Pick<Fault, "began">): Detected[] {
  const detector = new StallDetector({ statisticsIntervalMs: 1000, stalledSeconds });
  return moments.flatMap(({ at, statistics }) =>
    detector.observe(statistics, at * 1000).map(({ change, finding }) => ({
      at: at - began,
      what: [change, finding.kind, finding.severity, ...(finding.broker?.split("/").slice(-1) ?? [])].join(" "),
    })),
  );
}
