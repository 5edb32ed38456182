/** Whether `npm run test:deep` asked for everything. Also test-real/jest.config.js reads it: that is no TypeScript. */
export const isDeep = process.env["MOORINGS_DEEP"] === "1";

/** Rows of a table of tests: those of the gate, and under `npm run test:deep` the slow ones, too. */
export function rows<T>(gate: readonly [T, ...T[]], deep: readonly T[]): readonly T[] {
  return isDeep ? [...gate, ...deep] : gate;
}
