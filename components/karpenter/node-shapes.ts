import type { KnownArguments } from "../internal/arguments";
import { clusterShape, standInCluster } from "../internal/cluster-shape";
import {
  anything,
  fields,
  flag,
  late,
  lateNumber,
  lateText,
  lateTexts,
  listOf,
  mapOf,
  number,
  required,
  text,
  type Shape,
} from "../internal/shapes";
import { NodePoolProfile } from "./disruption";
import type { NodeKubelet } from "./kubelet";
import type { KarpenterNodeClassArgs, NodeConnectionTracking, NodeSettings, NodeVolume } from "./node-class-args";
import type { KarpenterNodePoolArgs } from "./node-pool-args";

/*
 * What the arguments of pools and classes are. Checked before anything else, so that programs without types get the same one error, with
 * every argument that is wrong. Records of all fields, so that the compiler misses none.
 */

const texts = listOf(text);
const amounts = mapOf(text);
const ids = lateTexts;

const volume: Record<keyof NodeVolume, Shape> = {
  deviceName: required(text),
  sizeInGiB: required(lateNumber),
  iops: lateNumber,
  throughput: lateNumber,
};
const connectionTracking: Record<keyof NodeConnectionTracking, Shape> = {
  tcpEstablishedTimeout: lateNumber,
  udpStreamTimeout: lateNumber,
  udpTimeout: lateNumber,
};
const kubelet: Record<keyof NodeKubelet, Shape> = {
  maxPods: number,
  podsPerCore: number,
  systemReserved: amounts,
  kubeReserved: amounts,
  evictionHard: amounts,
  evictionSoft: amounts,
  evictionSoftGracePeriod: amounts,
  evictionMaxPodGracePeriod: number,
  imageGCHighThresholdPercent: number,
  imageGCLowThresholdPercent: number,
  cpuCFSQuota: flag,
  clusterDNS: texts,
  allowedUnsafeSysctls: texts,
  further: mapOf(anything),
};
const settings: Record<keyof NodeSettings, Shape> = {
  nodeRoleName: lateText,
  instanceProfileName: lateText,
  subnetIds: ids,
  securityGroupIds: ids,
  amiAlias: lateText,
  capacityReservationIds: ids,
  diskSizeInGiB: lateNumber,
  diskIops: lateNumber,
  diskThroughput: lateNumber,
  volumes: listOf(fields(volume)),
  kmsKeyId: lateText,
  instanceStoreRaid0: late(flag),
  connectionTracking: fields(connectionTracking),
  detailedMonitoring: late(flag),
  kubelet: fields(kubelet),
  userData: lateText,
  nodeTags: mapOf(lateText),
};
/** Arguments that describe a class. */
export const nodeSettings = Object.keys(settings) as (keyof NodeSettings)[];

const taints = listOf(fields({ key: required(text), value: text, effect: required(text) }));
const window = { scheduleUtc: text, duration: text };

/** What people look for who know the objects, or earlier versions of them. */
const elsewhere = {
  disruption: "isn't an argument: write consolidationPolicy, consolidateAfter, budgets and expireAfter by themselves",
  template:
    "isn't an argument: write labels, taints, requirements, expireAfter and terminationGracePeriod by themselves",
  spec: "isn't an argument: write its parts by themselves",
  role: "isn't an argument: write nodeRoleName",
  tags: "isn't an argument: write nodeTags, and only such as stay, because a change replaces every node",
};

const noCluster = "is missing: write the cluster that the nodes join, such as EksCluster.ref";
/** One of the two names must be there, so that a wrong one counts as given. */
const standIns = {
  cluster: standInCluster,
  nodeRoleName: "missing",
  instanceProfileName: "missing",
};
/** Of a pool's own class. */
export const classStandIns = { subnetIds: ["subnet-missing"], amiAlias: "al2023@v20260903" };

/** Arguments of a class. */
export const nodeClassArguments: KnownArguments<KarpenterNodeClassArgs> = {
  shapes: { ...settings, cluster: clusterShape, className: text, chartVersion: text, protect: flag },
  missing: {
    cluster: noCluster,
    subnetIds: 'is missing: write the private subnets of the nodes, such as ["subnet-..."]',
    amiAlias: 'is missing: write an image, such as "al2023@v20260903"',
  },
  standIns: { ...standIns, ...classStandIns },
  elsewhere,
};

/** Arguments of a pool. What else is missing depends on the rest, and its checks say so. */
export const nodePoolArguments: KnownArguments<KarpenterNodePoolArgs> = {
  shapes: {
    ...settings,
    cluster: clusterShape,
    nodeClassName: lateText,
    poolName: text,
    profile: text,
    limits: fields({ cpu: text, memory: text, nodes: number }),
    architectures: texts,
    capacityTypes: texts,
    instanceTypes: texts,
    instanceCategories: texts,
    minInstanceGeneration: number,
    zones: texts,
    requirements: listOf(fields({ key: required(text), operator: required(text), values: texts, minValues: number })),
    consolidationPolicy: text,
    consolidateAfter: text,
    budgets: listOf(fields({ nodes: required(text), reasons: texts, ...window })),
    freezeWindows: listOf(fields(window)),
    expireAfter: text,
    terminationGracePeriod: text,
    longestPodGraceSeconds: number,
    labels: mapOf(lateText),
    taints,
    startupTaints: taints,
    weight: number,
    chartVersion: text,
    protect: flag,
  },
  missing: { cluster: noCluster },
  standIns: {
    ...standIns,
    ...classStandIns,
    nodeClassName: "missing",
    profile: NodePoolProfile.Stateless,
    limits: { cpu: "1", memory: "1Gi" },
  },
  elsewhere,
};
