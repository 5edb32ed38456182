import type * as pulumi from "@pulumi/pulumi";
import type { ClusterAccess } from "./access";
import type { AddonValues, AddonVersions, OptionalAddons } from "./addon-args";
import type { NodesArgs } from "./node-args";

/** Arguments of {@link EksCluster}. */
export interface EksClusterArgs {
  /**
   * Name of the cluster in AWS: 1 to 100 letters, digits, hyphens and underscores. Plain, and part of role paths and tags: it can't
   * be changed later without a new cluster. Defaults to the component's name.
   */
  clusterName?: string;
  /** VPC of the cluster. */
  vpcId: pulumi.Input<string>;
  /** Private subnets in at least two zones, for the control plane's network interfaces and the system nodes. At least 2. */
  privateSubnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Kubernetes version, `1.36`, `1.35` or `1.34`. Upgrade one version at a time. A version whose standard support by AWS ends within 90
   * days gives a warning. Write it: what a release defaults to changes with releases, and a cluster can't be downgraded. Defaults to `1.36`.
   */
  kubernetesVersion?: string;
  /**
   * Who may log in, by a name of your choice (letters, digits, `-` and `_`). At least one `ClusterAccessLevel.ClusterAdmin` of the whole
   * cluster, else nobody could log in as administrator: whoever creates the cluster gets no rights by that. Include the role that deploys.
   */
  accessEntries: Record<string, ClusterAccess>;
  /**
   * IPv4 CIDR blocks that may reach the Kubernetes API from the internet. Plain: it decides whether there is a public endpoint. Blocks
   * wider than /8 (everybody, and its halves) are refused. The private endpoint is always on. Defaults to none: reachable from inside the
   * VPC only.
   */
  publicAccessCidrs?: string[];
  /**
   * IPv4 CIDR blocks inside the VPC, or connected to it, that may reach the private endpoint: of a deployment runner, of a VPN. Without
   * one only nodes and pods get through the cluster's security group. Plain: each makes a rule. Blocks wider than /8 are refused.
   * Defaults to none.
   */
  privateAccessCidrs?: string[];
  /**
   * The system nodes, tainted: they run before there are others, and hold coredns, the load balancer controller and the like. Defaults
   * to two x86 nodes of 2 CPUs and 8 GiB.
   */
  systemNodes?: NodesArgs;
  /**
   * Untainted nodes of a fixed number for workloads, where nothing like Karpenter makes nodes as they are needed. Defaults to none.
   */
  workloadNodes?: NodesArgs;
  /** Builds of single add-ons. Defaults to those that go with the Kubernetes version. */
  addonVersions?: AddonVersions;
  /** Add-ons that not every cluster needs, by their builds. Defaults to none. */
  optionalAddons?: OptionalAddons;
  /** Further configuration of single add-ons. Defaults to none. */
  addonValues?: AddonValues;
  /**
   * Whether vpc-cni hands out addresses of /28 prefixes, sixteen at a time, instead of single ones: more pods on a node, and on Nitro
   * instances only. Every prefix needs 16 free addresses in a row, which an old subnet may not have. Nodes that exist keep their number
   * of pods; those that Karpenter makes need `kubelet.maxPods`. Defaults to false.
   */
  prefixDelegation?: boolean;
  /** Days that the control plane's logs are kept; a value that CloudWatch Logs takes, 0 for ever. Defaults to 90. */
  logRetentionInDays?: pulumi.Input<number>;
  /**
   * Whether AWS refuses to delete the cluster. To destroy it, set false, update, and destroy. Defaults to true.
   */
  deletionProtection?: boolean;
  /** ARN of a policy that bounds the roles made here, where an organization requires one. Defaults to none. */
  permissionsBoundaryArn?: pulumi.Input<string>;
  /** Whether EKS may move traffic away from an impaired zone. Defaults to true. */
  zonalShift?: boolean;
  /** Added to everything that takes tags. A change rolls the system nodes: their launch template carries it. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
