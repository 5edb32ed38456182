import type { Bounds } from "./options";
import type { BrokerFacts } from "./statistics";

/** States in which librdkafka is on its way to a connection (rdkafka_broker.c); DOWN and INIT alone are normal for a broker that nobody needs. */
const connecting = new Set([
  "TRY_CONNECT",
  "CONNECT",
  "SSL_HANDSHAKE",
  "AUTH_LEGACY",
  "APIVERSION_QUERY",
  "AUTH_HANDSHAKE",
  "AUTH_REQ",
  "REAUTH",
]);

/** What one broker has done over time. */
export class BrokerWatch {
  private facts: BrokerFacts;
  /** Since when something waits for it, it is UP, and nothing has come. */
  private quietSince: number | undefined;
  private trying: { since: number; last: number } | undefined;
  /** How many answers came since somebody asked for proof of life. */
  private answers = 0;

  constructor(first: BrokerFacts, at: number) {
    this.facts = first;
    this.quietSince = isUp(first) && first.demand ? at : undefined;
    this.trying = connecting.has(first.state) ? { since: at, last: at } : undefined;
  }

  /** Takes the next document's entry in. `gap`: the client stood still since the last one. Returns how many requests timed out. */
  next(now: BrokerFacts, at: number, bounds: Bounds, gap: boolean): number {
    const before = this.facts;
    this.facts = now;
    // A counter that fell began anew, with the broker's entry.
    const anew = now.rx < before.rx || (now.connects ?? 0) < (before.connects ?? 0);
    const answered = now.rx !== before.rx;
    const reconnected = (now.connects ?? 0) > (before.connects ?? 0);
    // A new connection that is UP has been answered at least once, and may have nothing more to ask for.
    if (isUp(now) && answered) this.answers += reconnected || anew ? 2 : now.rx - before.rx;
    if (!isUp(now) || !now.demand) this.quietSince = undefined;
    else if (answered || anew || gap) this.quietSince = at;
    else this.quietSince ??= at;

    const tried = connecting.has(now.state) || reconnected;
    if (isUp(now) || gap || anew) this.trying = undefined;
    if (!isUp(now) && tried) {
      const { trying } = this;
      const goesOn = trying !== undefined && at - trying.last <= bounds.attempts;
      this.trying = { since: goesOn ? trying.since : at, last: at };
    }
    const timeouts = now.requestTimeouts - before.requestTimeouts;
    return anew || timeouts < 0 ? now.requestTimeouts : timeouts;
  }

  get up(): boolean {
    return isUp(this.facts);
  }

  get kind(): BrokerFacts["kind"] {
    return this.facts.kind;
  }

  /** When the silence began, if it has lasted for so many seconds. */
  quietFor(seconds: number, at: number): number | undefined {
    return this.quietSince !== undefined && at - this.quietSince >= seconds ? this.quietSince : undefined;
  }

  /** When the futile connecting began, if it has lasted for so many seconds and goes on. */
  unreachableFor(seconds: number, at: number, bounds: Bounds): number | undefined {
    const { trying } = this;
    return trying !== undefined && at - trying.since >= seconds && at - trying.last <= bounds.attempts
      ? trying.since
      : undefined;
  }

  /** From now on answers are counted. */
  expectProof(): void {
    this.answers = 0;
  }

  /** One answer may have been on its way for long; the second was asked for and given. */
  get provenAlive(): boolean {
    return this.answers >= 2;
  }
}

function isUp({ state }: BrokerFacts): boolean {
  return state === "UP";
}
