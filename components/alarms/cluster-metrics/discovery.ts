import * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { DiscoveryScope } from "./cluster-metrics-args";
import type { MetricsTargets } from "./targets";

/** All that Prometheus asks for to find pods (its documentation, kubernetes_sd_config, role "pod"). It reads, and nothing but pods. */
const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get", "list", "watch"] }];
const apiGroup = "rbac.authorization.k8s.io";

/** Lets a service account find the targets' pods, and returns what must be there before it does. */
export function allowDiscovery(
  parent: pulumi.ComponentResource,
  name: string,
  scope: DiscoveryScope,
  targets: MetricsTargets,
  account: k8s.types.input.rbac.v1.Subject,
): pulumi.Resource[] {
  if (scope === DiscoveryScope.Cluster) {
    const role = new k8s.rbac.v1.ClusterRole(`${name}-discovery`, { rules }, { parent });
    const roleRef = { apiGroup, kind: "ClusterRole", name: role.metadata.name };
    return [new k8s.rbac.v1.ClusterRoleBinding(`${name}-discovery`, { roleRef, subjects: [account] }, { parent })];
  }
  const namespaces = [...new Set(Object.values(targets).map((target) => target.namespace))];
  return namespaces.map((namespace) => {
    const metadata = { namespace };
    const role = new k8s.rbac.v1.Role(`${name}-discovery-${namespace}`, { metadata, rules }, { parent });
    const roleRef = { apiGroup, kind: "Role", name: role.metadata.name };
    return new k8s.rbac.v1.RoleBinding(
      `${name}-discovery-${namespace}`,
      { metadata, roleRef, subjects: [account] },
      { parent },
    );
  });
}
