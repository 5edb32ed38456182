import type { Problems } from "../../internal/validate";
import { LoadBalancerType, TargetType, type TargetHealthAlarmsArgs } from "./args";
import type { Edge } from "./definitions";

/** Reads what is watched out of the arguments; adds to `problems` whatever is wrong with them. */
export function edgeOf(args: TargetHealthAlarmsArgs, problems: Problems): Edge {
  requireCountedTargets(args, problems);
  requireGroups(args, problems);
  requireZones(args, problems);
  requireReplicas(args, problems);
  const replicas = args.minReplicas ?? args.fixedReplicas;
  return {
    network: args.loadBalancerType === LoadBalancerType.Network,
    groups: Math.max(1, Object.keys(args.targetGroupArnSuffixes ?? {}).length),
    zones: args.crossZone === false ? Math.max(1, args.availabilityZones?.length ?? 1) : 1,
    // A number that is refused would be refused again by every alarm that depends on it.
    replicas: replicas !== undefined && isReplicas(replicas) ? replicas : undefined,
    fixed: args.fixedReplicas !== undefined,
    readyPods: args.readyPods !== undefined,
  };
}

function requireCountedTargets({ targetType }: TargetHealthAlarmsArgs, problems: Problems): void {
  if (targetType === TargetType.Alb)
    problems.add(
      "targetType",
      'must not be "alb": a Network Load Balancer reports no host counts of Application Load Balancers, so no alarm would ever fire. Make the ' +
        "alarms for the target groups of the inner Application Load Balancer, whose targets are the pods",
    );
  if (targetType === TargetType.Lambda)
    problems.add(
      "targetType",
      'must not be "lambda": a function has no hosts that are counted. Watch its own metrics, Errors and Throttles of AWS/Lambda',
    );
}

function requireGroups(args: TargetHealthAlarmsArgs, problems: Problems): void {
  const { targetGroupArnSuffix: one, targetGroupArnSuffixes: several } = args;
  problems.unless(
    (one === undefined) !== (several === undefined),
    "targetGroupArnSuffix",
    one === undefined
      ? "is missing: give the arnSuffix of the target group, or of several as targetGroupArnSuffixes"
      : "can't be given together with targetGroupArnSuffixes: write one of the two",
  );
  const values = Object.values(several ?? {});
  problems.unless(
    several === undefined || values.length > 0,
    "targetGroupArnSuffixes",
    "is empty, so nothing would be watched: name the target groups, { blue: ..., green: ... }",
  );
  const known = values.filter((value) => typeof value === "string");
  problems.unless(
    new Set(known).size === known.length,
    "targetGroupArnSuffixes",
    "names a target group twice, so its hosts would count double: name each once",
  );
  problems.unless(
    Object.keys(several ?? {}).every((name) => /^[\x21-\x7e]+$/.test(name)),
    "targetGroupArnSuffixes",
    "must have names of ASCII without spaces",
  );
}

/** Why it must be said whether zones are added up, or undefined. */
export function crossZoneProblem({
  crossZone,
  loadBalancerType,
}: Pick<TargetHealthAlarmsArgs, "crossZone" | "loadBalancerType">): string | undefined {
  return loadBalancerType !== LoadBalancerType.Network || crossZone !== undefined
    ? undefined
    : "is missing: say whether the Network Load Balancer sends to all zones (enableCrossZoneLoadBalancing; AWS's default is off). True if it does; " +
        "false if not, together with availabilityZones: each node then counts its own zone only, and without adding them up alarms and graphs " +
        "are fine until every zone is affected";
}

/** Where each node of the load balancer counts its own zone only, minimum and maximum over nodes mean nothing: its zones must be named. */
function requireZones(args: TargetHealthAlarmsArgs, problems: Problems): void {
  const { crossZone, availabilityZones: zones } = args;
  problems.add("crossZone", crossZoneProblem(args));
  if (crossZone !== false) {
    problems.unless(
      zones === undefined,
      "availabilityZones",
      "has no effect without crossZone: false, because each node counts the targets of all zones: leave it out",
    );
    return;
  }
  problems.unless(
    zones !== undefined && zones.length > 0,
    "availabilityZones",
    "is missing: with crossZone false each node counts its own zone only, and the alarms add up the zones. Name all of the load balancer's, " +
      'such as ["eu-west-1a", "eu-west-1b"]',
  );
  const wrong = (zones ?? []).find((zone) => !/^[a-z]{2,4}(-[a-z0-9]+){2,}$/.test(zone));
  problems.unless(
    wrong === undefined,
    "availabilityZones",
    `must hold names of zones such as eu-west-1a, not "${wrong ?? ""}": that is what CloudWatch's dimension holds, and not the id (euw1-az1)`,
  );
  problems.unless(
    new Set(zones).size === (zones ?? []).length,
    "availabilityZones",
    "names a zone twice, so its hosts would count double: name each once",
  );
}

function requireReplicas(args: TargetHealthAlarmsArgs, problems: Problems): void {
  problems.unless(
    args.minReplicas === undefined || args.fixedReplicas === undefined,
    "fixedReplicas",
    "can't be given together with minReplicas: write minReplicas for a workload that is scaled, and fixedReplicas for any other",
  );
  for (const argument of ["minReplicas", "fixedReplicas"] as const) {
    const replicas = args[argument];
    problems.unless(
      replicas === undefined || isReplicas(replicas),
      argument,
      `must be a whole number of at least 1, not ${replicas ?? ""}`,
    );
  }
}

function isReplicas(count: number): boolean {
  return Number.isInteger(count) && count >= 1;
}
