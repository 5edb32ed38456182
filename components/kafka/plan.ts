import { accessProblems } from "./access";
import { KafkaClientAuthentication } from "./authentication";
import { authenticationProblems } from "./authentication-checks";
import { namingProblems } from "./name-checks";
import type { KafkaClusterArgs, KafkaResources } from "./kafka-cluster-args";
import { certManagerProblems } from "./cert-manager-checks";
import { extraConfigProblems } from "./extra-config";
import { headlessName, KafkaRole, podLabels, ports, roleName } from "./names";
import { rotationProblems } from "./rotation-checks";
import { cpuProblem } from "../internal/quantities";
import type { Problems } from "../internal/validate";

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
  readonly controllers: RolePlan;
  readonly zones: number;
  readonly retainVolumes: boolean;
  /** Whether pods can read the zone of their node. */
  readonly rack: boolean;
  readonly clientAuthentication: KafkaClientAuthentication;
  /** Whether a job restarts pods whose certificates were renewed: what the component renews itself restarts them by itself. */
  readonly rotates: boolean;
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
  const { brokers = 3, controllers = 3, zones = 3 } = args;

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
  extraConfigProblems(args.extraConfig ?? {}, problems);

  return {
    kafkaName,
    clusterId: args.clusterId,
    brokers: rolePlan(KafkaRole.Broker, kafkaName, args, brokers, problems),
    controllers: rolePlan(KafkaRole.Controller, kafkaName, args, controllers, problems),
    zones,
    retainVolumes: args.retainVolumes ?? true,
    // PodTopologyLabels copies the zone to the pod: beta, and so on, from Kubernetes 1.35 (KEP-4742).
    rack: version === undefined || Number(version.split(".")[1]) >= 35,
    clientAuthentication: args.clientAuthentication ?? KafkaClientAuthentication.Tls,
    rotates:
      (args.certificates !== undefined || args.certManager !== undefined) &&
      args.certificateRotation?.enabled !== false,
  };
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
): RolePlan {
  const defaults = roleDefaults[role];
  const isBroker = role === KafkaRole.Broker;
  const resources: KafkaResources = (isBroker ? args.brokerResources : args.controllerResources) ?? defaults;
  const { cpu, memoryMiB } = resources;
  problems.add(`${role}Resources.cpu`, cpuProblem(cpu));
  problems.unless(
    Number.isInteger(memoryMiB) && memoryMiB >= defaults.leastMemoryMiB,
    `${role}Resources.memoryMiB`,
    `must be a whole number of MiB, at least ${defaults.leastMemoryMiB}, not ${memoryMiB}: half of it is the heap`,
  );
  const storageGiB = (isBroker ? args.brokerStorageGiB : args.controllerStorageGiB) ?? defaults.storageGiB;
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
