/** A pause of a process: gets what continues it. */
export type Pause = (resume: () => void) => void;

/** Something that takes simulated time: a generator that yields where it waits. */
export type Process<T> = Generator<Pause, T, void>;

export const second = 1_000;
export const minute = 60 * second;

interface Due {
  readonly at: number;
  readonly action: () => void;
}

/** Simulated time, in milliseconds. Nothing waits for real: the clock jumps from one action to the next, and equal timelines run equally. */
export class Clock {
  public now = 0;
  private readonly due: Due[] = [];
  private readonly watchers: ((from: number, to: number) => void)[] = [];

  /** Calls before each jump: between the two times nothing changes. */
  onAdvance(watcher: (from: number, to: number) => void): void {
    this.watchers.push(watcher);
  }

  at(time: number, action: () => void): void {
    const entry: Due = { at: Math.max(time, this.now), action };
    // Behind those of the same time: what was asked for first happens first.
    const index = this.due.findIndex((other) => other.at > entry.at);
    this.due.splice(index < 0 ? this.due.length : index, 0, entry);
  }

  after(milliseconds: number, action: () => void): void {
    this.at(this.now + milliseconds, action);
  }

  run(until: number): void {
    for (let next = this.due[0]; next !== undefined && next.at <= until; next = this.due[0]) {
      this.due.shift();
      this.advance(next.at);
      next.action();
    }
    this.advance(until);
  }

  private advance(to: number): void {
    if (to <= this.now) return;
    for (const watcher of this.watchers) watcher(this.now, to);
    this.now = to;
  }

  /** Waits inside a process. */
  sleep(milliseconds: number): Pause {
    return (resume) => this.after(milliseconds, resume);
  }
}

/** Runs a process as far as `alive` holds: a process that is killed does nothing more, not even its clean-up. */
export function start<T>(process: Process<T>, alive: () => boolean, done: (result: T) => void): void {
  const resume = (): void => {
    if (!alive()) return;
    const step = process.next();
    if (step.done === true) done(step.value);
    else step.value(resume);
  };
  resume();
}

/** A lock that one process holds at a time; the others wait in their order. */
export class Mutex {
  private held = false;
  private readonly waiting: (() => void)[] = [];

  *locked<T>(work: () => Process<T>): Process<T> {
    yield (resume) => {
      if (this.held) this.waiting.push(resume);
      else {
        this.held = true;
        resume();
      }
    };
    try {
      return yield* work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.held = false;
      else next();
    }
  }
}
