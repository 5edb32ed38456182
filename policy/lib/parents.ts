import type { PolicyResource } from "@pulumi/policy";

/** A resource and all that it is inside of, from the inside out. A state that was edited by hand may hold a circle of parents: it ends. */
export function withParents(resource: PolicyResource): PolicyResource[] {
  const found = new Set<PolicyResource>();
  for (let r: PolicyResource | undefined = resource; r !== undefined && !found.has(r); r = r.parent) found.add(r);
  return [...found];
}
