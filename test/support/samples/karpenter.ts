import * as karpenter from "../../../components/karpenter";
import { NodeArchitecture } from "../../../components/cluster";
import { cluster, sample, tags, type Sample } from "./sample";

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
      zonalShift: false,
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
      diskSizeInGiB: 100,
      kubelet: { maxPods: 110, systemReserved: { cpu: "100m" } },
      userData: "apiVersion: node.eks.aws/v1alpha1\nkind: NodeConfig\n",
      nodeTags: tags,
      protect: false,
    },
    { args: { amiAlias: "al2023@latest", budgets: [] }, messages: ["amiAlias", "budgets"] },
    { kubernetes: true, without: ["instanceProfileName", "instanceTypes"] }, // a role or a profile; types or categories
  ),
};
