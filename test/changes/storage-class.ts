import { type Change, Nodes } from "./change";

const effects = ["recreate StorageClass class"];
const note = "Kubernetes takes no change of it. Volumes stay as they are.";

export const storageClass: readonly Change[] = [
  {
    argument: "className",
    nodes: Nodes.Stay,
    effects,
    note: "Claims keep the name that they got, and the class of that name is gone.",
  },
  { argument: "kmsKeyArn", nodes: Nodes.Stay, effects, note },
  { argument: "iops", nodes: Nodes.Stay, effects, note },
  { argument: "throughputMiB", before: { iops: 4000 }, nodes: Nodes.Stay, effects, note },
  { argument: "reclaimPolicy", nodes: Nodes.Stay, effects, note },
  { argument: "volumeTags", nodes: Nodes.Stay, effects, note },
];
