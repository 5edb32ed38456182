import { treatments, verdict, type Point, type State } from "./verdict";

/*
 * Rows of the CloudWatch guide (awsdocs/amazon-cloudwatch-user-guide at cc40332, AlarmThatSendsEmail.md): 0 is within the threshold,
 * X breaches, - is missing; the newest is on the right. "kept" is a state that stays what it was.
 */
type Row = [points: string, ...byTreatment: (State | "kept")[]];

const pointsOf = (text: string): Point[] =>
  text.split(" ").map((sign) => (sign === "X" ? "breaching" : sign === "0" ? "within" : "missing"));

function states(points: string, datapointsToAlarm: number, evaluationPeriods: number): (State | "kept")[] {
  return treatments.map(
    (treatMissingData) =>
      verdict(pointsOf(points), { datapointsToAlarm, evaluationPeriods, treatMissingData }) ?? "kept",
  );
}

// "How alarm state is evaluated when data is missing". Columns: missing, ignore, breaching, notBreaching.
describe("3 of 3, evaluation range 5", () => {
  test.each<Row>([
    ["0 - X - X", "OK", "OK", "OK", "OK"],
    ["0 - - - -", "OK", "OK", "OK", "OK"],
    ["- - - - -", "INSUFFICIENT_DATA", "kept", "ALARM", "OK"],
    ["0 X X - X", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["- - X - -", "ALARM", "kept", "ALARM", "OK"],
  ])("%s", (points, ...expected) => {
    expect(states(points, 3, 3)).toEqual(expected);
  });
});

describe("2 of 3, evaluation range 5", () => {
  test.each<Row>([
    ["0 - X - X", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["0 0 X 0 X", "ALARM", "ALARM", "ALARM", "ALARM"],
    ["0 - X - -", "OK", "OK", "ALARM", "OK"],
    ["- - - - 0", "OK", "OK", "ALARM", "OK"],
    ["- - - X -", "ALARM", "kept", "ALARM", "OK"],
  ])("%s", (points, ...expected) => {
    expect(states(points, 2, 3)).toEqual(expected);
  });
});

// "Avoiding premature transitions to alarm state": not yet, because the next point may be good; then yes.
describe("premature alarms of 3 of 3, missing data missing", () => {
  test.each([
    ["- - - - X", false],
    ["- - - X -", false],
    ["- - - X 0", false],
    ["- - X - 0", false],
    ["- - X - -", true],
  ])("%s: %s", (points, alarm) => {
    expect(states(points, 3, 3)[0] === "ALARM").toBe(alarm);
  });
});

// The same page: after the row "0 - - - -" the good point leaves the range, and then missing data breaches.
test("a good point keeps an alarm with breaching data from going off as long as it is in the range", () => {
  const rule = { datapointsToAlarm: 3, evaluationPeriods: 3, treatMissingData: "breaching" } as const;
  expect(verdict(pointsOf("0 - - - -"), rule)).toBe("OK");
  expect(verdict(pointsOf("- - - - -"), rule)).toBe("ALARM");
});

// "Evaluating an alarm": threshold 3, 3 of 3; periods three to five are above, six is below, nine is above once.
test("the guide's figure: in alarm at period five, over at six, quiet at nine", () => {
  const above = [false, false, true, true, true, false, false, false, true];
  const after = (period: number) =>
    verdict(
      above.slice(0, period).map((is) => (is ? "breaching" : "within")),
      { datapointsToAlarm: 3, evaluationPeriods: 3, treatMissingData: "missing" },
    );
  expect([4, 5, 6, 7, 8, 9].map(after)).toEqual(["OK", "ALARM", "OK", "OK", "OK", "OK"]);
});
