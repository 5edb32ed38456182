import * as pulumi from "@pulumi/pulumi";
import {
  DrainSafeDeployment,
  LoadBalancedService,
  type LoadBalancedServiceArgs,
} from "../../../components/load-balancing";
import { find, reaches } from "../../support/graph";
import type { RunOptions } from "../../support/harness";
import {
  arn,
  inputs,
  loadBalancer,
  messages,
  namesOf,
  previewState,
  serviceArgs,
  types,
  withCluster,
  workloadArgs,
} from "./setup";

describe("LoadBalancedService", () => {
  const make = (change: Partial<LoadBalancedServiceArgs> = {}, name = "web", options: RunOptions = {}) =>
    withCluster((opts) => {
      const made = new LoadBalancedService(name, { ...serviceArgs, ...change }, opts);
      return { group: made.targetGroup, gate: made.readinessGate, service: made.serviceName, min: made.minReplicas };
    }, options);

  test("the target group takes pods, says who registers them, and finds them healthy soon", async () => {
    const { resources, errors } = await make({ tags: { team: "shop" } });
    expect(errors).toEqual([]);
    expect(inputs(resources, types.targetGroup)).toMatchObject({
      targetType: "ip",
      protocol: "HTTP",
      vpcId: "vpc-0123456789abcdef0",
      deregistrationDelay: 30,
      healthCheck: {
        path: "/healthz",
        port: "traffic-port",
        matcher: "200",
        interval: 10,
        timeout: 4,
        healthyThreshold: 2,
        unhealthyThreshold: 2,
      },
      tags: { Name: "web-tg", team: "shop", "moorings-target-registration": "shop-prod" },
    });
  });

  test("no tag of the caller's can hand the group to another registrar", async () => {
    const { resources } = await make({ tags: { "moorings-target-registration": "other" } });
    expect(inputs(resources, types.targetGroup)["tags"]).toMatchObject({ "moorings-target-registration": "shop-prod" });
  });

  test("another port of the pods leaves the target group alone: a new one would be empty", async () => {
    const group = async (port: number) => inputs((await make({ port })).resources, types.targetGroup);
    expect(await group(9090)).toEqual(await group(8080));
  });

  test("the rule matches hosts and paths, and leaves its place to AWS unless one is given", async () => {
    const { resources } = await make({ paths: ["/api/*"] });
    const rule = inputs(resources, types.rule);
    expect(rule).toMatchObject({
      listenerArn: loadBalancer.listenerArn,
      conditions: [{ hostHeader: { values: ["shop.example.com"] } }, { pathPattern: { values: ["/api/*"] } }],
      actions: [{ type: "forward", targetGroupArn: arn("targetgroup/web-tg/73e2d6bc24d8a067") }],
    });
    expect(rule).not.toHaveProperty("priority");
    expect(inputs((await make({ priority: 7 })).resources, types.rule)["priority"]).toBe(7);
  });

  test("it makes the Service, without waiting for pods that wait for the binding", async () => {
    const { resources, outputs } = await make();
    expect(inputs(resources, types.service)).toMatchObject({
      metadata: { namespace: "shop", annotations: { "pulumi.com/skipAwait": "true" } },
      spec: { type: "ClusterIP", selector: { app: "web" }, ports: [{ port: 8080, targetPort: 8080 }] },
    });
    expect(inputs(resources, types.binding)["spec"]).toEqual({
      serviceRef: { name: "web-service-1a2b3c4d", port: 8080 },
      targetGroupARN: arn("targetgroup/web-tg/73e2d6bc24d8a067"),
      targetType: "ip",
      ipAddressType: "ipv4",
      vpcID: "vpc-0123456789abcdef0",
      targetGroupProtocol: "HTTP",
    });
    expect(outputs?.gate).toBe("target-health.elbv2.k8s.aws/web-pods-binding-1a2b3c4d");
  });

  test("or takes one that exists", async () => {
    const { resources } = await make({ selector: undefined, service: "old-web", servicePort: 80 });
    expect(resources.some((r) => r.type === types.service)).toBe(false);
    expect(inputs(resources, types.binding)["spec"]).toMatchObject({ serviceRef: { name: "old-web", port: 80 } });
  });

  test("alarms watch this group behind this load balancer, with the declared floor", async () => {
    const { resources, outputs } = await make({ alarmNamePrefix: "prod", runbookUrl: "https://runbooks.example/web" });
    const low = inputs(resources, types.alarm, "web-health-low-healthy-hosts");
    expect(low).toMatchObject({
      name: "prod-web-health-low-healthy-hosts",
      dimensions: {
        LoadBalancer: "app/edge/50dc6c495c0c9188",
        TargetGroup: "targetgroup/web-tg/73e2d6bc24d8a067",
      },
      alarmActions: ["arn:aws:sns:eu-west-1:123456789012:page"],
    });
    expect(low["alarmDescription"]).toContain("https://runbooks.example/web");
    expect(resources.filter((r) => r.type === types.alarm)).toHaveLength(6);
    expect(outputs?.min).toBe(3);
  });

  test("protection covers the target group alone", async () => {
    const { resources } = await make({ protectTargetGroup: true });
    expect(resources.filter((r) => r.protect).map((r) => r.type)).toEqual([types.targetGroup]);
    expect((await make()).resources.some((r) => r.protect)).toBe(false);
  });

  test("order: target group, listener rule, binding, workload", async () => {
    const { resources, errors } = await withCluster((opts) => {
      const web = new LoadBalancedService("web", serviceArgs, opts);
      new DrainSafeDeployment(
        "web",
        {
          ...workloadArgs,
          replicas: web.minReplicas,
          readinessGates: [web.readinessGate],
          deregistrationDelaySeconds: web.deregistrationDelaySeconds,
        },
        opts,
      );
    });
    expect(errors).toEqual([]);
    const chain = [types.targetGroup, types.rule, types.binding, types.deployment].map((type) => find(resources, type));
    for (const [index, node] of chain.entries())
      for (const earlier of chain.slice(0, index)) {
        expect(reaches(resources, node, earlier)).toBe(true);
        expect(reaches(resources, earlier, node)).toBe(false);
      }
    expect(reaches(resources, find(resources, types.binding), find(resources, types.service))).toBe(true);
  });

  test("two services share one load balancer and one net", async () => {
    const { resources, errors } = await withCluster((opts) => {
      new LoadBalancedService("web", serviceArgs, opts);
      new LoadBalancedService("api", { ...serviceArgs, hosts: ["api.example.com"] }, opts);
    });
    expect(errors).toEqual([]);
    expect(new Set(resources.map((r) => r.urn)).size).toBe(resources.length);
    expect(resources.some((r) => r.type === types.ingress)).toBe(false);
  });

  test("a preview before anything exists makes the same resources", async () => {
    const update = await make();
    const preview = await make({}, "web", { preview: true, state: previewState });
    expect(preview.errors).toEqual([]);
    expect(namesOf(preview.resources)).toEqual(namesOf(update.resources));
  });

  test("refusals: all at once", async () => {
    const { errors } = await make({
      namespace: "Shop",
      loadBalancer: { ...loadBalancer, vpcId: "x" },
      port: 80,
      selector: undefined,
      servicePort: 0,
      healthCheckPath: "",
      minReplicas: 1,
      hosts: ["localhost"],
      priority: 0,
      healthCheckIntervalSeconds: 1,
      deregistrationDelaySeconds: 4000,
      slowStartSeconds: 20,
    });
    const message = errors[0]!.message;
    for (const argument of [
      "namespace",
      "loadBalancer.vpcId",
      "healthCheckPath",
      "port",
      "service",
      "servicePort",
      "minReplicas",
      "hosts[0]",
      "priority",
      "healthCheckIntervalSeconds",
      "deregistrationDelaySeconds",
      "slowStartSeconds",
    ])
      expect(message).toContain(`\n  - ${argument}: `);
  });

  test.each<[string, Partial<LoadBalancedServiceArgs>, string, RegExp]>([
    ["a port outside the net", { port: 80 }, "web", /is 80, but the safety net opens 1024-65535 only/],
    ["both Service and selector", { service: "web" }, "web", /service: can't be given together with selector/],
    ["an empty selector", { selector: {} }, "web", /selector: is empty/],
    ["neither host nor path", { hosts: [] }, "web", /no request would reach the service/],
    [
      "six conditions",
      { hosts: ["a.b", "c.d", "e.f"], paths: ["/1", "/2", "/3"] },
      "web",
      /hold 6 values together; a listener rule takes 5/,
    ],
    ["a path without slash", { paths: ["api"] }, "web", /paths\[0\]: must begin with a slash/],
    ["a health check without slash", { healthCheckPath: "healthz" }, "web", /healthCheckPath: must begin with a slash/],
    ["a name too long", {}, "a-very-long-service-name", /makes the target group .* at most 24 fit/],
    ["a name in upper case", {}, "Web", /name: makes the Kubernetes object "Web-pods-binding", which can't/],
    ["a name with an underscore", {}, "my_web", /name: makes the Kubernetes object/],
    ["a name with a dot", {}, "web.", /name: makes the Kubernetes object/],
    ["a Service that there can't be", { selector: undefined, service: "" }, "web", /service: must be the name of a S/],
    ["a label that there can't be", { selector: { "a b": "x" } }, "web", /selector\["a b"\]: must be a key/],
    ["a value of 64 characters", { selector: { a: "v".repeat(64) } }, "web", /selector\["a"\]: must be at most 63/],
    ["a late value", { selector: { a: pulumi.output("b c") } }, "web", /selector\["a"\] must be at most 63/],
    ["a late health check", { healthCheckPath: pulumi.output("") }, "web", /healthCheckPath must begin with a slash/],
  ])("refuses %s", async (_, change, name, expected) => {
    expect(messages((await make(change, name)).errors)).toMatch(expected);
  });
});
