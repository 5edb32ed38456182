import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, type Unknown } from "../../lib/known";
import { isPatch, nameOf, numberAt } from "../../lib/kubernetes";
import { stringAt } from "../../lib/paths";
import { cameFrom } from "../../lib/references";
import { indexOf, keysOfHolder, keysOfSource, type Keys } from "../../lib/stack-index";
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
  const scalers = indexOf(resources, isScaler, keysOfScaler)
    .sharing(keysOfSource(workload, [nameOf(workload)]))
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
  return by.map(({ service }) => (behind(all).get(service) ?? []).filter((other) => other.workload !== workload));
}

const workloadsBehind = new WeakMap<readonly BoundWorkload[], Map<PolicyResource, BoundWorkload[]>>();

/** The workloads behind each Service. */
function behind(all: readonly BoundWorkload[]): Map<PolicyResource, BoundWorkload[]> {
  const known = workloadsBehind.get(all);
  if (known !== undefined) return known;
  const made = new Map<PolicyResource, BoundWorkload[]>();
  for (const bound of all)
    for (const service of new Set(bound.by.map((b) => b.service)))
      made
        .set(service, made.get(service) ?? [])
        .get(service)!
        .push(bound);
  workloadsBehind.set(all, made);
  return made;
}

/** Where each kind of autoscaler says how many pods it keeps: Kubernetes' own and KEDA's. */
const minimumOf: Readonly<Record<string, string>> = {
  "kubernetes:autoscaling:HorizontalPodAutoscaler": "minReplicas",
  "kubernetes:keda.sh:ScaledObject": "minReplicaCount",
};

function isScaler(resource: PolicyResource): boolean {
  return Object.hasOwn(minimumOf, typeOf(resource.type)) && !isPatch(resource);
}

/** An autoscaler whose workload isn't known yet may be any workload's. */
function keysOfScaler(scaler: PolicyResource): Keys {
  const wanted = stringAt(scaler.props, ["spec", "scaleTargetRef", "name"]);
  return isUnknown(wanted) ? "any" : keysOfHolder(scaler, [wanted], ["spec"]);
}

function scales(scaler: PolicyResource, workload: PolicyResource): boolean | Unknown {
  const [wanted, name] = [stringAt(scaler.props, ["spec", "scaleTargetRef", "name"]), nameOf(workload)];
  if (typeof wanted === "string" && typeof name === "string") {
    const kind = stringAt(scaler.props, ["spec", "scaleTargetRef", "kind"]) ?? "Deployment";
    return wanted === name && (isUnknown(kind) || typeOf(workload.type).endsWith(`:${kind}`));
  }
  if (cameFrom(scaler, "spec", workload)) return true;
  return isUnknown(wanted) ? wanted : false;
}
