import { Alarm, extraPeriods } from "./alarm";
import { alarmOf, type AlarmDefinition } from "./definition";
import { Metrics } from "./metrics";
import { pointsOf } from "./points";
import type { State } from "./verdict";

const name = { namespace: "Test", metricName: "Hosts", dimensions: {} };
const below = {
  name: "test",
  ...name,
  statistic: "Minimum",
  period: 60,
  comparisonOperator: "LessThanThreshold",
  threshold: 2,
  evaluationPeriods: 1,
};
/** The same over metric math. */
const math = (expression: string, period = 60, stat = "Minimum") => ({
  ...below,
  ...{ namespace: undefined, metricName: undefined, dimensions: undefined, statistic: undefined, period: undefined },
  metricQueries: [
    { id: "h", metric: { ...name, stat, period } },
    { id: "result", expression, returnData: true },
  ],
});

/** A metric by its minutes, NaN where there is none, reported so late by one reporter. */
function reported(values: readonly number[], lag = 0): Metrics {
  const metrics = new Metrics();
  metrics.publish(name, [{ values: Float64Array.from(values), lags: new Uint8Array(values.length).fill(lag) }]);
  return metrics;
}

const repeat = (value: number, times: number): number[] => Array.from({ length: times }, () => value);
const nothing = (times: number): number[] => repeat(Number.NaN, times);

const alarmOn = (definition: AlarmDefinition, metrics: Metrics, created: number, extra: number): Alarm =>
  new Alarm(definition, pointsOf(definition, metrics), created, extra);

/** The state after each evaluation from one minute to another. */
function states(alarm: Alarm, from: number, to: number): State[] {
  return Array.from({ length: to - from + 1 }, (_, i) => {
    alarm.evaluate(from + i);
    return alarm.state;
  });
}

function firstAlarm(alarm: Alarm, from: number, to: number): number | undefined {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).find((minute) => alarm.evaluate(minute));
}

// CloudWatch guide, "Evaluating an alarm": with a period of 5 minutes, at minute 5 the data of minutes 1 to 5, at 6 that of 2 to 6.
test("windows slide by the minute", () => {
  const alarm = alarmOn(alarmOf({ ...below, period: 300 }), reported([1, ...repeat(9, 9)]), 0, 0);
  expect(states(alarm, 5, 7)).toEqual(["ALARM", "OK", "OK"]);
});

// The same guide on multi-day alarms: evaluated once an hour.
test("with windows of more than a day it is evaluated every hour", () => {
  const twoDays = alarmOf({ ...below, period: 86_400, evaluationPeriods: 2, datapointsToAlarm: 1 });
  const metrics = reported([...repeat(9, 2 * 1440), ...repeat(1, 1440)]);
  expect(firstAlarm(alarmOn(twoDays, metrics, 0, 0), 2 * 1440 + 1, 3 * 1440)).toBe(2 * 1440 + 60);
  const oneDay = alarmOf({ ...below, period: 86_400 });
  expect(firstAlarm(alarmOn(oneDay, metrics, 0, 0), 2 * 1440 + 1, 3 * 1440)).toBe(2 * 1440 + 1);
});

