import type { Aws } from "../aws/api";
import type { Clock, Process } from "../clock";
import { Expiring } from "./expiring";
import { constants } from "./settings";

/** The controller's view of target groups: a list that it keeps for five minutes, with its own changes written into it. */
export class Targets {
  /** For each target whether the controller need not ask for its health again. */
  private readonly cache: Expiring<Map<string, boolean>>;

  constructor(
    clock: Clock,
    private readonly aws: Aws,
  ) {
    this.cache = new Expiring(clock, constants.targetCache);
  }

  *list(group: string): Process<readonly string[]> {
    const known = this.cache.get(group);
    if (known === undefined) {
      const targets = yield* this.aws.describeTargets(group);
      this.cache.set(group, new Map(targets.map((target) => [target, true])));
      return targets;
    }
    const unsettled = [...known].filter(([, settled]) => !settled).map(([target]) => target);
    if (unsettled.length > 0) {
      const registered = yield* this.aws.describeTargets(group, unsettled);
      for (const target of unsettled) {
        if (registered.includes(target)) known.set(target, true);
        else known.delete(target);
      }
    }
    return [...known.keys()];
  }

  *register(group: string, targets: readonly string[]): Process<void> {
    yield* this.aws.register(group, targets);
    for (const target of targets) this.cache.get(group)?.set(target, false);
  }

  *deregister(group: string, targets: readonly string[]): Process<void> {
    yield* this.aws.deregister(group, targets);
    for (const target of targets) this.cache.get(group)?.set(target, false);
  }
}
