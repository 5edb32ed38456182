import type * as pulumi from "@pulumi/pulumi";
import type { ClusterAccess } from "./access";
import type { NodesArgs } from "./node-args";

/**
 * Builds of the add-ons, for example `v1.14.3-eksbuild.23`. Each defaults to a build that goes with the Kubernetes version. See newer
 * ones with `aws eks describe-addon-versions --kubernetes-version 1.36 --addon-name coredns`.
 */
export interface AddonVersions {
  /** Build of vpc-cni. */
  vpcCni?: pulumi.Input<string>;
  /** Build of kube-proxy. */
  kubeProxy?: pulumi.Input<string>;
  /** Build of coredns. */
  coredns?: pulumi.Input<string>;
  /** Build of aws-ebs-csi-driver. */
  ebsCsiDriver?: pulumi.Input<string>;
  /** Build of metrics-server. */
  metricsServer?: pulumi.Input<string>;
  /** Build of eks-pod-identity-agent. */
  podIdentityAgent?: pulumi.Input<string>;
}

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
   * Kubernetes version, `1.36`, `1.35` or `1.34`. Upgrade one version at a time. A version near the end of AWS's standard support
   * gives a warning. Defaults to `1.36`.
   */
  kubernetesVersion?: string;
  /**
   * Who may log in, by a name of your choice. At least one `ClusterAccessLevel.ClusterAdmin` of the whole cluster, else nobody could:
   * whoever creates the cluster gets no rights by that. Include the role that deploys.
   */
  accessEntries: Record<string, ClusterAccess>;
  /**
   * CIDR blocks that may reach the Kubernetes API from the internet. Plain: it decides whether there is a public endpoint. Blocks of
   * length 0 (everybody) are refused. The private endpoint is always on. Defaults to none: reachable from inside the VPC only.
   */
  publicAccessCidrs?: string[];
  /**
   * CIDR blocks inside the VPC, or connected to it, that may reach the private endpoint: of a deployment runner, of a VPN. Without one
   * only nodes and pods get through the cluster's security group. Plain: each makes a rule. Blocks of length 0 are refused. Defaults to
   * none.
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
  /** Days that the control plane's logs are kept; a value that CloudWatch Logs takes, 0 for ever. Defaults to 90. */
  logRetentionInDays?: pulumi.Input<number>;
  /**
   * Whether AWS refuses to delete the cluster. To destroy it, set false, update, and destroy. Defaults to true.
   */
  deletionProtection?: boolean;
  /** Whether EKS may move traffic away from an impaired zone. Defaults to true. */
  zonalShift?: boolean;
  /** Added to everything that takes tags. A change rolls the system nodes: their launch template carries it. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
