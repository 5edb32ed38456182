import type * as pulumi from "@pulumi/pulumi";
import { amountOf, quantityProblem } from "../internal/quantities";
import { ipv4RangeProblem, ipv6RangeProblem } from "../internal/ranges";
import type { Problems } from "../internal/validate";
import { durationProblem, DurationForm } from "./durations";
import { KarpenterChartVersion } from "./karpenter-versions";

/**
 * Settings of the kubelet, spelt and meant as in Kubernetes' KubeletConfiguration. Each defaults to what the image has. Bottlerocket takes
 * all but `podsPerCore`, `allowedUnsafeSysctls` and `further`, and one address of `clusterDNS`: the rest is `userData` there.
 */
export interface NodeKubelet {
  /** Most pods on a node. Set it with prefix delegation, where the image's table counts addresses. */
  maxPods?: number;
  /** Most pods per CPU. */
  podsPerCore?: number;
  /** Resources kept for the operating system: `cpu`, `memory`, `ephemeral-storage`, `pid`. */
  systemReserved?: Record<string, string>;
  /** Resources kept for the kubelet and the container runtime: `cpu`, `memory`, `ephemeral-storage`, `pid`. */
  kubeReserved?: Record<string, string>;
  /** Below which of `memory.available`, `nodefs.available` and the like pods are evicted at once: a quantity or a percentage. */
  evictionHard?: Record<string, string>;
  /** Below which of them pods are evicted after `evictionSoftGracePeriod`. */
  evictionSoft?: Record<string, string>;
  /** How long a value of `evictionSoft` may last: one duration, such as `1m`, for each. */
  evictionSoftGracePeriod?: Record<string, string>;
  /** Most seconds that a pod gets to end in a soft eviction. */
  evictionMaxPodGracePeriod?: number;
  /** Use of the disk in percent above which unused images are deleted: 0 to 100, more than the low threshold. */
  imageGCHighThresholdPercent?: number;
  /** Use of the disk in percent down to which unused images are deleted: 0 to 100. */
  imageGCLowThresholdPercent?: number;
  /** Whether limits on CPU are enforced. */
  cpuCFSQuota?: boolean;
  /** Addresses of the cluster's DNS servers. */
  clusterDNS?: string[];
  /**
   * Sysctls that pods may set although Kubernetes doesn't call them safe, such as `net.ipv4.tcp_retries2`, or `net.core.*` for all that begin
   * so. (`net.ipv4.tcp_keepalive_time` and its like are safe and need nothing.) al2023 with Karpenter 1.15 or later; 1.14 refuses the node class.
   */
  allowedUnsafeSysctls?: string[];
  /**
   * Any other setting of the KubeletConfiguration, such as `{ registryPullQPS: 10 }`. al2023 with Karpenter 1.15 or later; 1.14 refuses the node
   * class. Karpenter knows the names and the types: with a wrong one the class is never ready, and the update fails. Defaults to none.
   */
  further?: pulumi.Inputs;
}

/** Releases whose definition has a fixed list of settings. Opened by karpenter-provider-aws 7695b3c49, in 1.15. */
const closed: readonly KarpenterChartVersion[] = [KarpenterChartVersion.V1_14_1];

/** What Karpenter keeps for itself (pkg/apis/v1/kubeletconfiguration_validation.go), or what isn't a setting but says what the document is. */
const kept: Readonly<Record<string, string>> = {
  registerWithTaints: "is set by Karpenter to the pool's taints: write taints and startupTaints of the pool",
  apiVersion: "is written by the node itself: leave it out",
  kind: "is written by the node itself: leave it out",
};

// Those that belong to a pod's namespaces (Kubernetes, pkg/kubelet/sysctl/allowlist.go); the kubelet doesn't start with another.
const sysctl = /^(kernel\.(sem|(shm|msg)\w*[\w*])|(fs\.mqueue|net)\.[\w./-]*[\w*])$/;

// Source of both lists: pkg/apis/v1/nodeclaim_validation.go, v1.14.1.
const reservable = ["cpu", "memory", "ephemeral-storage", "pid"];
const signals = [
  "memory.available",
  "nodefs.available",
  "nodefs.inodesFree",
  "imagefs.available",
  "imagefs.inodesFree",
  "pid.available",
];

