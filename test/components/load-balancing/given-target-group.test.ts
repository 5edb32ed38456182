import * as pulumi from "@pulumi/pulumi";
import { LoadBalancerType } from "../../../components/alarms";
import {
  LoadBalancedService,
  TargetGroupProtocol,
  TargetProtocolVersion,
  type LoadBalancedServiceArgs,
} from "../../../components/load-balancing";
import { find, reaches } from "../../support/graph";
import type { RunOptions } from "../../support/harness";
import { arn, inputs, loadBalancer, messages, namesOf, serviceArgs, types, withCluster } from "./setup";

/** The first outage's: an NLB and its group, made elsewhere, with pods registered by hand. */
const network: LoadBalancedServiceArgs["loadBalancer"] = {
  type: LoadBalancerType.Network,
  crossZone: true,
  arnSuffix: "net/shop/50dc6c495c0c9188",
};
const targetGroup = {
  arn: arn("targetgroup/shop/73e2d6bc24d8a067"),
  arnSuffix: "targetgroup/shop/73e2d6bc24d8a067",
};
const behindNetwork: Partial<LoadBalancedServiceArgs> = {
  loadBalancer: network,
  targetGroup,
  targetGroupProtocol: TargetGroupProtocol.Tcp,
  healthCheckPath: undefined,
  hosts: undefined,
};
const behindApplication: Partial<LoadBalancedServiceArgs> = { targetGroup, healthCheckPath: undefined };

