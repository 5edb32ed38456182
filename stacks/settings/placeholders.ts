/**
 * Example values of the committed stack files: addresses and domains that are reserved for documentation (RFC 5737, RFC 2606), the
 * account of AWS's own examples, and identities that nobody has. Deployed, they would open the API to nobody, page nobody, or fail half-way.
 */
const examples: readonly RegExp[] = [
  /\b123456789012\b/,
  /\b(192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}\b/,
  /\bexample\.(com|net|org)\b/,
  /\b00000000-0000-4000-8000-000000000000$/,
  /^EXAMPLE-/,
  /^(vpc|subnet)-\.\.\.$/,
];

/** Keys whose values are still examples, in alphabetical order. */
export function placeholdersIn(config: Readonly<Record<string, string>>): string[] {
  const keys = Object.entries(config).flatMap(([key, value]) => {
    let parsed: unknown = value;
    try {
      parsed = JSON.parse(value);
    } catch {
      // not structured: the text itself
    }
    return pathsWithExamples(parsed, key);
  });
  return keys.sort();
}

function pathsWithExamples(value: unknown, path: string): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([step, member]) =>
      pathsWithExamples(member, Array.isArray(value) ? `${path}[${step}]` : `${path}.${step}`),
    );
  }
  return examples.some((example) => example.test(String(value))) ? [path] : [];
}
