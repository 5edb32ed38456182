import type { Problems } from "../internal/validate";
import { TargetProtocolVersion, LoadBalancingAlgorithm, type LoadBalancedServiceArgs } from "./service-args";
import { targetGroupDefaults } from "./target-group";

/** Records what is wrong with the plain settings of the target group that is made here (ELB user guide, "Target groups for your ALB"). */
export function targetGroupProblems(problems: Problems, args: LoadBalancedServiceArgs): void {
  const whole = (argument: keyof LoadBalancedServiceArgs, value: number, least: number, most: number, unit = "") =>
    problems.unless(
      Number.isInteger(value) && value >= least && value <= most,
      argument,
      `must be a whole number ${unit}between ${least} and ${most}, not ${value}`,
    );
  const { interval, timeout, threshold, deregistrationDelay } = targetGroupDefaults;
  const { healthCheckIntervalSeconds = interval, healthCheckTimeoutSeconds = timeout } = args;
  const seconds = "of seconds ";
  whole("healthCheckIntervalSeconds", healthCheckIntervalSeconds, 5, 300, seconds);
  whole("healthCheckTimeoutSeconds", healthCheckTimeoutSeconds, 2, 120, seconds);
  problems.unless(
    healthCheckTimeoutSeconds < healthCheckIntervalSeconds,
    "healthCheckTimeoutSeconds",
    `must be less than healthCheckIntervalSeconds (${healthCheckIntervalSeconds}), not ${healthCheckTimeoutSeconds}`,
  );
  whole("healthyThreshold", args.healthyThreshold ?? threshold, 2, 10);
  whole("unhealthyThreshold", args.unhealthyThreshold ?? threshold, 2, 10);
  whole("deregistrationDelaySeconds", args.deregistrationDelaySeconds ?? deregistrationDelay, 0, 3600, seconds);
  shareProblems(problems, args);
}

/** How requests are shared out: which of it goes together. */
function shareProblems(problems: Problems, args: LoadBalancedServiceArgs): void {
  const { algorithm = LoadBalancingAlgorithm.RoundRobin, slowStartSeconds: slowStart = 0, stickiness } = args;
  problems.unless(
    slowStart === 0 || (Number.isInteger(slowStart) && slowStart >= 30 && slowStart <= 900),
    "slowStartSeconds",
    `must be 0, or a whole number of seconds between 30 and 900, not ${slowStart}`,
  );
  problems.unless(
    slowStart === 0 || algorithm === LoadBalancingAlgorithm.RoundRobin,
    "slowStartSeconds",
    "works with LoadBalancingAlgorithm.RoundRobin only: leave out one of the two",
  );
  if (stickiness === undefined) return;
  problems.unless(
    algorithm !== LoadBalancingAlgorithm.WeightedRandom,
    "stickiness",
    "doesn't work with LoadBalancingAlgorithm.WeightedRandom: leave out one of the two",
  );
  const { durationSeconds: duration, cookieName } = stickiness;
  problems.unless(
    Number.isInteger(duration) && duration >= 1 && duration <= 604_800,
    "stickiness.durationSeconds",
    `must be a whole number of seconds between 1 and 604800, not ${duration}`,
  );
  problems.unless(
    cookieName === undefined || (/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(cookieName) && !/^AWSALB/i.test(cookieName)),
    "stickiness.cookieName",
    `must be the name of a cookie of the application's, and not begin with AWSALB, which AWS reserves, not "${cookieName ?? ""}"`,
  );
}

/** What is wrong with the path of a gRPC health check, or undefined (ELB user guide, "Target groups": `/package.service/method`). */
export function grpcPathProblem(path: string): string | undefined {
  return /^\/[A-Za-z_][\w.]*\/\w+$/.test(path)
    ? undefined
    : `must be a method, such as /grpc.health.v1.Health/Check, not "${path}"`;
}

/** What is wrong with the answers that count as healthy, or undefined (API reference, Matcher). */
export function matcherProblem(version: TargetProtocolVersion | undefined): (matcher: string) => string | undefined {
  const [least, most, example] = version === TargetProtocolVersion.Grpc ? [0, 99, "0"] : [200, 499, "200-299"];
  const isRange = (part: string) => {
    const [, from, to = from] = /^(\d{1,3})(?:-(\d{1,3}))?$/.exec(part) ?? [];
    return Number(from) >= least && Number(from) <= Number(to) && Number(to) <= most;
  };
  return (matcher) =>
    matcher.split(",").every(isRange)
      ? undefined
      : `must be codes between ${least} and ${most}, as a list or a range such as ${example}, not "${matcher}"`;
}
