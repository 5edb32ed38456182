import { LoadBalancerType } from "../alarms";
import type { Problems } from "../internal/validate";
import type { LoadBalancedServiceArgs } from "./service-args";
import { TargetGroupProtocol } from "./binding-args";

/** Arguments that are settings of the target group, and of no use where it is given. */
const settings = [
  "healthCheckPath",
  "healthCheckMatcher",
  "healthCheckIntervalSeconds",
  "healthCheckTimeoutSeconds",
  "healthyThreshold",
  "unhealthyThreshold",
  "deregistrationDelaySeconds",
  "protocolVersion",
  "algorithm",
  "slowStartSeconds",
  "stickiness",
  "crossZone",
  "protectTargetGroup",
] as const satisfies readonly (keyof LoadBalancedServiceArgs)[];

const onlyWithGroup = [
  "targetGroupProtocol",
  "multiCluster",
] as const satisfies readonly (keyof LoadBalancedServiceArgs)[];

const protocols: Record<LoadBalancerType, readonly TargetGroupProtocol[]> = {
  [LoadBalancerType.Application]: [TargetGroupProtocol.Http, TargetGroupProtocol.Https],
  [LoadBalancerType.Network]: [
    TargetGroupProtocol.Tcp,
    TargetGroupProtocol.Tls,
    TargetGroupProtocol.Udp,
    TargetGroupProtocol.TcpUdp,
    TargetGroupProtocol.Quic,
    TargetGroupProtocol.TcpQuic,
  ],
};

/** Records what doesn't go together: a target group that is given or made, of an Application or a Network Load Balancer. */
export function groupProblems(problems: Problems, args: LoadBalancedServiceArgs, routed: boolean): void {
  const { type = LoadBalancerType.Application, listenerArn, vpcId } = args.loadBalancer;
  const given = args.targetGroup !== undefined;
  if (given) {
    for (const argument of settings)
      problems.unless(
        args[argument] === undefined,
        argument,
        "is a setting of the target group, which is given as targetGroup: leave it out, and set it where the group is made",
      );
    problems.unless(
      routed || args.priority === undefined,
      "priority",
      "has no effect without hosts or paths, because no rule is made: leave it out",
    );
  } else {
    problems.unless(args.healthCheckPath !== undefined, "healthCheckPath", "is missing: write one such as /healthz");
    problems.unless(vpcId !== undefined, "loadBalancer.vpcId", "is missing: the target group is made in it");
    for (const argument of onlyWithGroup)
      problems.unless(args[argument] === undefined, argument, "has no effect without targetGroup: leave it out");
  }
  if (type === LoadBalancerType.Network) {
    problems.unless(
      given,
      "targetGroup",
      "is missing: a Network Load Balancer has no rules to add a service to; give a group that one of its listeners sends to",
    );
    for (const argument of ["hosts", "paths"] as const)
      problems.unless(
        args[argument] === undefined || args[argument].length === 0,
        argument,
        "has no effect on a Network Load Balancer, which knows no requests: leave it out",
      );
  } else
    problems.unless(
      listenerArn !== undefined || (given && !routed),
      "loadBalancer.listenerArn",
      "is missing: the rule is added to it",
    );
  const { targetGroupProtocol: protocol } = args;
  problems.unless(
    protocol === undefined || protocols[type].includes(protocol),
    "targetGroupProtocol",
    `is ${protocol ?? ""}, but the load balancer is of type "${type}": write ${protocols[type].join(" or ")}, or the other loadBalancer.type`,
  );
}

/** What is wrong with the last part of a load balancer's ARN, or undefined. The alarms check the rest of it. */
export function typeProblem(type: LoadBalancerType | undefined): (arnSuffix: string) => string | undefined {
  const [own, other, its] =
    type === LoadBalancerType.Network ? ["net/", "app/", "an Application"] : ["app/", "net/", "a Network"];
  return (arnSuffix) =>
    arnSuffix.startsWith(other)
      ? `is that of ${its} Load Balancer ("${arnSuffix}"), but loadBalancer.type says ${own}: correct one of the two`
      : undefined;
}
