export type { ClusterRef } from "./cluster-ref";
export { ClusterAccessLevel, type ClusterAccess } from "./access";
export { EksCluster } from "./eks-cluster";
export type { AddonVersions, EksClusterArgs } from "./eks-cluster-args";
export { NodeArchitecture, type NodesArgs } from "./node-args";
export {
  clusterRefByName,
  clusterRefFromAws,
  clusterRefFromEks,
  type ByNameOptions,
  type FromEksOptions,
} from "./existing-cluster";
