/** The known name that was probably meant, whatever its case: at most a quarter of the letters differ, and at least one may. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, distance: distanceOf(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(name.length / 4)))
    .sort((one, other) => one.distance - other.distance);
  return best?.candidate;
}

/** Letters to add, take away or change to make one text of the other (Levenshtein): a row for each letter of the first. */
function distanceOf(one: string, other: string): number {
  return [...one].reduce(
    (above, letter, index) =>
      [...other].reduce(
        (row, other, column) => [
          ...row,
          Math.min(row[column]! + 1, above[column + 1]! + 1, above[column]! + (letter === other ? 0 : 1)),
        ],
        [index + 1],
      ),
    Array.from({ length: other.length + 1 }, (_, column) => column),
  )[other.length]!;
}
