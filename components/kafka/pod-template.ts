import type * as k8s from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import { confined } from "../internal/kubernetes";
import { gateScript, gateSeconds } from "./gate";
import { agentContainer, agentMount, agentOption, agentVolume, metricsPort } from "./metrics-agent";
import { KafkaRole, ports, secretKeys } from "./names";
import type { KafkaPlan, RolePlan } from "./plan";
import { rackContainer, rackMount, rackVolumes } from "./rack";
import { serverFiles } from "./server-files";
import { adminServers, advertisedListeners, listenersOf, paths } from "./server-properties";
import type { Tolerations } from "./tolerations";

type Container = k8s.types.input.core.v1.Container;
type EnvVar = k8s.types.input.core.v1.EnvVar;
type PodSpec = k8s.types.input.core.v1.PodSpec;
type Volume = k8s.types.input.core.v1.Volume;
type VolumeMount = k8s.types.input.core.v1.VolumeMount;

/**
 * Seconds that a leaving pod has: a minute for the gate before it stops, and Kafka's own five minutes for moving its leaderships
 * (KafkaBroker.shutdown). Usually it takes three seconds; cut short, it would recover its log at the next start. Controllers are gone at once.
 */
export const gracePeriodSeconds = gateSeconds + 300;

/** Seconds that a new pod must have been ready before the next one is replaced: time to fetch what it missed. */
export const minReadySeconds = 60;

/** The image's user `appuser`, the first one of Alpine (apache/kafka docker/jvm/Dockerfile). */
export const kafkaUser = 1000;

/** What the pods of one role are made of. */
export interface PodInputs {
  readonly plan: KafkaPlan;
  readonly rolePlan: RolePlan;
  readonly namespace: pulumi.Output<string>;
  readonly image: pulumi.Input<string>;
  readonly serviceAccountName: string;
  readonly priorityClassName: string;
  readonly tlsSecretName: string;
  readonly clientCaSecretName: string;
  readonly nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>> | undefined;
  readonly tolerations: Tolerations | undefined;
  /** Texts that change when the pods must be restarted. */
  readonly annotations: Record<string, pulumi.Input<string>>;
}

/** Pods that pass the "restricted" Pod Security Standard, never share a node with their like and are spread over the zones. */
export function podTemplate(inputs: PodInputs): k8s.types.input.core.v1.PodTemplateSpec {
  const { plan, rolePlan } = inputs;
  const labelSelector = { matchLabels: rolePlan.labels };
  const spec: PodSpec = {
    serviceAccountName: inputs.serviceAccountName,
    automountServiceAccountToken: false,
    // A Service called kafka would put KAFKA_PORT=tcp://... into the environment, and the image makes a property of it.
    enableServiceLinks: false,
    priorityClassName: inputs.priorityClassName,
    terminationGracePeriodSeconds: gracePeriodSeconds,
    nodeSelector: inputs.nodeSelector,
    tolerations: inputs.tolerations,
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: "topology.kubernetes.io/zone",
        whenUnsatisfiable: "DoNotSchedule",
        // Without it all pods may start in the one zone that has nodes, and their volumes keep them there.
        minDomains: plan.zones,
        labelSelector,
      },
    ],
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "kubernetes.io/hostname", labelSelector }],
      },
    },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: kafkaUser,
      runAsGroup: kafkaUser,
      fsGroup: kafkaUser,
      // "Always" walks through every file of a large volume at each start.
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
      // Kafka asks for keepalive on every connection; with the kernel's two hours a vanished client keeps its socket that long.
      sysctls: [
        { name: "net.ipv4.tcp_keepalive_time", value: "60" },
        { name: "net.ipv4.tcp_keepalive_intvl", value: "10" },
        { name: "net.ipv4.tcp_keepalive_probes", value: "6" },
      ],
    },
    ...initContainers(inputs),
    containers: [container(inputs)],
    volumes: volumes(inputs),
  };
  return { metadata: { labels: rolePlan.labels, annotations: inputs.annotations }, spec };
}

/** What must be there before Kafka starts. */
function initContainers({ plan, rolePlan, image }: PodInputs): Pick<PodSpec, "initContainers"> {
  const containers = [
    ...(plan.metrics === undefined ? [] : [agentContainer(plan.metrics)]),
    ...(asksForZone(plan, rolePlan) ? [rackContainer(image)] : []),
  ];
  return containers.length === 0 ? {} : { initContainers: containers };
}

const asksForZone = (plan: KafkaPlan, { role }: RolePlan) => role === KafkaRole.Broker && !plan.zoneOnPods;

