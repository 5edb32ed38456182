import { BrokerWatch } from "./broker-watch";
import { DeliveryWatch } from "./delivery-watch";
import { Findings, type Change, type Finding, type Verdict } from "./findings";
import { boundsOf, type Bounds, type StallDetectorOptions } from "./options";
import { readStatistics, type StatisticsFacts } from "./statistics";

/** What a broker's two gauges say. */
export interface BrokerState {
  readonly broker: string;
  readonly blackHoled: boolean;
  readonly unreachable: boolean;
}

/** What metrics show of one client. Pages show for at least five minutes. */
export interface DetectorMetrics {
  readonly brokers: readonly BrokerState[];
  readonly queueRatio: number;
  readonly statisticsAgeSeconds: number;
  readonly deliveryStalled: boolean;
  readonly requestTimeouts: number;
}

/**
 * Tells from a client's statistics which brokers take its messages and don't answer. One detector watches one client.
 *
 *     const detector = new StallDetector({ socketTimeoutMs: 15_000 });
 *     producer.on("event.stats", ({ message }) => log(detector.observe(JSON.parse(message), Date.now())));
 *     setInterval(() => log(detector.check(Date.now())), 5_000);
 *
 * Times of brokers are those of the statistics (`ts`), so that a late document changes nothing. Only their absence needs a clock: the
 * caller's, in milliseconds, any that doesn't go back.
 */
export class StallDetector {
  private readonly bounds: Bounds;
  private readonly held: Findings;
  private readonly brokers = new Map<string, BrokerWatch>();
  private delivery = new DeliveryWatch();
  private last: StatisticsFacts | undefined;
  private heardAt: number | undefined;
  private requestTimeouts = 0;

  constructor(options: StallDetectorOptions = {}) {
    this.bounds = boundsOf(options);
    this.held = new Findings(this.bounds.latch);
  }

  /** Everything that is wrong now. */
  get findings(): readonly Finding[] {
    return this.held.all;
  }

  /** Takes a parsed document in, and returns what it changes. Never throws, whatever the document is. */
  observe(document: unknown, nowMs: number): readonly Change[] {
    const { facts, problems } = readStatistics(document);
    const changes = this.check(nowMs);
    if (facts === undefined) return [...changes, ...this.malformed(problems)];
    this.heardAt = nowMs;
    changes.push(...this.held.clear("no-statistics", undefined, nowMs / 1000));
    const at = facts.seconds;
    changes.push(...this.advance(facts));
    if (problems.length > 0) changes.push(...this.malformed(problems));
    for (const verdict of [...this.brokerVerdicts(at), ...this.clientVerdicts(at)])
      changes.push(...this.raise(verdict, at));
    changes.push(...this.recoveries(at), ...this.held.expire(at));
    return changes;
  }

  /** Tells whether documents still come. Call it every few seconds; the first call counts as the beginning. */
  check(nowMs: number): Change[] {
    this.heardAt ??= nowMs;
    const silent = (nowMs - this.heardAt) / 1000;
    if (silent < this.bounds.heartbeat) return [];
    const detail = `no statistics for ${Math.floor(silent)} s: the application doesn't poll, or statistics.interval.ms is 0`;
    const verdict = { kind: "no-statistics", severity: "page", since: this.heardAt / 1000, detail } as const;
    return this.held.raise(verdict, nowMs / 1000);
  }

  metrics(nowMs: number): DetectorMetrics {
    const at = this.last?.seconds ?? 0;
    const known = [...this.brokers].filter(([, { kind }]) => kind !== "bootstrap").map(([name]) => name);
    const paged = (["black-holed", "unreachable"] as const).flatMap((kind) => this.held.pagedBrokers(kind, at));
    return {
      brokers: [...new Set([...known, ...paged])].sort().map((broker) => ({
        broker,
        blackHoled: this.held.paging("black-holed", broker, at),
        unreachable: this.held.paging("unreachable", broker, at),
      })),
      queueRatio: this.last?.queueRatio ?? 0,
      statisticsAgeSeconds: (nowMs - (this.heardAt ?? nowMs)) / 1000,
      deliveryStalled: this.held.paging("delivery-stalled", undefined, at),
      requestTimeouts: this.requestTimeouts,
    };
  }

