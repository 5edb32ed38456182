import type { PolicyResource } from "@pulumi/policy";
import { anyOf, isUnknown, type Unknown } from "../../lib/known";
import { isProperties, itemsAt, numberAt, type Properties } from "../../lib/kubernetes";
import { stringAt, valueAt } from "../../lib/paths";
import { containerName, defaultGraceSeconds, podSpec, selectsPodsOf, zoneLabel } from "../../lib/pods";
import type { Servers } from "./bound-workloads";
import { preStopOf } from "./pre-stop";

/** What is missing, and what to write; an unknown if that isn't known yet; undefined if nothing is. */
export type Missing = string | Unknown | undefined;

const hostLabel = "kubernetes.io/hostname";
const sleep = "lifecycle.preStop: { sleep: { seconds: 20 } }";

/** Whether the pod goes on serving until the load balancer has taken notice. */
export function preStopMissing(servers: Servers, least: number, waiting: readonly string[]): Missing {
  return ofServers(servers, (container) => {
    const hook = preStopOf(container, waiting);
    if (hook === undefined) return `${containerName(container)} has no preStop hook: write ${sleep}`;
    if (isUnknown(hook) || hook.seconds >= least) return isUnknown(hook) ? hook : undefined;
    const what = hook.command === undefined || hook.seconds > 0 ? `only ${hook.seconds} s` : "nothing that one can see";
    return `the preStop hook of ${containerName(container)} waits ${what}${hook.command === undefined ? "" : ` (${hook.command})`}, and the load balancer needs ${least}: write ${sleep}`;
  });
}

/** Whether the pod is killed while its hook still waits. */
export function graceMissing(workload: PolicyResource, servers: Servers): Missing {
  const grace = numberAt(workload.props, [...podSpec, "terminationGracePeriodSeconds"]);
  const hooks = servers.containers.map((c) => (isUnknown(c) ? c : preStopOf(c, [])));
  const unknown = [grace, ...hooks].find(isUnknown);
  if (unknown !== undefined) return unknown;
  const longest = Math.max(0, ...hooks.map((hook) => (hook === undefined || isUnknown(hook) ? 0 : hook.seconds)));
  if (isUnknown(grace) || longest === 0 || (grace ?? defaultGraceSeconds) > longest) return undefined;
  return `terminationGracePeriodSeconds is ${grace ?? `missing, which means ${defaultGraceSeconds}`}, but the preStop hook takes ${longest} s: write that, the longest request and 10 s more`;
}

/** Whether a pod counts as ready before it can serve. */
export function probeMissing(servers: Servers): Missing {
  return ofServers(servers, (container) => {
    const probe = valueAt(container, ["readinessProbe"]);
    return probe === undefined
      ? `${containerName(container)} has no readinessProbe: it is a target as soon as it starts`
      : isUnknown(probe)
        ? probe
        : undefined;
  });
}

/** Whether one node or zone may hold all pods. One pod alone (a canary beside others) has nothing to be spread over. */
export function spreadMissing(workload: PolicyResource, replicas: number | Unknown | undefined): Missing {
  if (typeof replicas === "number" && replicas <= 1) return undefined;
  const constraints = itemsAt(workload.props, [...podSpec, "topologySpreadConstraints"]);
  const affinity = [...podSpec, "affinity", "podAntiAffinity"];
  const terms = [
    ...itemsAt(workload.props, [...affinity, "requiredDuringSchedulingIgnoredDuringExecution"]),
    ...itemsAt(workload.props, [...affinity, "preferredDuringSchedulingIgnoredDuringExecution"]).map((preferred) =>
      isUnknown(preferred) ? preferred : valueAt(preferred, ["podAffinityTerm"]),
    ),
  ];
  const whole = [[...podSpec, "topologySpreadConstraints"], affinity].map((path) => valueAt(workload.props, path));
  const spread = anyOf([
    ...[...constraints, ...terms].map((term) => spreads(term, workload)),
    ...whole.filter(isUnknown),
  ]);
  return spread === true
    ? undefined
    : isUnknown(spread)
      ? spread
      : `nothing spreads the pods over zones or nodes, and one of either may take all: write topologySpreadConstraints for ${zoneLabel} and ${hostLabel}`;
}

function spreads(term: unknown, workload: PolicyResource): boolean | Unknown {
  if (isUnknown(term)) return term;
  if (!isProperties(term)) return false;
  const key = stringAt(term, ["topologyKey"]);
  if (isUnknown(key)) return key;
  return (key === zoneLabel || key === hostLabel) && selectsPodsOf(valueAt(term, ["labelSelector"]), workload);
}

/** What the serving containers miss; if nothing says which one serves, one that misses nothing is enough. */
function ofServers({ containers, all }: Servers, missingIn: (container: Properties) => Missing): Missing {
  const answers = containers.map((c) => (isUnknown(c) ? c : missingIn(c)));
  if (!all && answers.includes(undefined)) return undefined;
  return answers.find((answer) => typeof answer === "string") ?? answers.find(isUnknown);
}
