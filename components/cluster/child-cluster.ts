import type * as pulumi from "@pulumi/pulumi";

/** The resources inside `eks.Cluster` whose arguments `@pulumi/eks` doesn't let anybody set in full. */
const childType = "aws:eks/cluster:Cluster";
const roleType = "aws:iam/role:Role";

/** Creating a control plane takes about ten minutes and an update of its version up to an hour; deleting one waits for network interfaces. */
const timeouts = { create: "45m", update: "90m", delete: "30m" };

/** What is changed inside `eks.Cluster`. */
export interface InsideCluster {
  /** Whether EKS may move traffic away from an impaired zone. */
  readonly zonalShift: boolean;
  /** Policy that bounds the cluster's service role. */
  readonly permissionsBoundaryArn: pulumi.Input<string> | undefined;
}

/**
 * Changes what `eks.Cluster` makes. `@pulumi/eks` 4.3.0 always grants the creator admin rights, and has no argument for zonal shift and
 * none for a boundary of the service role (`serviceRole` would take another role, with its policies). The engine runs this for every
 * child; nothing else is touched.
 */
export function insideCluster({ zonalShift, permissionsBoundaryArn }: InsideCluster): pulumi.ResourceTransform {
  return ({ type, props, opts }) => {
    if (type === childType)
      return {
        props: {
          ...props,
          // Rights come from access entries alone: the creator's would be invisible in code and stay for ever.
          accessConfig: { authenticationMode: "API", bootstrapClusterCreatorAdminPermissions: false },
          zonalShiftConfig: { enabled: zonalShift },
        },
        opts: { ...opts, customTimeouts: timeouts },
      };
    if (type === roleType && permissionsBoundaryArn !== undefined)
      return { props: { ...props, permissionsBoundary: permissionsBoundaryArn }, opts };
    return undefined;
  };
}
