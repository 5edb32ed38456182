/** What the detector must know of its client's configuration: `kafkaClientProfile(...).stallDetector`, or the values of librdkafka. */
export interface StallDetectorOptions {
  /** `socket.timeout.ms` of the client. Defaults to librdkafka's own 60000. */
  readonly socketTimeoutMs?: number;
  /** `statistics.interval.ms` of the client, at most 15000. Defaults to 5000. */
  readonly statisticsIntervalMs?: number;
  /** `fetch.wait.max.ms` of a consumer, by which an answer may take longer. Defaults to librdkafka's own 500. */
  readonly fetchWaitMaxMs?: number;
  /**
   * Seconds without an answer after which a broker counts as stalled. Less than 15, and brokers that are well are named while a dead one still
   * counts as in sync (11.1 s measured). Defaults to the client's timeout and 10 seconds, at least 30; to 30 where that timeout is above 30.
   */
  readonly stalledSeconds?: number;
  /** Seconds of futile connecting before a warning. Defaults to 60. */
  readonly unreachableWarnSeconds?: number;
  /** Seconds of futile connecting before a page. Defaults to 180: a broker's pod takes 90 to 120 to move. */
  readonly unreachablePageSeconds?: number;
}

/** All bounds, in seconds but for the ratio. */
export interface Bounds {
  readonly stalled: number;
  readonly noDelivery: number;
  readonly unreachableWarn: number;
  readonly unreachablePage: number;
  /** Attempts to connect that are further apart aren't one siege: a client waits 10 s at most in between (reconnect.backoff.max.ms). */
  readonly attempts: number;
  readonly queueRatio: number;
  readonly queue: number;
  readonly heartbeat: number;
  /** A longer pause between two documents says nothing about brokers: the client itself stood still. */
  readonly gap: number;
  readonly latch: number;
}

/** The longest that `kafkaClientProfile` allows (`deadBrokerTimeoutSeconds`). */
const longestTimeoutMs = 30_000;

/** Where each bound comes from is in docs/kafka-clients.md. */
export function boundsOf(options: StallDetectorOptions): Bounds {
  const { socketTimeoutMs = 60_000, statisticsIntervalMs = 5000, fetchWaitMaxMs = 500 } = options;
  const given = {
    socketTimeoutMs,
    statisticsIntervalMs,
    fetchWaitMaxMs,
    stalledSeconds: options.stalledSeconds ?? 30,
    unreachableWarnSeconds: options.unreachableWarnSeconds ?? 60,
    unreachablePageSeconds: options.unreachablePageSeconds ?? 180,
  };
  const wrong = Object.entries(given).filter(([, value]) => !(Number.isFinite(value) && value > 0));
  const problems = wrong.map(([name, value]) => `${name} must be a number above 0, not ${String(value)}`);
  if (statisticsIntervalMs > 15_000)
    problems.push(
      `statisticsIntervalMs must be at most 15000, not ${statisticsIntervalMs}: a broker stalls and is dropped between two documents`,
    );
  if (problems.length > 0)
    throw new RangeError(`StallDetector can't be made from these options: ${problems.join("; ")}`);
  // A client that heals itself does so at its timeout: a page means that it hasn't. One with a longer timeout than `kafkaClientProfile` allows
  // isn't waited for: its minute is what fills queues, and with librdkafka's own 60 s it would drop the broker before anybody is paged.
  const healed = Math.ceil((socketTimeoutMs + fetchWaitMaxMs) / 1000) + 10;
  const stalled = options.stalledSeconds ?? (socketTimeoutMs > longestTimeoutMs ? 30 : Math.max(30, healed));
  const interval = statisticsIntervalMs / 1000;
  return {
    stalled,
    noDelivery: stalled,
    unreachableWarn: given.unreachableWarnSeconds,
    unreachablePage: given.unreachablePageSeconds,
    attempts: 30,
    queueRatio: 0.5,
    queue: 10,
    heartbeat: Math.max(30, 4 * interval),
    gap: Math.max(15, 3 * interval),
    latch: 300,
  };
}
