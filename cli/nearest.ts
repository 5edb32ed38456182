import { closest, distance } from "fastest-levenshtein";

/** `: did you mean "x"?` when one of the names is near, else what there is. */
export function nearest(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const best = closest(wrong, [...names]);
  if (distance(wrong, best) <= Math.max(2, wrong.length / 3)) return `: did you mean "${best}"?`;
  return `; there are ${names.join(", ")}`;
}
