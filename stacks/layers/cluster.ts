import { ClusterAccessLevel, EksCluster } from "../../components";
import type { ClusterContract, NetworkContract } from "../contracts";
import type { Settings } from "../settings";

/** The EKS cluster with its system nodes and add-ons. */
export function clusterLayer(settings: Settings, network: NetworkContract): ClusterContract {
  const { cluster: given } = settings;
  const admins = Object.entries(given.admins).map(([who, principalArn]) => [
    who,
    { principalArn, level: ClusterAccessLevel.ClusterAdmin },
  ]);
  const cluster = new EksCluster(
    "cluster",
    {
      clusterName: given.name,
      kubernetesVersion: given.kubernetesVersion,
      vpcId: network.vpcId,
      privateSubnetIds: network.privateSubnetIds,
      accessEntries: Object.fromEntries(admins),
      publicAccessCidrs: given.apiAccessCidrs,
      systemNodes: given.systemNodes,
      workloadNodes: given.workloadNodes,
      logRetentionInDays: given.logRetentionDays,
      deletionProtection: given.deletionProtection,
    },
    { dependsOn: network.ready },
  );
  return { ref: cluster.ref, kubeconfig: cluster.kubeconfig, ready: [cluster] };
}
