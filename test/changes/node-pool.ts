import { CapacityType, NodePoolProfile } from "../../components/karpenter";
import { cluster } from "../support/samples/sample";
import { type Change, Nodes } from "./change";

const pool = ["update NodePool pool"];
const nodeClass = ["update EC2NodeClass class"];
const drift = "Drift: new nodes first, at the pace of budgets and PodDisruptionBudgets.";

export const nodePool: readonly Change[] = [
  {
    argument: "cluster.securityGroupId",
    after: { cluster: { ...cluster, securityGroupId: "sg-other" } },
    nodes: Nodes.Roll,
    effects: nodeClass,
  },
  {
    argument: "cluster.name",
    after: { cluster: { ...cluster, name: "market" } },
    nodes: Nodes.Stay,
    effects: [],
    note: "Nodes join the cluster of their Karpenter.",
  },
  { argument: "nodeRoleName", after: { nodeRoleName: "other-node" }, nodes: Nodes.Roll, effects: nodeClass },
  {
    argument: "instanceProfileName",
    what: "instead of `nodeRoleName`",
    after: { nodeRoleName: undefined, instanceProfileName: "nodes" },
    nodes: Nodes.Roll,
    effects: nodeClass,
  },
  {
    argument: "subnetIds",
    what: "one is added or removed",
    after: { subnetIds: ["subnet-a", "subnet-b", "subnet-c"] },
    nodes: Nodes.Misfits,
    effects: nodeClass,
    note: "Nodes in a subnet that isn't named any more.",
  },
  { argument: "securityGroupIds", after: { securityGroupIds: ["sg-other"] }, nodes: Nodes.Roll, effects: nodeClass },
  {
    argument: "poolName",
    nodes: Nodes.Go,
    effects: ["replace EC2NodeClass class", "replace NodePool pool"],
    note: "Another pool. Stateful ones refuse it by their protection: [replacements](replacements.md#stateful-node-pool).",
  },
  {
    argument: "profile",
    what: "stateless to stateful",
    after: { profile: NodePoolProfile.Stateful },
    nodes: Nodes.Roll,
    effects: [...nodeClass, ...pool],
    note: "By the taint, the expiry and the grace that belong to it.",
  },
  { argument: "amiAlias", after: { amiAlias: "al2023@v20260903" }, nodes: Nodes.Roll, effects: nodeClass, note: drift },
  { argument: "limits.cpu", after: { limits: { cpu: "300", memory: "800Gi" } }, nodes: Nodes.Stay, effects: pool },
  { argument: "limits.memory", after: { limits: { cpu: "200", memory: "1Ti" } }, nodes: Nodes.Stay, effects: pool },
  {
    argument: "limits.nodes",
    after: { limits: { cpu: "200", memory: "800Gi", nodes: 10 } },
    nodes: Nodes.Stay,
    effects: pool,
    note: "No limit takes nodes away, however low.",
  },
  { argument: "architectures", nodes: Nodes.Misfits, effects: pool },
  {
    argument: "capacityTypes",
    after: { capacityTypes: [CapacityType.Spot] },
    nodes: Nodes.Misfits,
    effects: pool,
  },
  {
    argument: "capacityReservationIds",
    before: { capacityTypes: [CapacityType.Reserved], capacityReservationIds: ["cr-0a"] },
    after: { capacityReservationIds: ["cr-0a", "cr-0b"] },
    nodes: Nodes.Misfits,
    effects: nodeClass,
  },
  { argument: "instanceTypes", after: { instanceTypes: ["m7i.large"] }, nodes: Nodes.Misfits, effects: pool },
  { argument: "instanceCategories", nodes: Nodes.Misfits, effects: pool },
  { argument: "minInstanceGeneration", nodes: Nodes.Misfits, effects: pool },
  { argument: "zones", nodes: Nodes.Misfits, effects: pool },
  { argument: "requirements", nodes: Nodes.Misfits, effects: pool },
  { argument: "consolidationPolicy", nodes: Nodes.Stay, effects: pool },
  { argument: "consolidateAfter", nodes: Nodes.Stay, effects: pool },
  { argument: "budgets", nodes: Nodes.Stay, effects: pool },
  { argument: "freezeWindows", nodes: Nodes.Stay, effects: pool },
  {
    argument: "expireAfter",
    nodes: Nodes.Roll,
    effects: pool,
    note: "Nodes keep the expiry that they were made with.",
  },
  { argument: "terminationGracePeriod", nodes: Nodes.Roll, effects: pool, note: "As for `expireAfter`." },
  { argument: "longestPodGraceSeconds", nodes: Nodes.Stay, effects: [], note: "For a check only." },
  { argument: "labels", nodes: Nodes.Roll, effects: pool },
  { argument: "taints", nodes: Nodes.Roll, effects: pool },
  { argument: "startupTaints", nodes: Nodes.Roll, effects: pool },
  { argument: "weight", nodes: Nodes.Stay, effects: pool },
  { argument: "diskSizeInGiB", nodes: Nodes.Roll, effects: nodeClass },
  { argument: "kubelet", nodes: Nodes.Roll, effects: nodeClass },
  { argument: "userData", nodes: Nodes.Roll, effects: nodeClass },
  {
    argument: "nodeTags",
    nodes: Nodes.Roll,
    effects: nodeClass,
    note: "Karpenter compares all of them. Give none that changes with a commit or a date.",
  },
  { argument: "protect", nodes: Nodes.Stay, effects: [], note: "In Pulumi's state only." },
];
