import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { tagsFor } from "../internal/tags";
import { registrationTag } from "./refs";
import {
  LoadBalancingAlgorithm,
  TargetProtocolVersion,
  type LoadBalancedServiceArgs,
  type StickinessArgs,
} from "./service-args";

/** Values of a target group where the arguments give none. The checks use them, too. */
export const targetGroupDefaults = { interval: 10, timeout: 4, threshold: 2, deregistrationDelay: 30 };

/** Inputs that were checked. */
export interface TargetGroupInputs {
  readonly vpcId: pulumi.Input<string> | undefined;
  readonly healthCheckPath: pulumi.Input<string> | undefined;
  readonly healthCheckMatcher: pulumi.Input<string> | undefined;
}

/** Makes the target group of a service: for pods, tagged for the controller that registers them, with every value written. */
export function podTargetGroup(
  name: string,
  args: LoadBalancedServiceArgs,
  inputs: TargetGroupInputs,
  parent: pulumi.Resource,
): aws.lb.TargetGroup {
  const { protocolVersion = TargetProtocolVersion.Http1, stickiness } = args;
  const { interval, timeout, threshold, deregistrationDelay } = targetGroupDefaults;
  return new aws.lb.TargetGroup(
    `${name}-tg`,
    {
      vpcId: inputs.vpcId,
      targetType: "ip",
      ipAddressType: "ipv4",
      protocol: "HTTP",
      protocolVersion,
      // Each pod is registered with its own port, so this one has no effect. The pods' port here would only make its change
      // replace the group, and the rule would point at an empty one until the pods are healthy again.
      port: 80,
      deregistrationDelay: args.deregistrationDelaySeconds ?? deregistrationDelay,
      loadBalancingAlgorithmType: args.algorithm ?? LoadBalancingAlgorithm.RoundRobin,
      slowStart: args.slowStartSeconds ?? 0,
      // Text, as the attribute is; left out, it is the load balancer's.
      loadBalancingCrossZoneEnabled: args.crossZone === undefined ? undefined : String(args.crossZone),
      // Written even when off: the provider takes a block that is left out for one to leave alone.
      stickiness: stickiness === undefined ? { enabled: false, type: "lb_cookie" } : cookie(stickiness),
      // Every value is written: AWS's defaults take 150 s to find a new pod healthy, and each rollout waits for it pod by pod.
      healthCheck: {
        enabled: true,
        protocol: "HTTP",
        port: "traffic-port",
        path: inputs.healthCheckPath,
        matcher: inputs.healthCheckMatcher ?? (protocolVersion === TargetProtocolVersion.Grpc ? "0" : "200"),
        interval: args.healthCheckIntervalSeconds ?? interval,
        timeout: args.healthCheckTimeoutSeconds ?? timeout,
        healthyThreshold: args.healthyThreshold ?? threshold,
        unhealthyThreshold: args.unhealthyThreshold ?? threshold,
      },
      tags: tagsFor(args.tags, `${name}-tg`, { [registrationTag]: args.cluster.name }),
    },
    { parent, protect: args.protectTargetGroup },
  );
}

function cookie({ durationSeconds, cookieName }: StickinessArgs): aws.types.input.lb.TargetGroupStickiness {
  const kind = cookieName === undefined ? { type: "lb_cookie" } : { type: "app_cookie", cookieName };
  return { enabled: true, cookieDuration: durationSeconds, ...kind };
}
