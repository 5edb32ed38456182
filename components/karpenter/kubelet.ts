import { amountOf, quantityProblem } from "../internal/quantities";
import type { Problems } from "../internal/validate";
import { durationProblem, DurationForm } from "./durations";

/** Settings of the kubelet, spelt and meant as in Kubernetes' KubeletConfiguration. Each defaults to what the image has. */
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
}

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

/** From 1.15 the definition lets everything pass here, and a bad setting keeps the nodes from ever joining. */
export function kubeletProblems(problems: Problems, kubelet: NodeKubelet): void {
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
  const { imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low } = kubelet;
  problems.unless(
    high === undefined || low === undefined || high > low,
    "kubelet.imageGCHighThresholdPercent",
    `must be more than imageGCLowThresholdPercent (${low ?? ""}), not ${high ?? ""}`,
  );
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
