import { ClusterAccessLevel, NodeArchitecture } from "../../components/cluster";
import { type Change, Nodes } from "./change";

const deployer = { principalArn: "arn:aws:iam::123456789012:role/deployer", level: ClusterAccessLevel.ClusterAdmin };
const onCall = { principalArn: "arn:aws:iam::123456789012:role/on-call", level: ClusterAccessLevel.View };

/** Both groups of nodes are made alike. */
const groups: readonly Change[] = ["system", "workload"].flatMap((kind): Change[] => {
  const argument = `${kind}Nodes`;
  const before = { [argument]: {} };
  const given = (after: object) => ({ before, after: { [argument]: after } });
  return [
    {
      argument: `${argument}.architecture`,
      ...given({ architecture: NodeArchitecture.Arm64 }),
      nodes: Nodes.Move,
      effects: [`replace NodeGroup ${kind}`],
    },
    {
      argument: `${argument}.instanceTypes`,
      ...given({ instanceTypes: ["m7i.xlarge"] }),
      nodes: Nodes.Move,
      effects: [`replace NodeGroup ${kind}`],
      note: "A launch template, which changes in place, could hold one type only.",
    },
    {
      argument: `${argument}.minSize`,
      ...given({ minSize: 3 }),
      nodes: Nodes.Stay,
      effects: [`update NodeGroup ${kind}`],
    },
    {
      argument: `${argument}.maxSize`,
      ...given({ maxSize: 6 }),
      nodes: Nodes.Stay,
      effects: [`update NodeGroup ${kind}`],
    },
    {
      argument: `${argument}.diskSizeInGiB`,
      ...given({ diskSizeInGiB: 100 }),
      nodes: Nodes.Roll,
      effects: [`update LaunchTemplate ${kind}`, `update NodeGroup ${kind}`],
      note: "A new version of the launch template. (The group's own `diskSize` would replace the group.)",
    },
  ];
});

export const eksCluster: readonly Change[] = [
  {
    argument: "vpcId",
    after: { vpcId: "vpc-0fedcba9876543210" },
    nodes: Nodes.Stay,
    effects: ["update Cluster cluster"],
    note: "By itself it moves nothing: a cluster is where its subnets are, and EKS refuses those of another VPC.",
  },
  {
    argument: "privateSubnetIds",
    what: "one is added",
    after: { privateSubnetIds: ["subnet-a", "subnet-b", "subnet-c"] },
    nodes: Nodes.Move,
    effects: ["replace NodeGroup system", "update Cluster cluster"],
  },
  {
    argument: "kubernetesVersion",
    what: "1.35 to 1.36",
    before: { kubernetesVersion: "1.35" },
    after: { kubernetesVersion: "1.36" },
    nodes: Nodes.Roll,
    effects: [
      "update Addon coredns",
      "update Addon kube-proxy",
      "update Addon metrics-server",
      "update Cluster cluster",
      "update NodeGroup system",
    ],
    note: "The control plane first, then one node after the other. Karpenter's nodes drift by themselves.",
  },
  {
    argument: "clusterName",
    before: { clusterName: "shop" },
    after: { clusterName: "market" },
    nodes: Nodes.Move,
    effects: [
      "recreate Alias key-alias",
      "recreate LogGroup logs",
      "replace 6 Addon",
      "recreate Cluster cluster",
      "replace NodeGroup system",
      "replace OpenIdConnectProvider oidc",
      "update Key key",
      "update Role ebs-csi-driver",
      "update Role vpc-cni",
    ],
    note: "Another cluster. What protects it refuses that in the preview: [replacements](replacements.md#cluster).",
  },
  {
    argument: "accessEntries",
    what: "one is added",
    after: { accessEntries: { deployer, onCall } },
    nodes: Nodes.Stay,
    effects: ["update Cluster cluster"],
  },
  {
    argument: "accessEntries",
    what: "a key is renamed",
    before: { accessEntries: { deployer, onCall } },
    after: { accessEntries: { deployer, night: onCall } },
    nodes: Nodes.Stay,
    effects: ["update Cluster cluster"],
    note: "Inside, one entry is made before the equal other one goes, which EKS refuses: [keys](replacements.md#keys-in-the-settings).",
  },
  {
    argument: "publicAccessCidrs",
    nodes: Nodes.Stay,
    effects: ["update Cluster cluster"],
  },
  {
    argument: "privateAccessCidrs",
    what: "another block",
    before: { privateAccessCidrs: ["10.20.0.0/16"] },
    after: { privateAccessCidrs: ["10.30.0.0/16"] },
    nodes: Nodes.Stay,
    effects: ["create SecurityGroupIngressRule api-10.30.0.0-16", "remove SecurityGroupIngressRule api-10.20.0.0-16"],
  },
  ...groups,
  {
    argument: "workloadNodes",
    nodes: Nodes.Stay,
    effects: ["create LaunchTemplate workload", "create NodeGroup workload"],
  },
  {
    argument: "addonVersions",
    what: "all of them",
    after: {
      addonVersions: {
        vpcCni: "v1.22.5-eksbuild.1",
        kubeProxy: "v1.36.1-eksbuild.1",
        coredns: "v1.14.4-eksbuild.1",
        ebsCsiDriver: "v1.67.0-eksbuild.1",
        metricsServer: "v0.9.1-eksbuild.1",
        podIdentityAgent: "v1.3.11-eksbuild.1",
      },
    },
    nodes: Nodes.Stay,
    effects: ["update 6 Addon"],
    note: "Their pods restart.",
  },
  {
    argument: "optionalAddons",
    nodes: Nodes.Stay,
    effects: ["create Addon node-monitoring-agent", "create Addon snapshot-controller"],
  },
  { argument: "addonValues", nodes: Nodes.Stay, effects: ["update Addon coredns"] },
  {
    argument: "prefixDelegation",
    nodes: Nodes.Stay,
    effects: ["update Addon vpc-cni"],
    note: "Nodes that are there keep their number of pods.",
  },
  {
    argument: "permissionsBoundaryArn",
    nodes: Nodes.Stay,
    effects: ["update Role ebs-csi-driver", "update Role node", "update Role vpc-cni"],
    note: "And the role inside of `eks.Cluster`, which only the engine shows.",
  },
  { argument: "logRetentionInDays", nodes: Nodes.Stay, effects: ["update LogGroup logs"] },
  { argument: "deletionProtection", nodes: Nodes.Stay, effects: ["update Cluster cluster"] },
  {
    argument: "zonalShift",
    nodes: Nodes.Stay,
    effects: [],
    note: "Set inside of `eks.Cluster`, which only the engine shows; EKS changes it in place.",
  },
  {
    argument: "tags",
    nodes: Nodes.Roll,
    effects: [
      "update 6 Addon",
      "update Cluster cluster",
      "update Key key",
      "update LaunchTemplate system",
      "update LogGroup logs",
      "update NodeGroup system",
      "update OpenIdConnectProvider oidc",
      "update Role ebs-csi-driver",
      "update Role node",
      "update Role vpc-cni",
    ],
    note: "The launch template tags instances, so it gets a new version. Tags that change often belong into `aws:defaultTags`, which it doesn't hand on.",
  },
];
