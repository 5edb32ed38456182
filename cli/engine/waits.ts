/** What preload.cjs wrote, in words: the resources first, for those a user can act on. Undefined for any other line. */
export function waitsFrom(line: string): string | undefined {
  const json = /^moorings-waits:(.*)$/.exec(line)?.[1];
  if (json === undefined) return undefined;
  const { promises, handles } = parsed(json);
  const resources = promises.flatMap((label) => {
    const match = /^resource:(.*)\[(.*)\]$/.exec(label);
    return match === null || match[2] === "pulumi:pulumi:Stack" ? [] : [`${match[2] ?? ""} "${match[1] ?? ""}"`];
  });
  if (resources.length > 0) {
    return `${unique(resources).join(", ")}, of which an input (a Promise or Output) never resolves`;
  }
  const open = handles.filter((h) => !["PipeWrap", "TTYWrap", "TCPSocketWrap"].includes(h));
  if (promises.length > 0) return "a promise of the program's own that never resolves";
  return open.length > 0 ? `what keeps Node alive: ${unique(open).join(", ")}` : "";
}

function unique(list: readonly string[]): string[] {
  return [...new Set(list)];
}

/** A program that is killed while it writes leaves half a line; what it says is a help, never a reason to fail. */
function parsed(json: string): { promises: string[]; handles: string[] } {
  try {
    return JSON.parse(json) as { promises: string[]; handles: string[] };
  } catch {
    return { promises: [], handles: [] };
  }
}
