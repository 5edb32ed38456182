/** A plain value as text; empty for lists and objects, which no label, tag or port is. Those may even refuse to become a text. */
export function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
