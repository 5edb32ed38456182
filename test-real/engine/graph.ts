import { urnOfReference } from "../../cli/engine/urn";
import type { Living } from "./cloud/cloud";
import type { StateResource } from "./session";

/** Whether a provider makes it: it is no component, and no provider itself. */
export function isMade({ custom, type }: Pick<StateResource, "custom" | "type">): boolean {
  return custom && !type.startsWith("pulumi:");
}

/**
 * How many resources the longest chain has in which each waits for the one before: by dependencies, parents and providers. A dependency
 * on a component counts for what was inside it by then, as in the engine (pulumi/pulumi pkg/resource/graph, DependenciesOf).
 *
 * @param resources of a state file, so in the order of creation.
 */
export function depth(resources: readonly StateResource[]): number {
  const byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
  const own = new Map<string, number>();
  const inside = new Map<string, number>();
  for (const resource of resources) {
    const others = [...(resource.dependencies ?? []), urnOfReference(resource.provider ?? "")];
    const waits = others.map((urn) => Math.max(own.get(urn) ?? 0, inside.get(urn) ?? 0));
    const depth = Math.max(own.get(resource.parent ?? "") ?? 0, ...waits) + (isMade(resource) ? 1 : 0);
    own.set(resource.urn, depth);
    for (let above = byUrn.get(resource.parent ?? ""); above; above = byUrn.get(above.parent ?? "")) {
      if (!above.custom) inside.set(above.urn, Math.max(inside.get(above.urn) ?? 0, depth));
    }
  }
  return Math.max(0, ...own.values());
}

/** What lives in the cloud and isn't in the states, and the other way round. */
export function orphans(living: readonly Living[], resources: readonly StateResource[]): string[] {
  const key = ({ urn, id }: { readonly urn: string; readonly id?: string }) => `${urn} ${String(id)}`;
  const inCloud = new Set(living.map(key));
  const inState = new Set(resources.filter(isMade).map(key));
  return [
    ...[...inCloud].filter((thing) => !inState.has(thing)).map((thing) => `only in the cloud: ${thing}`),
    ...[...inState].filter((thing) => !inCloud.has(thing)).map((thing) => `only in the state: ${thing}`),
  ];
}
