export type { ClusterRef } from "./cluster-ref";
export { ClusterAccessLevel, type ClusterAccess } from "./access";
export type { AddonValues, AddonVersions, OptionalAddons } from "./addon-args";
export { DefaultStorageClass } from "./default-storage-class";
export { EksCluster } from "./eks-cluster";
export type { EksClusterArgs } from "./eks-cluster-args";
export { NodeArchitecture, type NodesArgs } from "./node-args";
export { PrivateClusterEndpoints } from "./private-cluster-endpoints";
export type { PrivateClusterEndpointsArgs } from "./private-endpoints-args";
export { VolumeReclaimPolicy, type DefaultStorageClassArgs } from "./storage-class-args";
export {
  clusterRefByName,
  clusterRefFromAws,
  clusterRefFromEks,
  type ByNameOptions,
  type FromEksOptions,
} from "./existing-cluster";
