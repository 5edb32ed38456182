import {
  anything,
  fields,
  flag,
  late,
  listOf,
  mapOf,
  misfits,
  number,
  required,
  text,
  type Shape,
} from "../internal/shapes";
import type { Problems } from "../internal/validate";
import { NodePoolProfile } from "./disruption";
import type { NodeKubelet } from "./kubelet";
import type { KarpenterNodeClassArgs, NodeConnectionTracking, NodeSettings, NodeVolume } from "./node-class-args";
import type { KarpenterNodePoolArgs } from "./node-pool-args";

/*
 * What the arguments of pools and classes are. Checked before anything else, so that programs without types get the same one error, with
 * every argument that is wrong. Records of all fields, so that the compiler misses none.
 */

const lateText = late(text);
const lateNumber = late(number);
const texts = listOf(text);
const amounts = mapOf(text);
const ids = late(listOf(lateText));

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

const cluster: Shape = { ...fields({ securityGroupId: lateText }), open: true };
const taints = listOf(fields({ key: required(text), value: text, effect: required(text) }));
const window = { scheduleUtc: text, duration: text };

const shapes = {
  class: {
    ...settings,
    cluster,
    className: text,
    chartVersion: text,
    protect: flag,
  } satisfies Record<keyof KarpenterNodeClassArgs, Shape>,
  pool: {
    ...settings,
    cluster,
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
  } satisfies Record<keyof KarpenterNodePoolArgs, Shape>,
};

/** Takes the place of a required argument that is wrong, so that the others can be checked. */
export const standIns = {
  cluster: { securityGroupId: "sg-missing" },
  subnetIds: ["subnet-missing"],
  amiAlias: "al2023@v20260903",
  nodeClassName: "missing",
  profile: NodePoolProfile.Stateless,
  limits: { cpu: "1", memory: "1Gi" },
};

/** Arguments without which nothing can be checked, and what to write; pools know more, and say more, of the rest. */
const indispensable: Readonly<Record<keyof typeof shapes, Readonly<Record<string, string>>>> = {
  class: {
    cluster: "is missing: write the cluster that the nodes join, such as EksCluster.ref",
    subnetIds: 'is missing: write the private subnets of the nodes, such as ["subnet-..."]',
    amiAlias: 'is missing: write an image, such as "al2023@v20260903"',
  },
  pool: { cluster: "is missing: write the cluster that the nodes join, such as EksCluster.ref" },
};

/** What people look for who know the objects, or earlier versions of them. */
const elsewhere: Readonly<Record<string, string>> = {
  disruption: "isn't an argument: write consolidationPolicy, consolidateAfter, budgets and expireAfter by themselves",
  template:
    "isn't an argument: write labels, taints, requirements, expireAfter and terminationGracePeriod by themselves",
  spec: "isn't an argument: write its parts by themselves",
  role: "isn't an argument: write nodeRoleName",
  tags: "isn't an argument: write nodeTags, and only such as stay, because a change replaces every node",
};

/** Reports what isn't what it must be, and returns what to put in its place, so that the rest can be checked. */
export function corrections(
  problems: Problems,
  args: KarpenterNodeClassArgs | KarpenterNodePoolArgs | undefined,
  which: keyof typeof shapes,
): Readonly<Record<string, unknown>> {
  const known: Readonly<Record<string, Shape>> = shapes[which];
  const wrong = new Set<string>();
  const given: object = args ?? {};
  const report = (argument: string, path: string, reason: string) => {
    wrong.add(argument);
    problems.add(path, reason);
  };
  for (const [argument, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const shape: Shape | undefined = Object.hasOwn(known, argument) ? known[argument] : undefined;
    if (shape === undefined) report(argument, argument, elsewhere[argument] ?? `isn't an argument: leave it out`);
    else for (const { path, reason } of misfits(value, shape, argument)) report(argument, path, reason);
  }
  for (const [argument, reason] of Object.entries(indispensable[which]))
    if (!Object.entries(given).some(([key, value]) => key === argument && value !== undefined))
      report(argument, argument, reason);
  const instead = new Map<string, unknown>(Object.entries(standIns));
  const replaced = Object.fromEntries([...wrong].map((argument) => [argument, instead.get(argument)]));
  // One of the two must be there, and not both: a wrong one counts as given.
  const oneOfTwo = (["nodeRoleName", "instanceProfileName"] as const).filter(
    (argument) => args?.[argument] !== undefined,
  );
  return oneOfTwo.length === 1 && wrong.has(oneOfTwo[0]!) ? { ...replaced, [oneOfTwo[0]!]: "missing" } : replaced;
}