  private advance(facts: StatisticsFacts): Change[] {
    const { last } = this;
    const at = facts.seconds;
    const changes: Change[] = [];
    const anew = last !== undefined && (at < last.seconds || (facts.age ?? 0) < (last.age ?? 0));
    if (anew) {
      // Another client under the same name: what was seen of the old one says nothing about it.
      changes.push(...this.held.restart(at));
      this.brokers.clear();
      this.delivery = new DeliveryWatch();
    }
    const gap = last !== undefined && at - last.seconds > this.bounds.gap;
    const gone = new Set(this.brokers.keys());
    for (const broker of facts.brokers) {
      gone.delete(broker.name);
      const known = this.brokers.get(broker.name);
      if (known === undefined) this.brokers.set(broker.name, new BrokerWatch(broker, at));
      const timeouts = known?.next(broker, at, this.bounds, gap) ?? (last === undefined ? 0 : broker.requestTimeouts);
      if (timeouts <= 0) continue;
      this.requestTimeouts += timeouts;
      const detail = `${timeouts} requests to ${broker.name} had no answer in time`;
      changes.push(
        ...this.held.raise({ kind: "request-timeouts", broker: broker.name, severity: "warn", since: at, detail }, at),
      );
    }
    for (const name of gone) {
      // From librdkafka 2.10 on a broker that the cluster's metadata doesn't name any more is dropped: the client has healed itself.
      this.brokers.delete(name);
      changes.push(...this.held.clear("black-holed", name, at), ...this.held.clear("unreachable", name, at));
    }
    this.delivery.next(facts, at, this.bounds, gap);
    this.last = facts;
    return changes;
  }

  private raise(verdict: Verdict, at: number): Change[] {
    const { kind, broker } = verdict;
    if (broker !== undefined && !this.held.has(kind, broker)) this.brokers.get(broker)?.expectProof();
    return this.held.raise(verdict, at);
  }

  private brokerVerdicts(at: number): Verdict[] {
    const { bounds } = this;
    const real = [...this.brokers].filter(([, { kind }]) => kind === "broker");
    const verdicts: Verdict[] = [];
    for (const [name, watch] of real) {
      const since = watch.quietFor(bounds.stalled, at);
      // An idle sibling counts as well. When all are silent the fault isn't this broker's: see clientVerdicts.
      if (since !== undefined && real.some(([other, sibling]) => other !== name && this.isWell(sibling, at)))
        verdicts.push({
          kind: "black-holed",
          broker: name,
          severity: "page",
          since,
          detail: `${name} is connected, has requests waiting and hasn't answered for ${Math.floor(at - since)} s; others have`,
        });
    }
    // Bootstrap addresses are left alone once one of them has named the brokers.
    for (const [name, watch] of this.brokers) {
      if (watch.kind === "bootstrap" && real.length > 0) continue;
      const since = watch.unreachableFor(bounds.unreachableWarn, at, bounds);
      if (since === undefined) continue;
      const severity = watch.unreachableFor(bounds.unreachablePage, at, bounds) === undefined ? "warn" : "page";
      const detail = `${name} couldn't be connected to for ${Math.floor(at - since)} s`;
      verdicts.push({ kind: "unreachable", broker: name, severity, since, detail });
    }
    return verdicts;
  }

  /** Half of the bound: brokers that fell silent together must not accuse each other by seconds. */
  private isWell(watch: BrokerWatch, at: number): boolean {
    return watch.up && watch.quietFor(this.bounds.stalled / 2, at) === undefined;
  }

  private clientVerdicts(at: number): Verdict[] {
    const { bounds, delivery } = this;
    const verdicts: Verdict[] = [];
    const stuck = delivery.stuckFor(bounds.noDelivery, at) ?? this.allSilentSince(at);
    if (stuck !== undefined) {
      const detail = `nothing was delivered or fetched for ${Math.floor(at - stuck)} s, by any broker`;
      verdicts.push({ kind: "delivery-stalled", severity: "page", since: stuck, detail });
    }
    const full = delivery.fullFor(bounds.queue, at);
    if (full !== undefined) {
      const detail = `the queue is more than half full: when it is full, messages for healthy brokers are refused too`;
      verdicts.push({ kind: "queue-half-full", severity: "page", since: full, detail });
    }
    return verdicts;
  }

  /** When the first of the brokers fell silent, if there is none left that could be compared with: consumers have no queue that tells. */
  private allSilentSince(at: number): number | undefined {
    const real = [...this.brokers.values()].filter(({ kind }) => kind === "broker");
    const silent = real.flatMap((watch) => watch.quietFor(this.bounds.stalled, at) ?? []);
    return silent.length === 0 || real.some((watch) => this.isWell(watch, at)) ? undefined : Math.min(...silent);
  }

  private recoveries(at: number): Change[] {
    const { delivery, held } = this;
    const alive = [...this.brokers].filter(([, watch]) => watch.up && watch.provenAlive);
    return [
      ...alive.flatMap(([name]) => [...held.clear("black-holed", name, at), ...held.clear("unreachable", name, at)]),
      ...(delivery.flows(at) && this.allSilentSince(at) === undefined
        ? held.clear("delivery-stalled", undefined, at)
        : []),
      ...(delivery.emptyFor(this.bounds.queue, at) ? held.clear("queue-half-full", undefined, at) : []),
    ];
  }

  private malformed(problems: readonly string[]): Change[] {
    const at = this.last?.seconds ?? 0;
    const detail = `a statistics document can't be read: ${problems.slice(0, 5).join("; ")}`;
    return this.held.raise({ kind: "malformed", severity: "warn", since: at, detail }, at);
  }
}
