import type { Clock } from "../clock";

/** A cache whose entries end a fixed time after they were written. */
export class Expiring<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(
    private readonly clock: Clock,
    private readonly timeToLive: number,
  ) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry !== undefined && this.clock.now < entry.until ? entry.value : undefined;
  }

  set(key: string, value: T): void {
    this.entries.set(key, { value, until: this.clock.now + this.timeToLive });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
