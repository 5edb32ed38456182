import { gunzipSync } from "node:zlib";

/** User data may have 16 kB, a custom resource 1 MB: what unpacks to more is no script. */
const most = 1_000_000;
const base64 = /[A-Za-z0-9+/_-]{24,}={0,2}/g;

/** The texts that stand in a text as base64, gzipped or not: user data, secrets, `echo ... | base64 -d | sh`, PowerShell's UTF-16. */
export function encodedIn(text: string): string[] {
  return [...text.matchAll(base64)].map(([run]) => decoded(run));
}

function decoded(run: string): string {
  const bytes = Buffer.from(run, "base64");
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes.toString("latin1").replaceAll("\0", "");
  try {
    return gunzipSync(bytes, { maxOutputLength: most }).toString("latin1");
  } catch {
    return "";
  }
}
