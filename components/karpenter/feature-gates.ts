import { KarpenterChartVersion } from "./karpenter-versions";

/** Features of Karpenter that are off or on by a gate. Each defaults to what the chart has, which is off but for `reservedCapacity`. */
export interface KarpenterFeatureGates {
  /**
   * Replace nodes that have been unhealthy for up to 30 minutes. Karpenter doesn't drain them (1.14: nor does it look at budgets), and
   * stops where more than 20 % of a pool are unhealthy. It needs the EKS node monitoring agent to see more than kubelets. Alpha.
   */
  nodeRepair?: boolean;
  /** Let NodeOverlay objects change prices and resources of instance types. Alpha. */
  nodeOverlay?: boolean;
  /** Use capacity reservations, `KarpenterNodePool.capacityReservationIds`. Beta, on by default. */
  reservedCapacity?: boolean;
  /** Replace spot nodes by cheaper spot nodes: more moves of pods. Alpha. */
  spotToSpotConsolidation?: boolean;
  /** Pools with a fixed number of nodes. Alpha. */
  staticCapacity?: boolean;
  /** Spare capacity by CapacityBuffer objects. Alpha. */
  capacityBuffer?: boolean;
  /** Replace drifted nodes of a reservation or of a fixed number by taking the old one away first. From 1.15.2. Alpha. */
  terminateFirstDrift?: boolean;
  /** The same for unhealthy nodes. From 1.15.2. Alpha. */
  terminateFirstRepair?: boolean;
  /** Mark pods so that workloads scale down on the nodes that Karpenter would rather not keep. From 1.15.2. Alpha. */
  podDeletionCostManagement?: boolean;
  /** Reboot an unhealthy node before replacing it. Adds the permission for it. From 1.15.2. Alpha. */
  rebootForRepair?: boolean;
}

type Gate = keyof KarpenterFeatureGates;

const gatesOf1_14: readonly Gate[] = [
  "nodeRepair",
  "nodeOverlay",
  "reservedCapacity",
  "spotToSpotConsolidation",
  "staticCapacity",
  "capacityBuffer",
];

/**
 * The feature gates that each chart knows (values.yaml of both, `settings.featureGates` and `settings.awsFeatureGates`). A gate that
 * a chart doesn't know would be ignored in silence.
 *
 * The six policies are the same from 1.12.0 to 1.15.2; 1.15 makes one further call, `ec2:RebootInstances`, behind `rebootForRepair`
 * (pkg/aws/sdk.go of both versions compared). A new release belongs into this table only with the policies that it needs.
 */
export const gatesKnownTo: Readonly<Record<KarpenterChartVersion, readonly Gate[]>> = {
  [KarpenterChartVersion.V1_14_1]: gatesOf1_14,
  [KarpenterChartVersion.V1_15_2]: [
    ...gatesOf1_14,
    "terminateFirstDrift",
    "terminateFirstRepair",
    "podDeletionCostManagement",
    "rebootForRepair",
  ],
};

/** Gates of the AWS provider rather than of Karpenter's core; the chart keeps them under another key. */
export const awsGates: readonly Gate[] = ["rebootForRepair"];
