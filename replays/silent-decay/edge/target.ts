/**
 * What a load balancer makes of a target. `initial` counts as unhealthy (guardian/cdk issue 1063: spikes of unhealthy hosts at each
 * deploy). `unused`, in a zone that the load balancer has no node in, is counted nowhere (API reference, TargetHealth), and a target
 * that drains is no longer registered.
 */
export type TargetState = "initial" | "healthy" | "unhealthy" | "unused" | "gone";

interface Change {
  readonly at: number;
  readonly state: TargetState;
}

/** An address in a target group, from its registration on. */
export class Target {
  private readonly changes: Change[] = [];

  constructor(
    readonly zone: number,
    registered: number,
    /** When its health checks have passed. */
    readonly healthyAt: number,
  ) {
    this.become("initial", registered);
    this.become("healthy", healthyAt);
  }

  /** From then on, whatever was to come later. */
  become(state: TargetState, at: number): void {
    change(this.changes, { at, state });
  }

  /** What a node sees whose checks find a change so late. What is registered it is told, and `healthyAt` is when it finds that. */
  seen(delay: number): readonly Change[] {
    const seen: Change[] = [];
    for (const { at, state } of this.changes) {
      const found = state === "unhealthy" || (state === "healthy" && seen.at(-1)?.state === "unhealthy");
      change(seen, { at: found ? at + delay : at, state });
    }
    return seen;
  }
}

function change(changes: Change[], next: Change): void {
  while ((changes.at(-1)?.at ?? next.at) > next.at) changes.pop();
  changes.push(next);
}

/** Registered targets, by what is counted. */
export interface Counts {
  healthy: number;
  unhealthy: number;
  registered: number;
}

/** Follows what a node sees of targets. Asked for times that don't go back. */
export class Tally {
  readonly counts: Counts = { healthy: 0, unhealthy: 0, registered: 0 };
  private readonly changes: (Change & { readonly by: 1 | -1 })[];
  private next = 0;

  constructor(targets: readonly Target[], delay: number) {
    this.changes = targets
      .flatMap((target) =>
        target.seen(delay).flatMap(({ at, state }, i, seen) => {
          const before = seen[i - 1];
          const entered = { at, state, by: 1 as const };
          return before === undefined ? [entered] : [{ at, state: before.state, by: -1 as const }, entered];
        }),
      )
      .sort((a, b) => a.at - b.at);
  }

  at(time: number): Counts {
    for (let change = this.changes[this.next]; change !== undefined && change.at <= time;) {
      const { state, by } = change;
      if (state === "healthy") this.counts.healthy += by;
      if (state === "initial" || state === "unhealthy") this.counts.unhealthy += by;
      if (state !== "gone") this.counts.registered += by;
      change = this.changes[++this.next];
    }
    return this.counts;
  }
}