/** From 1.15 the definition lets everything pass here, and a bad setting keeps the class from ever being ready. */
export function kubeletProblems(
  problems: Problems,
  kubelet: NodeKubelet,
  chartVersion = KarpenterChartVersion.V1_15_2,
): void {
  const each = (argument: keyof NodeKubelet, keys: string[], check: (value: string) => string | undefined) => {
    for (const [key, value] of Object.entries((kubelet[argument] ?? {}) as Record<string, string>)) {
      const reason = keys.includes(key) ? check(value) : `isn't one of ${keys.join(", ")}`;
      problems.add(`kubelet.${argument}["${key}"]`, reason);
    }
  };
  each("systemReserved", reservable, (value) => quantityProblem(value, "100Mi"));
  each("kubeReserved", reservable, (value) => quantityProblem(value, "100Mi"));
  each("evictionHard", signals, thresholdProblem);
  each("evictionSoft", signals, thresholdProblem);
  each("evictionSoftGracePeriod", signals, (value) => durationProblem(value, DurationForm.Plain));

  const soft = Object.keys(kubelet.evictionSoft ?? {}).sort();
  const graces = Object.keys(kubelet.evictionSoftGracePeriod ?? {}).sort();
  problems.unless(
    soft.join() === graces.join(),
    "kubelet.evictionSoftGracePeriod",
    `must have the keys of evictionSoft (${soft.join(", ") || "none"}), not ${graces.join(", ") || "none"}: the kubelet doesn't start otherwise`,
  );
  whole(problems, "maxPods", kubelet.maxPods, 1);
  whole(problems, "podsPerCore", kubelet.podsPerCore, 0);
  whole(problems, "evictionMaxPodGracePeriod", kubelet.evictionMaxPodGracePeriod, 0);
  whole(problems, "imageGCHighThresholdPercent", kubelet.imageGCHighThresholdPercent, 0, 100);
  whole(problems, "imageGCLowThresholdPercent", kubelet.imageGCLowThresholdPercent, 0, 100);
  (kubelet.clusterDNS ?? []).forEach((address, index) =>
    problems.unless(
      ipv4RangeProblem(`${address}/32`) === undefined || ipv6RangeProblem(`${address}/128`) === undefined,
      `kubelet.clusterDNS[${index}]`,
      `must be an IP address, such as 169.254.20.10, not "${address}"`,
    ),
  );
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = kubelet;
  problems.unless(
    high === undefined || low === undefined || high > low,
    "kubelet.imageGCHighThresholdPercent",
    `must be more than imageGCLowThresholdPercent (${low ?? ""}), not ${high ?? ""}`,
  );
  openProblems(problems, kubelet, chartVersion);
}

/** Checks what only an open definition takes. */
function openProblems(problems: Problems, kubelet: NodeKubelet, chartVersion: KarpenterChartVersion): void {
  const { allowedUnsafeSysctls, further } = kubelet;
  if (closed.includes(chartVersion))
    for (const [setting, value] of Object.entries({ allowedUnsafeSysctls, further }))
      problems.unless(
        value === undefined,
        `kubelet.${setting}`,
        `needs Karpenter 1.15 or later, ${chartVersion} refuses the node class: choose a newer chartVersion, or write it into userData`,
      );
  (allowedUnsafeSysctls ?? []).forEach((name, index) =>
    problems.unless(
      sysctl.test(name),
      `kubelet.allowedUnsafeSysctls[${index}]`,
      `must be a sysctl of pods (kernel.shm..., kernel.msg..., kernel.sem, fs.mqueue..., net...) or a pattern that ends in *, such as "net.core.*", not "${name}"`,
    ),
  );
  for (const setting of Object.keys(further ?? {})) {
    const where = `kubelet.further.${setting}`;
    if (typed.has(setting)) problems.add(where, `has an argument of its own: write kubelet.${setting}`);
    else if (Object.hasOwn(kept, setting)) problems.add(where, kept[setting]);
    else
      problems.unless(
        /^[a-z][A-Za-z0-9]*$/.test(setting),
        where,
        "isn't spelt as settings of the KubeletConfiguration are, such as registryPullQPS",
      );
  }
}

/** Settings that are arguments. A record, so that the compiler misses none. */
const typed: ReadonlySet<string> = new Set(
  Object.keys({
    maxPods: true,
    podsPerCore: true,
    systemReserved: true,
    kubeReserved: true,
    evictionHard: true,
    evictionSoft: true,
    evictionSoftGracePeriod: true,
    evictionMaxPodGracePeriod: true,
    imageGCHighThresholdPercent: true,
    imageGCLowThresholdPercent: true,
    cpuCFSQuota: true,
    clusterDNS: true,
    allowedUnsafeSysctls: true,
  } satisfies Record<Exclude<keyof NodeKubelet, "further">, true>),
);

/**
 * What is wrong with settings for Bottlerocket, or undefined. It takes the kubelet's settings one by one, and Karpenter refuses what it has
 * no place for (Karpenter's documentation, spec.kubelet, "AMI Family Support").
 */
export function bottlerocketProblem(kubelet: NodeKubelet): string | undefined {
  const beyond = (["podsPerCore", "allowedUnsafeSysctls", "further"] as const).filter((s) => kubelet[s] !== undefined);
  if (beyond.length > 0)
    return `has ${beyond.join(", ")}, which Karpenter refuses for bottlerocket: write them as TOML into userData, or take al2023`;
  return (kubelet.clusterDNS?.length ?? 0) > 1
    ? "has more than one of clusterDNS, which bottlerocket can't take: write one"
    : undefined;
}

/** The settings as the definition has them. */
export function kubeletSpec({ further, ...kubelet }: NodeKubelet): pulumi.Inputs {
  return { ...further, ...kubelet };
}

function thresholdProblem(threshold: string): string | undefined {
  const percent = /^([0-9]{1,2}(\.[0-9]+)?|100)%$/.test(threshold);
  return percent || amountOf(threshold) !== undefined
    ? undefined
    : `must be a quantity or a percentage, such as "500Mi" or "10%", not "${threshold}"`;
}

function whole(problems: Problems, setting: string, value: number | undefined, min: number, max = Infinity): void {
  problems.unless(
    value === undefined || (Number.isInteger(value) && value >= min && value <= max),
    `kubelet.${setting}`,
    `must be a whole number ${max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`}, not ${value ?? ""}`,
  );
}
