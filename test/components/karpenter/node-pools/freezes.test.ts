import * as fc from "fast-check";
import { DisruptionReason, type KarpenterNodePoolArgs } from "../../../../components/karpenter";
import { neverThaws } from "../../../../components/karpenter/freezes";
import { observedDays, scheduleProblem, startsOf } from "../../../../components/karpenter/schedules";
import { make, poolOf, refusal } from "./setup";

// The first of the observed days is 1 January 2027, a Friday; the leap days are those of 2028 and 2032.
describe("starts of a schedule", () => {
  test("are looked for from 2027 until the end of 2035", () => {
    expect((Date.UTC(2036, 0, 1) - Date.UTC(2027, 0, 1)) / 86_400_000).toBe(observedDays);
    expect(new Date(Date.UTC(2027, 0, 1)).getUTCDay()).toBe(5);
  });

  test.each<[string, number[], number[]]>([
    ["0 8 * * *", [0, 1, 2, 3], [480]],
    ["30 8,20 * * sat,sun", [1, 2, 8, 9], [510, 1230]],
    ["0 0 * * mon-fri", [0, 3, 4, 5], [0]],
    ["*/30 1 * * *", [0, 1, 2, 3], [60, 90]],
    ["40/10 22-23 * * *", [0, 1, 2, 3], [1360, 1370, 1420, 1430]], // to the end of the hour
    ["0 0 1 FEB ?", [31, 396], [0]], // 31 days in January, 365 more
    ["0 0 29 2 *", [424, 1885], [0]], // 365 + 31 + 28, and four years
    ["0 0 3 * mon", [2, 3, 10, 17], [0]], // either
    ["0 0 */2 * mon", [0, 2, 3, 4], [0]], // with a step it isn't just any: either
    ["0 0 1-31/2 * *", [0, 2, 4, 6], [0]],
    ["0 0 */1 * mon", [3, 10, 17, 24], [0]], // any date: Mondays
    ["@weekly", [2, 9, 16, 23], [0]],
    ["@monthly", [0, 31, 59, 90], [0]],
    ["@yearly", [0, 365, 731, 1096], [0]],
    ["@midnight", [0, 1, 2, 3], [0]],
  ])("%s", (schedule, days, minutes) => {
    const starts = startsOf(schedule);
    expect([...starts.days].slice(0, days.length)).toEqual(days);
    expect(starts.minutes).toEqual(minutes);
  });

  test("every hour", () => expect(startsOf("@hourly").minutes).toHaveLength(24));

  // Karpenter takes a schedule without a next start for one that has begun (IsActive: year 1 isn't after now).
  test.each(["0 8 30 2 *", "0 8 31 4,6,9,11 *", "0 8 30 feb ?"])("%s never comes", (schedule) =>
    expect(scheduleProblem(schedule)).toMatch(/^is ".*", a day that never comes: /),
  );
  test.each(["0 8 29 2 *", "0 8 30 2 mon", "0 8 31 4,5 *"])("%s does", (schedule) =>
    expect(scheduleProblem(schedule)).toBeUndefined(),
  );
});

describe("a freeze", () => {
  test.each<[string, string, boolean]>([
    ["0 8 * * *", "48h", true],
    ["0 8 * * *", "24h", true], // the end of one is the beginning of the next
    ["0 8 * * *", "23h59m", false],
    ["* * * * *", "1m", true],
    ["*/2 * * * *", "1m", false],
    ["0 * * * *", "60m", true],
    ["0 8 * * mon-fri", "24h", false], // Saturday morning to Monday morning
    ["0 8 * * mon-fri", "71h", false],
    ["0 8 * * mon-fri", "72h", true],
    ["@weekly", "167h", false],
    ["@weekly", "168h", true],
    ["@monthly", "743h", false],
    ["@monthly", "744h", true], // 31 days
    ["@yearly", "8760h", false], // the last day of a leap year
    ["@yearly", "8784h", true],
    ["0 0 29 2 *", "35040h", false], // 1460 days: one is left
    ["0 0 29 2 *", "35064h", true],
  ])("by %s for %s never thaws: %s", (scheduleUtc, duration, expected) =>
    expect(neverThaws([{ scheduleUtc, duration }])).toBe(expected),
  );

  test("together with others may leave no gap where none alone does", () => {
    const night = { scheduleUtc: "0 20 * * *", duration: "12h" };
    expect(neverThaws([{ scheduleUtc: "0 8 * * *", duration: "12h" }, night])).toBe(true);
    expect(neverThaws([{ scheduleUtc: "0 8 * * *", duration: "11h59m" }, night])).toBe(false);
    expect(neverThaws([{ scheduleUtc: "0 8 * * mon-fri", duration: "12h" }, night])).toBe(false);
    // A short one doesn't end a long one.
    const month = { scheduleUtc: "@monthly", duration: "744h" };
    expect(neverThaws([month, { scheduleUtc: "@daily", duration: "1h" }])).toBe(true);
    expect(neverThaws([])).toBe(false);
  });

  test("once a day thaws exactly if it is shorter than a day, whenever it begins", () => {
    const minutes = fc.integer({ min: 1, max: 3000 });
    fc.assert(
      fc.property(fc.nat(59), fc.nat(23), minutes, (minute, hour, length) => {
        const window = { scheduleUtc: `${minute} ${hour} * * *`, duration: `${length}m` };
        expect(neverThaws([window])).toBe(length >= 1440);
      }),
      { numRuns: 100 },
    );
  });
});

