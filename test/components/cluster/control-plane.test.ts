import * as pulumi from "@pulumi/pulumi";
import { ClusterAccessLevel, type EksClusterArgs } from "../../../components/cluster";
import { insideCluster } from "../../../components/cluster/child-cluster";
import { find } from "../../support/graph";
import { secretSignature } from "../../support/harness";
import { admin, make, oidcIssuer, thrown, types } from "./setup";

const other = { principalArn: "arn:aws:iam::123456789012:role/other" };

const boundary = "arn:aws:iam::123456789012:policy/boundary";

describe("EksCluster", () => {
  test("asks @pulumi/eks for a hardened cluster and nothing that would dead-lock in it", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    const inputs = find(resources, types.cluster, "shop-cluster").inputs;
    // Arguments and reasons: the run of the component in the real engine, research on eks-component.
    expect(inputs).toMatchObject({
      name: "shop",
      version: "1.36",
      vpcId: "vpc-1",
      privateSubnetIds: ["subnet-a", "subnet-b"],
      authenticationMode: "API",
      endpointPrivateAccess: true,
      endpointPublicAccess: false,
      encryptionConfigKeyArn: "arn:shop-key",
      enabledClusterLogTypes: ["api", "audit", "authenticator", "controllerManager", "scheduler"],
      deletionProtection: true,
      upgradePolicy: { supportType: "STANDARD" },
      skipDefaultNodeGroup: true,
      skipDefaultSecurityGroups: true,
      createOidcProvider: false,
      bootstrapSelfManagedAddons: false,
      useDefaultVpcCni: true,
      corednsAddonOptions: { enabled: false },
      kubeProxyAddonOptions: { enabled: false },
      accessEntries: {
        deployer: {
          principalArn: "arn:aws:iam::123456789012:role/deploy",
          accessPolicies: {
            ClusterAdmin: {
              policyArn: "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy",
              accessScope: { type: "cluster" },
            },
          },
        },
      },
    });
    // @pulumi/eks refuses CIDR blocks with a private endpoint, and AWS reads an empty list as everybody.
    expect(inputs).not.toHaveProperty("publicAccessCidrs");
  });

  describe("changes inside eks.Cluster", () => {
    const change = (type: string, permissionsBoundaryArn?: string) =>
      Promise.resolve(
        insideCluster({ zonalShift: true, permissionsBoundaryArn })({
          custom: true,
          type,
          name: "shop-cluster-eksCluster",
          props: {
            name: "shop",
            accessConfig: { authenticationMode: "API", bootstrapClusterCreatorAdminPermissions: true },
          },
          opts: { protect: true },
        }),
      );

    test("the cluster: no rights for the creator, zonal shift, long enough timeouts", async () => {
      expect(await change("aws:eks/cluster:Cluster")).toEqual({
        props: {
          name: "shop",
          accessConfig: { authenticationMode: "API", bootstrapClusterCreatorAdminPermissions: false },
          zonalShiftConfig: { enabled: true },
        },
        opts: { protect: true, customTimeouts: { create: "45m", update: "90m", delete: "30m" } },
      });
    });

    test("its role: the boundary, if there is one", async () => {
      expect(await change("aws:iam/role:Role", boundary)).toMatchObject({
        props: { name: "shop", permissionsBoundary: boundary },
        opts: { protect: true },
      });
      expect(await change("aws:iam/role:Role")).toBeUndefined();
    });

    test("nothing else", async () => expect(await change("aws:eks/addon:Addon", boundary)).toBeUndefined());
  });

  test("every role made here has the boundary that an organization requires", async () => {
    const { resources } = await make({ permissionsBoundaryArn: boundary });
    const roles = resources.filter((r) => r.type === types.role);
    expect(roles.map((r) => [r.name, r.inputs["permissionsBoundary"]]).sort()).toEqual(
      ["shop-ebs-csi-driver", "shop-node", "shop-vpc-cni"].map((name) => [name, boundary]),
    );
    expect(await thrown({ permissionsBoundaryArn: "boundary" })).toContain(
      "permissionsBoundaryArn: must be the ARN of a managed policy",
    );
  });

  test("keeps the logs 90 days, in the group that EKS writes to, and rotates the key", async () => {
    const { resources } = await make();
    expect(find(resources, types.logs).inputs).toMatchObject({ name: "/aws/eks/shop/cluster", retentionInDays: 90 });
    expect(find(resources, types.key).inputs).toMatchObject({ enableKeyRotation: true });
    expect(find(resources, "aws:kms/alias:Alias").inputs).toMatchObject({ name: "alias/eks/shop" });
    expect(await thrown({ logRetentionInDays: 91 })).toContain("logRetentionInDays: must be one of 0, 1, 3");
  });

  test("hands out a plain name and a reference; the kubeconfig is secret", async () => {
    const { outputs, registeredOutputs, resources } = await make();
    expect(outputs).toEqual({
      name: "shop",
      node: "arn:shop-node",
      driver: "arn:shop-ebs-csi-driver",
      ref: {
        name: "shop",
        endpoint: "https://shop.example",
        certificateAuthority: "Q0E=",
        oidcProviderArn: "arn:shop-oidc",
        oidcIssuer,
        securityGroupId: "sg-cluster",
        vpcId: "vpc-1",
        zonalShift: true,
      },
    });
    const registered = registeredOutputs[find(resources, "moorings:index:EksCluster").urn];
    expect(registered?.kubeconfig).toEqual({ ...secretSignature, value: '{"kind":"Config"}' });
  });

  test("previews while the cluster is a closed box: names stay known, so nothing is planned for replacement", async () => {
    const { resources, errors } = await make({}, { preview: true });
    expect(errors).toEqual([]);
    expect(find(resources, types.nodes).inputs.clusterName).toBe("shop");
    for (const r of resources.filter((x) => x.type === types.addon)) expect(r.inputs.clusterName).toBe("shop");
    expect(find(resources, types.oidc).inputs.url).toBe(pulumi.runtime.unknownValue);
    expect(find(resources, types.logs).inputs.name).toBe("/aws/eks/shop/cluster");
    // Mocks stand still when a remote component's outputs never come; the numbers say that nothing was skipped.
    expect(resources.filter((r) => r.type === types.addon)).toHaveLength(6);
    expect(resources.filter((r) => r.type === types.role)).toHaveLength(3);
  });

  test("opens the API to named networks only", async () => {
    const { resources } = await make({ publicAccessCidrs: ["203.0.113.0/24"] });
    expect(find(resources, types.cluster).inputs).toMatchObject({
      endpointPrivateAccess: true,
      endpointPublicAccess: true,
      publicAccessCidrs: ["203.0.113.0/24"],
    });
    const wide = ["0.0.0.0/0", "0.0.0.0/1", "128.0.0.0/1", "10.0.0.0/7"]; // two halves are everybody, too
    const message = await thrown({ publicAccessCidrs: [...wide, "2001:db8::/32", "office", "203.0.113.7/24"] });
    for (const [index, cidr] of wide.entries())
      expect(message).toContain(`publicAccessCidrs[${index}]: ${cidr} opens the Kubernetes API to everybody`);
    // "You can't add IPv6 CIDR blocks to IPv4 clusters" (EKS API, VpcConfigRequest).
    expect(message).toContain("publicAccessCidrs[4]: 2001:db8::/32 is IPv6, which the Kubernetes API doesn't speak");
    expect(message).toContain('publicAccessCidrs[5]: must be an IPv4 range such as 203.0.113.0/24, not "office"');
    expect(message).toContain("publicAccessCidrs[6]: must begin at the first address of a /24");
  });

  test("the private endpoint lets in who is named, and refuses everybody", async () => {
    const { resources } = await make({ privateAccessCidrs: ["10.20.0.0/16", "10.0.0.0/8"] });
    const rules = resources.filter((r) => r.type === "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule");
    expect(rules.map((r) => [r.name, r.inputs["cidrIpv4"]])).toEqual([
      ["shop-api-10.20.0.0-16", "10.20.0.0/16"],
      ["shop-api-10.0.0.0-8", "10.0.0.0/8"],
    ]);
    for (const { inputs } of rules)
      expect(inputs).toMatchObject({
        securityGroupId: "sg-cluster",
        ipProtocol: "tcp",
        fromPort: 443,
        toPort: 443,
      });
    const message = await thrown({ privateAccessCidrs: ["0.0.0.0/0", "10.20.0.0/16", "10.20.0.0/16", "fd00::/8"] });
    expect(message).toContain("privateAccessCidrs[0]: 0.0.0.0/0 opens the Kubernetes API to everybody");
    expect(message).toContain("privateAccessCidrs[2]: 10.20.0.0/16 is there twice: leave one out");
    expect(message).toContain("privateAccessCidrs[3]: fd00::/8 is IPv6");
  });

  test.each<[string, EksClusterArgs["accessEntries"], string]>([
    ["nobody", {}, "accessEntries: is empty, so nobody could log in as administrator"],
    [
      "readers only",
      { a: { ...admin, level: ClusterAccessLevel.View }, b: { ...other, level: ClusterAccessLevel.Admin } },
      "accessEntries: names no ClusterAdmin of the whole cluster, so nobody could log in as administrator",
    ],
    [
      "an administrator of a namespace only",
      { a: { ...admin, namespaces: ["shop"] } },
      "accessEntries: names no ClusterAdmin of the whole cluster (a: in namespaces only), so nobody could log in",
    ],
    ["one principal twice", { a: admin, b: admin }, "accessEntries.b.principalArn: is that of accessEntries.a too"],
    [
      "a session",
      { a: { ...admin, principalArn: "arn:aws:sts::123456789012:assumed-role/deploy/me" } },
      "accessEntries.a.principalArn: must be the ARN of an IAM role or user",
    ],
    ["a key that makes no name", { "the boss": admin }, "accessEntries.the boss: must have a key of letters"],
    [
      "a namespace that can't be",
      { a: admin, b: { ...other, level: ClusterAccessLevel.Edit, namespaces: ["Shop"] } },
      'accessEntries.b.namespaces[0]: must be a namespace, such as shop or shop-*, not "Shop"',
    ],
  ])("refuses %s", async (_, accessEntries, message) => {
    expect(await thrown({ accessEntries })).toContain(message);
  });

  test("takes an administrator whose role is only known later, and refuses what is none then", async () => {
    const later = (arn: string) => ({ a: { ...admin, principalArn: pulumi.output(arn) } });
    expect(await thrown({ accessEntries: later("arn:aws:iam::123456789012:role/deploy") })).toBe("");
    expect(await thrown({ accessEntries: later("deploy") })).toContain(
      'accessEntries.a.principalArn must be the ARN of an IAM role or user (arn:aws:iam::<account>:role/<name>), not "deploy"',
    );
  });

  test("grants narrower levels, and in namespaces", async () => {
    const { resources } = await make({
      accessEntries: {
        deployer: admin,
        team: {
          principalArn: "arn:aws:iam::123456789012:role/team",
          level: ClusterAccessLevel.Edit,
          namespaces: ["shop"],
        },
      },
    });
    expect(find(resources, types.cluster).inputs.accessEntries).toMatchObject({
      team: {
        accessPolicies: {
          Edit: {
            policyArn: "arn:aws:eks::aws:cluster-access-policy/AmazonEKSEditPolicy",
            accessScope: { type: "namespace", namespaces: ["shop"] },
          },
        },
      },
    });
  });
});
