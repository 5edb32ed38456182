import type * as pulumi from "@pulumi/pulumi";

/**
 * What other components need to know of a cluster: names, ids and ARNs, never the component that made it. `EksCluster.ref` is one;
 * `clusterRefFromEks`, `clusterRefFromAws` and `clusterRefByName` make one of a cluster that somebody else made.
 */
export interface ClusterRef {
  /**
   * Name of the cluster. Plain, because role paths, the registration tag and metric namespaces are built from it: a path that
   * turns unknown in a preview would replace the role.
   */
  name: string;
  /** Address of the Kubernetes API. */
  endpoint: pulumi.Input<string>;
  /** Certificate authority of the Kubernetes API, base64. */
  certificateAuthority: pulumi.Input<string>;
  /** ARN of the IAM OpenID Connect provider of the cluster's issuer. */
  oidcProviderArn: pulumi.Input<string>;
  /** Issuer of the cluster's service account tokens, without `https://`. */
  oidcIssuer: pulumi.Input<string>;
  /** Security group that EKS makes for the cluster; system nodes and pods carry it, tagged `kubernetes.io/cluster/<name>`. */
  securityGroupId: pulumi.Input<string>;
  /** VPC of the cluster. */
  vpcId: pulumi.Input<string>;
  /** Whether EKS may move traffic of the cluster away from an impaired zone (zonal shift). Defaults to false. */
  zonalShift?: pulumi.Input<boolean>;
}
