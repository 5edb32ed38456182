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

/** What a container must not do, by the Pod Security Standard "restricted" and by us: write to its image. */
export const confined = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
};

/** What is wrong with the name of an image, or undefined. The API server sees white space around it only when it makes a pod. */
export function imageProblem(image: string): string | undefined {
  return /^\S+$/.test(image) ? undefined : `must be the name of an image, without white space, not "${image}"`;
}

/** What is wrong with the number of a port, or undefined. */
export function portProblem(port: number): string | undefined {
  return Number.isInteger(port) && port >= 1 && port <= 65535
    ? undefined
    : `must be a whole number between 1 and 65535, not ${port}`;
}
