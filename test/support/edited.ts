export type Path = (string | number)[];

/** A copy with another value at a path; undefined takes the property away. */
export function edited<T extends object>(original: T, path: Path, value: unknown): T {
  // Not structuredClone: its objects are of another realm, in which the proxy for unknowns doesn't know them.
  const copy = JSON.parse(JSON.stringify(original)) as T;
  const parent = path
    .slice(0, -1)
    .reduce<Record<string, unknown>>(
      (object, key) => object[key] as Record<string, unknown>,
      copy as Record<string, unknown>,
    );
  if (value === undefined) delete parent[path.at(-1)!];
  else parent[path.at(-1)!] = value;
  return copy;
}
