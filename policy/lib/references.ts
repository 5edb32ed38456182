import type { PolicyResource } from "@pulumi/policy";

/**
 * Whether a property's value came from this resource. Pulumi records that for every property, also while the value itself is
 * unknown. A value out of a component in another language may name the component instead of the resource inside it.
 */
export function cameFrom(holder: PolicyResource, property: string, source: PolicyResource): boolean {
  const origins = new Set((holder.propertyDependencies[property] ?? []).map((r) => r.urn));
  // Of a circle of parents, which only a broken state has, each is asked once.
  const asked = new Set<PolicyResource>();
  for (let r: PolicyResource | undefined = source; r !== undefined && !asked.has(r); r = r.parent) {
    if (origins.has(r.urn)) return true;
    asked.add(r);
  }
  return false;
}
