import { accessProblems } from "./access";
import { KafkaClientAuthentication } from "./authentication";
import { authenticationProblems } from "./authentication-checks";
import type { KafkaWatched } from "./alarms-args";
import { configurationProblems, configurationProperties } from "./configuration";
import { namingProblems } from "./name-checks";
import type { KafkaClusterArgs, KafkaResources } from "./kafka-cluster-args";
import { certManagerProblems } from "./cert-manager-checks";
import { extraConfigProblems } from "./extra-config";
import { metadataVersionProblem } from "./metadata-version";
import { planMetrics, type MetricsPlan } from "./metrics-agent";
import { headlessName, KafkaRole, podLabels, ports, roleName } from "./names";
import { rotationProblems } from "./rotation-checks";
import { KafkaControllerMode, type KafkaQuotas } from "./operation-args";
import { sizeProblems, sizesOf, type Sizes } from "./sizes";
import { cpuProblem } from "../internal/quantities";
import { oneOf, type Problems } from "../internal/validate";

/** The pods of one role, with all defaults. */
export interface RolePlan {
  readonly role: KafkaRole;
  /** Name of the StatefulSet, the ConfigMap and the disruption budget. */
  readonly name: string;
  readonly headlessName: string;
  readonly labels: Record<string, string>;
  readonly replicas: number;
  /** Node id of the first pod; ids are the pods' ordinals. */
  readonly firstId: number;
  readonly cpu: string;
  readonly memoryMiB: number;
  readonly heapMiB: number;
  readonly storageGiB: number;
  /** The port that answers only when the node does its work. */
  readonly readyPort: number;
}

/** The plain arguments with all defaults. */
export interface KafkaPlan {
  readonly kafkaName: string;
  readonly clusterId: string;
  readonly brokers: RolePlan;
  /** The brokers again, if they are the controllers. */
  readonly controllers: RolePlan;
  readonly combined: boolean;
  readonly zones: number;
  readonly retainVolumes: boolean;
  readonly clientAuthentication: KafkaClientAuthentication;
  /** Whether a job restarts pods whose certificates were renewed: what the component renews itself restarts them by itself. */
  readonly rotates: boolean;
  /** Server properties of the typed part. */
  readonly configuration: Readonly<Record<string, string>>;
  /** Whether pods find the zone of their node on themselves; others ask the API server. */
  readonly zoneOnPods: boolean;
  readonly shutdownGate: boolean;
  readonly metrics: MetricsPlan | undefined;
  /** Undefined where limits stay what they are. */
  readonly quotas: KafkaQuotas | undefined;
  /** Ids of brokers that may be emptied. */
  readonly drained: readonly number[];
}

/** Copies of each partition, and how many of them must have a message before it counts as stored: one broker may be away. */
export const replication = { factor: 3, minInSync: 2 };

/** The version whose behavior was measured; newest on Maven Central in November 2026. */
export const defaultImage = "apache/kafka:4.4.0";

/** What the image takes when no CLUSTER_ID is given (apache/kafka docker/resources/common-scripts/configureDefaults). */
const publicClusterId = "5L6g3nShT-eMCtK--X86sw";

/** Half of the memory, at most 5 GiB: what Strimzi does. More would starve the page cache. */
export function heapOf(memoryMiB: number): number {
  return Math.min(Math.floor(memoryMiB / 2), 5 * 1024);
}

/** Applies defaults and checks whatever is known when the component is constructed. */
export function planKafka(name: string, args: KafkaClusterArgs, problems: Problems): KafkaPlan {
  const kafkaName = args.kafkaName ?? name;
  const { brokers = 3, controllers = 3, zones = 3, drained = [] } = args;
  const combined = args.controllerMode === KafkaControllerMode.Combined;

  namingProblems(kafkaName, args, problems);
  problems.unless(
    /^[A-Za-z0-9_-]{22}$/.test(args.clusterId) && args.clusterId !== publicClusterId,
    "clusterId",
    args.clusterId === publicClusterId
      ? "is the public default of the image, which other clusters have too: make one with `kafka-storage.sh random-uuid`"
      : `must be a base64 UUID of 22 characters, not "${args.clusterId}": make one with \`kafka-storage.sh random-uuid\` and never change it`,
  );
  problems.unless(
    Number.isInteger(brokers) && brokers >= replication.factor,
    "brokers",
    `must be a whole number of at least ${replication.factor}, not ${brokers}: each partition has ${replication.factor} copies, on different brokers`,
  );
  problems.unless(
    controllers === 3 || controllers === 5,
    "controllers",
    `must be 3 or 5, not ${controllers}: a majority must remain when one is lost, and an even number adds none`,
  );
  problems.unless(
    Number.isInteger(zones) && zones >= 2,
    "zones",
    `must be a whole number of at least 2, not ${zones}: in one zone everything fails at once`,
  );
  problems.add("controllerMode", oneOf(KafkaControllerMode, args.controllerMode));
  if (combined) combinedProblems(args, brokers, problems);
  drainedProblems(drained, brokers, problems);
  problems.add("metadataVersion", metadataVersionProblem(args.metadataVersion));
  const version = args.kubernetesVersion;
  problems.unless(
    version === undefined || /^1\.\d+$/.test(version),
    "kubernetesVersion",
    `must be a minor version such as "1.36", not "${version ?? ""}"`,
  );
  for (const [key, client] of Object.entries(args.clients ?? {})) accessProblems(problems, `clients["${key}"]`, client);
  authenticationProblems(args, problems);
  certManagerProblems(args, problems);
  rotationProblems(args, problems);
  const known = problems.count;
  sizeProblems(problems, args);
  // Of numbers that are wrong nothing follows.
  const sizes =
    args.size && problems.count === known && brokers > 0
      ? sizesOf(args.size, brokers, replication.factor, heapOf)
      : undefined;
  const configuration = {
    ...(sizes && { retentionHours: args.size?.retentionHours }),
    ...args.configuration,
  };
  configurationProblems(problems, configuration);
  extraConfigProblems(args.extraConfig ?? {}, problems);

  const brokerPlan = rolePlan(KafkaRole.Broker, kafkaName, args, brokers, problems, sizes);
  return {
    kafkaName,
    clusterId: args.clusterId,
    brokers: brokerPlan,
    controllers: combined ? brokerPlan : rolePlan(KafkaRole.Controller, kafkaName, args, controllers, problems),
    combined,
    zones,
    retainVolumes: args.retainVolumes ?? true,
    configuration: configurationProperties(configuration),
    // PodTopologyLabels copies the zone to the pod: beta, and so on, from Kubernetes 1.35 (KEP-4742).
    clientAuthentication: args.clientAuthentication ?? KafkaClientAuthentication.Tls,
    rotates:
      (args.certificates !== undefined || args.certManager !== undefined) &&
      args.certificateRotation?.enabled !== false,
    zoneOnPods: version === undefined || Number(version.split(".")[1]) >= 35,
    shutdownGate: args.shutdownGate ?? false,
    metrics: planMetrics(args.metrics ?? {}, problems),
    quotas: args.quotas ?? sizes?.quotas,
    drained,
  };
}

