import type { KnownArguments } from "../internal/arguments";
import { clusterShape, standInCluster } from "../internal/cluster-shape";
import { anything, fields, flag, lateText, lateTextMap, mapOf, number, text, type Shape } from "../internal/shapes";
import type { KarpenterFeatureGates } from "./feature-gates";
import type { KarpenterArgs } from "./karpenter-args";

const gates: Record<keyof KarpenterFeatureGates, Shape> = {
  nodeRepair: flag,
  nodeOverlay: flag,
  reservedCapacity: flag,
  spotToSpotConsolidation: flag,
  staticCapacity: flag,
  capacityBuffer: flag,
  terminateFirstDrift: flag,
  terminateFirstRepair: flag,
  podDeletionCostManagement: flag,
  rebootForRepair: flag,
};

/** Arguments of `Karpenter`. What extra values may be, their own check says. */
export const karpenterArguments: KnownArguments<KarpenterArgs> = {
  shapes: {
    cluster: clusterShape,
    kubernetesVersion: text,
    chartVersion: text,
    identity: text,
    replicas: number,
    nodeSelector: lateTextMap,
    isolatedVpc: flag,
    zonalShift: flag,
    featureGates: fields(gates),
    chartRepository: text,
    permissionsBoundaryArn: lateText,
    nodePolicyArns: mapOf(lateText),
    extraValues: anything,
    tags: lateTextMap,
  },
  missing: { cluster: "is missing: write the cluster that Karpenter runs in, such as EksCluster.ref" },
  standIns: { cluster: standInCluster },
  elsewhere: {
    version: "isn't an argument: write chartVersion",
    values: "isn't an argument: write extraValues",
    settings: "isn't an argument: write it in extraValues, if no argument is for it",
    isolatedVPC: "isn't an argument: write isolatedVpc",
  },
};