describe("statistics are of all reports in the period", () => {
  const metrics = new Metrics();
  metrics.publish(name, [
    { values: Float64Array.from([1, 2, 6]), lags: new Uint8Array(3) },
    { values: Float64Array.from([3, Number.NaN, 9]), lags: new Uint8Array(3) },
  ]);
  test.each([
    ["Minimum", 1],
    ["Maximum", 9],
    // 1, 2, 6, 3 and 9
    ["Average", 4.2],
  ] as const)("%s", (statistic, expected) => {
    expect(metrics.get(name).points(statistic, 3).settled[3]).toBe(expected);
  });

  // Of each report that is 2 minutes late: nothing at once, nor a minute later.
  test("as late as they arrive", () => {
    const { settled, fresh } = reported([5, 1, 7], 2).get(name).points("Minimum", 1);
    expect([fresh[0]?.[3], fresh[1]?.[3], fresh[2]?.[3], settled[3]]).toEqual([Number.NaN, Number.NaN, 7, 7]);
  });

  test.each([
    ["Minimum", 5, 1],
    ["Maximum", 5, 7],
    ["Average", 5, 13 / 3],
  ] as const)("%s: of those only that have arrived", (statistic, atOnce, later) => {
    const { settled, fresh } = reported([5, 1, 7], 2).get(name).points(statistic, 3);
    expect([fresh[0]?.[3], settled[3]]).toEqual([atOnce, later]);
  });

  test("over any span", () => {
    const values = [7, 3, 8, 1, 9, 4, 6, 2, 5, 0, 11, 10];
    const metric = reported(values).get(name);
    for (let end = 1; end <= values.length; end++)
      for (let period = 1; period <= end; period++) {
        const within = values.slice(end - period, end);
        expect(metric.points("Minimum", period).settled[end]).toBe(Math.min(...within));
        expect(metric.points("Maximum", period).settled[end]).toBe(Math.max(...within));
      }
  });
});

/*
 * Measured by others (alarms research, ADR4 of lpulse.live, July 2026): HealthyHostCount was 2 every minute, then nothing for seven
 * minutes. Average below 1, 60 s, 3 of 3, breaching, went off after 9 min 48 s when it lasted.
 */
describe("an alarm on missing data waits for the whole evaluation range to be silent", () => {
  const adr4 = alarmOf({
    ...below,
    statistic: "Average",
    threshold: 1,
    evaluationPeriods: 3,
    treatMissingData: "breaching",
  });
  test.each([
    ["calibrated", 10],
    ["documented", 5],
  ] as const)("%s: %d minutes", (range, expected) => {
    const silent = reported([...repeat(2, 30), ...nothing(30)], 1);
    expect(firstAlarm(alarmOn(adr4, silent, 0, extraPeriods[range]), 20, 60)).toBe(30 + expected);
  });

  test("and never goes off when that lasts seven minutes, calibrated", () => {
    const back = reported([...repeat(2, 30), ...nothing(7), ...repeat(2, 30)], 1);
    expect(firstAlarm(alarmOn(adr4, back, 0, extraPeriods.calibrated), 20, 60)).toBeUndefined();
  });
});

// CloudWatch guide, FILL: where the newest minute never has data, it "can result in the alarm being stuck"; M of N is the way round.
test("FILL makes an alarm of 1 of 1 stick, and not one of 5 of 5", () => {
  const healthy = reported(repeat(6, 60), 1);
  const filled = { ...math("FILL(h, 0)"), threshold: 1 };
  expect(new Set(states(alarmOn(alarmOf(filled), healthy, 0, 2), 20, 50))).toEqual(new Set(["ALARM"]));
  const five = alarmOf({ ...filled, evaluationPeriods: 5 });
  expect(new Set(states(alarmOn(five, healthy, 0, 2), 20, 50))).toEqual(new Set(["OK"]));
});

describe("expressions of an alarm", () => {
  test("use each other by their ids", () => {
    const queries = [
      { id: "h1", metric: { ...name, stat: "Minimum", period: 60 } },
      { id: "h", expression: "h1 + h1" },
      { id: "result", expression: "h - 1", returnData: true },
    ];
    const alarm = alarmOn(alarmOf({ ...math("h"), metricQueries: queries }), reported([1, 2]), 0, 0);
    expect(states(alarm, 1, 2)).toEqual(["ALARM", "OK"]);
  });

  test("see the previous window, also in an alarm on one", () => {
    const fell = alarmOf({ ...math("DIFF(h)", 86_400, "Maximum"), threshold: 0 });
    const metrics = reported([...repeat(6, 1440), ...repeat(5, 2 * 1440)]);
    // A day after the loss the last 24 hours have no 6 any more; a day later the ones before haven't, either.
    expect(firstAlarm(alarmOn(fell, metrics, 0, 2), 1440, 3 * 1440)).toBe(2 * 1440);
    const alarm = alarmOn(fell, metrics, 0, 2);
    expect(states(alarm, 3 * 1440 - 1, 3 * 1440)).toEqual(["ALARM", "OK"]);
  });
});

