import * as pulumi from "@pulumi/pulumi";
import {
  LoadBalancedService,
  LoadBalancingAlgorithm,
  TargetProtocolVersion,
  type LoadBalancedServiceArgs,
} from "../../../components/load-balancing";
import { inputs, messages, serviceArgs, types, withCluster } from "./setup";

describe("LoadBalancedService's target group", () => {
  const { Grpc, Http2 } = TargetProtocolVersion;
  const { LeastOutstandingRequests, WeightedRandom } = LoadBalancingAlgorithm;
  const health = "/grpc.health.v1.Health/Check";
  const make = (change: Partial<LoadBalancedServiceArgs>) =>
    withCluster(
      (opts) => new LoadBalancedService("web", { ...serviceArgs, ...change }, opts).deregistrationDelaySeconds,
    );
  const group = async (change: Partial<LoadBalancedServiceArgs> = {}) => {
    const { resources, errors } = await make(change);
    expect(errors).toEqual([]);
    return inputs(resources, types.targetGroup);
  };

  test("by default nobody is slow, sticky or preferred, and all of it is written", async () => {
    expect(await group()).toMatchObject({
      protocolVersion: "HTTP1",
      loadBalancingAlgorithmType: "round_robin",
      slowStart: 0,
      stickiness: { enabled: false, type: "lb_cookie" },
    });
  });

  test("new pods may warm up", async () => expect((await group({ slowStartSeconds: 30 }))["slowStart"]).toBe(30));

  test("clients may stay with their pod, by the load balancer's cookie or the application's", async () => {
    expect((await group({ stickiness: { durationSeconds: 60 } }))["stickiness"]).toEqual({
      enabled: true,
      type: "lb_cookie",
      cookieDuration: 60,
    });
    expect((await group({ stickiness: { durationSeconds: 60, cookieName: "cart" } }))["stickiness"]).toEqual({
      enabled: true,
      type: "app_cookie",
      cookieName: "cart",
      cookieDuration: 60,
    });
  });

  test("HTTP/2 to the pods", async () => {
    expect(await group({ protocolVersion: Http2 })).toMatchObject({
      protocol: "HTTP",
      protocolVersion: "HTTP2",
      healthCheck: { path: "/healthz", matcher: "200" },
    });
  });

  // API reference, Matcher: gRPC codes 0 to 99; 0 is OK.
  test("gRPC is healthy when the method answers OK", async () => {
    expect(await group({ protocolVersion: Grpc, healthCheckPath: health })).toMatchObject({
      protocol: "HTTP",
      protocolVersion: "GRPC",
      healthCheck: { protocol: "HTTP", path: health, matcher: "0" },
    });
  });

  test("the health check as somebody wants it", async () => {
    expect(
      await group({
        algorithm: LeastOutstandingRequests,
        healthCheckMatcher: "200,204-206",
        healthCheckIntervalSeconds: 20,
        healthCheckTimeoutSeconds: 19,
        healthyThreshold: 10,
        unhealthyThreshold: 3,
      }),
    ).toMatchObject({
      loadBalancingAlgorithmType: "least_outstanding_requests",
      healthCheck: { matcher: "200,204-206", interval: 20, timeout: 19, healthyThreshold: 10, unhealthyThreshold: 3 },
    });
  });

  test("says how long a leaving pod may take", async () => {
    expect((await make({})).outputs).toBe(30);
    expect((await make({ deregistrationDelaySeconds: 90 })).outputs).toBe(90);
  });

  // ELB user guide, "Edit target group attributes": slow start with round robin only, no sticky sessions with weighted random.
  test.each<[string, Partial<LoadBalancedServiceArgs>, RegExp]>([
    ["a start too slow", { slowStartSeconds: 901 }, /slowStartSeconds: must be 0, or .* between 30 and 900, not 901/],
    ["a start too fast", { slowStartSeconds: 29 }, /slowStartSeconds: must be 0, or .* not 29/],
    ["a slow start by load", { slowStartSeconds: 30, algorithm: LeastOutstandingRequests }, /RoundRobin only/],
    ["a slow start at random", { slowStartSeconds: 30, algorithm: WeightedRandom }, /RoundRobin only/],
    [
      "chance that sticks",
      { stickiness: { durationSeconds: 60 }, algorithm: WeightedRandom },
      /stickiness: doesn't work with LoadBalancingAlgorithm\.WeightedRandom/,
    ],
    ["a cookie for nothing", { stickiness: { durationSeconds: 0 } }, /durationSeconds: must be .* 604800, not 0/],
    ["a cookie for ever", { stickiness: { durationSeconds: 604_801 } }, /durationSeconds: must be .* not 604801/],
    ["AWS's cookie", { stickiness: { durationSeconds: 1, cookieName: "AWSALBAPP-0" } }, /not begin with AWSALB/],
    ["what is no cookie", { stickiness: { durationSeconds: 1, cookieName: "a b" } }, /cookieName: must be the name/],
    ["one check for health", { healthyThreshold: 1 }, /healthyThreshold: must be .* between 2 and 10, not 1/],
    ["eleven checks for illness", { unhealthyThreshold: 11 }, /unhealthyThreshold: must be .* not 11/],
    ["a check as long as its interval", { healthCheckTimeoutSeconds: 10 }, /must be less than .* \(10\), not 10/],
    ["a check of a second", { healthCheckTimeoutSeconds: 1 }, /healthCheckTimeoutSeconds: must be .* 120, not 1/],
    ["a code that ALBs don't take", { healthCheckMatcher: "200-500" }, /between 200 and 499, .* not "200-500"/],
    ["a range backwards", { healthCheckMatcher: "299-200" }, /healthCheckMatcher: must be codes between/],
    ["words", { healthCheckMatcher: "OK" }, /healthCheckMatcher: must be codes between/],
    ["a late code", { healthCheckMatcher: pulumi.output("") }, /healthCheckMatcher must be codes between/],
    ["HTTP's code of gRPC", { protocolVersion: Grpc, healthCheckPath: health, healthCheckMatcher: "200" }, /0 and 99/],
    ["a path of gRPC that is no method", { protocolVersion: Grpc }, /must be a method, such as \/grpc\.health\.v1\./],
    ["no path", { healthCheckPath: undefined }, /healthCheckPath: is missing: write one such as \/healthz/],
    ["multiCluster of a group of one's own", { multiCluster: true }, /multiCluster: has no effect without targetGroup/],
  ])("refuses %s", async (_, change, expected) => {
    const { errors, resources } = await make(change);
    expect(messages(errors)).toMatch(expected);
    expect(resources.filter((r) => r.type === types.targetGroup)).toEqual([]);
  });
});
