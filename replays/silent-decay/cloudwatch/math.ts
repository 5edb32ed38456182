import type { Expression, Operator } from "./expression";

/** A data point that isn't there. NaN, because it spreads by itself through arithmetic with numbers. */
export const missing = Number.NaN;
/** Only NaN isn't itself. `Number.isNaN` says the same, but under Jest each mention of a global takes its time, and this is asked a million times. */
export const isMissing = (point: number): boolean => point !== point;

/** Data points of one period each, oldest first. */
export type Series = readonly number[];

/** What an expression may be. CloudWatch has arrays of series as well; no alarm here needs them. */
export type Value = number | Series;

/**
 * Metric math after "Using metric math" of the CloudWatch guide. What the guide doesn't define, and what no alarm here needs, is an
 * error that names it.
 */
export function evaluate(expression: Expression, valueOf: (id: string) => Value): Value {
  switch (expression.kind) {
    case "number":
      return expression.value;
    case "id":
      return valueOf(expression.id);
    case "minus":
      return binary("-", 0, evaluate(expression.operand, valueOf));
    case "binary":
      return binary(expression.operator, evaluate(expression.left, valueOf), evaluate(expression.right, valueOf));
    case "call": {
      const called = functions[expression.name];
      if (called === undefined) throw new Error(`metric math: the function ${expression.name} isn't known here`);
      return called(expression.args.map((arg) => evaluate(arg, valueOf)));
    }
  }
}

const operators: Readonly<Record<Operator, (left: number, right: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  // A division by zero drops the data point.
  "/": (a, b) => (b === 0 ? missing : a / b),
  "==": (a, b) => (a === b ? 1 : 0),
  "!=": (a, b) => (a !== b ? 1 : 0),
  "<=": (a, b) => (a <= b ? 1 : 0),
  ">=": (a, b) => (a >= b ? 1 : 0),
  "<": (a, b) => (a < b ? 1 : 0),
  ">": (a, b) => (a > b ? 1 : 0),
  AND: (a, b) => (a !== 0 && b !== 0 ? 1 : 0),
  OR: (a, b) => (a !== 0 || b !== 0 ? 1 : 0),
};

function binary(operator: Operator, left: Value, right: Value): Value {
  const apply = operators[operator];
  if (typeof left === "number" && typeof right === "number") return apply(left, right);
  if (typeof left === "number")
    return series(right, operator).map((point) => (isMissing(point) ? missing : apply(left, point)));
  if (typeof right === "number")
    return series(left, operator).map((point) => (isMissing(point) ? missing : apply(point, right)));
  const others = series(right, operator);
  // Of two series, the one without a value at a time counts as 0 there; with neither there is no result.
  return series(left, operator).map((point, i) => {
    const other = others[i] ?? missing;
    if (isMissing(point)) return isMissing(other) ? missing : apply(0, other);
    return apply(point, isMissing(other) ? 0 : other);
  });
}

type MathFunction = (args: readonly Value[]) => Value;

const functions: Readonly<Record<string, MathFunction | undefined>> = {
  FILL(args) {
    const [over, by] = exactly(args, "FILL", 2);
    if (typeof by !== "number") throw new Error("metric math: FILL is known here with a number only");
    return series(over, "FILL").map((point) => (isMissing(point) ? by : point));
  },

  /** To the value before it in the same series, however long ago that was. */
  DIFF(args) {
    let before = missing;
    return series(exactly(args, "DIFF", 1)[0], "DIFF").map((point) => {
      const difference = point - before;
      if (!isMissing(point)) before = point;
      return difference;
    });
  },

  IF(args) {
    const [condition, then, otherwise] = exactly(args, "IF", args.length === 2 ? 2 : 3);
    return series(condition, "the condition of IF").map((holds, i) => {
      if (isMissing(holds)) return missing;
      if (holds === 0) return at(otherwise, i);
      const value = at(then, i);
      return isMissing(value) ? 0 : value;
    });
  },
};

function at(value: Value | undefined, i: number): number {
  return value === undefined ? missing : typeof value === "number" ? value : (series(value, "IF")[i] ?? missing);
}

function series(value: Value | undefined, where: string): Series {
  if (typeof value === "object") return value;
  throw new Error(`metric math: ${where} is known here with time series only`);
}

function exactly(args: readonly Value[], name: string, count: number): readonly Value[] {
  if (args.length !== count) throw new Error(`metric math: ${name} with ${args.length} arguments isn't known here`);
  return args;
}
