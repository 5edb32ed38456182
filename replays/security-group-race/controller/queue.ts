import { start, type Clock, type Process } from "../clock";
import { constants } from "./settings";

/** The controller's work queue: a name waits once, and isn't worked on twice at a time; what comes meanwhile is done afterwards. */
export class Queue {
  private readonly waiting: string[] = [];
  private readonly dirty = new Set<string>();
  private readonly working = new Set<string>();
  private readonly later = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly work: (name: string) => Process<void>,
    private readonly alive: () => boolean,
  ) {}

  add(name: string): void {
    if (!this.alive() || this.dirty.has(name)) return;
    this.dirty.add(name);
    if (this.working.has(name)) return;
    this.waiting.push(name);
    this.dispatch();
  }

  /** Adds a name later; of two times for it the earlier one counts. */
  addAfter(name: string, milliseconds: number): void {
    const time = this.clock.now + milliseconds;
    if ((this.later.get(name) ?? Infinity) <= time) return;
    this.later.set(name, time);
    this.clock.at(time, () => {
      if (this.later.get(name) !== time) return;
      this.later.delete(name);
      this.add(name);
    });
  }

  private dispatch(): void {
    while (this.working.size < constants.workers) {
      const name = this.waiting.shift();
      if (name === undefined) return;
      this.dirty.delete(name);
      this.working.add(name);
      start(this.work(name), this.alive, () => this.done(name));
    }
  }

  private done(name: string): void {
    this.working.delete(name);
    if (this.dirty.has(name)) this.waiting.push(name);
    this.dispatch();
  }
}
