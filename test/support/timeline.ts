/*
 * What happens to a fleet of pods and to the nodes that carry it, as somebody sees it who looks again and again.
 */

/** Which pods there are from a moment on. */
export interface Sight {
  /** Seconds since some beginning. */
  readonly at: number;
  /** Addresses of pods that are ready, as their Service has them. */
  readonly ready: readonly string[];
}

/** What there is from a moment on. */
export interface Moment extends Sight {
  /** Nodes of the fleet's pool. */
  readonly nodes: readonly string[];
  /** Those of them that are being taken away. */
  readonly leaving: readonly string[];
}

/** A stretch of a fleet's life. */
export interface Timeline<M extends Sight = Moment> {
  /** The first is what there was at the beginning. */
  readonly moments: readonly M[];
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

/** What became of the pods, in numbers. */
export interface PodOutcome {
  /** Fewest pods that were ready at a time. */
  readonly fewestReady: number;
  /** Seconds without a ready pod. */
  readonly secondsAtZero: number;
  /** How many addresses there were at the beginning, and how many of these there still are at the end. */
  readonly originals: number;
  readonly originalsLeft: number;
}

/** What became of pods and nodes, in numbers. */
export interface Outcome extends PodOutcome {
  /** Most nodes that were being taken away at a time. */
  readonly mostLeaving: number;
  /** How many nodes have gone by the end, or are going. */
  readonly gone: number;
}

/** Counts pods. */
export function podOutcomeOf({ moments, end }: Timeline<Sight>): PodOutcome {
  const lengths = moments.map(({ at }, n) => (moments[n + 1]?.at ?? end) - at);
  const zero = moments.reduce((sum, { ready }, n) => sum + (ready.length === 0 ? lengths[n]! : 0), 0);
  return {
    fewestReady: Math.min(...moments.map(({ ready }) => ready.length)),
    secondsAtZero: Math.round(zero * 10) / 10,
    originals: moments[0]!.ready.length,
    originalsLeft: stillThere(moments).at(-1)!,
  };
}

/** How many of the first addresses there still are, moment by moment. */
export function stillThere(moments: readonly Sight[]): number[] {
  const originals = moments[0]!.ready;
  return moments.map(({ ready }) => originals.filter((address) => ready.includes(address)).length);
}

/** Counts pods and nodes. */
export function outcomeOf(timeline: Timeline): Outcome {
  const { moments } = timeline;
  const last = moments.at(-1)!;
  const staying = last.nodes.filter((node) => !last.leaving.includes(node));
  const all = [...new Set(moments.flatMap(({ nodes }) => nodes))];
  return {
    ...podOutcomeOf(timeline),
    mostLeaving: Math.max(...moments.map(({ leaving }) => leaving.length)),
    gone: all.filter((node) => !staying.includes(node)).length,
  };
}

/** Timelines of pods that were written down, to be drawn. */
export interface Recording {
  /** Karpenter that ran. */
  readonly karpenter: string;
  /** Day of the run. */
  readonly day: string;
  /** By how the pods were protected. Seconds count from when nodes could be taken. */
  readonly fleets: Readonly<Record<"bare" | "guarded", Timeline<Sight>>>;
}

/** A timeline whose beginning is 0, without its nodes. */
export function fromZero({ moments, end }: Timeline): Timeline<Sight> {
  const zero = moments[0]!.at;
  const since = (at: number) => Math.round((at - zero) * 10) / 10;
  return { moments: moments.map(({ at, ready }) => ({ at: since(at), ready })), end: since(end) };
}
