import * as karpenter from "../../../components/karpenter";
import { NodeArchitecture } from "../../../components/cluster";
import { cluster, sample, tags, type Sample } from "./sample";

/** What nodes are made from, beside role, subnets and image. */
const nodes: Partial<karpenter.KarpenterNodeClassArgs> = {
  diskSizeInGiB: 100,
  diskIops: 6000,
  diskThroughput: 500,
  volumes: [{ deviceName: "/dev/xvdf", sizeInGiB: 200, iops: 4000, throughput: 250 }],
  kmsKeyId: "alias/nodes",
  instanceStoreRaid0: true,
  connectionTracking: { tcpEstablishedTimeout: 900, udpStreamTimeout: 120, udpTimeout: 45 },
  detailedMonitoring: true,
  kubelet: {
    maxPods: 110,
    systemReserved: { cpu: "100m" },
    allowedUnsafeSysctls: ["net.ipv4.tcp_retries2"],
    further: { registryPullQPS: 10 },
  },
  userData: "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n",
  nodeTags: tags,
};

/** Samples of the family `karpenter`. */
export const karpenterSamples: Record<string, Sample> = {
  Karpenter: sample(
    karpenter.Karpenter,
    { cluster },
    {
      kubernetesVersion: "1.36",
      chartVersion: karpenter.KarpenterChartVersion.V1_15_2,
      identity: karpenter.KarpenterIdentity.PodIdentity,
      replicas: 3,
      nodeSelector: { pool: "system" },
      isolatedVpc: true,
      zonalShift: true,
      featureGates: { nodeRepair: true, rebootForRepair: true },
      chartRepository: "oci://registry.acme.io/karpenter",
      permissionsBoundaryArn: "arn:aws:iam::123456789012:policy/boundary",
      nodePolicyArns: { cni: "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy" },
      extraValues: { logLevel: "debug" },
      tags,
    },
    { args: { replicas: 1, kubernetesVersion: "1.20" }, messages: ["replicas", "kubernetesVersion"] },
    { kubernetes: true },
  ),
  KarpenterNodePool: sample(
    karpenter.KarpenterNodePool,
    {
      cluster,
      nodeRoleName: "karpenter-node",
      subnetIds: ["subnet-a", "subnet-b"],
      profile: karpenter.NodePoolProfile.Stateless,
      amiAlias: "al2023@v20240703",
      limits: { cpu: "200", memory: "800Gi" },
    },
    {
      securityGroupIds: ["sg-cluster"],
      poolName: "web",
      architectures: [NodeArchitecture.X86, NodeArchitecture.Arm64],
      capacityTypes: [karpenter.CapacityType.Reserved, karpenter.CapacityType.Spot, karpenter.CapacityType.OnDemand],
      capacityReservationIds: ["cr-0123456789abcdef0"],
      instanceCategories: ["c", "m"],
      minInstanceGeneration: 6,
      zones: ["eu-west-1a", "eu-west-1b"],
      requirements: [
        { key: "karpenter.k8s.aws/instance-cpu", operator: karpenter.RequirementOperator.Lte, values: ["16"] },
      ],
      consolidationPolicy: karpenter.ConsolidationPolicy.Balanced,
      consolidateAfter: "10m",
      budgets: [{ nodes: "20%" }],
      freezeWindows: [{ scheduleUtc: "0 8 * * mon-fri", duration: "8h" }],
      expireAfter: "336h",
      terminationGracePeriod: "2h",
      longestPodGraceSeconds: 90,
      labels: { team: "platform" },
      taints: [{ key: "example.com/web", effect: karpenter.TaintEffect.NoSchedule }],
      startupTaints: [{ key: "ebs.csi.aws.com/agent-not-ready", effect: karpenter.TaintEffect.NoExecute }],
      weight: 10,
      ...nodes,
      chartVersion: karpenter.KarpenterChartVersion.V1_15_2,
      protect: false,
    },
    { args: { amiAlias: "al2023@latest", budgets: [] }, messages: ["amiAlias", "budgets"] },
    // A role or a profile; types or categories; a class of its own or a shared one.
    { kubernetes: true, without: ["instanceProfileName", "instanceTypes", "nodeClassName"] },
  ),
  KarpenterNodeClass: sample(
    karpenter.KarpenterNodeClass,
    { cluster, nodeRoleName: "karpenter-node", subnetIds: ["subnet-a", "subnet-b"], amiAlias: "al2023@v20240703" },
    {
      className: "shared",
      securityGroupIds: ["sg-cluster"],
      capacityReservationIds: ["cr-0123456789abcdef0"],
      ...nodes,
      chartVersion: karpenter.KarpenterChartVersion.V1_15_2,
      protect: false,
    },
    { args: { amiAlias: "al2023@latest", diskIops: 100 }, messages: ["amiAlias", "diskIops"] },
    { kubernetes: true, without: ["instanceProfileName"] },
  ),
};
