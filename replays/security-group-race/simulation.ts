import { Aws, type Operation } from "./aws/api";
import { Ec2, Ec2Error, type Mutation } from "./aws/ec2";
import { admits } from "./aws/rules";
import { TargetGroups } from "./aws/target-groups";
import { Clock } from "./clock";
import { Controller, type HostTimes } from "./controller/controller";
import { Kubernetes, type Pod } from "./kubernetes";
import type { StaticRule, Topology } from "./topology";

/** What differs from one run to the next, and isn't the cluster's users' doing. */
export interface Conditions extends HostTimes {
  /** How long EC2 doesn't show a mutation, in milliseconds. */
  readonly staleness: (mutation: Mutation) => number;
  /** How long the controller's watch takes for a change, in milliseconds. */
  readonly lag: () => number;
  /** Duration of an AWS call, in milliseconds. */
  readonly callTime: (operation: Operation) => number;
}

/** Conditions under which nothing races. */
export const calm: Conditions = {
  staleness: () => 0,
  lag: () => 1,
  callTime: () => 40,
  patch: 5,
  afterwards: 5,
  deferralJitter: () => 0,
};

/** A cluster with load balancers, its controller and AWS. Time passes only by `pass`, or by the clock's `run`. */
export class Simulation {
  readonly clock = new Clock();
  readonly ec2: Ec2;
  readonly targets = new TargetGroups();
  readonly kubernetes: Kubernetes;
  readonly aws: Aws;
  private controller: Controller | undefined;
  private podsMade = 0;

  constructor(
    readonly topology: Topology,
    private readonly conditions: Conditions = calm,
  ) {
    this.ec2 = new Ec2(this.clock, conditions.staleness);
    this.kubernetes = new Kubernetes(this.clock, conditions.lag);
    this.aws = new Aws(this.clock, this.ec2, this.targets, conditions.callTime);
    for (const [group, tagKeys] of Object.entries(topology.groups)) this.ec2.createGroup(group, tagKeys);
  }

  /** Lets time pass, in milliseconds. */
  pass(milliseconds: number): void {
    this.clock.run(this.clock.now + milliseconds);
  }

  /** Starts the controller, in place of one that may run. */
  startController(): void {
    this.stopController();
    const { clock, aws, kubernetes, conditions, topology } = this;
    this.controller = new Controller(clock, aws, kubernetes, topology.controller, conditions, topology.podGroups);
  }

  stopController(): void {
    this.controller?.stop();
  }

  /** Makes a service with ready pods, if it isn't there. */
  addService(number: number, port: number, pods = 1): void {
    this.kubernetes.services.set(serviceName(number), {
      port,
      pods: Array.from({ length: pods }, () => this.newPod()),
    });
  }

  bind(number: number): void {
    const name = serviceName(number);
    const service = this.kubernetes.services.get(name);
    if (service === undefined || this.kubernetes.bindings.get(name) !== undefined) return;
    const { networking } = this.topology.way(number, service.port);
    this.kubernetes.bindings.set(name, { name, service: name, networking, checkpoint: "", deleting: false });
  }

  unbind(number: number): void {
    this.kubernetes.bindings.change(serviceName(number), (binding) => ({ ...binding, deleting: true }));
  }

  podsOf(number: number): number {
    return this.kubernetes.services.get(serviceName(number))?.pods.length ?? 0;
  }

  /** A ready pod more. */
  addPod(number: number): void {
    this.kubernetes.services.change(serviceName(number), (service) => ({
      ...service,
      pods: [...service.pods, this.newPod()],
    }));
  }

  /** Ends one pod, if there is one. */
  removePod(number: number, index = 0): void {
    this.kubernetes.services.change(serviceName(number), (service) => ({
      ...service,
      pods: service.pods.filter((_, i) => i !== index % service.pods.length),
    }));
  }

  setReady(number: number, index: number, ready: boolean): void {
    this.kubernetes.services.change(serviceName(number), (service) => ({
      ...service,
      pods: service.pods.map((pod, i) => (i === index % service.pods.length ? { ...pod, ready } : pod)),
    }));
  }

  /** The service's pods listen on another port; its binding follows. */
  setPort(number: number, port: number): void {
    const { networking } = this.topology.way(number, port);
    this.kubernetes.services.change(serviceName(number), (service) => ({ ...service, port }));
    this.kubernetes.bindings.change(serviceName(number), (binding) => ({ ...binding, networking }));
  }

  /** Clears a binding's checkpoint: what forces the controller to look at it again. */
  clearCheckpoint(number: number): void {
    this.kubernetes.bindings.change(serviceName(number), (binding) => ({ ...binding, checkpoint: "" }));
  }

  /** What Pulumi does for a rule of its own: it fails if there is an equal one. */
  create({ group, rule }: StaticRule): void {
    this.ec2.authorize(group, [rule]);
  }

  /**
   * Deploys the static rules. Where an equal rule stands in the way somebody removes that one first, because Pulumi says that it is a
   * duplicate.
   */
  deployStaticRules(): void {
    for (const made of this.topology.staticRules) {
      try {
        this.create(made);
      } catch (error) {
        if (!(error instanceof Ec2Error) || error.code !== "InvalidPermission.Duplicate") throw error;
        this.ec2.revoke(made.group, [made.rule]);
        this.create(made);
      }
    }
  }

  /** Ready pods of services with a binding that requests from their load balancer don't reach. */
  unreachable(): readonly { readonly pod: Pod; readonly registered: boolean }[] {
    const found: { pod: Pod; registered: boolean }[] = [];
    for (const binding of this.kubernetes.bindings.all().values()) {
      const service = this.kubernetes.services.get(binding.service);
      if (service === undefined || binding.deleting) continue;
      const { sources } = this.topology.way(Number(binding.service.slice("service-".length)), service.port);
      const open = this.topology.podGroups.some((group) =>
        this.ec2.actual(group).some((rule) => admits(rule, service.port, sources)),
      );
      if (open) continue;
      const registered = this.targets.registered(binding.name);
      for (const pod of service.pods)
        if (pod.ready) found.push({ pod, registered: registered.has(`${pod.address}:${service.port}`) });
    }
    return found;
  }

  private newPod(): Pod {
    const number = this.podsMade++;
    return { address: `10.0.${number >> 8}.${number & 255}`, createdAt: this.clock.now, ready: true };
  }
}

export const serviceName = (number: number) => `service-${number}`;
