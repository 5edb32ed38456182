import { outcomeOf } from "../../test/support/timeline";
import { Fleet, ours, unprotected, type Protection } from "./fleet";
import { patience, startLab, type Lab } from "./lab";
import { podGraceSeconds, refusalOf, type PoolArgs } from "./rendered";
import { say, told } from "./say";

/*
 * Nodes that reach their age are drained without asking budgets and without a replacement first. What becomes of their pods depends on the
 * pool's grace and on what protects the pods. Beside it what our constructor says to the same arguments.
 */

jest.setTimeout(patience);

/** Longer than all fleets take to come. */
const expireAfter = "180s";
const replicas = 3;

/** How a row's pods are told to go. */
enum Ending {
  /** They never are, and their nodes never go. */
  Never = "never",
  /** Evicted, as their PodDisruptionBudget allows, with all of their grace. */
  Evicted = "evicted",
  /** Deleted whatever protects them, as late as their grace allows. */
  Deleted = "deleted",
  /** The same, with less than their grace. */
  CutOff = "cut off",
}

interface Row {
  readonly args: PoolArgs;
  readonly protection: Protection;
  /** What the constructor says to `args`. Defaults to nothing. */
  readonly refusal?: string;
  /** Whether nodes go because of their age. */
  readonly expires: boolean;
  readonly ending: Ending;
  /** Fewest ready pods. */
  readonly atLeast: number;
  readonly atMost: number;
}

const noGrace: PoolArgs = { expireAfter, terminationGracePeriod: "Never" };
const keepsNode = "a pod that may not be disrupted would keep an expired node for ever";
const minute: PoolArgs = { expireAfter, terminationGracePeriod: "60s", longestPodGraceSeconds: podGraceSeconds };
const cutsOff = "is 10s, but must be at least 40s, twice longestPodGraceSeconds (20): pods would be cut off";
const allowsNone: Protection = { maxUnavailable: 0 };
const marked: Protection = { ...unprotected, doNotDisrupt: true };

const untouched = { expires: true, ending: Ending.Never, atLeast: 3, atMost: 3 };
const oneByOne = { expires: true, ending: Ending.Evicted, atLeast: 2, atMost: 2 };
/** None is ready for a time where the nodes came together; fewer than a PodDisruptionBudget of one would leave in any case. */
const allAtOnce = { expires: true, ending: Ending.Deleted, atLeast: 0, atMost: 1 };

const rows: Readonly<Record<string, Row>> = {
  "no-expiry": { args: { expireAfter: "Never" }, protection: ours, ...untouched, expires: false },
  "hour-one": { args: { expireAfter }, protection: ours, ...oneByOne },
  "none-one": { args: noGrace, protection: ours, refusal: keepsNode, ...oneByOne },
  "none-zero": { args: noGrace, protection: allowsNone, refusal: keepsNode, ...untouched },
  "none-marked": { args: noGrace, protection: marked, refusal: keepsNode, ...untouched },
  "minute-zero": { args: minute, protection: allowsNone, ...allAtOnce },
  "minute-marked": { args: minute, protection: marked, ...allAtOnce },
  "short-one": {
    args: { ...minute, terminationGracePeriod: "10s" },
    protection: ours,
    refusal: cutsOff,
    ...allAtOnce,
    ending: Ending.CutOff,
  },
};

let lab: Lab;
const fleets = new Map<string, Fleet>();
let from: number;

/** Pods of a fleet that were told to go, those that came later left out. */
const leavingsOf = (name: string) =>
  lab.kubelets.leavings.filter(({ namespace }) => namespace === name).slice(0, replicas);

beforeAll(async () => {
  lab = await startLab(Object.keys(rows));
  for (const [name, { args, protection, refusal }] of Object.entries(rows)) {
    // What the constructor refuses is made of what it takes, and altered then.
    const fleet =
      refusal === undefined
        ? await Fleet.deploy(lab, name, args, replicas, protection)
        : await Fleet.deploy(lab, name, { expireAfter }, replicas, protection, {
            "spec/template/spec/terminationGracePeriod":
              args.terminationGracePeriod === "Never" ? undefined : args.terminationGracePeriod,
          });
    fleets.set(name, fleet);
  }
  for (const fleet of fleets.values()) await fleet.untilReady();
  from = lab.recorder.now();
  expect(lab.kubelets.leavings).toEqual([]);

  for (const [name, { ending, expires }] of Object.entries(rows)) {
    const { nodes } = lab.recorder.since(name, from).moments[0]!;
    await fleets.get(name)!.until((now) => {
      if (ending === Ending.Never) return !expires || nodes.every((node) => now.leaving.includes(node));
      return leavingsOf(name).length === replicas && !nodes.some((node) => now.nodes.includes(node));
    });
  }
});
afterAll(() => lab.stop());

test.each(Object.entries(rows))("%s", async (name, { args, refusal, expires, ending, atLeast, atMost }) => {
  const said = await refusalOf(args);
  const outcome = outcomeOf(lab.recorder.since(name, from));
  const leavings = leavingsOf(name);
  const constructor = refusal === undefined ? "takes it" : "refuses it";
  say(`${name}: pods ${ending}; ${told(outcome)}; the constructor ${constructor}`);

  if (refusal === undefined) expect(said).toBe("");
  else expect(said).toContain(refusal);
  expect(outcome.originals).toBe(replicas);
  expect(outcome.fewestReady).toBeGreaterThanOrEqual(atLeast);
  expect(outcome.fewestReady).toBeLessThanOrEqual(atMost);

  if (ending === Ending.Never) {
    expect(leavings).toEqual([]);
    // Nodes that expire, but can't go: three, for ever.
    expect(lab.recorder.latest(name).leaving).toHaveLength(expires ? replicas : 0);
    expect(outcome.originalsLeft).toBe(replicas);
  } else {
    expect(leavings).toHaveLength(replicas);
    for (const { evicted, graceSeconds, wantedSeconds } of leavings) {
      // What is deleted may be evicted, too: a pod that goes already needs nobody's leave.
      if (ending === Ending.Evicted) expect([evicted, graceSeconds]).toEqual([true, wantedSeconds]);
      if (ending === Ending.CutOff) expect(graceSeconds).toBeLessThan(wantedSeconds);
    }
    expect(outcome.originalsLeft).toBe(0);
  }
});

test("nobody stumbled who only plays a part", () => {
  expect([lab.kubelets.problems, lab.recorder.problems]).toEqual([[], []]);
});