function container(inputs: PodInputs): Container {
  const { plan, rolePlan } = inputs;
  const isBroker = rolePlan.role === KafkaRole.Broker;
  const memory = `${rolePlan.memoryMiB}Mi`;
  const ask = { tcpSocket: { port: rolePlan.readyPort } };
  return {
    name: "kafka",
    image: inputs.image,
    ports: [
      ...(isBroker ? [port("client", ports.client), port("replication", ports.replication)] : []),
      ...(!isBroker || plan.combined ? [port("controller", ports.controller)] : []),
      ...(plan.metrics === undefined ? [] : [port("metrics", metricsPort)]),
    ],
    ...(isBroker && plan.shutdownGate
      ? { lifecycle: { preStop: { exec: { command: ["/bin/bash", "-c", gateScript] } } } }
      : {}),
    env: environment(inputs),
    resources: {
      // The collector's log: ten files of 100 MB at most (kafka-run-class.sh).
      requests: { cpu: rolePlan.cpu, memory, "ephemeral-storage": "1200Mi" },
      limits: { memory },
    },
    // Recovery after an unclean stop takes long, and a broker waits for a majority of controllers: it exits by itself after 67 s
    // without one, and must not be killed before. Half an hour, for each start.
    startupProbe: { ...ask, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 180 },
    // The client port opens only when the controllers have let the broker in (BrokerServer, unfencing).
    readinessProbe: { ...ask, periodSeconds: 10, timeoutSeconds: 5, failureThreshold: 3 },
    // Five minutes: restarting a slow broker makes it worse.
    livenessProbe: { ...ask, periodSeconds: 30, timeoutSeconds: 5, failureThreshold: 10 },
    securityContext: confined,
    volumeMounts: mounts(inputs),
  };
}

function port(name: string, containerPort: number) {
  return { name, containerPort, protocol: "TCP" };
}

/** The image makes a server property of every variable KAFKA_A_B but those for the JVM, and appends it to the file: the last one wins. */
function environment({ plan, rolePlan, namespace }: PodInputs): EnvVar[] {
  const field = (name: string, fieldPath: string): EnvVar => ({ name, valueFrom: { fieldRef: { fieldPath } } });
  const common: EnvVar[] = [
    field("POD_NAME", "metadata.name"),
    field("KAFKA_NODE_ID", "metadata.labels['apps.kubernetes.io/pod-index']"),
    { name: "CLUSTER_ID", value: plan.clusterId },
    { name: "KAFKA_HEAP_OPTS", value: `-Xms${rolePlan.heapMiB}m -Xmx${rolePlan.heapMiB}m` },
    // A node that moved is found again in 5 seconds, not 30. (The time for failed look-ups can't be set this way: the JVM's security file
    // has it, and wins.) Out of memory, a broker is better gone than half alive.
    {
      name: "KAFKA_OPTS",
      value: `-Dsun.net.inetaddr.ttl=5 -XX:+ExitOnOutOfMemoryError${plan.metrics === undefined ? "" : ` ${agentOption}`}`,
    },
  ];
  if (rolePlan.role === KafkaRole.Controller) return common;
  const rack = plan.zoneOnPods ? [field("KAFKA_BROKER_RACK", "metadata.labels['topology.kubernetes.io/zone']")] : [];
  return [
    ...common,
    {
      name: "KAFKA_ADVERTISED_LISTENERS",
      // The kubelet puts the name in; POD_NAME must stand before.
      value: namespace.apply((known) => advertisedListeners(plan, known, "$(POD_NAME)")),
    },
    // The start script would make it of the advertised ones, without the controller's.
    ...(plan.combined ? [{ name: "KAFKA_LISTENERS", value: listenersOf(plan, rolePlan.role) }] : []),
    ...rack,
    ...(plan.shutdownGate
      ? [{ name: "GATE_SERVERS", value: namespace.apply((known) => adminServers(plan, known)) }]
      : []),
  ];
}

/** The start script needs its configuration directory writable, and the JVM its logs and /tmp. Everything else is read-only. */
const writable = { config: "/opt/kafka/config", logs: "/opt/kafka/logs", tmp: "/tmp" };

function mounts({ plan, rolePlan }: PodInputs): VolumeMount[] {
  const isBroker = rolePlan.role === KafkaRole.Broker;
  return [
    { name: "data", mountPath: paths.data },
    { name: "server-properties", mountPath: serverFiles.folder, readOnly: true },
    { name: "tls", mountPath: paths.tls, readOnly: true },
    ...(isBroker ? [{ name: "client-ca", mountPath: paths.clientCa, readOnly: true }] : []),
    ...Object.entries(writable).map(([name, mountPath]) => ({ name, mountPath })),
    ...(plan.metrics === undefined ? [] : [agentMount]),
    ...(asksForZone(plan, rolePlan) ? [rackMount] : []),
  ];
}

function volumes(inputs: PodInputs): Volume[] {
  const { plan, rolePlan } = inputs;
  // Readable by the group, which is the volume's; by nobody else.
  const secret = (name: string, secretName: string, keys: string[]): Volume => ({
    name,
    secret: { secretName, defaultMode: 0o440, items: keys.map((key) => ({ key, path: key })) },
  });
  return [
    { name: "server-properties", configMap: { name: rolePlan.name } },
    secret("tls", inputs.tlsSecretName, [secretKeys.combined, secretKeys.ca]),
    ...(rolePlan.role === KafkaRole.Broker ? [secret("client-ca", inputs.clientCaSecretName, [secretKeys.ca])] : []),
    ...Object.keys(writable).map((name) => ({ name, emptyDir: {} })),
    ...(plan.metrics === undefined ? [] : [agentVolume]),
    ...(asksForZone(plan, rolePlan) ? rackVolumes : []),
  ];
}
