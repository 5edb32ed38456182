import type { Registration } from "./harness";

/** The part of a registration, or of a plan's resource, that edges come from. */
export type Node = Pick<Registration, "urn" | "type" | "name" | "parent" | "dependencies" | "provider">;

/** Finds the one resource of this type and name; says what there is when it isn't exactly one. */
export function find<N extends Node>(nodes: readonly N[], type: string, name?: string): N {
  const found = nodes.filter((n) => n.type === type && (name === undefined || n.name === name));
  if (found.length === 1) return found[0]!;
  const near = nodes.filter((n) => n.type === type).map((n) => n.name);
  throw new Error(
    `${found.length} resources of type ${type}${name === undefined ? "" : ` named ${name}`}; of that type: ${near.join(", ") || "none"}`,
  );
}

/**
 * Whether `from` is created after `to` (and so deleted before it): a path over dependencies, parents and providers.
 * A dependency on a component counts for all resources inside it, as in the Pulumi engine.
 */
export function reaches(nodes: readonly Node[], from: Node, to: Node): boolean {
  const byUrn = new Map(nodes.map((n) => [n.urn, n]));
  const children = new Map<string, string[]>();
  for (const n of nodes) children.set(n.parent, [...(children.get(n.parent) ?? []), n.urn]);
  const within = (urn: string): string[] => [urn, ...(children.get(urn) ?? []).flatMap(within)];

  const seen = new Set<string>();
  const queue = [from.urn];
  for (let urn = queue.pop(); urn !== undefined; urn = queue.pop()) {
    if (seen.has(urn)) continue;
    seen.add(urn);
    const node = byUrn.get(urn);
    if (node === undefined) continue;
    // Dependencies of the enclosing components hold for everything inside them.
    const next = [...node.dependencies, node.provider.split("::").slice(0, 4).join("::"), node.parent];
    for (const dependency of next) {
      if (dependency === "" || dependency === node.parent) queue.push(dependency);
      else queue.push(...within(dependency));
    }
  }
  return seen.has(to.urn) && from.urn !== to.urn;
}
