import * as pulumi from "@pulumi/pulumi";
import type { Problems } from "./validate";

/**
 * Refuses a component that makes Kubernetes objects but was given no Kubernetes provider. Without this check Pulumi would fall
 * back to the kubeconfig of whoever runs the update: another cluster, quite possibly.
 *
 * Call it after `super()`: `getProvider` then sees `provider`, `providers` and what the parent hands down.
 */
export function requireKubernetesProvider(component: pulumi.ComponentResource, problems: Problems): void {
  problems.unless(
    component.getProvider("kubernetes:core/v1:Service") !== undefined,
    "opts.providers",
    "has no Kubernetes provider: pass { providers: [new kubernetes.Provider(...)] } so that the objects reach the cluster you mean",
  );
}
