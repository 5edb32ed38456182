import type { Chance } from "../chance";
import { second } from "../time";
import { Target } from "./target";

export interface Pod {
  readonly zone: number;
  /** Undefined while nothing has registered it. */
  target: Target | undefined;
}

/** Zones that the load balancer has nodes in. */
export const zones = 3;

/** How long a load balancer checks a new target before it sends requests there. */
const checks = { quick: { least: 15 * second, most: 45 * second }, slow: { least: 2, most: 3 } };

/** Pods behind a load balancer. What happens to them is told in the order of time. */
export class Fleet {
  /** Every target there ever was. */
  readonly targets: Target[] = [];
  /** Changes of the number of ready pods, as Kubernetes knows it. */
  readonly readiness: { readonly at: number; readonly by: number }[] = [];
  /** Times in which the node in a zone reports nothing. */
  readonly silences: { readonly zone: number; readonly from: number; readonly until: number }[] = [];
  private pods: Pod[] = [];

  constructor(
    readonly chance: Chance,
    private readonly checking: keyof typeof checks = "quick",
  ) {}

  /** Pods that run now, by their age. */
  get running(): readonly Pod[] {
    return this.pods;
  }

  /** Pods are ready, and registered at once. */
  start(count: number, at: number): void {
    for (let i = 0; i < count; i++) this.startIn(this.emptiestZone(), at);
  }

  startIn(zone: number, at: number): Target {
    const pod: Pod = { zone, target: undefined };
    this.pods.push(pod);
    this.ready(at, 1);
    return this.register(pod, at);
  }

  register(pod: Pod, at: number): Target {
    const { least, most } = checks[this.checking];
    const target = new Target(pod.zone, at, at + this.chance.between(least, most));
    pod.target = target;
    this.targets.push(target);
    return target;
  }

  /** A pod ends in an orderly way: it isn't ready any more, and is deregistered. */
  stop(pod: Pod, at: number): void {
    this.ready(at, -1);
    this.forget(pod, at);
  }

  /** Takes a pod and its target away. */
  forget(pod: Pod, at: number): void {
    pod.target?.become("gone", at);
    this.pods = this.pods.filter((other) => other !== pod);
  }

  ready(at: number, by: number): void {
    this.readiness.push({ at, by });
  }

  private emptiestZone(): number {
    const counts = Array.from({ length: zones }, (_, zone) => this.pods.filter((pod) => pod.zone === zone).length);
    return counts.indexOf(Math.min(...counts));
  }
}
