import * as pulumi from "@pulumi/pulumi";
import { portProblem } from "../internal/kubernetes";
import { checkedLabels } from "../internal/labels";
import { namespaceProblem, serviceNameProblem } from "../internal/object-names";
import type { Problems } from "../internal/validate";
import { pathProblem, targetGroupArnProblem, vpcIdProblem } from "../internal/formats";
import { typeProblem } from "./given-group-checks";
import type { TargetGroupRef } from "./refs";
import { TargetProtocolVersion, type LoadBalancedServiceArgs } from "./service-args";
import { grpcPathProblem, matcherProblem } from "./target-group-checks";

/** Checks the inputs, known now or later, and returns what to use in their place; hosts and paths are checked in routing.ts. */
export function checkedService(problems: Problems, args: LoadBalancedServiceArgs) {
  const { loadBalancer, protocolVersion: version } = args;
  return {
    namespace: problems.input(args.namespace, "namespace", namespaceProblem),
    selector: args.selector && checkedLabels(problems, "selector", args.selector),
    service: problems.input(args.service, "service", serviceNameProblem),
    servicePort: problems.input(args.servicePort, "servicePort", portProblem),
    healthCheckPath: problems.input(
      args.healthCheckPath,
      "healthCheckPath",
      version === TargetProtocolVersion.Grpc ? grpcPathProblem : pathProblem,
    ),
    healthCheckMatcher: problems.input(args.healthCheckMatcher, "healthCheckMatcher", matcherProblem(version)),
    vpcId: problems.input(loadBalancer.vpcId, "loadBalancer.vpcId", vpcIdProblem),
    loadBalancerArnSuffix: problems.input(
      loadBalancer.arnSuffix,
      "loadBalancer.arnSuffix",
      typeProblem(loadBalancer.type),
    ),
    targetGroup: args.targetGroup && checkedGroup(problems, args.targetGroup),
  };
}

function checkedGroup(problems: Problems, group: TargetGroupRef) {
  const arn = problems.input(group.arn, "targetGroup.arn", targetGroupArnProblem);
  const both = problems.input({ arn, suffix: group.arnSuffix }, "targetGroup.arnSuffix", ({ arn, suffix }) =>
    arn.endsWith(`:${suffix}`)
      ? undefined
      : `must be the last part of targetGroup.arn, from "targetgroup/" on, or the alarms watch another group than this one (${arn}), not "${suffix}"`,
  );
  return { arn, arnSuffix: pulumi.output(both).suffix, crossZone: group.crossZone };
}

/** Records what is wrong with the plain arguments. */
export function serviceProblems(problems: Problems, args: LoadBalancedServiceArgs): void {
  const { fromPort, toPort } = args.safetyNet;
  problems.add("port", portProblem(args.port));
  problems.unless(
    args.port >= fromPort && args.port <= toPort,
    "port",
    `is ${args.port}, but the safety net opens ${fromPort}-${toPort} only, so no request would arrive: let the containers listen within it, or widen the SafetyNetRules`,
  );
  problems.unless(
    (args.selector === undefined) !== (args.service === undefined),
    "service",
    args.service === undefined
      ? "is missing: give the name of a Service, or the labels of the pods as selector to have one made"
      : "can't be given together with selector: write one of the two",
  );
  problems.unless(
    args.selector === undefined || Object.keys(args.selector).length > 0,
    "selector",
    "is empty, so the Service would have no pods: write the pods' labels",
  );
  problems.unless(
    args.servicePort === undefined || args.service !== undefined,
    "servicePort",
    "has no effect on the Service made here, whose port is `port`: leave it out",
  );
  problems.unless(
    Number.isInteger(args.minReplicas) && args.minReplicas >= 2,
    "minReplicas",
    `must be a whole number of at least 2, not ${args.minReplicas}: with one pod every drain is an outage`,
  );
}
