import type { Aws } from "../aws/api";
import { Ec2Error } from "../aws/ec2";
import { type Clock, type Process } from "../clock";
import type { Binding, Kubernetes, Pod, Service } from "../kubernetes";
import { Expiring } from "./expiring";
import { Networking } from "./networking";
import { Queue } from "./queue";
import { constants, type ControllerSettings } from "./settings";
import { Targets } from "./targets";

/** Times of the controller's host, which no API answers for. */
export interface HostTimes {
  /** A patch of a binding, in milliseconds. */
  readonly patch: number;
  /** What a worker still does after the last patch, in milliseconds. */
  readonly afterwards: number;
  /** Delay beyond the fixed 30 minutes until an unchanged binding is looked at all the same, in milliseconds: 0 to 15 minutes. */
  readonly deferralJitter: (name: string) => number;
}

/**
 * One process of the controller (pkg/targetgroupbinding/resource_manager.go, controllers/elbv2): it begins with empty caches, and ends when it is
 * stopped.
 */
export class Controller {
  private running = true;
  private readonly alive = () => this.running;
  private readonly queue: Queue;
  private readonly networking: Networking;
  private readonly targets: Targets;
  /** Bindings that were looked at, or put off, not longer ago than a synchronisation. */
  private readonly recent: Expiring<true>;
  /** Attempts in a row in which a deleted binding's cleanup failed. */
  private readonly failures = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    aws: Aws,
    private readonly kubernetes: Kubernetes,
    private readonly settings: ControllerSettings,
    private readonly times: HostTimes,
    podGroups: readonly string[],
  ) {
    this.queue = new Queue(clock, (name) => this.reconcile(name), this.alive);
    this.networking = new Networking(clock, aws, kubernetes, settings, podGroups);
    this.targets = new Targets(clock, aws);
    this.recent = new Expiring(clock, settings.syncPeriod);

    kubernetes.bindings.subscribe((name) => this.queue.add(name));
    kubernetes.services.subscribe((service) => {
      for (const binding of kubernetes.bindings.allSeen().values())
        if (binding.service === service) this.queue.add(binding.name);
    });
    this.synchronise();
  }

  stop(): void {
    this.running = false;
  }

  private synchronise(): void {
    if (!this.running) return;
    for (const name of this.kubernetes.bindings.allSeen().keys()) this.queue.add(name);
    this.clock.after(this.settings.syncPeriod, () => this.synchronise());
  }

  private *reconcile(name: string): Process<void> {
    const binding = this.kubernetes.bindings.seen(name);
    if (binding === undefined) return;
    const service = this.kubernetes.services.seen(binding.service);
    if (binding.deleting) {
      const failures = (yield* this.cleanup(binding)) ? (this.failures.get(name) ?? 0) + 1 : 0;
      this.failures.set(name, failures);
      if (failures > 0)
        this.queue.addAfter(name, Math.min(constants.firstBackoff * 2 ** (failures - 1), this.settings.longestBackoff));
    } else if (yield* this.look(binding, service)) this.queue.addAfter(name, this.settings.requeue);
  }

  /** Says whether the rules failed, so that it must be tried again. */
  private *look(binding: Binding, service: Service | undefined): Process<boolean> {
    const pods = (service?.pods ?? []).filter((pod) => pod.ready);
    const port = service?.port ?? 0;
    const checkpoint = checkpointOf(binding, pods, port);
    if (binding.checkpoint === checkpoint) {
      this.putOff(binding.name);
      return false;
    }

    const endpoints = pods.map((pod) => `${pod.address}:${port}`);
    const registered = yield* this.targets.list(binding.name);
    const gone = registered.filter((target) => !endpoints.includes(target));
    const missing = endpoints.filter((endpoint) => !registered.includes(endpoint));

    const failed = yield* failing(
      this.networking.reconcile(
        binding,
        pods.map((pod) => pod.address),
      ),
    );
    // Emptied first, so that a stop in between is noticed; what it was empty before is left alone.
    if (gone.length > 0 || missing.length > 0 || failed) yield* this.write(binding.name, "", binding.checkpoint);
    if (gone.length > 0) yield* this.targets.deregister(binding.name, gone);
    if (missing.length > 0) yield* this.targets.register(binding.name, missing);
    if (failed) return true;

    yield* this.write(binding.name, checkpoint, binding.checkpoint);
    if (this.recent.get(binding.name) === undefined) this.recent.set(binding.name, true);
    yield this.clock.sleep(this.times.afterwards);
    return false;
  }

  private *cleanup(binding: Binding): Process<boolean> {
    const registered = yield* this.targets.list(binding.name);
    if (registered.length > 0) yield* this.targets.deregister(binding.name, registered);
    if (yield* failing(this.networking.cleanup(binding.name))) return true;
    yield this.clock.sleep(this.times.patch);
    if (this.kubernetes.bindings.get(binding.name)?.deleting === true)
      this.kubernetes.bindings.set(binding.name, undefined);
    return false;
  }

  /** Nothing has changed: done later, unless it was looked at recently. */
  private putOff(name: string): void {
    if (this.recent.get(name) !== undefined) return;
    this.recent.set(name, true);
    this.clock.after(constants.deferral + this.times.deferralJitter(name), () => {
      if (!this.running) return;
      const seen = this.kubernetes.bindings.seen(name);
      if (seen !== undefined && seen.checkpoint !== "")
        this.kubernetes.bindings.change(name, (binding) => ({ ...binding, checkpoint: "" }));
    });
  }

  /** Writes the annotation, unless it believes that it stands there already: it compares with what its watch had heard. */
  private *write(name: string, checkpoint: string, before: string): Process<void> {
    if (checkpoint === before) return;
    yield this.clock.sleep(this.times.patch);
    this.kubernetes.bindings.change(name, (binding) => ({ ...binding, checkpoint }));
  }
}

/** A hash in the controller; its inputs here. Rules in AWS are none of them. */
export function checkpointOf(binding: Binding, pods: readonly Pod[], port: number): string {
  const endpoints = pods.map((pod) => `${pod.address}:${port}@${pod.createdAt}`).sort();
  return JSON.stringify([endpoints, binding.service, binding.networking]);
}

/** Runs a process; true if AWS refused something. */
function* failing(process: Process<void>): Process<boolean> {
  try {
    yield* process;
    return false;
  } catch (error) {
    if (!(error instanceof Ec2Error)) throw error;
    return true;
  }
}
