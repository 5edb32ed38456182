import type { PolicyResource } from "@pulumi/policy";
import { withParents } from "./parents";

/**
 * Whether a property's value came from this resource. Pulumi records that for every property, also while the value itself is
 * unknown. A value out of a component in another language may name the component instead of the resource inside it.
 */
export function cameFrom(holder: PolicyResource, property: string, source: PolicyResource): boolean {
  const origins = new Set((holder.propertyDependencies[property] ?? []).map((r) => r.urn));
  return withParents(source).some(({ urn }) => origins.has(urn));
}
