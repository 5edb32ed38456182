import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import Ajv from "ajv";
import {
  SafetyNetRules,
  TargetAddressType,
  TargetGroupBinding,
  TargetGroupProtocol,
  type SafetyNetRulesArgs,
  type TargetGroupBindingArgs,
} from "../../../components/load-balancing";
import bindingSchema from "../../fixtures/facts/lbc-targetgroupbinding-v1beta1.json";
import { find } from "../../support/graph";
import { run } from "../../support/harness";
import { arn, inputs, loadBalancer, messages, types, withCluster } from "./setup";

describe("SafetyNetRules", () => {
  const args: SafetyNetRulesArgs = { loadBalancer, targetSecurityGroupId: "sg-00000000000000pod" };
  const make = (change: Partial<SafetyNetRulesArgs> = {}) =>
    run(() => ({ ref: new SafetyNetRules("net", { ...args, ...change }).ref }));

  test("opens the same span on both sides, with each side naming the other", async () => {
    const { resources, outputs, errors } = await make();
    expect(errors).toEqual([]);
    const span = { ipProtocol: "tcp", fromPort: 1024, toPort: 65535 };
    expect(inputs(resources, types.ingress)).toMatchObject({
      ...span,
      securityGroupId: "sg-00000000000000pod",
      referencedSecurityGroupId: "sg-00000000000000alb",
    });
    expect(inputs(resources, types.egress)).toMatchObject({
      ...span,
      securityGroupId: "sg-00000000000000alb",
      referencedSecurityGroupId: "sg-00000000000000pod",
    });
    expect(outputs?.ref).toEqual({ fromPort: 1024, toPort: 65535 });
  });

  // The controller owns a rule exactly when its description parses as key=value pairs with this key; any "=" is a risk.
  test("its descriptions can't be read as the controller's", async () => {
    const { resources } = await make();
    for (const type of [types.ingress, types.egress])
      expect(inputs(resources, type)["description"]).not.toMatch(/elbv2\.k8s\.aws|=/);
  });

  test("works in a preview", async () => {
    const preview = await run(
      () => {
        const pods = new aws.ec2.SecurityGroup("pods", {});
        new SafetyNetRules("net", { ...args, targetSecurityGroupId: pods.id, fromPort: 3000, toPort: 3000 });
      },
      { preview: true },
    );
    expect(preview.errors).toEqual([]);
    expect(inputs(preview.resources, types.egress)).toMatchObject({ fromPort: 3000, toPort: 3000 });
  });

  test.each<[string, Partial<SafetyNetRulesArgs>, RegExp]>([
    [
      "the controller's own shape",
      { fromPort: 0, toPort: 65535 },
      /fromPort: makes tcp 0-65535, the rule that the con/,
    ],
    ["port 0", { fromPort: 0, toPort: 80 }, /fromPort: must be a whole number between 1 and 65535, not 0/],
    ["a reversed span", { fromPort: 9000, toPort: 8000 }, /toPort: must not be below fromPort \(9000\)/],
    ["a group with itself", { targetSecurityGroupId: "sg-00000000000000alb" }, /is the load balancer's own group/],
  ])("refuses %s", async (_, change, expected) => {
    expect(messages((await make(change)).errors)).toMatch(expected);
  });
});

describe("TargetGroupBinding", () => {
  const args: TargetGroupBindingArgs = {
    namespace: "shop",
    serviceName: "web",
    servicePort: 80,
    targetGroupArn: arn("targetgroup/old/0123456789abcdef"),
  };
  const make = (change: Partial<TargetGroupBindingArgs> = {}, name = "old") =>
    withCluster((opts) => {
      const made = new TargetGroupBinding(name, { ...args, ...change }, opts);
      return { name: made.bindingName, gate: made.readinessGate };
    });
  const validate = new Ajv({ strict: false }).compile(closed(bindingSchema.spec));

  test("binds an existing target group and asks for no security group rule", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    expect(inputs(resources, types.binding)).toMatchObject({
      apiVersion: "elbv2.k8s.aws/v1beta1",
      kind: "TargetGroupBinding",
      metadata: { namespace: "shop" },
    });
    expect(inputs(resources, types.binding)["spec"]).toEqual({
      serviceRef: { name: "web", port: 80 },
      targetGroupARN: args.targetGroupArn,
      targetType: "ip",
      ipAddressType: "ipv4",
    });
  });

  test.each<[string, Partial<TargetGroupBindingArgs>]>([
    ["least", {}],
    ["a named port", { servicePort: undefined, servicePortName: "http" }],
    [
      "everything",
      {
        vpcId: "vpc-0123456789abcdef0",
        ipAddressType: TargetAddressType.IPv6,
        targetGroupProtocol: TargetGroupProtocol.TcpUdp,
        multiCluster: true,
        labels: { team: "shop" },
      },
    ],
  ])("is what the controller's definition describes: %s", async (_, change) => {
    const { resources } = await make(change);
    const spec = inputs(resources, types.binding)["spec"];
    expect(validate(spec) ? [] : validate.errors).toEqual([]);
  });

  test("the schema check would find a misspelt field", () => {
    expect(validate({ serviceRef: { name: "web", port: 80 }, targetGroupArn: "x" })).toBe(false);
  });

  test("a new target group makes a new object, named by Pulumi, so that the old one needn't go first", async () => {
    const { resources } = await make();
    const binding = find(resources, types.binding);
    expect(binding.replaceOnChanges).toEqual(["spec.targetGroupARN"]);
    expect(binding.deleteBeforeReplace).toBe(false);
    expect(binding.inputs["metadata"]).not.toHaveProperty("name");
  });

  test("says which condition pods wait for", async () => {
    const { outputs } = await make();
    expect(outputs).toEqual({
      name: "old-binding-1a2b3c4d",
      gate: "target-health.elbv2.k8s.aws/old-binding-1a2b3c4d",
    });
  });

  // 63 characters for the second part of a condition's type; "-binding" and Pulumi's "-" and eight characters take 17.
  test("names that would make pods invalid are refused", async () => {
    expect((await make({}, "x".repeat(46))).errors).toEqual([]);
    expect(messages((await make({}, "x".repeat(47))).errors)).toMatch(
      /name: makes the Kubernetes object .* at most 54 fit/,
    );
  });

  test.each<[string, Partial<TargetGroupBindingArgs>, RegExp]>([
    ["no port", { servicePort: undefined }, /servicePort: is missing/],
    ["two ports", { servicePortName: "http" }, /servicePort: can't be given together/],
    ["a port beyond the last", { servicePort: 65536 }, /servicePort: must be a whole number between 1 and 65535/],
    ["a name instead of an ARN", { targetGroupArn: "old" }, /targetGroupArn: must be the ARN of a target group/],
    ["Ingress labels", { labels: { "ingress.k8s.aws/stack": "x" } }, /it would delete this one/],
    ["Service labels", { labels: { "service.k8s.aws/stack-name": "x" } }, /it would delete this one/],
    ["Gateway labels", { labels: { "gateway.k8s.aws.alb/stack": "x" } }, /it would delete this one/],
    ["a late port", { servicePort: pulumi.output(0) }, /servicePort must be a whole number between 1 and 65535/],
    ["a late ARN", { targetGroupArn: pulumi.output("old") }, /targetGroupArn must be the ARN of a target group/],
    ["a late Service", { serviceName: pulumi.output("") }, /serviceName must be the name of a Service/],
    ["a late label", { labels: { a: pulumi.output("b c") } }, /labels\["a"\] must be at most 63/],
  ])("refuses %s", async (_, change, expected) => {
    const { errors, resources } = await make(change);
    expect(messages(errors)).toMatch(expected);
    expect(resources.filter((r) => r.type === types.binding)).toEqual([]);
  });

  test("refuses all at once, each by its argument", async () => {
    const wrong: Partial<TargetGroupBindingArgs> = {
      namespace: "Shop",
      serviceName: "",
      servicePort: undefined,
      servicePortName: "not a name",
      targetGroupArn: "",
      vpcId: "x",
      labels: { "a b": "x", team: "a b" },
    };
    const { errors } = await make(wrong, "my_web");
    expect(errors).toHaveLength(1);
    const found = [...errors[0]!.message.matchAll(/\n {2}- (.*?): /g)].map(([, argument]) => argument);
    expect(found).toEqual([
      "name",
      "namespace",
      'labels["a b"]',
      'labels["team"]',
      "serviceName",
      "servicePortName",
      "targetGroupArn",
      "vpcId",
    ]);
  });

  test("names of the longest Service and port there can be are taken", async () => {
    const serviceName = "s".repeat(63);
    const { errors } = await make({ serviceName, servicePort: undefined, servicePortName: "p".repeat(63) });
    expect(errors).toEqual([]);
    expect(messages((await make({ serviceName: `${serviceName}s` })).errors)).toContain("serviceName: must be");
  });

  test("refuses to guess a cluster", async () => {
    const { errors } = await run(() => void new TargetGroupBinding("old", args));
    expect(messages(errors)).toMatch(/opts\.providers: has no Kubernetes provider/);
  });
});

/** The schema with unknown fields refused, as the API server's strict validation does. */
function closed(schema: object): object {
  const node = schema as Record<string, unknown>;
  const properties = node["properties"] as Record<string, object> | undefined;
  return {
    ...node,
    ...(properties === undefined
      ? {}
      : {
          additionalProperties: false,
          properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, closed(value)])),
        }),
    ...(typeof node["items"] === "object" ? { items: closed(node["items"] as object) } : {}),
  };
}
