import { gunzipSync } from "node:zlib";

/** User data may have 16 kB, a custom resource 1 MB: what unpacks to more is no script. */
const most = 1_000_000;
/** As deep as cloud-init goes: a file in user data is base64 in base64. More only wants to keep the reader busy, as does more text than this. */
const deepest = 3;
const mostOfAll = 4 * most;

const line = "[A-Za-z0-9+/_-]";
const base64 = new RegExp(`${line}{24,}={0,2}`, "g");
/** `base64` ends its lines after 76 characters; in JSON the end of a line is written out. Begins at the begin of a line: linear. */
const wrapped = new RegExp(
  `(?<!${line})${line}{60,80}(?:(?:\\\\r)?\\\\n|\\r?\\n)[ \\t]*${line}(?:${line}|(?:\\\\r)?\\\\n|\\r?\\n[ \\t]*)*={0,2}`,
  "g",
);

/**
 * The texts that stand in a text as base64, gzipped or not, and those in these: user data and the files that it writes, secrets,
 * `echo ... | base64 -d | sh`, PowerShell's UTF-16.
 */
export function encodedIn(text: string): string[] {
  const found: string[] = [];
  let left = mostOfAll;
  let level = [text];
  for (let depth = 0; depth < deepest && level.length > 0; depth++) {
    const next: string[] = [];
    for (const run of level.flatMap(runsIn)) {
      if (left <= 0) return found;
      const inner = decoded(run);
      left -= inner.length;
      next.push(inner);
    }
    found.push(...next);
    level = next;
  }
  return found;
}

function runsIn(text: string): string[] {
  const joined = [...text.matchAll(wrapped)].map(([run]) => run.replace(/\\r|\\n|\s/g, ""));
  return [...[...text.matchAll(base64)].map(([run]) => run), ...joined];
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
