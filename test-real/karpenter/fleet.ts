import type { Moment } from "../../test/support/timeline";
import type { Answer, KubernetesObject } from "../apiserver/api-client";
import { changed } from "../apiserver/objects";
import { eventually } from "../apiserver/eventually";
import { hasCondition } from "../apiserver/pod-status";
import { placed } from "./adapted";
import { patience, type Lab } from "./lab";
import { labelsOf } from "./recorder";
import { podLabels, rendered, type PoolArgs, type Rendered } from "./rendered";

/** How pods of ours are protected. */
export interface Protection {
  /** Pods that may be evicted at a time; undefined for no PodDisruptionBudget. Ours has 1. */
  readonly maxUnavailable: number | undefined;
  /** Whether they carry `karpenter.sh/do-not-disrupt`. */
  readonly doNotDisrupt?: boolean;
}

/** As `DrainSafeDeployment` makes it. */
export const ours: Protection = { maxUnavailable: 1 };
export const unprotected: Protection = { maxUnavailable: undefined };

const doNotDisrupt = { "karpenter.sh/do-not-disrupt": "true" };

/** Pods of ours in a pool of their own, in a namespace that has the pool's name. */
export class Fleet {
  private constructor(
    readonly name: string,
    private readonly lab: Lab,
    private readonly made: Rendered,
    readonly replicas: number,
  ) {}

  /** Makes the pool and all that runs there. `change` alters the NodePool where the constructor wouldn't. */
  static async deploy(
    lab: Lab,
    name: string,
    args: PoolArgs,
    replicas: number,
    protection: Protection = ours,
    change: Readonly<Record<string, unknown>> = {},
  ): Promise<Fleet> {
    const made = await rendered(name, args, replicas);
    const { deployment, disruptionBudget } = made;
    const { maxUnavailable } = protection;
    for (const object of [
      changed(made.nodePool, change),
      { apiVersion: "v1", kind: "Namespace", metadata: { name } },
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web", namespace: name },
        spec: { selector: podLabels, ports: [{ port: 80 }] },
      },
      ...(maxUnavailable === undefined ? [] : [changed(disruptionBudget, { "spec/maxUnavailable": maxUnavailable })]),
      placed(deployment, made, protection.doNotDisrupt === true ? doNotDisrupt : {}),
    ])
      taken(await lab.client.apply(object));
    return new Fleet(name, lab, made, replicas);
  }

  /** Gives the pool other arguments. */
  async setPool(args: PoolArgs): Promise<void> {
    const { nodePool } = await rendered(this.name, args, this.replicas);
    taken(await this.lab.client.apply(nodePool));
  }

  /** Another workload on nodes of its own, that stays where it is, with room beside it for one of our pods each. */
  async fill(): Promise<void> {
    const matchLabels = { app: "fill" };
    const apart = (topologyKey: string) => ({
      maxSkew: 1,
      topologyKey,
      whenUnsatisfiable: "DoNotSchedule",
      labelSelector: { matchLabels },
    });
    const container = { name: "fill", image: "example.com/fill:1", resources: { requests: { cpu: "2500m" } } };
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "fill", namespace: this.name },
      spec: {
        replicas: this.replicas,
        selector: { matchLabels },
        template: {
          metadata: { labels: matchLabels },
          spec: {
            topologySpreadConstraints: [apart("topology.kubernetes.io/zone"), apart("kubernetes.io/hostname")],
            containers: [container],
          },
        },
      },
    };
    taken(await this.lab.client.apply(placed(deployment, this.made, doNotDisrupt)));
    await this.until(({ nodes }) => nodes.length === 2 * this.replicas);
  }

  /** Asks for another number of our pods. */
  async scale(replicas: number): Promise<void> {
    taken(await this.lab.client.merge(this.made.deployment, { spec: { replicas } }));
  }

  /** Waits for what the recorder is to see, and fails when it doesn't. */
  async until(wanted: (moment: Moment) => boolean): Promise<Moment> {
    const found = await eventually(() => this.lab.recorder.latest(this.name), wanted, patience / 2000);
    if (wanted(found)) return found;
    throw new Error(`fleet ${this.name} never got there; at the end it had ${JSON.stringify(found)}`);
  }

  /** Waits until all pods are ready. */
  async untilReady(): Promise<void> {
    await this.until(({ ready }) => ready.length === this.replicas);
  }

  /** Waits until Karpenter takes every node for one that it may consolidate, and for a place to move pods to. */
  async untilConsolidatable(): Promise<void> {
    const wait = (claims: readonly KubernetesObject[]) =>
      claims.length > 0 && claims.every((claim) => hasCondition(claim, "Consolidatable"));
    const claims = await eventually(() => this.claims(), wait, patience / 2000);
    if (!wait(claims)) throw new Error(`nodes of ${this.name} never became consolidatable`);
  }

  /** What Karpenter knows of the pool's nodes. */
  async claims(): Promise<readonly KubernetesObject[]> {
    const claims = await this.lab.client.list("karpenter.sh/v1", "NodeClaim");
    return claims.filter(({ metadata }) => labelsOf(metadata)["karpenter.sh/nodepool"] === this.name);
  }
}

function taken({ status, body }: Answer): void {
  if (status >= 300) throw new Error(`${status}: ${String(body["message"])}`);
}
