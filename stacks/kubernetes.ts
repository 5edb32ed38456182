import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";

/**
 * The provider of all Kubernetes objects of a stack: every stack gives it the same name, so that layers can move between stacks.
 *
 * By itself the provider takes a kubeconfig that a preview doesn't know, or with another address or certificate authority, for another
 * cluster, and plans to replace every object on it (pulumi-kubernetes, provider.go, `DiffConfig`). With an identifier only another one means
 * another cluster; the name is what never changes while the cluster is the same. The price: after a cluster has been destroyed and made again
 * under its old name, stacks of other layers need `pulumi up --refresh` to see that their objects are gone.
 */
export function kubernetesProvider(
  clusterName: string,
  kubeconfig: pulumi.Input<string>,
  after: pulumi.Resource[],
): k8s.Provider {
  return new k8s.Provider("cluster", { kubeconfig, clusterIdentifier: clusterName }, { dependsOn: after });
}
