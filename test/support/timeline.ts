/*
 * What happens to a fleet of pods and to the nodes that carry it, as somebody sees it who looks again and again.
 */

/** What there is from a moment on. */
export interface Moment {
  /** Seconds since the recording began. */
  readonly at: number;
  /** Addresses of pods that are ready, as their Service has them. */
  readonly ready: readonly string[];
  /** Nodes of the fleet's pool. */
  readonly nodes: readonly string[];
  /** Those of them that are being taken away. */
  readonly leaving: readonly string[];
}

/** A stretch of a fleet's life. */
export interface Timeline {
  /** The first is what there was at the beginning. */
  readonly moments: readonly Moment[];
  /** When it ends, in the same seconds. */
  readonly end: number;
}

/** Cuts a stretch out. What there was when it begins comes first. */
export function between(moments: readonly Moment[], from: number, end: number): Timeline {
  const before = moments.filter(({ at }) => at <= from).at(-1);
  if (before === undefined) throw new Error(`nothing was recorded up to ${from} s`);
  const inside = moments.filter(({ at }) => at > from && at <= end);
  return { moments: [{ ...before, at: from }, ...inside], end };
}

/** What happened, in numbers. */
export interface Outcome {
  /** Fewest pods that were ready at a time. */
  readonly fewestReady: number;
  /** Seconds without a ready pod. */
  readonly secondsAtZero: number;
  /** How many addresses there were at the beginning, and how many of these there still are at the end. */
  readonly originals: number;
  readonly originalsLeft: number;
  /** Most nodes that were being taken away at a time. */
  readonly mostLeaving: number;
  /** How many nodes have gone by the end, or are going. */
  readonly gone: number;
}

/** Counts what happened. */
export function outcomeOf({ moments, end }: Timeline): Outcome {
  const [first, last] = [moments[0]!, moments.at(-1)!];
  const lengths = moments.map(({ at }, n) => (moments[n + 1]?.at ?? end) - at);
  const zero = moments.reduce((sum, { ready }, n) => sum + (ready.length === 0 ? lengths[n]! : 0), 0);
  return {
    fewestReady: Math.min(...moments.map(({ ready }) => ready.length)),
    secondsAtZero: Math.round(zero * 10) / 10,
    originals: first.ready.length,
    originalsLeft: first.ready.filter((address) => last.ready.includes(address)).length,
    mostLeaving: Math.max(...moments.map(({ leaving }) => leaving.length)),
    gone: [...new Set(moments.flatMap(({ nodes }) => nodes))].filter((node) => !staying(last).includes(node)).length,
  };
}

function staying({ nodes, leaving }: Moment): string[] {
  return nodes.filter((node) => !leaving.includes(node));
}
