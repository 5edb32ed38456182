import { noStaticCopiesOfManagedRules } from "../../policy/rules/security-groups/no-static-copies-of-managed-rules";
import { edited, type Path } from "../support/edited";
import { checkStack, unknown, type Given } from "../support/policy";
import { advisory, ok, refused, rows } from "../support/verdicts";

// lbc.md 4.4: the controller generates tcp or udp, the ports of bindings (lowest to highest) or 0-65535, from groups and networks in
// `networking` or from its backend group. Never all protocols, never a prefix list.
describe("no-static-copies-of-managed-rules", () => {
  const check = (...given: Given[]) => checkStack(noStaticCopiesOfManagedRules, given);
  const peer = (groupID: unknown) => ({ securityGroup: { groupID } });
  const binding = (from: unknown[], ports: unknown[], over: Partial<Given> = {}): Given => ({
    type: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding",
    name: "binding",
    props: { spec: { targetGroupARN: unknown, networking: { ingress: [{ from, ports }] } } },
    ...over,
  });
  const tcp = (port: unknown) => ({ protocol: "TCP", port });
  const rule = (over: object = {}, more: Partial<Given> = {}): Given => ({
    type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    name: "net",
    props: {
      securityGroupId: "sg-cluster",
      referencedSecurityGroupId: "sg-alb",
      ipProtocol: "tcp",
      fromPort: 8080,
      toPort: 8080,
      ...over,
    },
    ...more,
  });
  const managed = binding([peer("sg-alb")], [tcp(8080), tcp(9090)]);
  const copied = refused(/^"net" lets in tcp .* from where the controller does it for "binding", too: .*65535/, "net");
  const group = (name: string, props: object = {}): Given => ({
    type: "aws:ec2/securityGroup:SecurityGroup",
    name,
    props: { tags: { Name: name }, ...props },
  });

  test("without networking, or from another group, a static rule is nobody's copy", () => {
    expect(check(rule(), edited(managed, ["props", "spec", "networking"], undefined))).toEqual(ok);
    expect(check(rule(), binding([peer("sg-edge")], [tcp(8080)]))).toEqual(ok);
    expect(check(rule(), { ...managed, type: `${managed.type}Patch` })).toEqual(ok);
    expect(check(rule())).toEqual(ok);
  });

  test.each([
    [8080, 8080],
    [9090, 9090],
    [8080, 9090],
    [0, 65535],
  ])("%i to %i is what the controller makes", (fromPort, toPort) => {
    expect(check(rule({ fromPort, toPort }), managed)).toEqual(copied);
  });

  test.each<[string, object]>([
    ["ports that no binding has", { fromPort: 8081, toPort: 8081 }],
    ["a range that ends elsewhere", { fromPort: 8080, toPort: 65535 }],
    ["all ports but 0", { fromPort: 1, toPort: 65535 }],
    ["all protocols", { ipProtocol: "-1", fromPort: undefined, toPort: undefined }],
    ["udp", { ipProtocol: "udp" }],
    ["a prefix list", { referencedSecurityGroupId: undefined, prefixListId: "pl-1" }],
    ["ports that aren't known", { fromPort: unknown, toPort: unknown }],
  ])("%s: a shape that it doesn't make", (_, over) => expect(check(rule(over), managed)).toEqual(ok));

  test("a rule on the way out isn't one of its", () => {
    expect(check(rule({}, { type: "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule" }), managed)).toEqual(ok);
  });

  test.each<[string, object]>([
    [
      "aws:ec2/securityGroupRule:SecurityGroupRule",
      {
        type: "ingress",
        securityGroupId: "sg-c",
        sourceSecurityGroupId: "sg-alb",
        protocol: "6",
        fromPort: 8080,
        toPort: 8080,
      },
    ],
    [
      "aws-native:ec2:SecurityGroupIngress",
      { groupId: "sg-c", sourceSecurityGroupId: "sg-alb", ipProtocol: "tcp", fromPort: 8080, toPort: 8080 },
    ],
  ])("%s makes the same permission", (type, props) => {
    expect(check({ type, name: "net", props: { ...props } }, managed)).toEqual(copied);
  });

  test("networks, udp, a missing protocol, ports by several bindings and Auto Mode's bindings count", () => {
    const cidr = rule({ referencedSecurityGroupId: undefined, cidrIpv4: "10.0.0.7/16" });
    expect(check(cidr, binding([{ ipBlock: { cidr: "10.0.0.0/16" } }], [tcp(8080)]))).toEqual(copied);
    expect(check(cidr, binding([{ ipBlock: { cidr: "10.1.0.0/16" } }], [tcp(8080)]))).toEqual(ok);
    const udp = binding([peer("sg-alb")], [{ protocol: "UDP", port: 53 }]);
    expect(check(rule({ ipProtocol: "udp", fromPort: 53, toPort: 53 }), udp).violations).toHaveLength(1);
    expect(check(rule(), binding([peer("sg-alb")], [{ port: 8080 }]))).toEqual(copied);
    const [one, other] = [8080, 9090].map((port) => binding([peer("sg-alb")], [tcp(port)], { name: `b${port}` }));
    expect(check(rule({ toPort: 9090 }), one!, other!).violations).toHaveLength(1);
    expect(check(rule(), { ...managed, type: "kubernetes:eks.amazonaws.com/v1:TargetGroupBinding" })).toEqual(copied);
  });

  test("ids that aren't known yet are known by where they came from", () => {
    const dim = (from: string[], ...ids: unknown[]) =>
      binding(ids.map(peer), [tcp(8080)], { propertyDependencies: { spec: from } });
    const net = rule(
      { referencedSecurityGroupId: unknown },
      { propertyDependencies: { referencedSecurityGroupId: ["alb"] } },
    );
    expect(check(group("alb"), net, dim(["alb"], unknown))).toEqual(copied);
    expect(check(group("alb"), group("edge"), net, dim(["edge"], unknown))).toEqual(ok);
    expect(check(group("alb"), group("edge"), net, dim(["alb", "edge"], unknown, unknown))).toEqual(copied);
    expect(check(group("alb"), group("edge"), net, dim(["alb", "edge"], unknown))).toEqual(advisory("groupID"));
    const sure = dim(["alb"], unknown);
    const unsure = { ...dim(["alb", "edge"], unknown), name: "unsure" };
    expect(check(group("alb"), group("edge"), net, unsure, sure)).toEqual(copied);
    expect(check(group("alb"), group("edge"), net, sure, unsure)).toEqual(copied);
  });

  test("a group of the stack without a cluster's tag isn't the controller's to edit", () => {
    const onIt = (id: unknown, more: Partial<Given> = {}) => rule({ securityGroupId: id }, more);
    const tagged = { tags: { "kubernetes.io/cluster/shop": "owned" } };
    expect(check(group("pods", { id: "sg-pods" }), onIt("sg-pods"), managed)).toEqual(ok);
    expect(check(group("pods", { id: "sg-pods", ...tagged }), onIt("sg-pods"), managed)).toEqual(copied);
    expect(check(group("pods", { id: "sg-pods", tags: unknown }), onIt("sg-pods"), managed)).toEqual(copied);
    const from = { propertyDependencies: { securityGroupId: ["pods"] } };
    expect(check(group("pods"), onIt(unknown, from), managed)).toEqual(ok);
    expect(check(group("pods", tagged), onIt(unknown, from), managed)).toEqual(copied);
    const tag: Given = {
      type: "aws:ec2/tag:Tag",
      name: "tag",
      props: { resourceId: "sg-pods", key: "kubernetes.io/cluster/shop", value: "owned" },
    };
    expect(check(group("pods", { id: "sg-pods" }), tag, onIt("sg-pods"), managed)).toEqual(copied);
  });

  describe("from the backend group of the controller", () => {
    const chart = (backendSecurityGroup: unknown, more: Partial<Given> = {}): Given => ({
      type: "kubernetes:helm.sh/v3:Release",
      name: "controller",
      props: { chart: "aws-load-balancer-controller", values: { clusterName: "shop", backendSecurityGroup } },
      ...more,
    });
    const backend = refused(/for "controller", too/, "net");

    test("any ports may be those of an Ingress, but all without 0 never are", () => {
      expect(check(rule({ fromPort: 1024, toPort: 65535 }), chart("sg-alb"))).toEqual(backend);
      expect(check(rule({ ipProtocol: "udp" }), chart("sg-alb"))).toEqual(backend);
      expect(check(rule({ fromPort: 1, toPort: 65535 }), chart("sg-alb"))).toEqual(ok);
      expect(check(rule({ ipProtocol: "-1" }), chart("sg-alb"))).toEqual(ok);
      expect(check(rule(), chart("sg-backend"))).toEqual(ok);
      expect(check(rule(), chart(undefined))).toEqual(ok);
      expect(check(rule(), chart(""))).toEqual(ok);
      expect(check(rule(), { ...chart("sg-alb"), props: { chart: "nginx", values: {} } })).toEqual(ok);
    });

    test("it is known by where it came from", () => {
      const net = rule(
        { referencedSecurityGroupId: unknown },
        { propertyDependencies: { referencedSecurityGroupId: ["alb"] } },
      );
      const from = (...names: string[]) => chart(unknown, { propertyDependencies: { values: names } });
      expect(check(group("alb"), net, from("alb"))).toEqual(backend);
      expect(check(group("alb"), group("edge"), net, from("alb", "edge"))).toEqual(ok);
      expect(check(group("alb"), net, from())).toEqual(ok);
    });
  });

  const odd: Path = ["props", "spec", "networking"];
  test.each(rows(undefined, null, "x", [], { ingress: "x" }, { ingress: [null, 7, { from: [null], ports: [null] }] }))(
    "networking %j asks for nothing",
    (value) => expect(check(rule(), edited(managed, odd, value))).toEqual(ok),
  );

  test("what isn't known of a binding asks for nothing", () => {
    for (const path of [odd, [...odd, "ingress"], [...odd, "ingress", 0], [...odd, "ingress", 0, "from"]])
      expect(check(rule(), edited(managed, path, unknown))).toEqual(ok);
    expect(check(rule(), binding([peer("sg-alb")], [{ protocol: unknown, port: 8080 }]))).toEqual(ok);
    expect(check(rule(), binding([peer("sg-alb")], [tcp("http")]))).toEqual(ok);
    expect(check(rule({ fromPort: 0, toPort: 65535 }), binding([peer("sg-alb")], [tcp(unknown)]))).toEqual(copied);
  });
});
