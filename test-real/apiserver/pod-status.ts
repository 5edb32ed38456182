import type { ApiClient, KubernetesObject } from "./api-client";

/** What a kubelet would report, for tests that play one. */

/** One condition of an object's status. */
export function condition(type: string, isTrue = true): object {
  const lastTransitionTime = new Date().toISOString();
  return { type, status: isTrue ? "True" : "False", reason: "Fake", message: "", lastTransitionTime };
}

/** Whether an object's status says so. */
export function hasCondition({ status }: KubernetesObject, type: string): boolean {
  const { conditions = [] } = (status ?? {}) as {
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
  return conditions.some((one) => one.type === type && one.status === "True");
}

/** Whether a pod has done its work. */
export function hasEnded({ status }: KubernetesObject): boolean {
  return (status as { readonly phase?: string } | undefined)?.phase === "Succeeded";
}

/** The address of the n-th pod, from 0. */
export function podAddress(n: number): string {
  return `10.0.${Math.floor(n / 250)}.${(n % 250) + 1}`;
}

/** Writes an object's status, and what went wrong into `problems`: objects that vanish in between are no mistake. */
export async function reportStatus(
  client: ApiClient,
  object: KubernetesObject,
  status: object,
  problems: string[],
): Promise<void> {
  const answer = await client.patchStatus(object, status);
  if (answer.status >= 400 && answer.status !== 404)
    problems.push(`${object.kind} ${object.metadata.name}: ${String(answer.body["message"])}`);
}

/** Whether a pod is a job's, and so is there to end. */
export function isOfJob({ metadata }: KubernetesObject): boolean {
  const owners = (metadata["ownerReferences"] ?? []) as readonly { readonly kind: string }[];
  return owners.some(({ kind }) => kind === "Job");
}

/** A pod that has done its work. */
export function succeededStatus({ spec }: KubernetesObject): object {
  const { containers } = spec as { readonly containers: readonly { readonly name: string; readonly image: string }[] };
  const now = new Date().toISOString();
  return {
    phase: "Succeeded",
    conditions: [
      { ...condition("Ready", false), reason: "PodCompleted" },
      { ...condition("ContainersReady", false), reason: "PodCompleted" },
      ...["PodScheduled", "Initialized"].map((type) => condition(type)),
    ],
    containerStatuses: containers.map(({ name, image }) => ({
      name,
      image,
      imageID: image,
      ready: false,
      started: false,
      restartCount: 0,
      state: { terminated: { exitCode: 0, reason: "Completed", startedAt: now, finishedAt: now } },
    })),
  };
}

/** A pod that runs at an address. Until it is ready its gates are closed, too. */
export function runningStatus({ spec }: KubernetesObject, podIP: string, isReady = true): object {
  const { containers, readinessGates = [] } = spec as {
    readonly containers: readonly { readonly name: string; readonly image: string }[];
    readonly readinessGates?: readonly { readonly conditionType: string }[];
  };
  const gates = readinessGates.map(({ conditionType }) => conditionType);
  return {
    phase: "Running",
    podIP,
    podIPs: [{ ip: podIP }],
    conditions: [
      ...["PodScheduled", "Initialized"].map((type) => condition(type)),
      ...["ContainersReady", ...gates, "Ready"].map((type) => condition(type, isReady)),
    ],
    containerStatuses: containers.map(({ name, image }) => ({
      name,
      image,
      imageID: image,
      ready: isReady,
      started: true,
      restartCount: 0,
      state: { running: { startedAt: new Date().toISOString() } },
    })),
  };
}
