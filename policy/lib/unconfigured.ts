import type { PolicyResource } from "@pulumi/policy";
import { notKnown } from "./known";

const nothingKnown: Record<string, unknown> = new Proxy<Record<string, unknown>>(
  {},
  {
    get: (_, key) => {
      throw notKnown(String(key));
    },
  },
);

/**
 * Marks what isn't known at all. In the first preview of a cluster the provider of the objects on it has no kubeconfig yet: the engine
 * then doesn't ask it, and stack rules get objects without any property (pulumi/pulumi pkg/resource/deploy, AnalyzeResources; seen with
 * 3.248). That an object has no selector may not be concluded from it. An object whose provider was asked has its `kind` at least.
 */
export function markUnconfigured(resources: readonly PolicyResource[]): void {
  for (const resource of resources) {
    // In place, because resources refer to each other.
    if (resource.type.startsWith("kubernetes:") && isEmpty(resource)) resource.props = nothingKnown;
  }
}

function isEmpty({ props }: PolicyResource): boolean {
  for (const _ in props) return false;
  return true;
}
