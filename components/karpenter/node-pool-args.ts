import type * as pulumi from "@pulumi/pulumi";
import type { ClusterRef, NodeArchitecture } from "../cluster";
import type { ConsolidationPolicy, FreezeWindow, NodePoolBudget, NodePoolProfile } from "./disruption";
import type { KarpenterChartVersion } from "./karpenter-versions";
import type { NodeSettings } from "./node-class-args";
import type { NodeTaint } from "./taints";

/** How instances are paid for. */
export enum CapacityType {
  /** Cheap, and taken away with two minutes' notice. */
  Spot = "spot",
  /** At the list price. */
  OnDemand = "on-demand",
  /** Of capacity reservations: `capacityReservationIds`. */
  Reserved = "reserved",
}

/** How a requirement compares. */
export enum RequirementOperator {
  In = "In",
  NotIn = "NotIn",
  Exists = "Exists",
  DoesNotExist = "DoesNotExist",
  /** Greater than one whole number. */
  Gt = "Gt",
  /** Less than one whole number. */
  Lt = "Lt",
  /** At least one whole number. */
  Gte = "Gte",
  /** At most one whole number. */
  Lte = "Lte",
}

/** What instances must be like, by a label that Karpenter knows of them. */
export interface NodeRequirement {
  /** Label, for example `karpenter.k8s.aws/instance-memory` (in MiB). Not of the domain `karpenter.sh`. */
  key: string;
  /** How the label is compared. */
  operator: RequirementOperator;
  /** What with: at least one for `In`, one whole number for `Gt`, `Lt`, `Gte` and `Lte`, none for `Exists` and `DoesNotExist`. */
  values?: string[];
  /** How many different values Karpenter must have to choose from, 1 to 50. Defaults to no demand. */
  minValues?: number;
}

/** How much a pool may make. Beyond it pods wait: without limits a loop in somebody's deployment costs without end. */
export interface NodePoolLimits {
  /** Sum of CPUs, such as `"200"`. */
  cpu: string;
  /** Sum of memory, such as `"800Gi"`. */
  memory: string;
  /** Number of nodes, at least 1. Defaults to no limit. */
  nodes?: number;
}

/** Arguments of {@link KarpenterNodePool}. */
export interface KarpenterNodePoolArgs extends NodeSettings {
  /** Cluster that the nodes join. */
  cluster: ClusterRef;
  /**
   * Name of an EC2NodeClass that several pools share: `KarpenterNodeClass.nodeClassName`, which also makes Pulumi keep the order (class first,
   * on destroy last). The pool then makes no class, and takes none of the arguments that describe one (role, subnets, image, disks, kubelet, user
   * data, tags). Of a class that another program makes, give the name as text. Defaults to a class of the pool's own, made from them.
   */
  nodeClassName?: pulumi.Input<string>;
  /**
   * Name of the NodePool, and of its own EC2NodeClass: a DNS label of at most 63 characters. Fixed, because another name is another pool: all
   * its nodes would be drained at once. Defaults to the component's name.
   */
  poolName?: string;
  /** How carefully nodes are taken away: it sets the defaults below. */
  profile: NodePoolProfile;
  /** How much the pool may make. */
  limits: NodePoolLimits;
  /** Processors. Images must exist for all of them. Defaults to `[NodeArchitecture.X86]`. */
  architectures?: NodeArchitecture[];
  /** How instances are paid for, the cheapest that is to be had first. `Stateful` refuses spot. Defaults to `[CapacityType.OnDemand]`. */
  capacityTypes?: CapacityType[];
  /** Instance types to choose from; they must fit `architectures`. Either this or `instanceCategories`. Defaults to all of the categories. */
  instanceTypes?: string[];
  /** Families to choose from, by their first letter. Either this or `instanceTypes`. Defaults to `["c", "m", "r"]`. */
  instanceCategories?: string[];
  /** Oldest generation to choose from, with `instanceCategories`. Defaults to 5: from there on all of c, m and r are Nitro. */
  minInstanceGeneration?: number;
  /** Zones to choose from, such as `eu-west-1a`. Defaults to those of `subnetIds`. */
  zones?: string[];
  /** What else instances must be like. Defaults to nothing. */
  requirements?: NodeRequirement[];
  /**
   * When pods may be moved to save nodes. `Stateful` takes `ConsolidationPolicy.WhenEmpty` only, its default; `Stateless` defaults to
   * `ConsolidationPolicy.WhenEmptyOrUnderutilized`.
   */
  consolidationPolicy?: ConsolidationPolicy;
  /**
   * How long a node's pods must have been the same before it may be consolidated, such as `5m`, or `Never`. Defaults to `5m` for
   * `Stateless`, `15m` for `Stateful`.
   */
  consolidateAfter?: string;
  /**
   * How many nodes may be taken away at a time; the strictest that applies holds. They replace the profile's. Underutilized
   * and Drifted must be covered by one without schedule, because Karpenter sets no limit otherwise. Budgets don't hold back expiry, interruptions and the
   * deletion of the pool. Defaults to 10 %, and one at a time for underutilization, for `Stateless`; one at a time, and none for
   * underutilization, for `Stateful`.
   */
  budgets?: NodePoolBudget[];
  /**
   * Times in which no node is taken away but for expiry and interruptions. They are added to the budgets. Together they must leave some
   * time open, or nodes would never get a new image. Defaults to none.
   */
  freezeWindows?: FreezeWindow[];
  /**
   * Age at which a node is drained, no matter what budgets say, such as `720h`, or `Never`. Nodes made together expire together, without
   * replacements first. It needs `terminationGracePeriod`. Defaults to `720h` for `Stateless`, `Never` for `Stateful`.
   */
  expireAfter?: string;
  /**
   * How long a node that goes may take to drain, such as `1h`, or `Never` for no bound. Then its pods are deleted whatever
   * PodDisruptionBudgets say. At least twice `longestPodGraceSeconds`. Defaults to `1h` for `Stateless`, `Never` for `Stateful`.
   */
  terminationGracePeriod?: string;
  /** The longest `terminationGracePeriodSeconds` of the pool's pods. Used for checks only. Defaults to 30, which is Kubernetes' default. */
  longestPodGraceSeconds?: number;
  /** Labels of the nodes, beside `karpenter.sh/nodepool`. Defaults to none. */
  labels?: Record<string, pulumi.Input<string>>;
  /**
   * Taints of the nodes: only pods that tolerate them come here. Defaults to none for `Stateless`, and for `Stateful` to
   * `moorings.dev/node-pool=<poolName>:NoSchedule`; the output `tolerations` has what pods need.
   */
  taints?: NodeTaint[];
  /** Taints that something takes off a new node when it is ready, such as `ebs.csi.aws.com/agent-not-ready`. Defaults to none. */
  startupTaints?: NodeTaint[];
  /** Rank among the pools that fit a pod, 1 to 100, the highest first. Defaults to none, which is lowest. */
  weight?: number;
  /** Version of Karpenter in the cluster (`Karpenter`'s argument). Used for checks only. Defaults to `KarpenterChartVersion.V1_15_2`. */
  chartVersion?: KarpenterChartVersion;
  /**
   * Whether Pulumi refuses to delete or replace the pool, and its own class: its nodes would all be drained at once. To remove it, set false, update, and
   * destroy. Defaults to true for `Stateful`, otherwise to what the component's parent says.
   */
  protect?: boolean;
}