// CloudWatch guide, "Alarm warm-up periods": INSUFFICIENT_DATA until it ends; unless strict, it ends when the window is filled.
describe("warm-up", () => {
  const warming = (strict: boolean) =>
    alarmOf({
      ...below,
      evaluationPeriods: 3,
      treatMissingData: "breaching",
      warmUpConfiguration: { warmUpPeriodDurationInMinutes: 30, onlyStartEvaluatingAfterWarmUpPeriodEnds: strict },
    });
  // Created at minute 10, first reports at 22, zeros at first.
  const metrics = reported([...nothing(22), ...repeat(0, 4), ...repeat(6, 40)]);

  test("strict, it waits to the end", () => {
    expect(states(alarmOn(warming(true), metrics, 10, 2), 39, 40)).toEqual(["INSUFFICIENT_DATA", "OK"]);
    expect(firstAlarm(alarmOn(warming(true), metrics, 10, 2), 10, 60)).toBeUndefined();
  });

  test("otherwise it ends with the third data point", () => {
    expect(firstAlarm(alarmOn(warming(false), metrics, 10, 2), 10, 60)).toBe(25);
  });

  test("without, silence breaches at once", () => {
    const cold = alarmOf({ ...below, evaluationPeriods: 3, treatMissingData: "breaching" });
    expect(firstAlarm(alarmOn(cold, metrics, 10, 2), 10, 60)).toBe(10);
  });
});

describe("an alarm that goes off", () => {
  test("pages once, and again when it was over in between", () => {
    const alarm = alarmOn(alarmOf(below), reported([6, 1, 1, 6, 1, 6]), 0, 0);
    expect([1, 2, 3, 4, 5, 6].map((minute) => alarm.evaluate(minute))).toEqual([
      false,
      true,
      false,
      false,
      true,
      false,
    ]);
  });

  test("keeps its state when it is updated", () => {
    const metrics = reported([1, 1, 1]);
    const alarm = alarmOn(alarmOf(below), metrics, 0, 0);
    const update = (threshold: number) => {
      const updated = alarmOf({ ...below, threshold });
      alarm.update(updated, pointsOf(updated, metrics));
    };
    expect(alarm.evaluate(1)).toBe(true);
    update(3);
    expect(alarm.evaluate(2)).toBe(false);
    update(1);
    alarm.evaluate(3);
    expect(alarm.state).toBe("OK");
  });

  test("on a metric that nobody publishes is an error", () => {
    const elsewhere = alarmOf({ ...below, dimensions: { TargetGroup: "other" } });
    expect(() => alarmOn(elsewhere, reported([1]), 0, 0)).toThrow("nobody publishes Test Hosts TargetGroup=other");
  });
});

// API reference, PutMetricAlarm.
describe("what CloudWatch refuses is refused", () => {
  const query = (id: string, period = 60) => ({ id, metric: { ...name, stat: "Minimum", period } });
  const sum = { id: "result", expression: "a + b", returnData: true };
  test.each<[string, object, string]>([
    ["M above N", { ...below, datapointsToAlarm: 2 }, "more data points must breach"],
    ["two periods", { ...math("h"), metricQueries: [query("a"), query("b", 300), sum] }, "no one period"],
    ["no result", { ...math("h"), metricQueries: [query("a")] }, "not exactly one query returns data"],
    ["an id twice", { ...math("h"), metricQueries: [query("a"), query("a"), sum] }, "used twice"],
    [
      "eleven metrics",
      { ...math("h"), metricQueries: [...[..."abcdefghijk"].map((id) => query(id)), sum] },
      "more than ten",
    ],
    ["more than a day of minutes", { ...below, evaluationPeriods: 1441 }, "looks back too far"],
    ["more than a week of hours", { ...below, period: 3600, evaluationPeriods: 169 }, "looks back too far"],
    ["an argument that isn't known here", { ...below, evaluationWindow: "WallClock" }, "evaluationWindow"],
  ])("%s", (_, inputs, words) => {
    expect(() => alarmOf(inputs)).toThrow(words);
  });
});
