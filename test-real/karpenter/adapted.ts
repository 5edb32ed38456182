import type { KubernetesObject } from "../apiserver/api-client";

/*
 * What of our objects has to change for nodes that are only simulated. It is as little as possible, and the suite prints it.
 */

/** Labels that only Karpenter's provider for EC2 gives its instances. */
const ofEc2 = "karpenter.k8s.aws/";

/** Our NodePool for simulated nodes, and what that took. */
export interface Adapted {
  readonly nodePool: KubernetesObject;
  /** Requirements that no simulated node could meet. */
  readonly dropped: readonly string[];
}

interface NodePoolSpec {
  readonly template: {
    readonly spec: { readonly requirements: readonly { readonly key: string }[]; readonly [key: string]: unknown };
    readonly [key: string]: unknown;
  };
  readonly [key: string]: unknown;
}

/** Name of the one class of simulated nodes. */
export const nodeClassName = "simulated";

/** The class that adapted pools refer to. It knows nothing of images, subnets and roles. */
export const nodeClass: KubernetesObject = {
  apiVersion: "karpenter.kwok.sh/v1alpha1",
  kind: "KWOKNodeClass",
  metadata: { name: nodeClassName },
};

/** Refers a NodePool to simulated nodes and drops what only EC2's have. All else stays as it is. */
export function adapted(nodePool: KubernetesObject): Adapted {
  const spec = nodePool["spec"] as NodePoolSpec;
  const { requirements } = spec.template.spec;
  const drops = ({ key }: { readonly key: string }) => key.startsWith(ofEc2);
  const nodeClassRef = { group: "karpenter.kwok.sh", kind: "KWOKNodeClass", name: nodeClassName };
  const templateSpec = { ...spec.template.spec, nodeClassRef, requirements: requirements.filter((r) => !drops(r)) };
  return {
    nodePool: { ...nodePool, spec: { ...spec, template: { ...spec.template, spec: templateSpec } } },
    dropped: requirements.filter(drops).map(({ key }) => key),
  };
}

/** What pods need to run in a pool: `KarpenterNodePool.nodeSelector` and `tolerations`. */
export interface Placement {
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly object[];
}

interface WorkloadSpec {
  readonly template: { readonly metadata?: object; readonly spec: object };
  readonly [key: string]: unknown;
}

/** A Deployment whose pods run in one pool: `DrainSafeDeployment` leaves the choice to the pools' taints. */
export function placed(
  deployment: KubernetesObject,
  { nodeSelector, tolerations }: Placement,
  annotations: Readonly<Record<string, string>> = {},
): KubernetesObject {
  const spec = deployment["spec"] as WorkloadSpec;
  const { metadata, spec: podSpec } = spec.template;
  const template = { metadata: { ...metadata, annotations }, spec: { ...podSpec, nodeSelector, tolerations } };
  return { ...deployment, spec: { ...spec, template } };
}

/** A freeze window that began half an hour ago and has an hour and a half to go. */
export function frozenAt(now: Date): { scheduleUtc: string; duration: string } {
  const began = new Date(now.getTime() - 30 * 60_000);
  return { scheduleUtc: `${began.getUTCMinutes()} ${began.getUTCHours()} * * *`, duration: "2h" };
}
