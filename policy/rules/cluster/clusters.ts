import type { Path } from "../../lib/paths";

/** Where a type of EKS cluster says what the rules ask about. */
interface ClusterType {
  readonly publicAccess: Path;
  readonly publicCidrs: Path;
  readonly authentication: Path;
  readonly supportType: Path;
}

const version: Path = ["version"];
const supportType: Path = ["upgradePolicy", "supportType"];

const clusterTypes: Readonly<Record<string, ClusterType>> = {
  "aws:eks/cluster:Cluster": {
    publicAccess: ["vpcConfig", "endpointPublicAccess"],
    publicCidrs: ["vpcConfig", "publicAccessCidrs"],
    authentication: ["accessConfig", "authenticationMode"],
    supportType,
  },
  "aws-native:eks:Cluster": {
    publicAccess: ["resourcesVpcConfig", "endpointPublicAccess"],
    publicCidrs: ["resourcesVpcConfig", "publicAccessCidrs"],
    authentication: ["accessConfig", "authenticationMode"],
    supportType,
  },
  // Its own cluster is a child, which a check without plugins never sees.
  "eks:index:Cluster": {
    publicAccess: ["endpointPublicAccess"],
    publicCidrs: ["publicAccessCidrs"],
    authentication: ["authenticationMode"],
    supportType,
  },
};

/** Whether resources of this type are EKS clusters. */
export function isClusterType(type: string): boolean {
  return type in clusterTypes;
}

/** Where a cluster says what; only for types of {@link isClusterType}. */
export function clusterPaths(type: string): ClusterType & { readonly version: Path } {
  return { ...clusterTypes[type]!, version };
}
