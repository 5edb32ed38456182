/** What a rule says that finds nothing. */
export const ok = { violations: [], undecided: undefined, notApplicable: false };

/** No violation, but a value that decides isn't known. */
export const advisory = (path: string) => ({ ...ok, undecided: expect.stringContaining(path) as string });

/** Rows of a table with one column, whose values may be lists. */
export const rows = (...values: unknown[]) => values.map((value) => [value] as const);
