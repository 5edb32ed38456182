import type { Clock, Process } from "../clock";
import { Ec2, Ec2Error } from "./ec2";
import { tuple, type Rule } from "./rules";
import type { TargetGroups } from "./target-groups";

export type Operation =
  | "DescribeSecurityGroups"
  | "AuthorizeSecurityGroupIngress"
  | "RevokeSecurityGroupIngress"
  | "DescribeInstances"
  | "DescribeTargetHealth"
  | "RegisterTargets"
  | "DeregisterTargets";

/** A call of the controller, as CloudTrail would have it. */
export interface Call {
  /** When it took effect, in milliseconds of the clock. */
  readonly at: number;
  readonly operation: Operation;
  /** Rules as tuples, targets as `address:port`. */
  readonly what: readonly string[];
  readonly error?: string;
}

/** AWS as the controller sees it: every call takes time, happens in the middle of it, and is written down. */
export class Aws {
  public readonly calls: Call[] = [];
  /** Operations that the controller's role may not do. */
  public readonly denied = new Set<Operation>();

  constructor(
    private readonly clock: Clock,
    private readonly ec2: Ec2,
    private readonly targets: TargetGroups,
    /** Duration of a call, in milliseconds. */
    private readonly callTime: (operation: Operation) => number,
  ) {}

  *describeGroup(group: string): Process<readonly Rule[]> {
    return yield* this.call("DescribeSecurityGroups", [group], () => this.ec2.describe(group));
  }

  *describeTagged(tagKey: string): Process<ReadonlyMap<string, readonly Rule[]>> {
    return yield* this.call("DescribeSecurityGroups", [`tag ${tagKey}`], () => {
      const groups = this.ec2.groupsTagged(tagKey);
      return new Map(groups.map((group) => [group, this.ec2.describe(group)]));
    });
  }

  *authorize(group: string, rules: readonly Rule[]): Process<void> {
    yield* this.call("AuthorizeSecurityGroupIngress", rules.map(tuple), () => this.ec2.authorize(group, rules));
  }

  *revoke(group: string, rules: readonly Rule[]): Process<void> {
    yield* this.call("RevokeSecurityGroupIngress", rules.map(tuple), () => this.ec2.revoke(group, rules));
  }

  *describeInterfaces(addresses: readonly string[]): Process<void> {
    yield* this.call("DescribeInstances", addresses, () => undefined);
  }

  /** Those of `targets` that are registered, or all. */
  *describeTargets(targetGroup: string, targets?: readonly string[]): Process<readonly string[]> {
    return yield* this.call("DescribeTargetHealth", targets ?? [], () => {
      const registered = this.targets.registered(targetGroup);
      return targets === undefined ? [...registered] : targets.filter((target) => registered.has(target));
    });
  }

  *register(targetGroup: string, targets: readonly string[]): Process<void> {
    yield* this.call("RegisterTargets", targets, () => this.targets.register(targetGroup, targets));
  }

  *deregister(targetGroup: string, targets: readonly string[]): Process<void> {
    yield* this.call("DeregisterTargets", targets, () => this.targets.deregister(targetGroup, targets));
  }

  private *call<T>(operation: Operation, what: readonly string[], action: () => T): Process<T> {
    const half = this.callTime(operation) / 2;
    yield this.clock.sleep(half);
    let outcome: { value: T } | { error: Ec2Error };
    try {
      if (this.denied.has(operation)) throw new Ec2Error("UnauthorizedOperation");
      outcome = { value: action() };
      this.calls.push({ at: this.clock.now, operation, what });
    } catch (error) {
      if (!(error instanceof Ec2Error)) throw error;
      outcome = { error };
      this.calls.push({ at: this.clock.now, operation, what, error: error.code });
    }
    yield this.clock.sleep(half);
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }
}
