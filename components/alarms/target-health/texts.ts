import type { Edge, TargetHealthKey } from "./definitions";
import { MissingData } from "./override-args";
import type { PlannedAlarm } from "./planned-alarm";

/*
 * What an alarm says to whoever is woken up, in this order: what happened, which layer failed, what a visitor sees. Made from the alarm as it
 * is planned, so that an override can't turn it into a lie.
 */

type Said = Pick<
  PlannedAlarm,
  "key" | "threshold" | "period" | "datapointsToAlarm" | "evaluationPeriods" | "missingData" | "measure" | "slowBecause"
>;

/** What happened, with the numbers that decided. */
export function happened(alarm: Said, edge: Edge): string {
  const slow = alarm.slowBecause === undefined ? "" : ` Slow because ${alarm.slowBecause}.`;
  return `${sentences[alarm.key](alarm, edge)}${slow}`;
}

const sentences: Record<TargetHealthKey, (alarm: Said, edge: Edge) => string> = {
  lowHealthyHosts: (a) =>
    `Fewer than ${targets(a.threshold, "healthy")}${orSilence(a)}, for ${span(a)}: one more failure may take the service down.`,
  noHealthyHosts: (a) =>
    `${a.threshold === 1 ? "No healthy target" : `Fewer than ${targets(a.threshold, "healthy")}`}, or no target registered at all, for ${span(a)}: visitors get errors now.`,
  allTargetsUnhealthy: (a) =>
    `Targets are registered and none is healthy, for ${span(a)}: the load balancer can't reach them, or they fail its check.`,
  staleTargets: (a) =>
    `${a.threshold === 1 ? "A target has" : `${a.threshold} targets have`} been unhealthy for ${span(a)}: its pod or node is gone and still registered, or the pod hangs.`,
  belowDeclaredMinimum: (a, { replicas }) =>
    `Fewer than ${targets(a.threshold, "healthy")}${a.threshold === replicas ? ", the declared minimum" : ""}${orSilence(a)}, for ${span(a)}.`,
  hostDecay24h: (a) =>
    `Healthy targets fell within ${duration(a.period)} and did not come back: the target group is rotting.`,
  readyNotRegistered: (a) =>
    `At least ${a.threshold} of the ready pods ${a.threshold === 1 ? "is" : "are"} no healthy target, for ${span(a)}: ready for Kubernetes, and without a request.`,
};

const registration = "registration of targets (AWS Load Balancer Controller, or by hand)";

/** Which layer failed, so that nobody looks for it in the frontend. */
export const failedLayer: Record<TargetHealthKey, string> = {
  lowHealthyHosts: "pods or nodes behind the load balancer, or the registration of targets",
  noHealthyHosts: `${registration}, or all pods at once`,
  allTargetsUnhealthy: "way from the load balancer to the pods (security groups), or the health check's port and path",
  staleTargets: registration,
  belowDeclaredMinimum: "pods or nodes behind the load balancer, or the registration of targets",
  hostDecay24h: registration,
  readyNotRegistered: registration,
};

const down = {
  // Without a target 503; when all are unhealthy it sends to all of them (ELB user guide, "Target groups": fail-open).
  application: "HTTP 503, or 502 and 504 from unhealthy targets; a CDN in front passes these on",
  network: "connect timeouts or resets; at a CDN in front its connect timeout to the origin (504, 522)",
};
const notYet = {
  application: "nothing yet, perhaps slow answers",
  network: "nothing yet; connect timeouts, at a CDN in front too, when the last target goes",
};

/** What a visitor sees. */
export function visitorsSee(key: TargetHealthKey, { network }: Edge): string {
  const { application, network: overNetwork } =
    key === "noHealthyHosts" || key === "allTargetsUnhealthy" ? down : notYet;
  return network ? overNetwork : application;
}

/** Whether the first look is for unhealthy targets only, or for those that are missing as well. */
export function looksForAll(key: TargetHealthKey): boolean {
  return key !== "staleTargets" && key !== "allTargetsUnhealthy";
}

function targets(count: number, how: string): string {
  return `${count} ${how} target${count === 1 ? "" : "s"}`;
}

function orSilence({ missingData, measure }: Said): string {
  return missingData === MissingData.Breaching || measure.fill === true ? ", or nothing reported" : "";
}

/** How long: "2 of 3 minutes", "1 h", "3 of 4 times 5 min". */
function span({ period, datapointsToAlarm: m, evaluationPeriods: n }: Said): string {
  if (period === 60) return `${m} of ${n} minutes`;
  return m === n ? duration(m * period) : `${m} of ${n} times ${duration(period)}`;
}

function duration(seconds: number): string {
  return seconds % 3600 === 0 ? `${seconds / 3600} h` : `${seconds / 60} min`;
}
