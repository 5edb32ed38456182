/**
 * Writes properties as Java reads them (java.util.Properties): backslashes and what isn't printable ASCII escaped, and a leading
 * blank, which would be skipped. Names are plain.
 */
export function propertiesFile(properties: Record<string, string>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${escaped(value)}\n`)
    .join("");
}

function escaped(value: string): string {
  return value
    .replace(/\\/g, "\\\\")
    .replace(/^ /, "\\ ")
    .replace(/[^ -~]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
