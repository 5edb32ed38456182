import { oneControllerPerCluster } from "../../../policy/rules/controller/one-controller-per-cluster";
import { checkStack, exempt, unknown, type Given } from "../../support/policy";
import { ok, refused } from "../../support/verdicts";

describe("one-controller-per-cluster", () => {
  const check = (given: Given[], config?: object) => checkStack(oneControllerPerCluster, given, config);
  const values = { clusterName: "shop", region: "eu-west-1", vpcId: "vpc-0123456789abcdef0" };
  const release = (name: string, over: Record<string, unknown> = {}, more: Partial<Given> = {}): Given => ({
    type: "kubernetes:helm.sh/v3:Release",
    name,
    props: { chart: "aws-load-balancer-controller", values: { ...values, ...over } },
    ...more,
  });
  // What chart 3.5.0 renders: templates/deployment.yaml.
  const deployment = (name: string, args: unknown, more: Partial<Given> = {}): Given => ({
    type: "kubernetes:apps/v1:Deployment",
    name,
    props: {
      spec: {
        template: {
          spec: { containers: [{ image: "public.ecr.aws/eks/aws-load-balancer-controller:v3.5.0", args }] },
        },
      },
    },
    ...more,
  });
  const flags = ["--cluster-name=shop", "--ingress-class=alb", "--aws-region=eu-west-1"];

  test("one is fine, and one for each cluster", () => {
    expect(check([release("a")])).toEqual(ok);
    expect(check([release("a"), release("b", { clusterName: "bank" })])).toEqual(ok);
    expect(check([release("a", {}, { provider: "x" }), release("b", { clusterName: "bank" }, { provider: "y" })])) //
      .toEqual(ok);
  });

  test("two in one cluster are refused, with the reason", () => {
    expect(check([release("a"), release("b")])).toEqual(
      refused(/^"b" is a second AWS Load Balancer Controller beside "a".*revoke each other's rules.*Remove one/, "b"),
    );
    expect(check([release("a"), release("b"), release("c")]).violations.map((v) => v.name)).toEqual(["b", "c"]);
  });

  test("one provider is one cluster, whatever the values call it", () => {
    const [a, b] = [release("a", {}, { provider: "x" }), release("b", { clusterName: "bank" }, { provider: "x" })];
    expect(check([a, b])).toEqual(refused(/second/, "b"));
    const dim = (name: string): Given => ({
      ...release(name, {}, { provider: "x" }),
      props: { chart: release("").props["chart"], values: unknown },
    });
    expect(check([dim("a"), dim("b")])).toEqual(refused(/second/, "b"));
  });

  test("clusters of one name in two regions, or two VPCs, are two", () => {
    expect(check([release("a"), release("b", { region: "us-east-1" })])).toEqual(ok);
    expect(check([release("a"), release("b", { vpcId: "vpc-0fedcba9876543210" })])).toEqual(ok);
    expect(check([release("a"), release("b", { vpcId: unknown })])).toEqual(refused(/second/, "b"));
    expect(check([release("a"), release("b", { region: undefined })])).toEqual(ok);
  });

  test.each(["kubernetes:helm.sh/v2:Chart", "kubernetes:helm.sh/v3:Chart", "kubernetes:helm.sh/v4:Chart"])(
    "%s counts, by its values or by the Deployment in it, but once",
    (type) => {
      const chart = release("chart", {}, { type });
      const inside = deployment("inside", flags, { parent: "chart" });
      expect(check([release("a"), chart])).toEqual(refused(/second/, "chart"));
      expect(check([chart, inside])).toEqual(ok);
      expect(check([release("a"), chart, inside])).toEqual(refused(/second/, "inside"));
      // A Chart of the SDK for TypeScript registers no outputs: stack rules see nothing of it.
      expect(check([release("a"), { ...chart, props: {} }, inside])).toEqual(refused(/second/, "inside"));
    },
  );

  test("a controller from a manifest counts; other Deployments don't", () => {
    expect(check([release("a"), deployment("b", flags)])).toEqual(refused(/"b" is a second/, "b"));
    expect(check([release("a"), deployment("b", ["--cluster-name=bank"])])).toEqual(ok);
    expect(check([release("a"), deployment("b", undefined)])).toEqual(ok);
    expect(check([release("a"), deployment("b", flags, { type: "kubernetes:apps/v1:DeploymentPatch" })])).toEqual(ok);
    const other = deployment("b", flags);
    const image = { image: "registry.example.com/aws-load-balancer-controller-exporter:1", args: flags };
    other.props = { spec: { template: { spec: { containers: [image, null, "x"] } } } };
    expect(check([release("a"), other])).toEqual(ok);
  });

  test("a name that isn't known yet is advisory where both came from one resource, and nothing where not", () => {
    const cluster: Given = { type: "aws:eks/cluster:Cluster", name: "eks", props: {} };
    const dim = (name: string, from: string[]) =>
      release(name, { clusterName: unknown }, { propertyDependencies: { values: from } });
    expect(check([cluster, dim("a", ["eks"]), dim("b", ["eks"])])).toMatchObject({
      violations: [],
      undecided: expect.stringMatching(/^"b" and "a" may serve one cluster: .*clusterName/),
    });
    expect(check([cluster, dim("a", ["eks"]), dim("b", [])])).toEqual(ok);
    expect(check([release("a"), release("b", { region: unknown })]).undecided).toMatch(/region/);
  });

  test("an exemption exempts", () => {
    expect(check([release("a"), release("b")], { exemptions: [exempt("b")] })).toEqual(ok);
  });
});
