import { parse } from "./expression";
import { evaluate, missing, type Value } from "./math";

const _ = missing;

function compute(text: string, series: Readonly<Record<string, Value>> = {}): Value {
  return evaluate(parse(text), (id) => {
    const value = series[id];
    if (value === undefined) throw new Error(`no ${id}`);
    return value;
  });
}

/*
 * Rows of the CloudWatch guide (awsdocs/amazon-cloudwatch-user-guide at cc40332, using-metric-math.md); "-" there is _ here.
 */
describe("documented examples", () => {
  const comparison = { metric1: [30, 20, 0, 0], metric2: [20, _, 20, _] };
  test.each([
    ["(metric1 < metric2)", [0, 0, 1, 0]],
    ["(metric1 >= 30)", [1, 0, 0, 0]],
    ["(metric1 > 15 AND metric2 > 15)", [1, 0, 0, 0]],
    ["(metric1 > 15 && metric2 > 15)", [1, 0, 0, 0]],
  ])("%s", (expression, expected) => {
    expect(compute(expression, comparison)).toEqual(expected);
  });

  const condition = { metric1: [1, 1, 0, 0, _], metric2: [30, _, 0, 0, 30], metric3: [0, 0, 20, _, 20] };
  test.each([
    ["IF(metric1, metric2, metric3)", [30, 0, 20, _, _]],
    ["IF(metric1, 5, metric3)", [5, 5, 20, _, _]],
    ["IF(metric1, metric2, 5)", [30, 0, 5, 5, _]],
    // "is dropped if metric3 is omitted from the expression"
    ["IF(metric1, metric2)", [30, 0, _, _, _]],
  ])("%s", (expression, expected) => {
    expect(compute(expression, condition)).toEqual(expected);
  });
});

/*
 * What the same page says in words: a missing value is 0 to arithmetic if the other operand has one; a division by zero drops the
 * data point; DIFF is from the preceding value; FILL replaces what is missing.
 */
describe("documented rules", () => {
  const m = { a: [1, _, 3, _], b: [10, 20, _, _], z: [0, 2, 0, _] };
  test.each<[string, Value]>([
    ["a + b", [11, 20, 3, _]],
    ["b - a", [9, 20, -3, _]],
    ["2 * a", [2, _, 6, _]],
    ["-a", [-1, _, -3, _]],
    ["a / z", [_, 0, _, _]],
    ["DIFF(a)", [_, _, 2, _]],
    ["FILL(a, 0)", [1, 0, 3, 0]],
    ["IF(DIFF(b) > 5, 1, 0)", [_, 1, _, _]],
    ["a == 1 OR b == 20", [1, 1, 0, _]],
    ["a != 1", [0, _, 1, _]],
    ["a <= 1", [1, _, 0, _]],
  ])("%s", (expression, expected) => {
    expect(compute(expression, m)).toEqual(expected);
  });

  test("operators bind as usual", () => {
    expect(compute("1 + 2 * 3 - 4 / 2")).toBe(5);
    expect(compute("(1 + 2) * 3")).toBe(9);
    expect(compute("10 - 3 - 2")).toBe(5);
    expect(compute("-2 * 3 + 1")).toBe(-5);
    expect(compute("1 + 1 > 1 AND 0 == 1 OR 2 > 1")).toBe(1);
    expect(compute("1 == 1 OR 0 == 1 AND 0 == 1")).toBe(1);
  });
});

describe("what isn't known is named", () => {
  test.each([
    ["RATE(a)", "RATE"],
    ["ANOMALY_DETECTION_BAND(a)", "ANOMALY_DETECTION_BAND"],
    ["FILL(a, REPEAT)", '"("'],
    ["MAX(a)", "MAX"],
    ["SUM([a, b])", "[a, b]"],
    ["SUM(METRICS())", "SUM"],
    ["1 + FILL(1, 0)", "FILL"],
    ["a ^ 2", "^ 2"],
    ["a +", "the end"],
    ["a b", '"b"'],
    ["IF(a)", "IF with 1 arguments"],
    ["FILL(a, 0", "the end"],
    ["", "the end"],
  ])("%s", (expression, words) => {
    expect(() => compute(expression, { a: [1], b: [2] })).toThrow(words);
  });
});
