import { LoadBalancerType } from "./args";

/*
 * Checks of ARNs' last parts. CloudWatch takes any text for a dimension: with another one an alarm or a graph shows a metric that doesn't exist.
 */

/** What is wrong with the last part of a load balancer's ARN, or undefined. */
export function loadBalancerSuffixProblem(
  type: LoadBalancerType = LoadBalancerType.Application,
): (suffix: string) => string | undefined {
  const [start, other, otherwise] =
    type === LoadBalancerType.Network
      ? ["net/", "app/", "leave loadBalancerType out"]
      : ["app/", "net/", "set loadBalancerType: LoadBalancerType.Network"];
  return (suffix) => suffixProblem(suffix, start, lastPart(suffix).startsWith(other) ? otherwise : undefined);
}

/** What is wrong with the last part of a target group's ARN, or undefined. */
export function targetGroupSuffixProblem(suffix: string): string | undefined {
  return suffixProblem(suffix, "targetgroup/");
}

/** The last part of a whole ARN; anything else as it is. */
function lastPart(text: string): string {
  return /^arn:.*[:/]((app|net|targetgroup)\/[^/]+\/[^/]+)$/.exec(text)?.[1] ?? text;
}

function suffixProblem(suffix: string, start: string, otherwise?: string): string | undefined {
  if (suffix.startsWith(start)) return undefined;
  const last = lastPart(suffix);
  const ways = [
    ...(last === suffix ? [] : [`write "${last}"`]),
    ...(otherwise === undefined ? [] : [last === suffix ? `or ${otherwise}` : `and ${otherwise}`]),
  ];
  return (
    `must start with "${start}", as the arnSuffix output does, not be "${suffix}": with anything else CloudWatch looks at a metric ` +
    ["that doesn't exist", ...ways].join("; ")
  );
}
