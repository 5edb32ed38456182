import { isDeepStrictEqual } from "node:util";
import { between, type Moment, type Timeline } from "../../test/support/timeline";
import type { ApiClient, KubernetesObject } from "../apiserver/api-client";
import { Repeated } from "../servers/repeated";

interface Endpoint {
  readonly addresses: readonly string[];
  readonly conditions: { readonly ready?: boolean };
}

/**
 * Looks at the ready addresses of every namespace and the nodes of every pool, three times a second, and writes down what is new. A fleet has
 * a namespace of its own, named as its pool.
 */
export class Recorder {
  /** What went wrong, for a test to look at. */
  readonly problems: string[] = [];
  private readonly fleets: ReadonlyMap<string, Moment[]>;
  private readonly began = Date.now();
  private readonly looks: Repeated;

  constructor(
    private readonly client: ApiClient,
    names: readonly string[],
  ) {
    this.fleets = new Map(names.map((name) => [name, []]));
    this.looks = new Repeated(() => this.look(), 300);
  }

  stop(): Promise<void> {
    return this.looks.stop();
  }

  /** Seconds since the recording began. */
  now(): number {
    return Math.round((Date.now() - this.began) / 100) / 10;
  }

  /** What there is of a fleet now. */
  latest(name: string): Moment {
    const latest = this.fleets.get(name)?.at(-1);
    return latest ?? { at: 0, ready: [], nodes: [], leaving: [] };
  }

  /** What there was of a fleet from then on. */
  since(name: string, from: number): Timeline {
    return between(this.fleets.get(name) ?? [], from, this.now());
  }

  private async look(): Promise<void> {
    try {
      await this.writeDown();
    } catch (error) {
      this.problems.push(String(error));
    }
  }

  private async writeDown(): Promise<void> {
    const slices = await this.client.list("discovery.k8s.io/v1", "EndpointSlice");
    const nodes = await this.client.list("v1", "Node");
    const at = this.now();
    for (const [name, moments] of this.fleets) {
      const moment = { at, ready: readyIn(slices, name), ...nodesOf(nodes, name) };
      const latest = moments.at(-1);
      if (latest === undefined || !isDeepStrictEqual({ ...latest, at }, moment)) moments.push(moment);
    }
  }
}

function readyIn(slices: readonly KubernetesObject[], namespace: string): string[] {
  return slices
    .filter(({ metadata }) => metadata.namespace === namespace)
    .flatMap((slice) => (slice["endpoints"] ?? []) as readonly Endpoint[])
    .filter(({ conditions }) => conditions.ready === true)
    .flatMap(({ addresses }) => addresses)
    .sort();
}

function nodesOf(nodes: readonly KubernetesObject[], pool: string): Pick<Moment, "nodes" | "leaving"> {
  const own = nodes.filter(({ metadata }) => labelsOf(metadata)["karpenter.sh/nodepool"] === pool);
  const names = (some: readonly KubernetesObject[]) => some.map(({ metadata }) => metadata.name).sort();
  return { nodes: names(own), leaving: names(own.filter(isLeaving)) };
}

/** Karpenter taints what it has decided to take away, then deletes it. */
function isLeaving({ metadata, spec }: KubernetesObject): boolean {
  const { taints = [] } = spec as { readonly taints?: readonly { readonly key: string }[] };
  return metadata["deletionTimestamp"] !== undefined || taints.some(({ key }) => key === "karpenter.sh/disrupted");
}

export function labelsOf(metadata: KubernetesObject["metadata"]): Readonly<Record<string, string>> {
  return (metadata["labels"] ?? {}) as Record<string, string>;
}
