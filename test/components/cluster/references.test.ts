import * as aws from "@pulumi/aws";
import * as eks from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { clusterRefByName, clusterRefFromAws, clusterRefFromEks, type ClusterRef } from "../../../components/cluster";
import { find } from "../../support/graph";
import { answers, run, type Run, type RunOptions } from "../../support/harness";
import { child, oidcIssuer } from "./setup";

describe("references to clusters made elsewhere", () => {
  const expected = {
    name: "shop",
    endpoint: "https://shop.example",
    certificateAuthority: "Q0E=",
    oidcProviderArn: `arn:aws:iam::123456789012:oidc-provider/${oidcIssuer}`,
    oidcIssuer,
    securityGroupId: "sg-cluster",
    vpcId: "vpc-1",
  };

  test("made with @pulumi/eks", async () => {
    const refer = (name: string, oidcProviderArn: string) =>
      run(() => clusterRefFromEks(name, new eks.Cluster("c", {})), {
        state: () => ({ eksCluster: child, oidcIssuer, oidcProviderArn }),
      });
    expect((await refer("shop", expected.oidcProviderArn)).outputs).toEqual(expected);
    expect((await refer("shop", "")).errors[0]?.message).toContain("oidcProviderArn is empty");
    expect((await refer("other", "arn")).errors[0]?.message).toContain(
      'name is "other", but the cluster is called "shop"',
    );
  });

  test("made with @pulumi/eks, where something in it failed and the update goes on", async () => {
    const { errors } = await run(() => clusterRefFromEks("shop", new eks.Cluster("c", {})), {
      state: () => ({ eksCluster: child, oidcProviderArn: expected.oidcProviderArn }),
    });
    expect(errors[0]?.message).toContain('cluster "shop" isn\'t known, because something that it comes from failed');
  });

  // As programs without types write them.
  test.each<[string, (...args: never[]) => ClusterRef, unknown[], string[]]>([
    ["a number as name", clusterRefByName, [5], ["name"]],
    ["nothing", clusterRefByName, [], ["name"]],
    ["a misspelt option", clusterRefByName, ["shop", { oidcProviderARN: "arn" }], ["oidcProviderARN"]],
    ["an ARN that is none", clusterRefByName, ["shop", { oidcProviderArn: 5 }], ["oidcProviderArn"]],
    ["options that are none", clusterRefByName, ["shop", null], ["args"]],
    ["no cluster of @pulumi/eks", clusterRefFromEks, ["shop"], ["cluster"]],
    ["no cluster of aws.eks", clusterRefFromAws, ["shop"], ["cluster", "oidcProviderArn"]],
  ])("%s is refused before anybody is asked", async (_, refer, args, named) => {
    const { errors, calls } = await run(() => refer(...(args as never[])));
    expect(errors).toHaveLength(1);
    expect([...errors[0]!.message.matchAll(/^ {2}- (.+?): /gm)].map(([, path]) => path)).toEqual(named);
    expect(calls).toEqual([]);
  });

  test("made with aws.eks", async () => {
    const { outputs, errors } = await run(
      () =>
        clusterRefFromAws(
          "shop",
          new aws.eks.Cluster("c", { roleArn: "arn", vpcConfig: { subnetIds: [] } }),
          expected.oidcProviderArn,
        ),
      { state: () => ({ ...child, identities: [{ oidcs: [{ issuer: `https://${oidcIssuer}` }] }] }) },
    );
    expect(errors).toEqual([]);
    expect(outputs).toEqual(expected);
  });

  test("found by name", async () => {
    const { outputs, errors, calls } = await run(() => clusterRefByName("shop"), {
      call: (args) =>
        args.token === "aws:eks/getCluster:getCluster"
          ? {
              ...child,
              arn: "arn:aws:eks:eu-west-1:123456789012:cluster/shop",
              certificateAuthorities: [{ data: "Q0E=" }],
              identities: [{ oidcs: [{ issuer: `https://${oidcIssuer}` }] }],
            }
          : answers(args),
    });
    expect(errors).toEqual([]);
    expect(outputs).toEqual(expected);
    expect(calls.map((c) => c.inputs as unknown)).toEqual([{ name: "shop" }]);
  });

  /** A reference of each kind to a cluster of which AWS says something. */
  type Found = Readonly<Record<string, unknown>>;
  const issuer = { identities: [{ oidcs: [{ issuer: `https://${oidcIssuer}` }] }] };
  const kinds: readonly [string, (name: string, found: Found, options?: RunOptions) => Promise<Run<ClusterRef>>][] = [
    [
      "aws.eks",
      (name, found, options = {}) =>
        run(
          () =>
            clusterRefFromAws(
              name,
              new aws.eks.Cluster("c", { roleArn: "arn", vpcConfig: { subnetIds: [] } }),
              expected.oidcProviderArn,
            ),
          { state: () => ({ ...child, ...issuer, ...found }), ...options },
        ),
    ],
    [
      "a name",
      (name, found, options = {}) =>
        run(() => clusterRefByName(name), {
          call: () => ({
            ...child,
            ...issuer,
            arn: "arn:aws-cn:eks:cn-north-1:123456789012:cluster/shop",
            certificateAuthorities: [{ data: "Q0E=" }],
            ...found,
          }),
          ...options,
        }),
    ],
  ];
  describe.each(kinds)("by %s", (_, refer) => {
    const refused = async (found: Found, name = "shop") =>
      (await refer(name, found)).errors.map(({ message }) => message).join();

    test("another cluster's name is refused", async () =>
      expect(await refused({}, "other")).toContain('name is "other", but the cluster is called "shop"; pass that'));

    test.each<[string, Found]>([
      ["a security group of its own", { vpcConfig: { vpcId: "vpc-1" } }],
      ["an endpoint", { endpoint: "" }],
      ["an OpenID Connect issuer", { identities: [] }],
      ["a certificate authority", { certificateAuthority: { data: "" }, certificateAuthorities: [] }],
    ])("a cluster without %s isn't ready", async (what, found) =>
      expect(await refused(found)).toContain(`name is that of a cluster without ${what}: wait until EKS says`),
    );
  });

  test("an identity provider of another partition is found by the cluster's ARN", async () => {
    const { outputs } = await kinds[1]![1]("shop", {});
    expect(outputs?.oidcProviderArn).toBe(`arn:aws-cn:iam::123456789012:oidc-provider/${oidcIssuer}`);
  });

  test("an ARN of the identity provider that is empty is refused, whoever made the cluster", async () => {
    const { errors } = await run(
      () => clusterRefFromAws("shop", new aws.eks.Cluster("c", { roleArn: "arn", vpcConfig: { subnetIds: [] } }), ""),
      { state: () => ({ ...child, ...issuer }) },
    );
    expect(errors[0]?.message).toContain("oidcProviderArn is empty: make the cluster with createOidcProvider: true");
  });

  test("before it is made its name is known, and nothing else", async () => {
    const { errors, resources } = await run(
      () => {
        const ref = clusterRefFromEks("shop", new eks.Cluster("c", {}));
        new aws.sns.Topic("name", { name: ref.name, displayName: ref.endpoint });
      },
      { preview: true },
    );
    expect(errors).toEqual([]);
    const { inputs } = find(resources, "aws:sns/topic:Topic");
    expect([inputs["name"], inputs["displayName"]]).toEqual(["shop", pulumi.runtime.unknownValue]);
  });
});
