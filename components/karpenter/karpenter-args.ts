import type * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../cluster";
import type { KarpenterFeatureGates } from "./feature-gates";
import type { KarpenterChartVersion } from "./karpenter-versions";

/** How the controller's pods get their role. */
export enum KarpenterIdentity {
  /** By the cluster's OpenID Connect provider (IRSA). It needs nothing in the cluster, and works on Fargate. */
  Irsa = "irsa",
  /** By EKS Pod Identity. It needs the add-on `eks-pod-identity-agent`, which `EksCluster` installs. */
  PodIdentity = "pod-identity",
}

/** Arguments of {@link Karpenter}. */
export interface KarpenterArgs {
  /** Cluster that Karpenter runs in and makes nodes for. One Karpenter per cluster. */
  cluster: ClusterRef;
  /**
   * Kubernetes version of the cluster, such as `1.36`; it is checked against what `chartVersion` supports, and used for nothing else.
   * Defaults to no check.
   */
  kubernetesVersion?: string;
  /**
   * Version of both charts and the controller: one whose permissions this release of Moorings knows. Write it: what a release defaults to changes
   * with releases, and a newer Karpenter may replace nodes. Defaults to `KarpenterChartVersion.V1_15_2`.
   */
  chartVersion?: KarpenterChartVersion;
  /**
   * How the controller's pods get their role. Pod Identity needs the add-on `eks-pod-identity-agent`: `EksCluster` has it; a cluster made
   * elsewhere must have it before this component. Defaults to `KarpenterIdentity.Irsa`.
   */
  identity?: KarpenterIdentity;
  /**
   * Number of controller pods, at least 2: one works, the others take over. Each needs a node of its own that Karpenter didn't make,
   * and they are spread evenly over zones. Defaults to 2.
   */
  replicas?: number;
  /**
   * Labels of the nodes that the controller runs on. They must not be Karpenter's own. Defaults to the system nodes that `EksCluster`
   * makes (`moorings.dev/node-role: system`); for a cluster made elsewhere name its own.
   */
  nodeSelector?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Whether the VPC has no way to AWS services but through VPC endpoints. Karpenter then asks for no prices, and can make no instance profiles,
   * because IAM has no endpoint in a VPC: one is made here, and node pools take it (`instanceProfileName: karpenter.instanceProfileName`
   * in place of `nodeRoleName`). Defaults to false.
   */
  isolatedVpc?: boolean;
  /**
   * Whether Karpenter keeps away from a zone that a zonal shift moves traffic out of. The cluster must have zonal shift on, and its VPC a way to
   * `arc-zonal-shift`: Karpenter asks when it starts, and doesn't start otherwise. Defaults to `cluster.zonalShift`, and that to false.
   */
  zonalShift?: boolean;
  /** Features by gate. Defaults to those of the chart. */
  featureGates?: KarpenterFeatureGates;
  /**
   * Where the charts `karpenter` and `karpenter-crd` come from: `oci://...`, `https://...` or a directory, for a mirror. The image's
   * address is `controller.image` of `extraValues`. Defaults to `oci://public.ecr.aws/karpenter`. (If that answers 403, an expired
   * login is in the way: `helm registry logout public.ecr.aws`.)
   */
  chartRepository?: string;
  /** ARN of a policy that bounds the roles made here, where an organization requires one. Defaults to none. */
  permissionsBoundaryArn?: pulumi.Input<string>;
  /**
   * ARNs of further managed policies of the nodes' role, by a name of your choice (letters, digits, `-` and `_`). The role has
   * AmazonEKSWorkerNodePolicy, AmazonEC2ContainerRegistryPullOnly and AmazonSSMManagedInstanceCore. It doesn't have
   * AmazonEKS_CNI_Policy, because the vpc-cni of `EksCluster` has a role of its own; in a cluster made elsewhere whose vpc-cni uses
   * the node's role, add it here: `{ cni: "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy" }`. Defaults to none.
   */
  nodePolicyArns?: Record<string, pulumi.Input<string>>;
  /**
   * Further values of the chart `karpenter`, nested as in its own values file, for example `{ logLevel: "debug" }`. They win over this
   * component's. Those that would break what it promises are refused with the reason; the chart ignores those that it doesn't know.
   * Defaults to none.
   */
  extraValues?: pulumi.Inputs;
  /** Added to everything that takes tags; not to nodes (`KarpenterNodePool.nodeTags`). Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