describe("KarpenterNodePool: pools that never thaw", () => {
  const frozen = { nodes: "0", scheduleUtc: "0 8 * * *", duration: "24h" };
  const half = { scheduleUtc: "0 8 * * *", duration: "12h" };
  const otherHalf = { scheduleUtc: "0 20 * * *", duration: "12h" };
  const { Drifted, Underutilized } = DisruptionReason;

  test.each<[string, Partial<KarpenterNodePoolArgs>, RegExp]>([
    [
      "two days every day",
      { freezeWindows: [{ scheduleUtc: "0 8 * * *", duration: "48h" }] },
      /- freezeWindows\[0\]\.duration: is 48h, but "0 8 \* \* \*" always begins again before that is over/,
    ],
    ["by a budget", { budgets: [{ nodes: "10%" }, frozen] }, /- budgets\[1\]\.duration: is 24h, but/],
    [
      "of no percent",
      { budgets: [{ nodes: "10%" }, { ...frozen, nodes: "0%" }] },
      /- budgets\[1\]\.duration: is 24h, but/,
    ],
    [
      "for one reason",
      { budgets: [{ nodes: "10%" }, { ...frozen, reasons: [Drifted] }] },
      /- budgets\[1\]\.duration: is 24h, but/,
    ],
    [
      "by two halves",
      { freezeWindows: [half, otherHalf] },
      /- freezeWindows\[0\]: and freezeWindows\[1\] follow each other without a gap: nodes would be frozen for ever/,
    ],
    [
      "by a budget and a window",
      { budgets: [{ nodes: "10%" }, { nodes: "0", reasons: [Drifted], ...half }], freezeWindows: [otherHalf] },
      /- budgets\[1\]: and freezeWindows\[0\] follow each other without a gap/,
    ],
    [
      "by a day that never comes",
      { freezeWindows: [{ scheduleUtc: "0 8 30 2 *", duration: "8h" }] },
      /- freezeWindows\[0\]\.scheduleUtc: is "0 8 30 2 \*", a day that never comes/,
    ],
  ])("%s", async (_, change, message) => {
    const text = await refusal(change);
    expect(text).toMatch(message);
    expect(text.match(/\n {2}- /g)).toHaveLength(1);
  });

  test.each<[string, Partial<KarpenterNodePoolArgs>]>([
    ["weekdays", { freezeWindows: [{ scheduleUtc: "0 0 * * mon-fri", duration: "24h" }] }],
    ["one node at a time, always", { budgets: [{ nodes: "10%" }, { ...frozen, nodes: "1" }] }],
    ["halves for different reasons", { budgets: [{ nodes: "10%" }, ...halves(Drifted, Underutilized)] }],
    ["a freeze without schedule, which says what it is", { budgets: [{ nodes: "0" }] }],
  ])("accepted: %s", async (_, change) => {
    const { errors, resources } = await make(change);
    expect(errors).toEqual([]);
    expect(poolOf(resources).disruption["budgets"]).toBeDefined();
  });

  function halves(first: DisruptionReason, second: DisruptionReason) {
    return [
      { nodes: "0", reasons: [first], ...half },
      { nodes: "0", reasons: [second], ...otherHalf },
    ];
  }
});
