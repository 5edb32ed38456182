import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

/** The provider of all Kubernetes objects of a stack: every stack gives it the same name, so that layers can move between stacks. */
export function kubernetesProvider(kubeconfig: pulumi.Input<string>, after: pulumi.Resource[]): k8s.Provider {
  return new k8s.Provider("cluster", { kubeconfig }, { dependsOn: after });
}
