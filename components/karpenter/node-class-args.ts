import type * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../cluster";
import type { KarpenterChartVersion } from "./karpenter-versions";
import type { NodeKubelet } from "./kubelet";

/** One more volume of every node: encrypted gp3, empty at first, and gone with the node. */
export interface NodeVolume {
  /**
   * Name of the device, such as `/dev/xvdf`: `/dev/sd` or `/dev/xvd` and a letter from b on. Bottlerocket has `/dev/xvdb` itself. The name
   * inside the node is another one (`/dev/nvme1n1`); user data must format and mount it.
   */
  deviceName: string;
  /** Size in GiB: 1 to 59000. */
  sizeInGiB: pulumi.Input<number>;
  /** Operations in a second: 3000 to 80000, at most 500 for each GiB. Defaults to 3000. */
  iops?: pulumi.Input<number>;
  /** Throughput in MiB a second: 125 to 2000, at most a quarter of `iops`. Defaults to 125. */
  throughput?: pulumi.Input<number>;
}

/**
 * How long the security groups of a node remember a connection on which nothing happens. What they have forgotten they drop without a
 * word. They hold for the node's first network interface; those that vpc-cni adds for pods follow only if vpc-cni can do so
 * (amazon-vpc-cni-k8s #3666). Types that aren't Nitro are no longer chosen. Known from Karpenter 1.13 on.
 */
export interface NodeConnectionTracking {
  /** Seconds for an established TCP connection: 60 to 432000. Defaults to 350 for Nitro v6, else to 432000 (five days). */
  tcpEstablishedTimeout?: pulumi.Input<number>;
  /** Seconds for UDP that went back and forth more than once: 60 to 180. Defaults to 180. */
  udpStreamTimeout?: pulumi.Input<number>;
  /** Seconds for other UDP: 30 to 60. Defaults to 30. */
  udpTimeout?: pulumi.Input<number>;
}

/** What nodes are made from: arguments of {@link KarpenterNodeClass}, and of a {@link KarpenterNodePool} with a class of its own. */
export interface NodeSettings {
  /** Name of the nodes' role: `Karpenter.nodeRoleName`. Either this or `instanceProfileName`. */
  nodeRoleName?: pulumi.Input<string>;
  /** Name of an instance profile made elsewhere, for a VPC without a way to IAM. Either this or `nodeRoleName`. */
  instanceProfileName?: pulumi.Input<string>;
  /** Private subnets of the nodes, 1 to 30, one for each zone that nodes may be in. Required, unless a class is named. */
  subnetIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Security groups of the nodes, 1 to 30. Only one of them may carry the tag `kubernetes.io/cluster/<name>`, or load balancers break.
   * Defaults to the cluster's own (`cluster.securityGroupId`).
   */
  securityGroupIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Image of the nodes, such as `al2023@v20260903` (a date) or `bottlerocket@v1.46.0`. `@latest` is refused: it replaces every node on the day of a
   * release. A new alias replaces the nodes, as budgets allow, and so does an upgrade of the cluster. Required, unless a class is named.
   */
  amiAlias?: pulumi.Input<string>;
  /** Ids of capacity reservations (`cr-...`), at most 30; with `CapacityType.Reserved` only. Defaults to none. */
  capacityReservationIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** Size of each node's volume for images, logs and empty directories in GiB, encrypted gp3: 20 to 59000. Defaults to 50. */
  diskSizeInGiB?: pulumi.Input<number>;
  /** Operations in a second of that volume: 3000 to 80000, at most 500 for each GiB. Defaults to 3000. */
  diskIops?: pulumi.Input<number>;
  /** Throughput of that volume in MiB a second: 125 to 2000, at most a quarter of `diskIops`. Defaults to 125. */
  diskThroughput?: pulumi.Input<number>;
  /** Further volumes, each with a letter of its own. Defaults to none. */
  volumes?: NodeVolume[];
  /**
   * Key that encrypts all volumes: its id, its ARN, or an alias. Its policy must let Karpenter's role use it by way of EC2 (`kms:CreateGrant`,
   * `kms:Decrypt`, `kms:GenerateDataKeyWithoutPlaintext`), or no node starts. Defaults to the account's key for EBS.
   */
  kmsKeyId?: pulumi.Input<string>;
  /**
   * Whether the disks inside of the instances become one file system (RAID 0) for images, logs and empty directories. Bottlerocket does it
   * from 1.22 on. Defaults to false: they aren't used.
   */
  instanceStoreRaid0?: pulumi.Input<boolean>;
  /** How long connections are remembered on which nothing happens. Defaults to what EC2 has. */
  connectionTracking?: NodeConnectionTracking;
  /** Whether CloudWatch has the metrics of EC2 every minute, at a price, and not every five. Defaults to false. */
  detailedMonitoring?: pulumi.Input<boolean>;
  /** Settings of the kubelet. Defaults to those of the image. */
  kubelet?: NodeKubelet;
  /** Further user data, in the form that the image's family takes. What Karpenter sets wins. Defaults to none. */
  userData?: pulumi.Input<string>;
  /**
   * Tags of instances, volumes and network interfaces. Changing one replaces every node, so give only tags that stay: no commit, no
   * date. Not those of the component's other tags. Defaults to none.
   */
  nodeTags?: Record<string, pulumi.Input<string>>;
}

/** Arguments of {@link KarpenterNodeClass}. */
export interface KarpenterNodeClassArgs extends NodeSettings {
  /** Cluster that the nodes join. */
  cluster: ClusterRef;
  /** Private subnets of the nodes, 1 to 30, one for each zone that nodes may be in. */
  subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Image of the nodes, such as `al2023@v20260903` (a date) or `bottlerocket@v1.46.0`. `@latest` is refused: it replaces every node on the day of a
   * release. A new alias replaces the nodes of all pools of the class, as their budgets allow, and so does an upgrade of the cluster.
   */
  amiAlias: pulumi.Input<string>;
  /**
   * Name of the EC2NodeClass: a DNS label of at most 63 characters. Fixed, because another name is another class, and the nodes of the pools
   * that move to it are replaced. Defaults to the component's name.
   */
  className?: string;
  /** Version of Karpenter in the cluster (`Karpenter`'s argument). Used for checks only. Defaults to `KarpenterChartVersion.V1_15_2`. */
  chartVersion?: KarpenterChartVersion;
  /**
   * Whether Pulumi refuses to delete or replace the class. Kubernetes deletes it only when no node of it is left. To remove it, set false,
   * update, and destroy. Defaults to what the component's parent says.
   */
  protect?: boolean;
}
