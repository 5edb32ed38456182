import type { ApiClient, KubernetesObject } from "../apiserver/api-client";
import { condition, hasCondition, podAddress, reportStatus, runningStatus } from "../apiserver/pod-status";
import { Repeated } from "../servers/repeated";

/** How a pod was told to go. */
export interface Leaving {
  readonly namespace: string;
  readonly pod: string;
  /** Whether it was evicted, which asks PodDisruptionBudgets unless the pod was deleted before. */
  readonly evicted: boolean;
  /** Seconds that it got to end. */
  readonly graceSeconds: number;
  /** Seconds that its `terminationGracePeriodSeconds` asks for. */
  readonly wantedSeconds: number;
}

/** How long a pod that waits for a load balancer takes until it counts as ready. */
const gateSeconds = 20;

interface PodSpec {
  readonly nodeName?: string;
  readonly terminationGracePeriodSeconds: number;
  readonly readinessGates?: readonly unknown[];
  readonly containers: readonly {
    readonly lifecycle?: { readonly preStop?: { readonly sleep?: { readonly seconds: number } } };
  }[];
}

/** What became of one pod so far. */
interface Life {
  readonly podIP: string;
  readonly readyAt: number;
  isReady: boolean;
  goneAt?: number;
}

/**
 * The kubelets of all simulated nodes, and the load balancer that opens readiness gates: nodes are ready at once, pods with a gate after
 * 20 seconds. A pod that is told to go takes its `preStop` sleep, but no longer than it got.
 */
export class Kubelets {
  /** Every pod that was told to go, in order. */
  readonly leavings: Leaving[] = [];
  /** What went wrong, for a test to look at: objects that vanish in between are no mistake. */
  readonly problems: string[] = [];
  private readonly lives = new Map<unknown, Life>();
  private readonly rounds: Repeated;

  constructor(private readonly client: ApiClient) {
    this.rounds = new Repeated(() => this.round(), 300);
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  private async round(): Promise<void> {
    try {
      for (const node of await this.client.list("v1", "Node"))
        if (!hasCondition(node, "Ready")) await this.report("Node", node, { conditions: [condition("Ready")] });
      for (const pod of await this.client.list("v1", "Pod")) await this.attend(pod);
    } catch (error) {
      this.problems.push(String(error));
    }
  }

  private async attend(pod: KubernetesObject): Promise<void> {
    const spec = pod["spec"] as PodSpec;
    if (spec.nodeName === undefined) return;
    const life = this.lives.get(pod.metadata["uid"]);
    if (pod.metadata["deletionTimestamp"] !== undefined) await this.end(pod, spec, life);
    else if (life === undefined) await this.begin(pod, spec);
    else if (!life.isReady && Date.now() >= life.readyAt) {
      life.isReady = true;
      await this.report("Pod", pod, runningStatus(pod, life.podIP));
    }
  }

  private async begin(pod: KubernetesObject, { readinessGates = [] }: PodSpec): Promise<void> {
    const podIP = podAddress(this.lives.size);
    const readyAt = Date.now() + (readinessGates.length > 0 ? gateSeconds * 1000 : 0);
    this.lives.set(pod.metadata["uid"], { podIP, readyAt, isReady: false });
    await this.report("Pod", pod, runningStatus(pod, podIP, false));
  }

  private async end(pod: KubernetesObject, spec: PodSpec, life: Life | undefined): Promise<void> {
    if (life?.goneAt === undefined) {
      const graceSeconds = Number(pod.metadata["deletionGracePeriodSeconds"] ?? 0);
      this.leavings.push({
        namespace: pod.metadata.namespace ?? "",
        pod: pod.metadata.name,
        evicted: hasCondition(pod, "DisruptionTarget"),
        graceSeconds,
        wantedSeconds: spec.terminationGracePeriodSeconds,
      });
      const sleeps = spec.containers.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds ?? 0);
      const goneAt = Date.now() + Math.min(graceSeconds, ...sleeps) * 1000;
      this.lives.set(pod.metadata["uid"], { podIP: "", readyAt: 0, isReady: false, ...life, goneAt });
    } else if (Date.now() >= life.goneAt) {
      await this.client.remove({ ...pod, apiVersion: "v1", kind: "Pod" });
    }
  }

  private report(kind: string, object: KubernetesObject, status: object): Promise<void> {
    return reportStatus(this.client, { ...object, apiVersion: "v1", kind }, status, this.problems);
  }
}
