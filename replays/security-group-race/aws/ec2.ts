import type { Clock } from "../clock";
import { tuple, type Rule } from "./rules";

/** Error codes of EC2 that the controller tells apart. */
export type Ec2Code =
  | "InvalidPermission.Duplicate"
  | "InvalidPermission.NotFound"
  | "RulesPerSecurityGroupLimitExceeded"
  | "UnauthorizedOperation";

export class Ec2Error extends Error {
  constructor(public readonly code: Ec2Code) {
    super(code);
  }
}

/** Rules that one group holds at most: the default of the quota "Inbound or outbound rules per security group". */
export const ruleQuota = 60;

export interface Mutation {
  readonly kind: "authorize" | "revoke";
  readonly group: string;
  readonly rules: readonly Rule[];
}

interface Recorded extends Mutation {
  readonly visibleAt: number;
}

/**
 * EC2's security groups, in a VPC that isn't the default one (there a revoke of what isn't there is no error). Traffic and mutations
 * see the truth; `describe` sees each mutation only after a delay that the timeline gives.
 */
export class Ec2 {
  private readonly truth = new Map<string, Map<string, Rule>>();
  private readonly tags = new Map<string, ReadonlySet<string>>();
  private readonly recorded: Recorded[] = [];

  constructor(
    private readonly clock: Clock,
    /** How long, in milliseconds, `describe` doesn't see this mutation. */
    private readonly staleness: (mutation: Mutation) => number,
  ) {}

  createGroup(group: string, tagKeys: readonly string[] = []): void {
    this.truth.set(group, new Map());
    this.tags.set(group, new Set(tagKeys));
  }

  /** All or nothing, as the API has it: one rule that is there already, or one too many, and none is added. */
  authorize(group: string, rules: readonly Rule[]): void {
    const present = this.rulesOf(group);
    const added = new Map(rules.map((rule) => [tuple(rule), rule]));
    if ([...added.keys()].some((key) => present.has(key))) throw new Ec2Error("InvalidPermission.Duplicate");
    if (present.size + added.size > ruleQuota) throw new Ec2Error("RulesPerSecurityGroupLimitExceeded");
    for (const [key, rule] of added) present.set(key, rule);
    this.record({ kind: "authorize", group, rules });
  }

  /** By tuple, whatever the descriptions say. One that isn't there, and none is removed. */
  revoke(group: string, rules: readonly Rule[]): void {
    const present = this.rulesOf(group);
    if (rules.some((rule) => !present.has(tuple(rule)))) throw new Ec2Error("InvalidPermission.NotFound");
    for (const rule of rules) present.delete(tuple(rule));
    this.record({ kind: "revoke", group, rules });
  }

  /** What the API says is there, which may be some seconds old. */
  describe(group: string): readonly Rule[] {
    const seen = new Map<string, Rule>();
    for (const mutation of this.recorded) {
      if (mutation.group !== group || mutation.visibleAt > this.clock.now) continue;
      for (const rule of mutation.rules) {
        if (mutation.kind === "authorize") seen.set(tuple(rule), rule);
        else seen.delete(tuple(rule));
      }
    }
    return [...seen.values()];
  }

  groupsTagged(key: string): readonly string[] {
    return [...this.tags].filter(([, keys]) => keys.has(key)).map(([group]) => group);
  }

  /** What is really there, and decides about packets. */
  actual(group: string): readonly Rule[] {
    return [...this.rulesOf(group).values()];
  }

  private rulesOf(group: string): Map<string, Rule> {
    const rules = this.truth.get(group);
    if (rules === undefined) throw new Error(`no such security group: ${group}`);
    return rules;
  }

  private record(mutation: Mutation): void {
    this.recorded.push({ ...mutation, visibleAt: this.clock.now + this.staleness(mutation) });
  }
}
