import type { Aws } from "../aws/api";
import { Ec2Error } from "../aws/ec2";
import { Mutex, type Clock, type Process } from "../clock";
import type { Binding, Kubernetes } from "../kubernetes";
import { aggregate, asked, type RulesByGroup } from "./desired";
import { Expiring } from "./expiring";
import { GroupRules } from "./group-rules";
import { clusterTag, constants, type ControllerSettings } from "./settings";

/** The rules of all groups from what all bindings ask for (pkg/networking/networking_manager.go of the controller). */
export class Networking {
  private readonly lock = new Mutex();
  private readonly groups: GroupRules;
  private readonly interfaces: Expiring<true>;
  private readonly askedBy = new Map<string, RulesByGroup>();
  private readonly tracked = new Set<string>();
  private trackedTagged = false;

  constructor(
    clock: Clock,
    private readonly aws: Aws,
    private readonly kubernetes: Kubernetes,
    private readonly settings: ControllerSettings,
    /** Security groups of every pod's network interface. */
    private readonly podGroups: readonly string[],
  ) {
    this.groups = new GroupRules(clock, aws);
    this.interfaces = new Expiring(clock, constants.interfaceCache);
  }

  *reconcile(binding: Binding, addresses: readonly string[]): Process<void> {
    // Outside the lock, as in the controller: a look at the groups in here can be stored after a mutation, although it is older.
    const wanted =
      binding.networking === undefined || addresses.length === 0
        ? new Map()
        : asked(binding.networking, yield* this.endpointGroups(addresses));
    yield* this.lock.locked(() => this.pass(binding.name, wanted));
  }

  *cleanup(name: string): Process<void> {
    yield* this.lock.locked(() => this.pass(name, new Map()));
  }

  /** With one group on the interface it is that; of several it is the one with the cluster's tag. */
  private *endpointGroups(addresses: readonly string[]): Process<readonly string[]> {
    const unknown = addresses.filter((address) => this.interfaces.get(address) === undefined);
    if (unknown.length > 0) yield* this.aws.describeInterfaces(unknown);
    for (const address of unknown) this.interfaces.set(address, true);
    if (this.podGroups.length === 1) return this.podGroups;
    for (const group of this.podGroups) yield* this.groups.fetch(group);
    return this.podGroups.slice(0, 1);
  }

  private *pass(name: string, wanted: RulesByGroup): Process<void> {
    this.askedBy.set(name, wanted);
    for (const group of wanted.keys()) this.tracked.add(group);
    const withNetworking = [...this.kubernetes.bindings.allSeen().values()].filter((b) => b.networking !== undefined);
    for (const known of this.askedBy.keys())
      if (!withNetworking.some((binding) => binding.name === known)) this.askedBy.delete(known);
    // Before every binding with networking has been looked at, nothing may be taken away.
    const complete = this.askedBy.size === withNetworking.length;

    const desired = aggregate(this.askedBy.values(), this.settings.restricted);
    const errors: Ec2Error[] = [];
    for (const [group, rules] of desired) {
      try {
        yield* this.groups.reconcile(group, rules, !complete);
      } catch (error) {
        if (!(error instanceof Ec2Error)) throw error;
        errors.push(error);
      }
    }
    if (complete) yield* this.collectGarbage(desired);
    if (errors[0] !== undefined) throw errors[0];
  }

  /** Groups that no binding asks for any more lose the controller's rules. */
  private *collectGarbage(desired: RulesByGroup): Process<void> {
    if (!this.trackedTagged) {
      for (const group of yield* this.groups.fetchTagged(clusterTag(this.settings.clusterName)))
        this.tracked.add(group);
      this.trackedTagged = true;
    }
    for (const group of this.tracked) if (!desired.has(group)) yield* this.groups.reconcile(group, [], false);
  }
}
