import type { PlanResource } from "../plan";

/** One line of the tree. */
export interface TreeLine {
  readonly resource: PlanResource;
  readonly prefix: string;
}

/**
 * The resources as `pulumi preview` draws them: children under their parents, sorted by type and name so that two runs look the
 * same. Default providers are left out, as there.
 */
export function treeOf(resources: readonly PlanResource[]): TreeLine[] {
  const shown = resources.filter((r) => !isDefaultProvider(r));
  const urns = new Set(shown.map((r) => r.urn));
  const children = new Map<string, PlanResource[]>();
  for (const r of shown) {
    const parent = urns.has(r.parent) ? r.parent : "";
    children.set(parent, [...(children.get(parent) ?? []), r]);
  }
  const sorted = (urn: string) =>
    [...(children.get(urn) ?? [])].sort((a, b) => a.type.localeCompare(b.type) || a.name.localeCompare(b.name));

  const lines: TreeLine[] = [];
  const walk = (urn: string, indent: string) => {
    const all = sorted(urn);
    all.forEach((resource, i) => {
      const last = i === all.length - 1;
      const isRoot = urn === "";
      lines.push({ resource, prefix: isRoot ? "" : `${indent}${last ? "└─ " : "├─ "}` });
      walk(resource.urn, isRoot ? "" : `${indent}${last ? "   " : "│  "}`);
    });
  };
  walk("", "");
  return lines;
}

/** Made by the engine, not by the program. */
export function isDefaultProvider(resource: PlanResource): boolean {
  return resource.type.startsWith("pulumi:providers:") && /^default(_|$)/.test(resource.name) && resource.parent === "";
}

/** How many resources there are of each type, most frequent first. */
export function countsOf(resources: readonly PlanResource[]): [type: string, count: number][] {
  const counts = new Map<string, number>();
  for (const r of resources) if (!isDefaultProvider(r)) counts.set(r.type, (counts.get(r.type) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}
