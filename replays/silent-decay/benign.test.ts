import { isDeep, rows } from "../../test/support/deep";
import { ranges } from "./cloudwatch/alarm";
import type { AlarmDefinition } from "./cloudwatch/definition";
import { parse } from "./cloudwatch/expression";
import { observe, ours } from "./compare";
import { ourAlarms, type AlarmSet } from "./ours";
import { benign } from "./situations/benign";
import { simulate, type Situation } from "./situations/situation";
import { pagesIn, watch } from "./watch";

/*
 * Fortnights in which nothing is wrong, after the table "Pages in 14 benign days" of the alarms research, section 3: no page of the
 * set, the three days before included, with either evaluation range. In the 90 minutes without a zone two pages are true: four of six
 * are healthy, and two ready pods are where the load balancer has no node.
 */
const seeds = rows([1], [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
// Twenty seeds on a busy machine take their time.
if (isDeep) jest.setTimeout(1_800_000);
const names = Object.keys(benign) as (keyof typeof benign)[];

const truePages: Partial<Record<keyof typeof benign, Readonly<Record<string, number>>>> = {
  zoneLong: { belowDeclaredMinimum: 1, readyNotRegistered: 1 },
};

test.each(names)("%s pages nobody", async (name) => {
  const alarms = await ours(benign[name]);
  const quiet = Object.fromEntries(Object.keys(alarms).map((key) => [key, 0]));
  for (const seed of seeds) {
    const seen = Object.entries(observe(benign[name], seed, alarms));
    for (const range of ranges) {
      const pages = Object.fromEntries(seen.map(([key, watched]) => [key, watched[range].pages.length]));
      expect({ seed, range, pages }).toEqual({ seed, range, pages: { ...quiet, ...truePages[name] } });
    }
  }
});

/** Pages of one alarm of ours, changed, in a situation. */
function pagesOf(situation: Situation, alarm: AlarmDefinition | undefined, change: Partial<AlarmDefinition>) {
  if (alarm === undefined) throw new Error("there is no such alarm");
  return pagesIn(watch(situation, simulate(situation, 1), { definition: { ...alarm, ...change } }).calibrated);
}

// Each in place of what the set has; the numbers are of the same table, whose chance was another one.
describe("the same fortnights page alarms that are less well made", () => {
  let six: AlarmSet;
  let two: AlarmSet;
  beforeAll(async () => {
    six = await ourAlarms(benign.steady.edge);
    two = await ourAlarms(benign.twoReplicas.edge);
  });

  test("LOW of 2 of 3 with two replicas, at most deploys", () => {
    const quick = { datapointsToAlarm: 2, evaluationPeriods: 3 };
    expect(pagesOf(benign.twoReplicas, two.lowHealthyHosts, quick)).toBeGreaterThan(7);
  });

  test.each(["lowHealthyHosts", "noHealthyHosts", "belowDeclaredMinimum"])(
    "%s without warm-up, when the group is new",
    (key) => {
      expect(pagesOf(benign.newGroup, six[key], { warmUp: undefined })).toBe(1);
    },
  );

  test("ALLBAD without warm-up, when the group is new and its checks are slow, as behind a Network Load Balancer", () => {
    const slow: Situation = { ...benign.newGroup, slowChecks: true };
    expect(pagesOf(slow, six.allTargetsUnhealthy, { warmUp: undefined })).toBe(1);
    expect(pagesOf(slow, six.allTargetsUnhealthy, {})).toBe(0);
  });

  test("FILL of 1 of 1 is on all the time", () => {
    expect(pagesOf(benign.steady, six.noHealthyHosts, { datapointsToAlarm: 1, evaluationPeriods: 1 })).toBe("on");
  });

  const plain = { expressions: new Map([["result", parse("IF(DIFF(h) < 0, 1, 0)")]]) };
  test("DIFF alone, when days have different peaks", () => {
    expect(pagesOf(benign.autoscaled, six.hostDecay24h, plain)).toBeGreaterThanOrEqual(3);
  });

  test("DIFF alone, at a planned scale-in", () => {
    expect(pagesOf(benign.scaleIn, six.hostDecay24h, plain)).toBe(1);
  });

  test("FLOOR that the scale-in doesn't change", () => {
    expect(pagesOf(benign.scaleIn, six.belowDeclaredMinimum, {})).toBe(1);
  });
});
