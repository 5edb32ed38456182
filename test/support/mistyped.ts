import type { Hostile } from "./hostile-arguments";

/*
 * What callers without types pass: each argument as something that it isn't, and names that aren't arguments.
 */

/** What an argument may be; which of its values are right isn't asked here. */
export type Kind = "text" | "number" | "flag" | "list" | "map";

const values: Readonly<Record<Kind, unknown>> = { text: "a", number: 5, flag: true, list: [], map: { a: "b" } };

/** Each argument as null, and as every other kind, among right ones; and a name that is none. Each is refused by its own name. */
export function mistyped(minimal: object, kinds: Readonly<Record<string, Kind>>): Hostile[] {
  const wrong = Object.entries(kinds).flatMap(([argument, kind]) => [
    { argument, value: null },
    ...Object.entries(values).flatMap(([other, value]) => (other === kind ? [] : [{ argument, value }])),
  ]);
  return [
    ...wrong.map(({ argument, value }) => ({ args: { ...minimal, [argument]: value }, named: [argument] })),
    { args: { ...minimal, nonsense: true }, named: ["nonsense"] },
  ];
}
