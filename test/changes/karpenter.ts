import { KarpenterChartVersion } from "../../components/karpenter";
import { cluster } from "../support/samples/sample";
import { type Change, Nodes } from "./change";

const cni = "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy";

export const karpenter: readonly Change[] = [
  {
    argument: "cluster.endpoint",
    after: { cluster: { ...cluster, endpoint: "https://moved.eks.eu-west-1.amazonaws.com" } },
    nodes: Nodes.Stay,
    effects: ["update Release release"],
  },
  {
    argument: "cluster.name",
    after: { cluster: { ...cluster, name: "market" } },
    nodes: Nodes.Stay,
    effects: [
      "recreate 6 RolePolicyAttachment",
      "replace 6 Policy",
      "replace AccessEntry node-access",
      "update Release release",
      "update Role controller",
      "update Role node",
    ],
    note: "A Karpenter of another cluster: it leaves the nodes of the old one behind. Make a second one, and take the old cluster down first.",
  },
  {
    argument: "kubernetesVersion",
    nodes: Nodes.Stay,
    effects: [],
    note: "For a check only.",
  },
  {
    argument: "chartVersion",
    what: "a newer one",
    before: { chartVersion: KarpenterChartVersion.V1_14_1 },
    after: { chartVersion: KarpenterChartVersion.V1_15_2 },
    nodes: Nodes.Stay,
    effects: ["update Release crds", "update Release release"],
    note: "Definitions first. Nodes stay as long as the release doesn't hash pools anew (its upgrade guide says so).",
  },
  { argument: "replicas", nodes: Nodes.Stay, effects: ["update Release release"] },
  { argument: "nodeSelector", nodes: Nodes.Stay, effects: ["update Release release"] },
  {
    argument: "identity",
    what: "Pod Identity instead of IRSA",
    nodes: Nodes.Stay,
    effects: ["create PodIdentityAssociation identity", "update Release release", "update Role controller"],
    note: "The association is there before the pods start anew.",
  },
  {
    argument: "isolatedVpc",
    nodes: Nodes.Stay,
    effects: ["create InstanceProfile node", "update Release release"],
    note: "Pools that take the profile instead of the role replace their nodes.",
  },
  { argument: "zonalShift", nodes: Nodes.Stay, effects: ["update Release release"] },
  {
    argument: "featureGates",
    what: "with `rebootForRepair`",
    nodes: Nodes.Stay,
    effects: ["update Policy node-lifecycle", "update Release release"],
  },
  {
    argument: "chartRepository",
    nodes: Nodes.Stay,
    effects: ["update Release crds", "update Release release"],
  },
  {
    argument: "permissionsBoundaryArn",
    nodes: Nodes.Stay,
    effects: ["update Role controller", "update Role node"],
  },
  {
    argument: "nodePolicyArns",
    what: "one is added",
    nodes: Nodes.Stay,
    effects: ["create RolePolicyAttachment node-cni"],
    note: "Nodes have it at once: it is their role's.",
  },
  {
    argument: "nodePolicyArns",
    what: "a key is renamed",
    before: { nodePolicyArns: { cni } },
    after: { nodePolicyArns: { network: cni } },
    nodes: Nodes.Stay,
    effects: ["create RolePolicyAttachment node-network", "remove RolePolicyAttachment node-cni"],
    note: "IAM knows both as one, and removing the old one detaches the policy. Rename it in the state first: `pulumi state rename`.",
  },
  { argument: "extraValues", nodes: Nodes.Stay, effects: ["update Release release"] },
  {
    argument: "tags",
    nodes: Nodes.Stay,
    effects: [
      "update 5 EventRule",
      "update 6 Policy",
      "update AccessEntry node-access",
      "update Queue interruptions",
      "update Role controller",
      "update Role node",
    ],
    note: "Nodes have tags of their own (`nodeTags`), so that no tag of anything else replaces them.",
  },
];
