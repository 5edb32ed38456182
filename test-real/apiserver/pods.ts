import type { ApiClient, KubernetesObject } from "./api-client";

type Counts = Record<string, number>;

export function countBy<T>(values: readonly T[], key: (value: T) => string): Counts {
  return values.map(key).reduce<Counts>((counts, k) => ({ ...counts, [k]: (counts[k] ?? 0) + 1 }), {});
}

/** A pod that only a namespace without a Pod Security standard, or with `baseline`, lets in. */
export function plainPod(namespace: string): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "plain", namespace },
    spec: { containers: [{ name: "main", image: "example.com/plain:1" }] },
  };
}

/** How many pods there are, by the Deployment or StatefulSet that they belong to. */
export async function podsByOwner(client: ApiClient): Promise<Counts> {
  const replicaSets = await client.list("apps/v1", "ReplicaSet");
  const ownerOf = ({ metadata }: KubernetesObject): string => {
    const [owner] = metadata["ownerReferences"] as [{ kind: string; name: string }];
    const between = replicaSets.find((r) => owner.kind === "ReplicaSet" && r.metadata.name === owner.name);
    return between === undefined ? `${metadata.namespace}/${owner.kind} ${owner.name}` : ownerOf(between);
  };
  return countBy(await client.list("v1", "Pod"), ownerOf);
}

/** How many pods each disruption budget is for, as its controller sees it. */
export async function expectedPods(client: ApiClient): Promise<Record<string, unknown>> {
  const budgets = await client.list("policy/v1", "PodDisruptionBudget");
  return Object.fromEntries(
    budgets.map(({ metadata, status }) => [metadata.name, (status as { expectedPods?: number }).expectedPods]),
  );
}
