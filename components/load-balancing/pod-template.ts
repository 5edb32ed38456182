import type * as k8s from "@pulumi/kubernetes";
import { confined } from "../internal/kubernetes";
import { ZoneSpread, type DrainSafeDeploymentArgs } from "./deployment-args";
import type { DrainTimes } from "./drain";

type PodSpec = k8s.types.input.core.v1.PodSpec;
type Container = k8s.types.input.core.v1.Container;

/** The pods of a workload: they leave in order, apart from each other, and pass the "restricted" Pod Security Standard. */
export function podTemplate(args: DrainSafeDeploymentArgs, times: DrainTimes): k8s.types.input.core.v1.PodTemplateSpec {
  const writable = args.writablePaths ?? [];
  const spec: PodSpec = {
    terminationGracePeriodSeconds: times.grace,
    readinessGates: args.readinessGates?.map((conditionType) => ({ conditionType })),
    topologySpreadConstraints: [
      spread(args, "topology.kubernetes.io/zone", args.zoneSpread !== ZoneSpread.Preferred),
      spread(args, "kubernetes.io/hostname", false),
    ],
    serviceAccountName: args.serviceAccountName,
    automountServiceAccountToken: args.serviceAccountName !== undefined,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: args.runAsUser,
      seccompProfile: { type: "RuntimeDefault" },
    },
    containers: [container(args, times)],
    volumes: writable.length === 0 ? undefined : writable.map((path) => ({ name: volumeName(path), emptyDir: {} })),
  };
  return { metadata: { labels: args.podLabels }, spec };
}

function container(args: DrainSafeDeploymentArgs, times: DrainTimes): Container {
  const writable = args.writablePaths ?? [];
  const secrets = args.envFromSecrets ?? [];
  return {
    name: "app",
    image: args.image,
    args: args.containerArgs,
    ports: [{ name: "http", containerPort: args.port, protocol: "TCP" }],
    env: Object.entries(args.env ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => ({ name, value })),
    envFrom: secrets.length === 0 ? undefined : secrets.map((secret) => ({ secretRef: { name: secret } })),
    resources: {
      requests: { cpu: args.resources.cpu, memory: args.resources.memory },
      limits: { memory: args.resources.memoryLimit ?? args.resources.memory },
    },
    ...probes(args),
    // The kubelet sleeps itself (Kubernetes 1.30 and later): the image needs no shell.
    lifecycle: { preStop: { sleep: { seconds: times.preStop } } },
    securityContext: confined,
    volumeMounts:
      writable.length === 0 ? undefined : writable.map((path) => ({ name: volumeName(path), mountPath: path })),
  };
}

function probes({ port, probes }: DrainSafeDeploymentArgs): Partial<Container> {
  const ask = (path: typeof probes.readinessPath) => ({ httpGet: { path, port }, periodSeconds: 5, timeoutSeconds: 3 });
  const readinessProbe = { ...ask(probes.readinessPath), failureThreshold: 3 };
  if (probes.livenessPath === undefined) return { readinessProbe };
  return {
    readinessProbe,
    // Half a minute of silence: longer than a pause of garbage collection, and the readiness probe has long taken the pod out.
    livenessProbe: { ...ask(probes.livenessPath), failureThreshold: 6 },
    startupProbe: { ...ask(probes.livenessPath), failureThreshold: Math.ceil((probes.startupSeconds ?? 120) / 5) },
  };
}

function spread(args: DrainSafeDeploymentArgs, topologyKey: string, required: boolean) {
  return {
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: required ? "DoNotSchedule" : "ScheduleAnyway",
    labelSelector: { matchLabels: args.podLabels },
    // Count each rollout for itself, or the old pods decide where the new ones end up.
    matchLabelKeys: ["pod-template-hash"],
  };
}

/** Name of the volume of a path: stable, and unique because paths are. */
export function volumeName(path: string): string {
  return `writable${path.toLowerCase().replace(/[^a-z0-9]+/g, "-")}`.replace(/-+$/, "");
}
