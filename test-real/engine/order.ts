import { nameOf, typeOf } from "../../cli/engine/urn";
import { edges, isOf, type Stage, type StageName, stages } from "../../test/support/order";
import type { Operation } from "./cloud/cloud";
import { Graph } from "./graph";
import type { StateResource } from "./session";

/** Pairs of operations of one kind that happened the wrong way round: `before` must have come before `after`, in a destroy after it. */
export function violations(operations: readonly Operation[], kind: "create" | "delete"): string[] {
  const done = operations.filter((operation) => operation.kind === kind);
  const placesOf = (name: StageName) => {
    const stage: Stage = stages[name];
    const places = done.flatMap(({ urn }, place) => (isOf(stage, named(urn)) ? [{ urn, place }] : []));
    if (places.length === 0 && stage.optional === undefined) throw new Error(`nothing was ${kind}d that is "${name}"`);
    return places;
  };
  return edges.flatMap(([before, after, why]) => {
    const [first, second] = kind === "create" ? [before, after] : [after, before];
    return placesOf(first).flatMap((one) =>
      placesOf(second)
        .filter((other) => other.place < one.place)
        .map((other) => `${kind} of ${nameOf(other.urn)} (${second}) before ${nameOf(one.urn)} (${first}): ${why}`),
    );
  });
}

/**
 * Pairs that nothing but luck keeps in order: `after` doesn't need `before`, by any way through the dependencies in the state. What happened in
 * order once may happen the other way round on another day.
 */
export function unforced(resources: readonly StateResource[]): string[] {
  const graph = new Graph(resources);
  const urnsOf = (name: StageName) => resources.map(({ urn }) => urn).filter((urn) => isOf(stages[name], named(urn)));
  return edges.flatMap(([before, after]) =>
    urnsOf(after).flatMap((urn) =>
      urnsOf(before)
        .filter((other) => !graph.allNeedsOf(urn).has(other))
        .map((other) => `${nameOf(urn)} doesn't need ${nameOf(other)}`),
    ),
  );
}

function named(urn: string): { type: string; name: string } {
  return { type: typeOf(urn), name: nameOf(urn) };
}
