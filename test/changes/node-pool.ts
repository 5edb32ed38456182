import { CapacityType, NodePoolProfile } from "../../components/karpenter";
import { type Change, Nodes } from "./change";
import { settings } from "./node-class";

const pool = ["update NodePool pool"];

export const nodePool: readonly Change[] = [
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
    effects: ["update EC2NodeClass class", ...pool],
    note: "By the taint, the expiry and the grace that belong to it.",
  },
  {
    argument: "nodeClassName",
    what: "a shared class instead of its own",
    after: { nodeRoleName: undefined, subnetIds: undefined, amiAlias: undefined, nodeClassName: "shared" },
    nodes: Nodes.Roll,
    effects: ["remove EC2NodeClass class", ...pool],
    note: "The old class goes when its last node has gone, and Pulumi waits for that. Where budgets are tight, run the update again.",
  },
  ...settings,
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
    effects: ["update EC2NodeClass class"],
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
];
