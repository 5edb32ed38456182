import type * as pulumi from "@pulumi/pulumi";

/** The resource inside `eks.Cluster` whose arguments `@pulumi/eks` doesn't let anybody set in full. */
const childType = "aws:eks/cluster:Cluster";

/** Creating a control plane takes about ten minutes and an update of its version up to an hour; deleting one waits for network interfaces. */
const timeouts = { create: "45m", update: "90m", delete: "30m" };

/**
 * Changes the child cluster that `eks.Cluster` makes. `@pulumi/eks` 4.3.0 always grants the creator admin rights and has no
 * argument for zonal shift. The engine runs this for every child; nothing else is touched.
 *
 * @param zonalShift whether EKS may move traffic away from an impaired zone.
 */
export function childClusterTransform(zonalShift: boolean): pulumi.ResourceTransform {
  return ({ type, props, opts }) =>
    type === childType
      ? {
          props: {
            ...props,
            // Rights come from access entries alone: the creator's would be invisible in code and stay for ever.
            accessConfig: { authenticationMode: "API", bootstrapClusterCreatorAdminPermissions: false },
            zonalShiftConfig: { enabled: zonalShift },
          },
          opts: { ...opts, customTimeouts: timeouts },
        }
      : undefined;
}
