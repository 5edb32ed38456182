import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import Ajv from "ajv";
import {
  IngressSecurityGroups,
  ManagedPortProtocol,
  SafetyNetRules,
  TargetAddressType,
  TargetGroupBinding,
  TargetGroupProtocol,
  type IngressSecurityGroupsArgs,
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

describe("IngressSecurityGroups", () => {
  const args: IngressSecurityGroupsArgs = {
    vpcId: "vpc-0123456789abcdef0",
    frontSecurityGroupId: "sg-0f",
    targetSecurityGroupIds: { nodes: "sg-0d" },
  };
  const make = (change: Partial<IngressSecurityGroupsArgs> = {}) =>
    run(() => {
      const made = new IngressSecurityGroups("shop", { ...args, ...change });
      return { annotations: made.annotations, backend: made.backendSecurityGroupId, edge: made.edgeSecurityGroupId };
    });

  test("an Ingress carries its front and the edge, and the controller adds the backend", async () => {
    const { outputs, errors } = await make();
    expect(errors).toEqual([]);
    expect(outputs).toEqual({
      annotations: {
        "alb.ingress.kubernetes.io/security-groups": "sg-0f,shop-edge-id",
        "alb.ingress.kubernetes.io/manage-backend-security-group-rules": "true",
      },
      backend: "shop-backend-id",
      edge: "shop-edge-id",
    });
  });

  // lbc.md 4.4, safe shape 1: a source that the controller doesn't use. It uses the backend group, never the edge.
  test("the static rules come from the edge, which the controller doesn't know, both ways", async () => {
    const { resources } = await make({ toPort: 9000 });
    const span = { ipProtocol: "tcp", fromPort: 1024, toPort: 9000 };
    expect(inputs(resources, types.ingress)).toMatchObject({
      ...span,
      securityGroupId: "sg-0d",
      referencedSecurityGroupId: "shop-edge-id",
    });
    expect(inputs(resources, types.egress)).toMatchObject({
      ...span,
      securityGroupId: "shop-edge-id",
      referencedSecurityGroupId: "sg-0d",
    });
    for (const type of [types.ingress, types.egress]) {
      expect(JSON.stringify(inputs(resources, type))).not.toContain("backend");
      expect(inputs(resources, type)["description"]).not.toMatch(/elbv2\.k8s\.aws|=/);
    }
  });

  test("pods with groups of their own get rules of their own, from the one edge", async () => {
    const { resources } = await make({ targetSecurityGroupIds: { nodes: "sg-0d", shop: pulumi.output("sg-0e") } });
    const pairs = (type: string) =>
      resources
        .filter((r) => r.type === type)
        .map((r) => [r.name, r.inputs["securityGroupId"], r.inputs["referencedSecurityGroupId"]]);
    expect(pairs(types.ingress)).toEqual([
      ["shop-nodes-ingress", "sg-0d", "shop-edge-id"],
      ["shop-shop-ingress", "sg-0e", "shop-edge-id"],
    ]);
    expect(pairs(types.egress)).toEqual([
      ["shop-nodes-egress", "shop-edge-id", "sg-0d"],
      ["shop-shop-egress", "shop-edge-id", "sg-0e"],
    ]);
  });

  test("its groups have no inline rules, and nothing by which the controller would find them", async () => {
    const { resources } = await make({ tags: { team: "edge" } });
    expect(resources.filter((r) => r.type === types.group).map((r) => r.name)).toEqual(["shop-backend", "shop-edge"]);
    for (const name of ["shop-backend", "shop-edge"]) {
      expect(Object.keys(inputs(resources, types.group, name)).sort()).toEqual(["description", "tags", "vpcId"]);
      expect(inputs(resources, types.group, name)["tags"]).toEqual({ Name: name, team: "edge" });
    }
  });

  test("works in a preview, before there is any group", async () => {
    const preview = await run(
      () => {
        const groups = ["front", "pods"].map((name) => new aws.ec2.SecurityGroup(name, {}).id);
        const [frontSecurityGroupId, nodes] = [groups[0]!, groups[1]!];
        new IngressSecurityGroups("shop", { ...args, frontSecurityGroupId, targetSecurityGroupIds: { nodes } });
      },
      { preview: true },
    );
    expect(preview.errors).toEqual([]);
    expect(inputs(preview.resources, types.ingress)).toMatchObject({ fromPort: 1024, toPort: 65535 });
  });

  test.each<[string, Partial<IngressSecurityGroupsArgs>, RegExp]>([
    [
      "the cluster's tag",
      { tags: { "kubernetes.io/cluster/shop": "owned" } },
      /tags: has "kubernetes\.io\/cluster\/shop"/,
    ],
    ["the controller's tag", { tags: { "elbv2.k8s.aws/cluster": "shop" } }, /tags: has "elbv2\.k8s\.aws\/cluster"/],
    ["such a tag, late", { tags: pulumi.output({ "elbv2.k8s.aws/resource": "x" }) }, /tags has "elbv2\.k8s\.aws/],
    ["a name for a group", { frontSecurityGroupId: "front" }, /frontSecurityGroupId: must be the id of a security gr/],
    ["the controller's own shape", { fromPort: 0, toPort: 65535 }, /fromPort: makes tcp 0-65535/],
    ["no VPC", { vpcId: "" }, /vpcId: must be the id of a VPC/],
    ["no pods", { targetSecurityGroupIds: {} }, /targetSecurityGroupIds: names no group/],
    [
      "a name of two words",
      { targetSecurityGroupIds: { "a b": "sg-0d" } },
      /targetSecurityGroupIds\.a b: has a name that/,
    ],
    [
      "a name for the pods' group",
      { targetSecurityGroupIds: { nodes: "x" } },
      /targetSecurityGroupIds\.nodes: must be the/,
    ],
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
        assumeRoleArn: "arn:aws:iam::210987654321:role/registrar",
        assumeRoleExternalId: "shop",
        managedIngress: [
          { securityGroupIds: ["sg-0123456789abcdef0"], cidrs: ["10.0.0.0/16", "fd00::/8"], ports: [{ port: 8080 }] },
          { cidrs: ["10.1.0.0/16"], ports: [{ port: 53, protocol: ManagedPortProtocol.Udp }] },
        ],
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
    expect(validate({ serviceRef: { name: "web", port: 80 }, networking: { ingress: [{ from: [] }] } })).toBe(false);
  });

  // Release notes of 3.7.0. What the definition of 3.5.0 lists is the rest of the enum.
  test("every protocol of the definition can be given, and GENEVE, which only a newer definition takes", () => {
    const { enum: listed } = bindingSchema.spec.properties.targetGroupProtocol;
    expect(Object.values(TargetGroupProtocol)).toEqual([...listed, "GENEVE"]);
  });

  test("every field can be given, but for those of other ways to find a group or a target", () => {
    const given = ["iamRoleArnToAssume", "assumeRoleExternalId", "ipAddressType", "multiClusterTargetGroup"];
    const always = ["networking", "serviceRef", "targetGroupARN", "targetGroupProtocol", "targetType", "vpcID"];
    const never = ["nodeSelector", "targetGroupName"]; // for instances; ignored when it changes (issue 4071)
    expect(Object.keys(bindingSchema.spec.properties).sort()).toEqual([...given, ...always, ...never].sort());
  });

  test("rules of the controller's own, only when asked for, from each source to each port", async () => {
    const spec = async (managedIngress: TargetGroupBindingArgs["managedIngress"]) =>
      inputs((await make({ managedIngress })).resources, types.binding)["spec"];
    expect(await spec([])).not.toHaveProperty("networking");
    const rule = { securityGroupIds: [pulumi.output("sg-0a")], cidrs: ["10.0.0.0/16"], ports: [{ port: 8080 }] };
    expect(await spec([rule])).toMatchObject({
      networking: {
        ingress: [
          {
            from: [{ securityGroup: { groupID: "sg-0a" } }, { ipBlock: { cidr: "10.0.0.0/16" } }],
            ports: [{ protocol: "TCP", port: 8080 }],
          },
        ],
      },
    });
  });

  test("a group in another account is reached by a role there", async () => {
    const role = "arn:aws:iam::210987654321:role/registrar";
    const { resources } = await make({ assumeRoleArn: pulumi.output(role), assumeRoleExternalId: "shop" });
    expect(inputs(resources, types.binding)["spec"]).toMatchObject({
      iamRoleArnToAssume: role,
      assumeRoleExternalId: "shop",
    });
  });

  test("a new target group makes a new object, named by Pulumi, so that the old one needn't go first", async () => {
    const { resources } = await make();
    const binding = find(resources, types.binding);
    expect(binding.replaceOnChanges).toEqual(["spec.targetGroupARN"]);
    expect(binding.deleteBeforeReplace).toBe(false);
    expect(binding.inputs["metadata"]).not.toHaveProperty("name");
  });

  // The group stays and takes one binding: the webhook would refuse the new one while the old one stands.
  test("a move to another namespace deletes first, where that is asked for", async () => {
    const { resources } = await make({ namespace: "store", deleteBeforeReplace: true });
    expect(find(resources, types.binding).deleteBeforeReplace).toBe(true);
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
    [
      "rules from nobody",
      { managedIngress: [{ ports: [{ port: 80 }] }] },
      /managedIngress\[0\]\.securityGroupIds: names no/,
    ],
    [
      "rules without ports, of which the controller makes none",
      { managedIngress: [{ cidrs: ["10.0.0.0/8"], ports: [] }] },
      /managedIngress\[0\]\.ports: is empty/,
    ],
    [
      "a rule for port 0",
      { managedIngress: [{ cidrs: ["10.0.0.0/8"], ports: [{ port: 0 }] }] },
      /managedIngress\[0\]\.ports\[0\]\.port: must be a whole number/,
    ],
    [
      "an address for a network",
      { managedIngress: [{ cidrs: ["10.0.0.1"], ports: [{ port: 80 }] }] },
      /managedIngress\[0\]\.cidrs\[0\]: must be an IPv4 range/,
    ],
    [
      "another spelling of a network than EC2's own",
      { managedIngress: [{ cidrs: ["10.0.0.7/16", "2001:DB8::/32"], ports: [{ port: 80 }] }] },
      /cidrs\[0\]: must begin at the first address of a \/16.*\n.*cidrs\[1\]: must be written as "2001:db8::\/32"/,
    ],
    [
      "a late name of a group",
      { managedIngress: [{ securityGroupIds: [pulumi.output("alb")], ports: [{ port: 80 }] }] },
      /managedIngress\[0\]\.securityGroupIds\[0\] must be the id/,
    ],
    ["an external id for nobody", { assumeRoleExternalId: "x" }, /assumeRoleExternalId: has no effect without/],
    [
      "a user for a role",
      { assumeRoleArn: "arn:aws:iam::123456789012:user/x" },
      /assumeRoleArn: must be the ARN of a r/,
    ],
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
