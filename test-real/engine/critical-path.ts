import { nameOf, typeOf, urnOfReference } from "../../cli/engine/urn";
import { Graph, memo } from "./graph";
import type { StateResource } from "./session";

/** Seconds that a resource takes to be made, or to go. */
export type Seconds = (type: string, name: string) => number;

export interface Chain {
  readonly seconds: number;
  /** Names of what takes time on it, first to last. */
  readonly steps: readonly string[];
}

/**
 * The longest chain of creations: each resource starts when all that it depends on, its provider and the things above its parent are
 * there, and any number of others are made at the same time. A component is there when everything inside it is.
 */
export function creationPath(resources: readonly StateResource[], seconds: Seconds): Chain {
  const graph = new Graph(resources);
  const starts = new Map<string, Chain>();
  const ends = new Map<string, Chain>();

  const start = (urn: string): Chain =>
    memo(starts, urn, () => {
      const { parent, dependencies = [], provider } = graph.get(urn);
      const before = [...dependencies, ...(provider === undefined ? [] : [urnOfReference(provider)])];
      return longest([...(parent === undefined ? [] : [start(parent)]), ...before.map(end)]);
    });
  const end = (urn: string): Chain =>
    memo(ends, urn, () => {
      const own = extended(start(urn), urn, seconds);
      return longest([own, ...graph.insideOf(urn).map(end)]);
    });
  return longest(resources.map(({ urn }) => end(urn)));
}

/** The longest chain of deletions: each resource goes when everything that needs it is gone. */
export function deletionPath(resources: readonly StateResource[], seconds: Seconds): Chain {
  const graph = new Graph(resources);
  const dependents = new Map<string, string[]>();
  for (const { urn } of resources) {
    for (const need of graph.needsOf(urn)) dependents.set(need, [...(dependents.get(need) ?? []), urn]);
  }
  const ends = new Map<string, Chain>();
  const end = (urn: string): Chain =>
    memo(ends, urn, () => extended(longest((dependents.get(urn) ?? []).map(end)), urn, seconds));
  return longest(resources.map(({ urn }) => end(urn)));
}

function extended(chain: Chain, urn: string, seconds: Seconds): Chain {
  const own = seconds(typeOf(urn), nameOf(urn));
  if (own === 0) return chain;
  return { seconds: chain.seconds + own, steps: [...chain.steps, `${nameOf(urn)} ${own}`] };
}

function longest(chains: readonly Chain[]): Chain {
  return chains.reduce((best, chain) => (chain.seconds > best.seconds ? chain : best), { seconds: 0, steps: [] });
}
