import { countOf, deliveriesOf, isSteady, longestGaps } from "../../support/kafka/counted";

const reports = `0 0 100.000 100.010 ok
1 1 100.010 100.020 ok
2 0 100.020 109.000 ok
3 1 100.030 100.040 _MSG_TIMED_OUT
4 0 100.040 109.100 ok
5 1 100.0`;
const deliveries = deliveriesOf(reports);

test("a line that is still being written is no report", () => {
  expect(deliveries.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3, 4]);
  expect(deliveries[3]).toEqual({
    sequence: 3,
    partition: 1,
    produced: 100.03,
    reported: 100.04,
    outcome: "_MSG_TIMED_OUT",
  });
});

const fine = { acknowledged: 4, lost: 0, duplicated: 0, disordered: 0, failed: 1, failedButStored: 0 };

test.each([
  ["all is there", "a 0 0\na 1 1\na 2 0\na 4 0\n", fine],
  ["others' messages don't count", "a 0 0\nb 0 0\na 1 1\na 2 0\na 4 0\nb 4 0\n", fine],
  ["one is lost", "a 0 0\na 1 1\na 4 0\n", { ...fine, lost: 1 }],
  ["one is there three times", "a 0 0\na 0 0\na 0 0\na 1 1\na 2 0\na 4 0\n", { ...fine, duplicated: 2 }],
  ["two have changed places", "a 2 0\na 0 0\na 1 1\na 4 0\n", { ...fine, disordered: 1 }],
  ["one that failed is there", "a 0 0\na 1 1\na 2 0\na 3 1\na 4 0\n", { ...fine, failedButStored: 1 }],
])("%s", (_, read, expected) => {
  expect(countOf("a", deliveries, read)).toEqual(expected);
});

test("a partition was silent between two acknowledgments, also when the first came before the fault", () => {
  expect([...longestGaps(deliveries, 105)]).toEqual([[0, expect.closeTo(8.99, 5)]]);
});

test("steady is when everything of the last three seconds came back fast, and much of it", () => {
  const fast = Array.from({ length: 20 }, (_, sequence) => ({
    sequence,
    partition: 0,
    produced: 200 + sequence / 10,
    reported: 200.1 + sequence / 10,
    outcome: "ok",
  }));
  expect(isSteady(fast, 202.5)).toBe(true);
  expect(isSteady(fast.slice(1), 202.5)).toBe(false);
  expect(isSteady(fast, 204)).toBe(false); // seven are older than three seconds
  expect(isSteady([...fast, { ...fast[0]!, reported: 202 }], 202.5)).toBe(false); // took two seconds
  expect(isSteady([...fast, { ...fast[19]!, outcome: "_MSG_TIMED_OUT" }], 202.5)).toBe(false);
});
