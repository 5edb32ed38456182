import { mkdirSync, mkdtempSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { KubernetesObject } from "../apiserver/api-client";
import { labelOf } from "../apiserver/objects";
import { say } from "../karpenter/say";
import type { Container } from "./containers";
import { imageMounts } from "./image";
import { addressOf, Network, type Machine } from "./network";
import { Kubelet, type Pod, type PodSpec } from "./pods";
import { rendered, type Rendered } from "./rendered";

/** Seconds that only stop a hang: JVMs start slowly on a crowded machine. */
const patience = 240;

/** Nothing of Kafka's behavior: one core's worth of collector and compiler for each of many JVMs on one machine. */
const smallJvm = { KAFKA_JVM_PERFORMANCE_OPTS: "-XX:+UseSerialGC -XX:TieredStopAtLevel=1" };

interface StatefulSetSpec {
  readonly replicas: number;
  readonly serviceName: string;
  readonly minReadySeconds?: number;
  readonly ordinals?: { readonly start: number };
  readonly template: { readonly metadata: { readonly labels: Record<string, string> }; readonly spec: PodSpec };
}

/** A broker or controller: a pod on a machine of its own. */
export class Node {
  public container: Container | undefined;

  constructor(
    public readonly id: number,
    public readonly machine: Machine,
    public readonly readyPort: number,
    public readonly minReadySeconds: number,
    private readonly pod: Pod,
    private readonly kubelet: Kubelet,
  ) {}

  public start(): void {
    this.container = this.kubelet.start(this.pod, this.machine);
  }

  /** Until the readiness probe would succeed. */
  public async ready(seconds = patience): Promise<void> {
    const deadline = Date.now() + seconds * 1000;
    while (!(await listens(addressOf(this.machine), this.readyPort))) {
      const log = this.container?.text().split("\n").slice(-30).join("\n") ?? "";
      if (this.container?.outcome !== undefined)
        throw new Error(`${this.pod.name} ended with ${this.container.outcome}:\n${log}`);
      if (Date.now() > deadline) throw new Error(`${this.pod.name} isn't ready after ${seconds} s:\n${log}`);
      await delay(200);
    }
  }

  /** Ends it and waits; returns the seconds that it took. */
  public async stop(signal: NodeJS.Signals = "SIGTERM", seconds = 120): Promise<number> {
    const began = Date.now();
    const container = this.container;
    if (container === undefined) return 0;
    container.kill("SIGCONT");
    container.kill(signal);
    const gone = await Promise.race([container.ended.then(() => true), delay(seconds * 1000, false, { ref: false })]);
    if (!gone) {
      container.kill("SIGKILL");
      await container.ended;
    }
    this.container = undefined;
    return (Date.now() - began) / 1000;
  }
}

/** A Kafka cluster of real brokers, as the component would have it. */
export class Lab {
  public readonly directory = mkdtempSync(join(tmpdir(), "kafka-"));
  public readonly network = new Network(this.directory);
  public readonly controllers: Node[];
  public readonly brokers: Node[];
  public readonly kubelet: Kubelet;
  private readonly admin: Machine;
  private jobs = 0;

  private constructor(public readonly rendered: Rendered) {
    const image = imageMounts(join(this.directory, "image"));
    const pods = join(this.directory, "pods");
    mkdirSync(pods);
    this.kubelet = new Kubelet(this.network, rendered.objects, image, pods, smallJvm);
    this.controllers = this.nodes("kafka-controller", 10);
    this.brokers = this.nodes("kafka-broker", 20);
    this.admin = this.network.add("admin", 30);
    // A Service would name those that are ready; clients must cope with others, and do.
    this.network.name(
      rendered.bootstrapServers.split(":")[0]!,
      this.brokers.map(({ machine }) => machine),
    );
  }

  /** Starts it, with its access rules and topics. */
  public static async start(): Promise<Lab> {
    const lab = new Lab(await rendered());
    try {
      for (const node of [...lab.controllers, ...lab.brokers]) node.start();
      for (const node of [...lab.controllers, ...lab.brokers]) await node.ready();
      say(`cluster up after ${Math.round(process.uptime())} s`);
      for (const job of lab.rendered.objects.filter(({ kind }) => kind === "Job")) {
        await lab.runJob(job);
        say(`${labelOf(job)} done after ${Math.round(process.uptime())} s`);
      }
      return lab;
    } catch (error) {
      await lab.stop();
      throw error;
    }
  }

  /** Brokers first: without controllers they don't stop by themselves. */
  public async stop(): Promise<void> {
    await Promise.all(this.brokers.map((node) => node.stop("SIGTERM", 20)));
    await Promise.all(this.controllers.map((node) => node.stop("SIGTERM", 10)));
  }

  /** Runs a job of the component until it is done, and returns its log. Kubernetes would try again; one that needs it fails here. */
  public async runJob(job: KubernetesObject): Promise<string> {
    const { template } = job["spec"] as { template: { metadata: { labels: Record<string, string> }; spec: PodSpec } };
    const name = `job-${(this.jobs += 1)}`;
    const pod = { name, namespace: "kafka", labels: template.metadata.labels, spec: template.spec };
    const container = this.kubelet.start(pod, this.admin);
    const outcome = await container.ended;
    if (outcome !== 0) throw new Error(`job ${job.metadata.name} ended with ${outcome}:\n${container.text()}`);
    return container.text();
  }

  /** Runs a script where the component's jobs run, as its administrator. */
  public async administer(script: string): Promise<string> {
    const job = structuredClone(this.rendered.objects.find(({ kind }) => kind === "Job")!);
    const { template } = job["spec"] as { template: { spec: { containers: { command: string[] }[] } } };
    const container = template.spec.containers[0]!;
    const prelude = /^[^]*?PROPERTIES'\n[^]*?\nPROPERTIES\n/.exec(container.command[2]!)?.[0] ?? "";
    container.command = ["/bin/bash", "-c", prelude + script];
    return this.runJob(job);
  }

  private nodes(statefulSet: string, subnet: number): Node[] {
    const found = this.rendered.objects.find(
      ({ kind, metadata }) => kind === "StatefulSet" && metadata.name === statefulSet,
    );
    const { template, replicas, serviceName, ordinals, minReadySeconds = 0 } = found!["spec"] as StatefulSetSpec;
    return Array.from({ length: replicas }, (_, i) => {
      const id = (ordinals?.start ?? 0) + i;
      const name = `${statefulSet}-${id}`;
      const machine = this.network.add(name, subnet + i);
      this.network.name(`${name}.${serviceName}.kafka.svc.cluster.local`, [machine]);
      const labels = {
        ...template.metadata.labels,
        "apps.kubernetes.io/pod-index": String(id),
        "topology.kubernetes.io/zone": `eu-west-1${"abc"[i % 3]}`,
      };
      const port = template.spec.containers[0]?.readinessProbe?.tcpSocket?.port;
      if (port === undefined) throw new Error(`${statefulSet} has no readiness probe for a port`);
      const pod = { name, namespace: "kafka", labels, spec: template.spec };
      return new Node(id, machine, port, minReadySeconds, pod, this.kubelet);
    });
  }
}

function listens(host: string, port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect({ host, port, timeout: 1000 });
    const finish = (answer: boolean) => {
      socket.destroy();
      done(answer);
    };
    socket
      .once("connect", () => finish(true))
      .once("error", () => finish(false))
      .once("timeout", () => finish(false));
  });
}
