import type { Aws } from "../aws/api";
import { Ec2Error, type Ec2Code } from "../aws/ec2";
import { tuple, type Rule } from "../aws/rules";
import type { Clock, Process } from "../clock";
import { Expiring } from "./expiring";
import { isManaged } from "./labels";
import { constants } from "./settings";

/** Answers after which the controller looks again, without its cache. All others end the attempt. */
const retried: readonly Ec2Code[] = [
  "InvalidPermission.Duplicate",
  "InvalidPermission.NotFound",
  "RulesPerSecurityGroupLimitExceeded",
];

/**
 * Brings the rules of a group to what is desired (pkg/networking/security_group_manager.go and
 * security_group_reconciler.go of the controller).
 *
 * The race of issue 4889 is in here: a successful mutation only clears the cache, the next look fills it with whatever EC2 says by
 * then, also when that look was meant to get round the cache, and a failed revoke leaves it there for ten minutes.
 */
export class GroupRules {
  private readonly cache: Expiring<readonly Rule[]>;

  constructor(
    clock: Clock,
    private readonly aws: Aws,
  ) {
    this.cache = new Expiring(clock, constants.groupCache);
  }

  *reconcile(group: string, desired: readonly Rule[], authorizeOnly: boolean): Process<void> {
    const believed = yield* this.fetch(group);
    try {
      yield* this.apply(group, believed, desired, authorizeOnly, false);
    } catch (error) {
      if (!(error instanceof Ec2Error) || !retried.includes(error.code)) throw error;
      const revokeFirst = error.code === "RulesPerSecurityGroupLimitExceeded";
      yield* this.apply(group, yield* this.load(group), desired, authorizeOnly, revokeFirst);
    }
  }

  *fetch(group: string): Process<readonly Rule[]> {
    return this.cache.get(group) ?? (yield* this.load(group));
  }

  /** The groups with a tag. Also this look fills the cache. */
  *fetchTagged(tagKey: string): Process<readonly string[]> {
    const found = yield* this.aws.describeTagged(tagKey);
    for (const [group, rules] of found) this.cache.set(group, rules);
    return [...found.keys()];
  }

  private *load(group: string): Process<readonly Rule[]> {
    const rules = yield* this.aws.describeGroup(group);
    this.cache.set(group, rules);
    return rules;
  }

  private *apply(
    group: string,
    believed: readonly Rule[],
    desired: readonly Rule[],
    authorizeOnly: boolean,
    revokeFirst: boolean,
  ): Process<void> {
    const missing = without(desired, believed);
    const extra = authorizeOnly ? [] : without(believed, desired).filter(isManaged);
    if (revokeFirst) yield* this.revoke(group, extra);
    if (missing.length > 0) {
      yield* this.aws.authorize(group, missing);
      this.cache.delete(group);
    }
    if (!revokeFirst) yield* this.revoke(group, extra);
  }

  private *revoke(group: string, rules: readonly Rule[]): Process<void> {
    if (rules.length === 0) return;
    yield* this.aws.revoke(group, rules);
    this.cache.delete(group);
  }
}

/** Rules whose tuple the others don't have, in the order of their tuples. */
function without(rules: readonly Rule[], others: readonly Rule[]): readonly Rule[] {
  const taken = new Set(others.map(tuple));
  const left = new Map(rules.filter((rule) => !taken.has(tuple(rule))).map((rule) => [tuple(rule), rule]));
  return [...left.keys()].sort().flatMap((key) => left.get(key) ?? []);
}
