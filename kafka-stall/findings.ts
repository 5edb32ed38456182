/** What a detector finds. */
export type FindingKind =
  | "black-holed"
  | "unreachable"
  | "delivery-stalled"
  | "queue-half-full"
  | "request-timeouts"
  | "no-statistics"
  | "malformed";

export type Severity = "page" | "warn";

/** Something that is wrong. */
export interface Finding {
  readonly kind: FindingKind;
  /** Which broker, as the statistics name it. Undefined where it isn't about one. */
  readonly broker: string | undefined;
  readonly severity: Severity;
  /** When it began, before it was found: seconds of the statistics' clock, or of the caller's for missing statistics. */
  readonly since: number;
  /** When it was found. */
  readonly raisedAt: number;
  /** What a person should know. */
  readonly detail: string;
}

/** A finding that was made, became worse, or is over. */
export interface Change {
  readonly change: "raised" | "escalated" | "cleared";
  readonly finding: Finding;
  readonly at: number;
}

/** What a rule says of one document. */
export interface Verdict {
  readonly kind: FindingKind;
  readonly broker?: string;
  readonly severity: Severity;
  readonly since: number;
  readonly detail: string;
}

interface Held {
  finding: Finding;
  /** When a rule last said so. */
  last: number;
}

/**
 * Findings with a memory. One is over when there is proof of life, not when its rule falls silent: a broker that is being connected to isn't
 * "UP without an answer" any more, and is as dead as before. Without proof it is over after five silent minutes.
 */
export class Findings {
  private readonly held = new Map<string, Held>();
  /** Until when what was a page shows in metrics: who scrapes once a minute must see one that took seconds. */
  private readonly shown = new Map<string, number>();

  constructor(private readonly latch: number) {}

  get all(): readonly Finding[] {
    return [...this.held.values()].map(({ finding }) => finding);
  }

  has(kind: FindingKind, broker?: string): boolean {
    return this.held.has(keyOf(kind, broker));
  }

  /** Whether it pages, or did within the last five minutes. */
  paging(kind: FindingKind, broker: string | undefined, at: number): boolean {
    const key = keyOf(kind, broker);
    return this.held.get(key)?.finding.severity === "page" || (this.shown.get(key) ?? -Infinity) > at;
  }

  /** Brokers of pages that still show, whether or not the client knows them any more. */
  pagedBrokers(kind: FindingKind, at: number): string[] {
    const keys = [...this.held.keys(), ...this.shown.keys()].filter((key) => key.startsWith(`${kind} `));
    return [...new Set(keys.map((key) => key.slice(kind.length + 1)))].filter((b) => this.paging(kind, b, at));
  }

  raise({ kind, broker, severity, since, detail }: Verdict, at: number): Change[] {
    const key = keyOf(kind, broker);
    const before = this.held.get(key);
    if (severity === "page") this.shown.set(key, at + this.latch);
    if (before === undefined) {
      const finding = { kind, broker, severity, since, raisedAt: at, detail };
      this.held.set(key, { finding, last: at });
      return [{ change: "raised", finding, at }];
    }
    before.last = at;
    if (severity === before.finding.severity || severity === "warn") return [];
    before.finding = { ...before.finding, severity, raisedAt: at, detail };
    return [{ change: "escalated", finding: before.finding, at }];
  }

  clear(kind: FindingKind, broker: string | undefined, at: number): Change[] {
    const key = keyOf(kind, broker);
    const before = this.held.get(key);
    if (before === undefined) return [];
    this.held.delete(key);
    return [{ change: "cleared", finding: before.finding, at }];
  }

  /** Ends what no rule has said for five minutes. Missing statistics have the caller's clock, and end otherwise. */
  expire(at: number): Change[] {
    for (const [key, until] of this.shown) if (until <= at) this.shown.delete(key);
    return [...this.held.values()]
      .filter(({ finding, last }) => finding.kind !== "no-statistics" && at - last >= this.latch)
      .flatMap(({ finding }) => this.clear(finding.kind, finding.broker, at));
  }

  /** Forgets what was said by a clock that began anew. */
  restart(at: number): Change[] {
    this.shown.clear();
    return [...this.held.values()]
      .filter(({ finding }) => finding.kind !== "no-statistics")
      .flatMap(({ finding }) => this.clear(finding.kind, finding.broker, at));
  }
}

function keyOf(kind: FindingKind, broker: string | undefined): string {
  return `${kind} ${broker ?? ""}`;
}
