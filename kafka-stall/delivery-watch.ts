import type { Bounds } from "./options";
import type { StatisticsFacts } from "./statistics";

/** What a producer's queue has done over time. */
export class DeliveryWatch {
  private waiting = 0;
  private produced = 0;
  /** The most that was ever produced and no longer waits: reported as delivered, or as failed. */
  private reported = 0;
  private stuckSince: number | undefined;
  private fullSince: number | undefined;
  private emptySince: number | undefined;

  next(facts: StatisticsFacts, at: number, bounds: Bounds, gap: boolean): void {
    const reported = facts.produced - facts.waiting;
    // The two counters aren't read at one time, so that their difference trembles: only more than ever is progress.
    const anew = facts.produced < this.produced;
    const progress = facts.waiting < this.waiting || reported > this.reported || anew;
    this.reported = anew ? reported : Math.max(this.reported, reported);
    this.waiting = facts.waiting;
    this.produced = facts.produced;
    if (facts.waiting === 0) this.stuckSince = undefined;
    else if (progress || gap) this.stuckSince = at;
    else this.stuckSince ??= at;

    if (facts.queueRatio > bounds.queueRatio) {
      this.fullSince = gap ? at : (this.fullSince ?? at);
      this.emptySince = undefined;
    } else {
      this.fullSince = undefined;
      this.emptySince ??= at;
    }
  }

  /** When the last delivery report was seen, if messages have waited for so many seconds since. */
  stuckFor(seconds: number, at: number): number | undefined {
    return this.stuckSince !== undefined && at - this.stuckSince >= seconds ? this.stuckSince : undefined;
  }

  /** Whether a delivery report was seen just now, or nothing waits. */
  flows(at: number): boolean {
    return this.stuckSince === undefined || this.stuckSince === at;
  }

  fullFor(seconds: number, at: number): number | undefined {
    return this.fullSince !== undefined && at - this.fullSince >= seconds ? this.fullSince : undefined;
  }

  emptyFor(seconds: number, at: number): boolean {
    return this.emptySince !== undefined && at - this.emptySince >= seconds;
  }
}