/** What alarms need to know. */
export function watchedOf({ kafkaName, brokers, controllers, combined }: KafkaPlan): KafkaWatched {
  return {
    kafkaName,
    brokerIds: Array.from({ length: brokers.replicas }, (_, index) => brokers.firstId + index),
    controllers: controllers.replicas,
    combined,
    brokerStorageGiB: brokers.storageGiB,
  };
}

/** The list of controllers is static: it holds all brokers, and none can come or go. */
function combinedProblems(args: KafkaClusterArgs, brokers: number, problems: Problems): void {
  problems.unless(
    brokers === 3 || brokers === 5,
    "brokers",
    `must be 3 or 5 with KafkaControllerMode.Combined, not ${brokers}: each is a controller, and a majority must remain when one is lost`,
  );
  for (const argument of ["controllers", "controllerResources", "controllerStorageGiB", "drained"] as const)
    problems.unless(
      args[argument] === undefined,
      argument,
      "must be left out with KafkaControllerMode.Combined: the brokers are the controllers, and stay as many",
    );
}

function drainedProblems(drained: readonly number[], brokers: number, problems: Problems): void {
  const firstGone = roleDefaults[KafkaRole.Broker].firstId + brokers;
  drained.forEach((id, index) => {
    problems.unless(
      Number.isInteger(id) && !(id < firstGone) && drained.indexOf(id) === index,
      `drained[${index}]`,
      `must be the id of a broker that goes, from ${firstGone} on and named once, not ${id}: those with the highest ids go, and ${brokers} remain`,
    );
  });
}

/** 64 TiB (Amazon EBS, General Purpose SSD volumes). Above it claims are made, and wait for ever. */
const mostStorageGiB = 65_536;

const roleDefaults = {
  [KafkaRole.Broker]: { cpu: "500m", memoryMiB: 4096, leastMemoryMiB: 768, storageGiB: 100, firstId: 100 },
  // Brokers begin at 100, so that ids never meet however many controllers there are.
  [KafkaRole.Controller]: { cpu: "250m", memoryMiB: 1024, leastMemoryMiB: 512, storageGiB: 10, firstId: 0 },
};

function rolePlan(
  role: KafkaRole,
  kafkaName: string,
  args: KafkaClusterArgs,
  replicas: number,
  problems: Problems,
  sizes?: Sizes,
): RolePlan {
  const defaults = roleDefaults[role];
  const isBroker = role === KafkaRole.Broker;
  const resources: KafkaResources = (isBroker ? args.brokerResources : args.controllerResources) ?? {
    ...defaults,
    ...(sizes && { memoryMiB: sizes.memoryMiB }),
  };
  const { cpu, memoryMiB } = resources;
  problems.add(`${role}Resources.cpu`, cpuProblem(cpu));
  problems.unless(
    Number.isInteger(memoryMiB) && memoryMiB >= defaults.leastMemoryMiB,
    `${role}Resources.memoryMiB`,
    `must be a whole number of MiB, at least ${defaults.leastMemoryMiB}, not ${memoryMiB}: half of it is the heap`,
  );
  const storageGiB =
    (isBroker ? args.brokerStorageGiB : args.controllerStorageGiB) ?? sizes?.storageGiB ?? defaults.storageGiB;
  problems.unless(
    Number.isInteger(storageGiB) && storageGiB >= 1 && storageGiB <= mostStorageGiB,
    `${role}StorageGiB`,
    `must be a whole number of GiB from 1 to ${mostStorageGiB} (64 TiB, the largest gp3 volume), not ${storageGiB}${storageGiB > mostStorageGiB && isBroker ? ": add brokers instead" : ""}`,
  );
  return {
    role,
    name: roleName(kafkaName, role),
    headlessName: headlessName(kafkaName, role),
    labels: podLabels(kafkaName, role),
    replicas,
    firstId: defaults.firstId,
    cpu,
    memoryMiB,
    heapMiB: heapOf(memoryMiB),
    storageGiB,
    readyPort: isBroker ? ports.client : ports.controller,
  };
}
