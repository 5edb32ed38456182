import { oneClusterGroupPerNode } from "../../policy/rules/security-groups/one-cluster-group-per-node";
import { checkStack, exempt, unknown, type Given } from "../support/policy";
import { ok, refused, rows } from "../support/verdicts";

const clusterTag = "kubernetes.io/cluster/shop";

describe("one-cluster-group-per-node", () => {
  const check = (given: Given[], config?: object) => checkStack(oneClusterGroupPerNode, given, config);
  const group = (name: string, props: object = {}, type = "aws:ec2/securityGroup:SecurityGroup"): Given => ({
    type,
    name,
    props: { id: unknown, name: `shop-${name}`, tags: { [clusterTag]: "owned", tier: "nodes" }, ...props },
  });
  const plain = (name: string) => group(name, { tags: { Name: name, tier: "nodes" } });
  const node = (terms: unknown, from: string[] = [], type = "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"): Given => ({
    type,
    name: "class",
    props: { metadata: { name: "web" }, spec: { securityGroupSelectorTerms: terms } },
    propertyDependencies: { spec: from },
  });
  const two = refused(
    /^"class" puts 2 security groups with the tag kubernetes\.io\/cluster\/shop on its nodes: a, b\. Keep one/,
    "class",
  );
  const withEks = refused(/2 security groups .*: a, the one that EKS makes\./, "class");

  test("one tagged group beside others without the tag is fine", () => {
    expect(check([group("a"), plain("b"), node([{ id: unknown }, { id: unknown }], ["a", "b"])])).toEqual(ok);
    expect(check([group("a"), plain("b"), node([{ tags: { tier: "nodes" } }])])).toEqual(ok);
    expect(check([group("a"), node([{ tags: { [clusterTag]: "shared" } }])])).toEqual(ok);
    expect(check([node([{ tags: { [clusterTag]: "owned" } }])])).toEqual(ok);
  });

  test("two by id are refused, known or not", () => {
    const [a, b] = [group("a", { id: "sg-0a" }), group("b", { id: "sg-0b" })];
    expect(check([a, b, node([{ id: "sg-0a" }, { id: "sg-0b" }])])).toEqual(two);
    expect(check([a, b, node([{ id: "sg-0a" }, { id: "sg-0c" }])])).toEqual(ok);
    expect(check([group("a"), group("b"), node([{ id: unknown }, { id: unknown }], ["a", "b"])])).toEqual(two);
    expect(check([group("a"), group("b"), node(unknown, ["a", "b"])])).toEqual(two);
  });

  test("fewer unknown ids than groups that the class depends on tell nothing", () => {
    expect(check([group("a"), group("b"), node([{ id: unknown }], ["a", "b"])])).toEqual(ok);
    expect(check([group("a"), group("b"), node([{ tags: { x: "y" } }], ["a", "b"])])).toEqual(ok);
    const three = [group("a"), group("b"), plain("c")];
    expect(check([...three, node([{ id: unknown }, { id: unknown }], ["a", "b", "c"])])).toEqual(ok);
  });

  test("two by their tags or names are refused; every condition of a term must hold", () => {
    expect(check([group("a"), group("b"), node([{ tags: { tier: "nodes" } }])])).toEqual(two);
    expect(check([group("a"), group("b"), node([{ tags: { tier: "*" } }])])).toEqual(two);
    expect(check([group("a"), group("b"), node([{ name: "shop-*" }])])).toEqual(two);
    expect(check([group("a"), group("b"), node([{ name: "shop-a" }, { name: "shop-b" }])])).toEqual(two);
    expect(check([group("a"), group("b"), node([{ tags: { tier: "nodes" }, name: "shop-a" }])])).toEqual(ok);
    expect(check([group("a"), group("b"), node([{ tags: { tier: "nodes", team: "x" } }])])).toEqual(ok);
    expect(check([group("a"), group("b"), node([{ tags: { tier: "edge" } }])])).toEqual(ok);
    expect(check([group("a"), group("b"), node([{ name: "shop" }])])).toEqual(ok);
  });

  // EKS tags the group that it makes for a cluster with kubernetes.io/cluster/<name> = owned (lbc.md 4.4, end).
  test.each(["owned", "*"])("a term for the cluster's tag (%s) also selects the group that EKS makes", (value) => {
    expect(check([group("a"), node([{ tags: { [clusterTag]: value } }])])).toEqual(withEks);
    expect(check([group("a"), node([{ tags: { [clusterTag]: value } }, { tags: { [clusterTag]: "owned" } }])])) //
      .toEqual(withEks);
    expect(check([group("a"), node([{ tags: { [clusterTag]: value, tier: "nodes" } }])])).toEqual(ok);
  });

  test.each<[string, (id: string) => object]>([
    ["aws:eks/cluster:Cluster", (id) => ({ name: "shop", vpcConfig: { clusterSecurityGroupId: id } })],
    ["aws-native:eks:Cluster", (id) => ({ name: "shop", clusterSecurityGroupId: id })],
  ])("so does its id, once %s has it", (type, props) => {
    const cluster = (id: string): Given => ({ type, name: "eks", props: { ...props(id) } });
    const nodes = node([{ id: "sg-eks" }, { id: "sg-0a" }]);
    expect(check([cluster("sg-eks"), group("a", { id: "sg-0a" }), nodes])).toEqual(withEks);
    expect(check([cluster("sg-other"), group("a", { id: "sg-0a" }), nodes])).toEqual(ok);
    const bank = { ...cluster("sg-eks"), props: { ...props("sg-eks"), name: "bank" } };
    expect(check([bank, group("a", { id: "sg-0a" }), nodes])).toEqual(ok);
    const template: Given = {
      type: "aws:ec2/launchTemplate:LaunchTemplate",
      name: "class",
      props: { vpcSecurityGroupIds: ["sg-0a", "sg-eks"] },
    };
    expect(check([cluster("sg-eks"), group("a", { id: "sg-0a" }), template])).toEqual(withEks);
  });

  test("the group that EKS makes, adopted into the stack, isn't a second one", () => {
    expect(check([group("a", { name: "eks-cluster-sg-shop-12345" }), node([{ tags: { [clusterTag]: "owned" } }])])) //
      .toEqual(ok);
  });

  test("groups of two clusters on one node are two of one each", () => {
    const bank = group("b", { tags: { "kubernetes.io/cluster/bank": "owned", tier: "nodes" } });
    expect(check([group("a"), bank, node([{ tags: { tier: "nodes" } }])])).toEqual(ok);
  });

  test.each<[string, Partial<Given>]>([
    ["aws:ec2/launchTemplate:LaunchTemplate", { props: { vpcSecurityGroupIds: [unknown, unknown] } }],
    [
      "aws:ec2/launchTemplate:LaunchTemplate",
      { props: { networkInterfaces: [{ securityGroups: [unknown, unknown] }] } },
    ],
    [
      "kubernetes:crd.k8s.amazonaws.com/v1alpha1:ENIConfig",
      { props: { spec: { securityGroups: [unknown, unknown] } } },
    ],
    [
      "kubernetes:vpcresources.k8s.aws/v1beta1:SecurityGroupPolicy",
      { props: { spec: { securityGroups: { groupIds: [unknown, unknown] } } } },
    ],
    ["kubernetes:karpenter.k8s.aws/v1beta1:EC2NodeClass", node([{ id: unknown }, { id: unknown }])],
  ])("%s (%#)", (type, { props }) => {
    const holder: Given = { type, name: "class", props: props!, propertyDependencies: {} };
    const property = Object.keys(props!).at(-1)!;
    const from = (...names: string[]) => ({ ...holder, propertyDependencies: { [property]: names } });
    expect(check([group("a"), group("b"), from("a", "b")])).toEqual(two);
    expect(check([group("a"), plain("b"), from("a", "b")])).toEqual(ok);
    expect(check([group("a"), group("b"), holder])).toEqual(ok);
  });

  test("groups of aws-native count, with their list of tags", () => {
    const native = (name: string): Given => ({
      type: "aws-native:ec2:SecurityGroup",
      name,
      props: { id: `sg-${name}`, groupName: `shop-${name}`, tags: [{ key: clusterTag, value: "owned" }] },
    });
    expect(check([native("a"), native("b"), node([{ id: "sg-a" }, { name: "shop-b" }])])).toEqual(two);
  });

  test("the value of the tag needn't be known; unknown tags say nothing", () => {
    const dim = (name: string) => group(name, { tags: { [clusterTag]: unknown } });
    expect(check([dim("a"), dim("b"), node([{ id: unknown }, { id: unknown }], ["a", "b"])])).toEqual(two);
    expect(check([group("a"), group("b", { tags: unknown }), node([{ id: unknown }, { id: unknown }], ["a", "b"])])) //
      .toEqual(ok);
  });

  test.each(rows(undefined, null, "x", 7, {}, [null, "x"], [unknown]))(
    "terms %j select nothing for certain",
    (terms) => {
      expect(check([group("a"), group("b"), node(terms)])).toEqual(ok);
    },
  );

  test("an exemption exempts", () => {
    const given = [group("a"), group("b"), node([{ tags: { tier: "nodes" } }])];
    expect(check(given, { exemptions: [exempt("class")] })).toEqual(ok);
  });
});
