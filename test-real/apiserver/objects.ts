import { rewrite, type Json, type JsonObject } from "../../cli/engine/values";
import { type Registration } from "../../test/support/harness";
import { providerState } from "../../test/support/provider-state";
import type { KubernetesObject } from "./api-client";

/**
 * The Kubernetes objects among what a program registered, as the Kubernetes provider would send them, in the order of registration: a
 * resource registers after all that it depends on. Helm releases are left out, their charts aren't rendered.
 */
export function kubernetesObjects(resources: readonly Registration[]): KubernetesObject[] {
  return resources
    .filter((r) => r.custom && r.type.startsWith("kubernetes:") && r.type !== "kubernetes:helm.sh/v3:Release")
    .map(objectOf);
}

/** An object without a name gets the one that the rest of the program was told. */
function objectOf(resource: Registration): KubernetesObject {
  const inputs = opened(resource.inputs as JsonObject) as unknown as KubernetesObject;
  const { metadata } = providerState({ ...resource, inputs }) as unknown as Pick<KubernetesObject, "metadata">;
  return { ...inputs, metadata };
}

/** Values in clear: so secrets reach a provider. */
export function opened(value: Json): Json {
  return rewrite(value, (part, kind) =>
    kind === "secret" ? opened((part as JsonObject)["value"] ?? null) : undefined,
  );
}

/** `Kind namespace/name`, to talk about one. */
export function labelOf({ kind, metadata: { namespace, name } }: KubernetesObject): string {
  return `${kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

interface Workload {
  readonly template: { readonly metadata?: object; readonly spec: { readonly volumes?: readonly object[] } };
  readonly volumeClaimTemplates?: readonly { readonly metadata: { readonly name: string } }[];
}

/** A workload's pod, as its controller would make it; of a CronJob, its job's. */
export function podOf({ metadata: { namespace, name }, ...workload }: KubernetesObject): KubernetesObject {
  const spec = workload["spec"] as Workload | { readonly jobTemplate: { readonly spec: Workload } };
  const { template, volumeClaimTemplates = [] } = "jobTemplate" in spec ? spec.jobTemplate.spec : spec;
  const claimed = volumeClaimTemplates.map(({ metadata: { name: claim } }) => ({
    name: claim,
    persistentVolumeClaim: { claimName: `${claim}-${name}` },
  }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...template.metadata, name, ...(namespace !== undefined && { namespace }) },
    spec: { ...template.spec, volumes: [...(template.spec.volumes ?? []), ...claimed] },
  };
}

/** An object with other values at some paths, such as `spec/template`. Undefined takes the member away. */
export function changed(object: KubernetesObject, changes: Readonly<Record<string, unknown>>): KubernetesObject {
  const copy = structuredClone(object);
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split("/");
    const last = keys.pop()!;
    const parent = keys.reduce<Record<string, unknown>>(
      (part, key) => {
        if (part[key] === undefined) throw new Error(`${labelOf(object)} has no ${path}`);
        return part[key] as Record<string, unknown>;
      },
      copy as Record<string, unknown>,
    );
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  }
  return copy;
}
