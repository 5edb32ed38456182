import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { isPatch, nameOf, numberAt } from "../../lib/kubernetes";
import { stringAt } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { typeOf } from "../../lib/tokens";
import type { BoundWorkload } from "./bound-workloads";
import type { Missing } from "./pod-requirements";

/** How many pods a workload keeps at least, and who says so. */
export interface Replicas {
  /** Undefined where nothing is written: one, or what an autoscaler outside the stack says. */
  readonly written: number | Unknown | undefined;
  /** The autoscaler that says it; else the workload itself does. */
  readonly scaler: PolicyResource | undefined;
  /** Set if an autoscaler may be the workload's, and nobody knows yet. */
  readonly perhaps: Unknown | undefined;
}

export function replicasOf(workload: PolicyResource, resources: readonly PolicyResource[]): Replicas {
  const scalers = resources
    .filter((r) => typeOf(r.type) in minimumOf && !isPatch(r))
    .map((scaler) => ({ scaler, scales: scales(scaler, workload) }));
  const scaler = scalers.find(({ scales }) => scales === true)?.scaler;
  return scaler === undefined
    ? {
        written: numberAt(workload.props, ["spec", "replicas"]),
        scaler,
        perhaps: scalers.map((s) => s.scales).find(isUnknown),
      }
    : { written: numberAt(scaler.props, ["spec", minimumOf[typeOf(scaler.type)]!]), scaler, perhaps: undefined };
}

/** The number of pods that nothing but this program changes; undefined where an autoscaler of this stack or another one may. */
export function fixedReplicas({ written, scaler, perhaps }: Replicas): number | Unknown | undefined {
  return scaler === undefined ? (perhaps ?? written) : undefined;
}

/** Whether a workload has no pods while another one behind each of its Services has some: the colour that is off. */
export function isIdle(
  bound: BoundWorkload,
  all: readonly BoundWorkload[],
  resources: readonly PolicyResource[],
): boolean {
  const none = ({ workload }: BoundWorkload) => fixedReplicas(replicasOf(workload, resources)) === 0;
  return none(bound) && neighboursOf(bound, all).every((others) => others.some((other) => !none(other)));
}

/** Whether there are fewer pods than it takes to lose one: of all workloads behind a Service together, since a request may go to any. */
export function replicasMissing(
  bound: BoundWorkload,
  all: readonly BoundWorkload[],
  resources: readonly PolicyResource[],
  minimum: number,
): Missing {
  const own = replicasOf(bound.workload, resources);
  for (const others of neighboursOf(bound, all)) {
    const together = [own, ...others.map(({ workload }) => replicasOf(workload, resources))];
    const pods = together.map(({ written }) => (isUnknown(written) ? 0 : (written ?? 1)));
    if (pods.reduce((sum, count) => sum + count, 0) >= minimum) continue;
    const unknown = together.flatMap(({ written, perhaps }) => [written, perhaps]).find(isUnknown);
    if (unknown !== undefined) return unknown;
    const [where, what] =
      own.scaler === undefined ? ["replicas", "replicas: "] : [`minReplicas of "${own.scaler.name}"`, "it "];
    const written = isUnknown(own.written) ? undefined : own.written;
    return `${where} is ${written ?? "missing, which means 1"}: with fewer than ${minimum} pods every move is an outage. Write ${what}${minimum} or more`;
  }
  return undefined;
}

/** For each Service that a workload is behind, the other workloads behind it. */
function neighboursOf({ workload, by }: BoundWorkload, all: readonly BoundWorkload[]): BoundWorkload[][] {
  return by.map(({ service }) =>
    all.filter((other) => other.workload !== workload && other.by.some((bound) => bound.service === service)),
  );
}

/** Where each kind of autoscaler says how many pods it keeps: Kubernetes' own and KEDA's. */
const minimumOf: Readonly<Record<string, string>> = {
  "kubernetes:autoscaling:HorizontalPodAutoscaler": "minReplicas",
  "kubernetes:keda.sh:ScaledObject": "minReplicaCount",
};

function scales(scaler: PolicyResource, workload: PolicyResource): boolean | Unknown {
  const [wanted, name] = [stringAt(scaler.props, ["spec", "scaleTargetRef", "name"]), nameOf(workload)];
  if (typeof wanted === "string" && typeof name === "string") {
    const kind = stringAt(scaler.props, ["spec", "scaleTargetRef", "kind"]) ?? "Deployment";
    return wanted === name && (isUnknown(kind) || typeOf(workload.type).endsWith(`:${kind}`));
  }
  if (cameFrom(scaler, "spec", workload)) return true;
  return isUnknown(wanted) ? wanted : false;
}
