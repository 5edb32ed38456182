import { cluster } from "../support/samples/sample";
import { type Change, Nodes } from "./change";

const effects = ["update EC2NodeClass class"];
const drift = "Drift: new nodes first, at the pace of budgets and PodDisruptionBudgets.";

/** What describes a class, of a pool's own or shared: the same arguments do the same. */
export const settings: readonly Change[] = [
  {
    argument: "cluster.securityGroupId",
    after: { cluster: { ...cluster, securityGroupId: "sg-other" } },
    nodes: Nodes.Roll,
    effects,
  },
  {
    argument: "cluster.name",
    after: { cluster: { ...cluster, name: "market" } },
    nodes: Nodes.Stay,
    effects: [],
    note: "Nodes join the cluster of their Karpenter.",
  },
  { argument: "nodeRoleName", after: { nodeRoleName: "other-node" }, nodes: Nodes.Roll, effects },
  {
    argument: "instanceProfileName",
    what: "instead of `nodeRoleName`",
    after: { nodeRoleName: undefined, instanceProfileName: "nodes" },
    nodes: Nodes.Roll,
    effects,
  },
  {
    argument: "subnetIds",
    what: "one is added or removed",
    after: { subnetIds: ["subnet-a", "subnet-b", "subnet-c"] },
    nodes: Nodes.Misfits,
    effects,
    note: "Nodes in a subnet that isn't named any more.",
  },
  { argument: "securityGroupIds", after: { securityGroupIds: ["sg-other"] }, nodes: Nodes.Roll, effects },
  { argument: "amiAlias", after: { amiAlias: "al2023@v20260903" }, nodes: Nodes.Roll, effects, note: drift },
  { argument: "diskSizeInGiB", nodes: Nodes.Roll, effects },
  { argument: "diskIops", nodes: Nodes.Roll, effects },
  { argument: "diskThroughput", nodes: Nodes.Roll, effects },
  { argument: "volumes", nodes: Nodes.Roll, effects },
  { argument: "kmsKeyId", nodes: Nodes.Roll, effects },
  { argument: "instanceStoreRaid0", nodes: Nodes.Roll, effects },
  { argument: "connectionTracking", nodes: Nodes.Roll, effects },
  { argument: "detailedMonitoring", nodes: Nodes.Roll, effects },
  { argument: "kubelet", nodes: Nodes.Roll, effects },
  { argument: "userData", nodes: Nodes.Roll, effects },
  {
    argument: "nodeTags",
    nodes: Nodes.Roll,
    effects,
    note: "Karpenter compares all of them. Give none that changes with a commit or a date.",
  },
  { argument: "chartVersion", nodes: Nodes.Stay, effects: [], note: "For a check only." },
  { argument: "protect", nodes: Nodes.Stay, effects: [], note: "In Pulumi's state only." },
];

export const nodeClass: readonly Change[] = [
  {
    argument: "className",
    nodes: Nodes.Roll,
    effects: ["replace EC2NodeClass class"],
    note: "Another class. Pools name it at once, and the old one goes when its last node has gone: Pulumi waits for that, two hours at most.",
  },
  ...settings,
  {
    argument: "capacityReservationIds",
    before: { capacityReservationIds: ["cr-0a"] },
    after: { capacityReservationIds: ["cr-0a", "cr-0b"] },
    nodes: Nodes.Misfits,
    effects,
  },
];