describe("LoadBalancedService with a target group that exists", () => {
  const make = (change: Partial<LoadBalancedServiceArgs>, options: RunOptions = {}) =>
    withCluster((opts) => {
      const made = new LoadBalancedService("web", { ...serviceArgs, ...change }, opts);
      return {
        group: made.targetGroup,
        rule: made.listenerRuleArn ?? "none",
        gate: made.readinessGate,
        delay: made.deregistrationDelaySeconds ?? "none",
      };
    }, options);

  test("may have a name longer than that of a group made here", async () => {
    const name = "checkout-frontend-service";
    const named = (change: Partial<LoadBalancedServiceArgs>) =>
      withCluster((opts) => void new LoadBalancedService(name, { ...serviceArgs, ...change }, opts));
    expect((await named(behindNetwork)).errors).toEqual([]);
    expect(messages((await named({})).errors)).toContain("target group");
  });

  test("behind a Network Load Balancer makes a Service, a binding and alarms, and nothing of a load balancer", async () => {
    const { resources, outputs, errors } = await make({ ...behindNetwork, multiCluster: true });
    expect(errors).toEqual([]);
    expect(resources.filter((r) => r.type.startsWith("aws:lb/"))).toEqual([]);
    expect(inputs(resources, types.binding)["spec"]).toEqual({
      serviceRef: { name: "web-service-1a2b3c4d", port: 8080 },
      targetGroupARN: targetGroup.arn,
      targetType: "ip",
      ipAddressType: "ipv4",
      targetGroupProtocol: "TCP",
      multiClusterTargetGroup: true,
    });
    expect(inputs(resources, types.alarm, "web-health-low-healthy-hosts")).toMatchObject({
      dimensions: { LoadBalancer: network.arnSuffix, TargetGroup: targetGroup.arnSuffix },
      namespace: "AWS/NetworkELB",
    });
    expect(outputs).toMatchObject({ group: targetGroup, gate: expect.stringMatching(/web-pods-binding/) as string });
    expect([outputs?.rule, outputs?.delay]).toEqual(["none", "none"]);
  });

  test("behind an Application Load Balancer leaves its rules alone", async () => {
    const { resources, errors } = await make({ ...behindApplication, hosts: [] });
    expect(errors).toEqual([]);
    expect(resources.filter((r) => r.type.startsWith("aws:lb/"))).toEqual([]);
    // The controller looks the protocol up.
    expect(inputs(resources, types.binding)["spec"]).not.toHaveProperty("targetGroupProtocol");
    expect(inputs(resources, types.alarm, "web-health-low-healthy-hosts")["namespace"]).toBe("AWS/ApplicationELB");
  });

  test("hosts or paths add a rule, and the binding waits for it", async () => {
    const { resources, outputs, errors } = await make({ ...behindApplication, priority: 7 });
    expect(errors).toEqual([]);
    expect(inputs(resources, types.rule)).toMatchObject({
      listenerArn: loadBalancer.listenerArn,
      priority: 7,
      actions: [{ type: "forward", targetGroupArn: targetGroup.arn }],
    });
    expect(reaches(resources, find(resources, types.binding), find(resources, types.rule))).toBe(true);
    expect(outputs?.rule).toMatch(/listener-rule/);
  });

  test("a group that is known later makes the same resources", async () => {
    const late = { arn: pulumi.output(targetGroup.arn), arnSuffix: pulumi.output(targetGroup.arnSuffix) };
    const { resources, errors } = await make({ ...behindNetwork, targetGroup: late });
    expect(errors).toEqual([]);
    expect(namesOf(resources)).toEqual(namesOf((await make(behindNetwork)).resources));
  });

  test("refuses settings of the group, all at once", async () => {
    const { errors } = await make({
      ...behindApplication,
      hosts: [],
      priority: 1,
      healthCheckPath: "/healthz",
      healthCheckMatcher: "200",
      healthCheckIntervalSeconds: 10,
      healthCheckTimeoutSeconds: 4,
      healthyThreshold: 2,
      unhealthyThreshold: 2,
      deregistrationDelaySeconds: 30,
      protocolVersion: TargetProtocolVersion.Http1,
      slowStartSeconds: 0,
      stickiness: { durationSeconds: 60 },
      protectTargetGroup: true,
    });
    expect(errors).toHaveLength(1);
    const found = [...errors[0]!.message.matchAll(/\n {2}- (.*?): /g)].map(([, argument]) => argument);
    expect(found.sort()).toEqual([
      "deregistrationDelaySeconds",
      "healthCheckIntervalSeconds",
      "healthCheckMatcher",
      "healthCheckPath",
      "healthCheckTimeoutSeconds",
      "healthyThreshold",
      "priority",
      "protectTargetGroup",
      "protocolVersion",
      "slowStartSeconds",
      "stickiness",
      "unhealthyThreshold",
    ]);
  });

  const withoutGroup = { targetGroup: undefined, targetGroupProtocol: undefined, healthCheckPath: "/" };
  test.each<[string, Partial<LoadBalancedServiceArgs>, RegExp]>([
    [
      "a Network Load Balancer without a group",
      { ...behindNetwork, ...withoutGroup },
      /targetGroup: is missing: a Netw/,
    ],
    ["hosts behind one", { ...behindNetwork, hosts: ["a.b"] }, /hosts: has no effect on a Network Load Balancer/],
    ["paths behind one", { ...behindNetwork, paths: ["/"] }, /paths: has no effect on a Network Load Balancer/],
    [
      "TCP behind the other kind",
      { ...behindApplication, targetGroupProtocol: TargetGroupProtocol.Tcp },
      /is TCP, but/,
    ],
    [
      "HTTP behind one",
      { ...behindNetwork, targetGroupProtocol: TargetGroupProtocol.Http },
      /is HTTP, but .* TCP or TLS/,
    ],
    [
      "a kind that isn't",
      { ...behindNetwork, targetGroupProtocol: undefined, loadBalancer: { ...network, type: undefined } },
      /loadBalancer\.arnSuffix: is that of a Network Load Balancer \("net\/shop\/.*"\), but loadBalancer\.type says app/,
    ],
    [
      "the other kind that isn't",
      { ...behindNetwork, loadBalancer: { ...network, arnSuffix: pulumi.output("app/a/1") } },
      /loadBalancer\.arnSuffix is that of an Application Load Balancer/,
    ],
    // TargetHealthAlarms: AWS's default is off there, and the alarms would be blind.
    [
      "a Network Load Balancer that doesn't say whether it goes by zone",
      { ...behindNetwork, loadBalancer: { ...network, crossZone: undefined } },
      /crossZone: is missing/,
    ],
    [
      "a Network Load Balancer by zone, without the zones",
      { ...behindNetwork, loadBalancer: { ...network, crossZone: false } },
      /loadBalancer\.availabilityZones: is missing/,
    ],
    [
      "alarms of another group",
      { ...behindNetwork, targetGroup: { ...targetGroup, arnSuffix: "targetgroup/a/1" } },
      /or the alarms watch another/,
    ],
    [
      "what is no group",
      { ...behindNetwork, targetGroup: { arn: "shop", arnSuffix: "shop" } },
      /targetGroup\.arn: must be/,
    ],
    [
      "a rule without its listener",
      { ...behindApplication, loadBalancer: { arnSuffix: loadBalancer.arnSuffix } },
      /loadBalancer\.listenerArn: is missing: the rule is added to it/,
    ],
    [
      "a group to be made nowhere",
      { loadBalancer: { ...loadBalancer, vpcId: undefined } },
      /loadBalancer\.vpcId: is missing: the target group is made in it/,
    ],
    ["a protocol of no group", { targetGroupProtocol: TargetGroupProtocol.Http }, /targetGroupProtocol: has no effect/],
    ["a port outside what is open", { ...behindNetwork, port: 80 }, /is 80, but the safety net opens 1024-65535 only/],
  ])("refuses %s", async (_, change, expected) => {
    expect(messages((await make(change)).errors)).toMatch(expected);
  });
});
