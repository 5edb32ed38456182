import { urnOfReference } from "../../cli/engine/urn";
import type { Living } from "./cloud/cloud";
import type { StateResource } from "./session";

/** Whether a provider makes it: it is no component, and no provider itself. */
export function isMade({ custom, type }: Pick<StateResource, "custom" | "type">): boolean {
  return custom && !type.startsWith("pulumi:");
}

/** What is inside of what, and needs what, by URN. */
export class Graph {
  private readonly needs = new Map<string, ReadonlySet<string>>();
  private readonly byUrn: ReadonlyMap<string, StateResource>;
  private readonly places: ReadonlyMap<string, number>;
  private readonly children = new Map<string, string[]>();

  constructor(resources: readonly StateResource[]) {
    this.byUrn = new Map(resources.map((resource) => [resource.urn, resource]));
    this.places = new Map(resources.map(({ urn }, place) => [urn, place]));
    for (const { urn, parent } of resources) {
      if (parent !== undefined) this.children.set(parent, [...this.childrenOf(parent), urn]);
    }
  }

  get(urn: string): StateResource {
    const resource = this.byUrn.get(urn);
    if (resource === undefined) throw new Error(`${urn} isn't in the state`);
    return resource;
  }

  private childrenOf(urn: string): readonly string[] {
    return this.children.get(urn) ?? [];
  }

  /** Everything that a deletion waits for, the other way round (pkg/resource/graph, `DependenciesOf`). */
  needsOf(urn: string): string[] {
    const { parent, provider, dependencies = [] } = this.get(urn);
    // Who depends on a component depends on what was inside it by then.
    const inside = dependencies
      .flatMap((dependency) => this.insideOf(dependency))
      .filter((other) => this.isBefore(other, urn));
    return [
      ...dependencies,
      ...inside,
      ...(parent === undefined ? [] : [parent]),
      ...(provider === undefined ? [] : [urnOfReference(provider)]),
    ];
  }

  /** Everything that must be there before it, near and far. */
  allNeedsOf(urn: string): ReadonlySet<string> {
    return memo(this.needs, urn, () => {
      const near = this.needsOf(urn);
      return new Set([...near, ...near.flatMap((need) => [...this.allNeedsOf(need)])]);
    });
  }

  /** Everything inside a component, however deep; nothing for a resource. */
  insideOf(urn: string): string[] {
    const below = (parent: string): string[] => this.childrenOf(parent).flatMap((child) => [child, ...below(child)]);
    return this.get(urn).custom ? [] : below(urn);
  }

  private isBefore(one: string, other: string): boolean {
    return (this.places.get(one) ?? 0) < (this.places.get(other) ?? 0);
  }
}

/**
 * How many resources the longest chain has in which each waits for the one before: by dependencies, parents and providers.
 *
 * @param resources of a state file, so in the order of creation.
 */
export function depth(resources: readonly StateResource[]): number {
  const graph = new Graph(resources);
  const depths = new Map<string, number>();
  const depthOf = (urn: string): number =>
    memo(depths, urn, () => Math.max(0, ...graph.needsOf(urn).map(depthOf)) + (isMade(graph.get(urn)) ? 1 : 0));
  return Math.max(0, ...resources.map(({ urn }) => depthOf(urn)));
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

/** The value of a key, made when it is first asked for. */
export function memo<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
