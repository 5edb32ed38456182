import { setTimeout as delay } from "node:timers/promises";
import type { ApiClient, KubernetesObject } from "../apiserver/api-client";
import {
  condition,
  hasCondition,
  hasEnded,
  isOfJob,
  podAddress,
  reportStatus,
  runningStatus,
  succeededStatus,
} from "../apiserver/pod-status";

const node = "node-1";

/** What makes objects ready in a real cluster: kubelets, Karpenter, and the load balancer controller for readiness gates. */
export class FakeKubelet {
  private running = true;
  private readonly loop: Promise<void>;
  private pods = 0;
  /** What went wrong, for a test to look at: objects that vanish in between are no mistake. */
  readonly problems: string[] = [];

  constructor(private readonly client: ApiClient) {
    this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.running = false;
    await this.loop;
  }

  private async run(): Promise<void> {
    await this.client.create({ apiVersion: "v1", kind: "Node", metadata: { name: node } });
    while (this.running) {
      await this.schedule();
      await this.eachUnready("v1", "Pod", (pod) => this.podStatus(pod));
      await this.eachUnready("karpenter.k8s.aws/v1", "EC2NodeClass", () => ({ conditions: [condition("Ready")] }));
      await this.eachUnready("karpenter.sh/v1", "NodePool", () => ({ conditions: [condition("Ready")] }));
      await delay(200);
    }
  }

  /** Gives new pods a node: without one their addresses don't get into a Service. Those that are to go, go. */
  private async schedule(): Promise<void> {
    for (const listed of await this.client.list("v1", "Pod")) {
      const pod: KubernetesObject = { ...listed, apiVersion: "v1", kind: "Pod" };
      if (pod.metadata["deletionTimestamp"] !== undefined) await this.client.remove(pod);
      else if ((pod["spec"] as { readonly nodeName?: string }).nodeName === undefined)
        await this.client.bind(pod, node);
    }
  }

  /** Before its definition exists, a kind has no objects. */
  private async eachUnready(
    apiVersion: string,
    kind: string,
    status: (object: KubernetesObject) => object,
  ): Promise<void> {
    let objects: readonly KubernetesObject[] = [];
    try {
      objects = await this.client.list(apiVersion, kind);
    } catch {
      return;
    }
    for (const object of objects.filter((one) => !hasCondition(one, "Ready") && !hasEnded(one))) {
      await reportStatus(this.client, { ...object, apiVersion, kind }, status(object), this.problems);
    }
  }

  /** Running on an address of its own, with all gates open; a job's has done its work. */
  private podStatus(pod: KubernetesObject): object {
    return isOfJob(pod) ? succeededStatus(pod) : runningStatus(pod, podAddress(this.pods++));
  }
}
