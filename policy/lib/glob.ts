/** Whether a text matches one of the patterns, in which `*` stands for any text. */
export function matchesAny(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const escaped = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
    return new RegExp(`^${escaped.join(".*")}$`).test(text);
  });
}
