/** What a rule says that finds nothing. */
export const ok = { violations: [], undecided: undefined, notApplicable: false };

/** No violation, but a value that decides isn't known. */
export const advisory = (path: string) => ({ ...ok, undecided: expect.stringContaining(path) as string });

/** Rows of a table with one column, whose values may be lists. */
export const rows = (...values: unknown[]) => values.map((value) => [value] as const);

/** One violation, with this text in its message; of the resource of this name, if one is given. */
export const refused = (text: string | RegExp, name?: string) => ({
  ...ok,
  violations: [{ name: name ?? (expect.any(String) as string), message: expect.stringMatching(text) as string }],
});
