import * as aws from "@pulumi/aws";
import * as eks from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import {
  ClusterAccessLevel,
  clusterRefByName,
  clusterRefFromAws,
  clusterRefFromEks,
  EksCluster,
  NodeArchitecture,
  type EksClusterArgs,
} from "../../components/cluster";
import { childClusterTransform } from "../../components/cluster/child-cluster";
import { knownVersions, pinnedAddons, supportWarning, versionProblem } from "../../components/cluster/versions";
import { find, reaches } from "../support/graph";
import { answers, run, secretSignature, type Registration, type RunOptions } from "../support/harness";

const admin = { principalArn: "arn:aws:iam::123456789012:role/deploy", level: ClusterAccessLevel.ClusterAdmin };
const minimal: EksClusterArgs = {
  vpcId: "vpc-1",
  privateSubnetIds: ["subnet-a", "subnet-b"],
  accessEntries: { deployer: admin },
};

const types = {
  cluster: "eks:index:Cluster",
  addon: "aws:eks/addon:Addon",
  nodes: "aws:eks/nodeGroup:NodeGroup",
  role: "aws:iam/role:Role",
  attachment: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  oidc: "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
  logs: "aws:cloudwatch/logGroup:LogGroup",
  key: "aws:kms/key:Key",
  template: "aws:ec2/launchTemplate:LaunchTemplate",
};

/** What AWS and `@pulumi/eks` would compute. */
const child = {
  name: "shop",
  endpoint: "https://shop.example",
  certificateAuthority: { data: "Q0E=" },
  vpcConfig: { clusterSecurityGroupId: "sg-cluster", vpcId: "vpc-1" },
};
const oidcIssuer = "oidc.eks.eu-west-1.amazonaws.com/id/ABC";
const state: RunOptions["state"] = (args) =>
  args.type === types.cluster
    ? { eksCluster: child, oidcIssuer, oidcProviderArn: "", kubeconfigJson: '{"kind":"Config"}' }
    : { arn: `arn:${args.name}`, keyId: args.name, latestVersion: 3 };

const make = (change: Partial<EksClusterArgs> = {}, options: RunOptions = { state }) =>
  run(() => {
    const made = new EksCluster("shop", { ...minimal, ...change });
    return { name: made.name, ref: made.ref, node: made.nodeRoleArn };
  }, options);
const thrown = async (change: Partial<EksClusterArgs>) => (await make(change)).errors.map((e) => e.message).join("\n");
const addon = (resources: readonly Registration[], name: string) => find(resources, types.addon, name).inputs;
const valuesOf = (resources: readonly Registration[], name: string) =>
  JSON.parse(addon(resources, name).configurationValues as string) as unknown;

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
      kubeProxyAddonOptions: {
        version: "v1.36.0-eksbuild.25",
        resolveConflictsOnCreate: "OVERWRITE",
        resolveConflictsOnUpdate: "PRESERVE",
      },
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

  test("changes of the child cluster: no rights for the creator, zonal shift, long enough timeouts", async () => {
    const transform = childClusterTransform(true);
    const change = (type: string) =>
      Promise.resolve(
        transform({
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
    expect(await change("aws:eks/cluster:Cluster")).toEqual({
      props: {
        name: "shop",
        accessConfig: { authenticationMode: "API", bootstrapClusterCreatorAdminPermissions: false },
        zonalShiftConfig: { enabled: true },
      },
      opts: { protect: true, customTimeouts: { create: "45m", update: "90m", delete: "30m" } },
    });
    expect(await change("aws:eks/addon:Addon")).toBeUndefined();
  });

  test("keeps the logs 90 days, in the group that EKS writes to, and rotates the key", async () => {
    const { resources } = await make();
    expect(find(resources, types.logs).inputs).toMatchObject({ name: "/aws/eks/shop/cluster", retentionInDays: 90 });
    expect(find(resources, types.key).inputs).toMatchObject({ enableKeyRotation: true });
    expect(find(resources, "aws:kms/alias:Alias").inputs).toMatchObject({ name: "alias/eks/shop" });
    expect(await thrown({ logRetentionInDays: 91 })).toContain("logRetentionInDays must be one of 0, 1, 3");
  });

  test("system nodes: IMDSv2 in one hop, encrypted gp3, tainted and labelled, one replaced at a time", async () => {
    const { resources } = await make();
    const template = find(resources, types.template).inputs;
    expect(template).toMatchObject({
      metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
      blockDeviceMappings: [{ deviceName: "/dev/xvda", ebs: { volumeType: "gp3", encrypted: "true", volumeSize: 50 } }],
    });
    // With a group of its own a node would carry two that are tagged with the cluster's name, or miss the cluster's.
    expect(template).not.toHaveProperty("vpcSecurityGroupIds");
    expect(template).not.toHaveProperty("networkInterfaces");
    expect(find(resources, types.nodes).inputs).toMatchObject({
      clusterName: "shop",
      version: "1.36",
      subnetIds: ["subnet-a", "subnet-b"],
      amiType: "AL2023_x86_64_STANDARD",
      instanceTypes: ["m7i.large", "m6i.large", "m5.large"],
      scalingConfig: { minSize: 2, desiredSize: 2, maxSize: 4 },
      updateConfig: { maxUnavailable: 1 },
      labels: { "moorings.dev/node-role": "system" },
      taints: [{ key: "CriticalAddonsOnly", value: "true", effect: "NO_SCHEDULE" }],
      launchTemplate: { version: "3" },
      nodeRoleArn: "arn:shop-node",
    });
    const policies = resources
      .filter((r) => r.type === types.attachment && r.name.startsWith("shop-node-"))
      .map((r) => r.inputs.policyArn);
    expect(policies.sort()).toEqual([
      "arn:aws:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly",
      "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy",
      "arn:aws:iam::aws:policy/AmazonSSMManagedInstanceCore",
    ]);
    expect(JSON.parse(find(resources, types.role, "shop-node").inputs.assumeRolePolicy as string)).toMatchObject({
      Statement: [{ Principal: { Service: "ec2.amazonaws.com" }, Action: "sts:AssumeRole" }],
    });
  });

  test("workload nodes carry no taint, hold pods only once DNS can follow, and share the nodes' role", async () => {
    const { resources } = await make({ workloadNodes: { minSize: 3 } });
    const system = find(resources, types.nodes, "shop-system");
    const workload = find(resources, types.nodes, "shop-workload");
    expect(workload.inputs).toMatchObject({ scalingConfig: { minSize: 3, desiredSize: 3, maxSize: 5 } });
    expect(workload.inputs["taints"]).toBeUndefined();
    expect(workload.inputs["labels"]).toBeUndefined();
    expect(workload.inputs["nodeRoleArn"]).toBe(system.inputs["nodeRoleArn"]);
    expect(reaches(resources, workload, find(resources, types.addon, "shop-vpc-cni"))).toBe(true);
    expect(await thrown({ workloadNodes: { minSize: 1 } })).toContain(
      "workloadNodes.minSize: must be a whole number of at least 2",
    );
  });

  test("Graviton nodes get the Graviton image, and a mixture that would never boot is refused", async () => {
    const { resources } = await make({ systemNodes: { architecture: NodeArchitecture.Arm64, minSize: 3 } });
    expect(find(resources, types.nodes).inputs).toMatchObject({
      amiType: "AL2023_ARM_64_STANDARD",
      instanceTypes: ["m7g.large", "m6g.large"],
      scalingConfig: { minSize: 3, desiredSize: 3, maxSize: 5 },
    });
    expect(await thrown({ systemNodes: { instanceTypes: ["m7i.large", "c6gn.large"] } })).toContain(
      "must be x86_64 types, not c6gn.large",
    );
    expect(
      await thrown({ systemNodes: { architecture: NodeArchitecture.Arm64, instanceTypes: ["g5.xlarge"] } }),
    ).toContain("must be arm64 types, not g5.xlarge");
  });

  test("add-ons are pinned, take over what is there, and keep what was tuned by hand", async () => {
    const { resources } = await make();
    // Builds: reported together as active by clusters of 1.36 in September 2026.
    const expected = {
      "shop-vpc-cni": ["vpc-cni", "v1.22.4-eksbuild.3"],
      "shop-coredns": ["coredns", "v1.14.3-eksbuild.23"],
      "shop-ebs-csi-driver": ["aws-ebs-csi-driver", "v1.66.0-eksbuild.1"],
      "shop-metrics-server": ["metrics-server", "v0.9.0-eksbuild.11"],
      "shop-pod-identity-agent": ["eks-pod-identity-agent", "v1.3.10-eksbuild.3"],
    };
    expect(resources.filter((r) => r.type === types.addon)).toHaveLength(5);
    for (const [name, [addonName, addonVersion]] of Object.entries(expected))
      expect(addon(resources, name)).toMatchObject({
        clusterName: "shop",
        addonName,
        addonVersion,
        resolveConflictsOnCreate: "OVERWRITE",
        resolveConflictsOnUpdate: "PRESERVE",
        preserve: name === "shop-vpc-cni",
      });
  });

  test("add-ons with pods of their own tolerate the system nodes, the only ones that are sure to exist", async () => {
    const { resources } = await make();
    const onSystemNodes = {
      nodeSelector: { "moorings.dev/node-role": "system" },
      tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists", effect: "NoSchedule" }],
    };
    expect(valuesOf(resources, "shop-coredns")).toEqual({ replicaCount: 2, ...onSystemNodes });
    expect(valuesOf(resources, "shop-metrics-server")).toEqual(onSystemNodes);
    expect(valuesOf(resources, "shop-ebs-csi-driver")).toEqual({
      controller: onSystemNodes,
      node: { tolerateAllTaints: true },
    });
    expect(valuesOf(resources, "shop-vpc-cni")).toEqual({ enableNetworkPolicy: "true" });
  });

  test("vpc-cni and the EBS driver have roles that only their own service account can take", async () => {
    const { resources } = await make();
    for (const [name, subject, policy] of [
      ["shop-vpc-cni", "system:serviceaccount:kube-system:aws-node", "AmazonEKS_CNI_Policy"],
      [
        "shop-ebs-csi-driver",
        "system:serviceaccount:kube-system:ebs-csi-controller-sa",
        "service-role/AmazonEBSCSIDriverPolicy",
      ],
    ] as const) {
      expect(addon(resources, name).serviceAccountRoleArn).toBe(`arn:${name}`);
      expect(JSON.parse(find(resources, types.role, name).inputs.assumeRolePolicy as string)).toMatchObject({
        Statement: [
          {
            Principal: { Federated: "arn:shop-oidc" },
            Condition: { StringEquals: { [`${oidcIssuer}:aud`]: "sts.amazonaws.com", [`${oidcIssuer}:sub`]: subject } },
          },
        ],
      });
      expect(
        resources.filter((r) => r.type === types.attachment && r.name.startsWith(name)).map((r) => r.inputs.policyArn),
      ).toEqual([`arn:aws:iam::aws:policy/${policy}`]);
    }
    expect(find(resources, types.oidc).inputs).toMatchObject({
      url: `https://${oidcIssuer}`,
      clientIdLists: ["sts.amazonaws.com"],
    });
    // No look-up of a thumbprint: that would need a connection to the issuer.
    expect(find(resources, types.oidc).inputs).not.toHaveProperty("thumbprintLists");
  });

  // design 4: network -> cluster -> vpc-cni -> system nodes -> add-ons, and the reverse on destroy.
  test.each([false, true])(
    "creates in an order that ends and destroys in one that leaves nothing (preview: %s)",
    async (preview) => {
      const { resources, errors } = await make({}, preview ? { preview: true } : { state });
      expect(errors).toEqual([]);
      const at = {
        logs: find(resources, types.logs),
        key: find(resources, types.key),
        cluster: find(resources, types.cluster),
        oidc: find(resources, types.oidc),
        cniRole: find(resources, types.role, "shop-vpc-cni"),
        cniPolicy: find(resources, types.attachment, "shop-vpc-cni-AmazonEKS_CNI_Policy"),
        cni: find(resources, types.addon, "shop-vpc-cni"),
        nodePolicy: find(resources, types.attachment, "shop-node-AmazonEKSWorkerNodePolicy"),
        nodes: find(resources, types.nodes),
      };
      const after = (from: Registration, to: Registration) => [from.name, to.name, reaches(resources, from, to)];
      const edges = [
        [at.cluster, at.logs],
        [at.cluster, at.key],
        [at.oidc, at.cluster],
        [at.cniRole, at.oidc],
        [at.cni, at.cniPolicy],
        [at.cni, at.oidc],
        [at.nodes, at.cni],
        [at.nodes, at.nodePolicy],
        ...["coredns", "ebs-csi-driver", "metrics-server", "pod-identity-agent"].map((name) => [
          find(resources, types.addon, `shop-${name}`),
          at.nodes,
        ]),
        [
          find(resources, types.addon, "shop-ebs-csi-driver"),
          find(resources, types.attachment, "shop-ebs-csi-driver-AmazonEBSCSIDriverPolicy"),
        ],
      ] as [Registration, Registration][];
      for (const [from, to] of edges) {
        expect(after(from, to)).toEqual([from.name, to.name, true]);
        expect(after(to, from)).toEqual([to.name, from.name, false]);
      }
    },
  );

  test("whatever depends on the component waits for nodes and add-ons", async () => {
    const { resources } = await run(
      () => {
        const cluster = new EksCluster("shop", minimal);
        new aws.sns.Topic("later", {}, { dependsOn: [cluster] });
      },
      { state },
    );
    const later = find(resources, "aws:sns/topic:Topic");
    for (const name of ["shop-coredns", "shop-metrics-server"])
      expect(reaches(resources, later, find(resources, types.addon, name))).toBe(true);
    expect(reaches(resources, later, find(resources, types.nodes))).toBe(true);
  });

  test("nodes and add-ons wait for long operations", async () => {
    const { resources } = await make();
    expect(find(resources, types.nodes).customTimeouts).toEqual({ create: "30m", update: "90m", delete: "30m" });
    expect(find(resources, types.addon, "shop-coredns").customTimeouts).toEqual({
      create: "20m",
      update: "30m",
      delete: "20m",
    });
  });

  test("hands out a plain name and a reference; the kubeconfig is secret", async () => {
    const { outputs, registeredOutputs, resources } = await make();
    expect(outputs).toEqual({
      name: "shop",
      node: "arn:shop-node",
      ref: {
        name: "shop",
        endpoint: "https://shop.example",
        certificateAuthority: "Q0E=",
        oidcProviderArn: "arn:shop-oidc",
        oidcIssuer,
        securityGroupId: "sg-cluster",
        vpcId: "vpc-1",
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
    expect(resources.filter((r) => r.type === types.addon)).toHaveLength(5);
    expect(resources.filter((r) => r.type === types.role)).toHaveLength(3);
  });

  test("opens the API to named networks only", async () => {
    const { resources } = await make({ publicAccessCidrs: ["203.0.113.0/24"] });
    expect(find(resources, types.cluster).inputs).toMatchObject({
      endpointPrivateAccess: true,
      endpointPublicAccess: true,
      publicAccessCidrs: ["203.0.113.0/24"],
    });
    const message = await thrown({ publicAccessCidrs: ["0.0.0.0/0", "::/0", "office"] });
    expect(message).toContain("publicAccessCidrs[0]: 0.0.0.0/0 opens the Kubernetes API to everybody");
    expect(message).toContain("publicAccessCidrs[1]: ::/0 opens the Kubernetes API to everybody");
    expect(message).toContain('publicAccessCidrs[2]: must be a CIDR block such as 203.0.113.0/24, not "office"');
  });

  test("the private endpoint lets in who is named, and refuses everybody", async () => {
    const { resources } = await make({ privateAccessCidrs: ["10.20.0.0/16", "fd00::/8"] });
    const rules = resources.filter((r) => r.type === "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule");
    expect(rules.map((r) => [r.name, r.inputs["cidrIpv4"] ?? r.inputs["cidrIpv6"]])).toEqual([
      ["shop-api-10.20.0.0-16", "10.20.0.0/16"],
      ["shop-api-fd00-8", "fd00::/8"],
    ]);
    for (const { inputs } of rules)
      expect(inputs).toMatchObject({
        securityGroupId: "sg-cluster",
        ipProtocol: "tcp",
        fromPort: 443,
        toPort: 443,
      });
    const message = await thrown({ privateAccessCidrs: ["0.0.0.0/0", "10.20.0.0/16", "10.20.0.0/16"] });
    expect(message).toContain("privateAccessCidrs[0]: 0.0.0.0/0 opens the Kubernetes API to everybody");
    expect(message).toContain("privateAccessCidrs[2]: 10.20.0.0/16 is there twice: leave one out");
  });

  test("refuses a cluster that nobody could administer", async () => {
    const nobody = "accessEntries: names no ClusterAdmin of the whole cluster";
    expect(await thrown({ accessEntries: {} })).toContain(nobody);
    expect(await thrown({ accessEntries: { a: { ...admin, level: ClusterAccessLevel.View } } })).toContain(nobody);
    expect(await thrown({ accessEntries: { a: { ...admin, namespaces: ["shop"] } } })).toContain(nobody);
    expect(await thrown({ accessEntries: { a: admin, b: admin } })).toContain(
      "accessEntries.b.principalArn: is that of accessEntries.a too",
    );
    const session = "arn:aws:sts::123456789012:assumed-role/deploy/me";
    expect(await thrown({ accessEntries: { a: { ...admin, principalArn: session } } })).toContain(
      "accessEntries.a.principalArn must be the ARN of an IAM role or user",
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

  test("reports all mistakes at once", async () => {
    const message = await thrown({
      clusterName: "-shop",
      kubernetesVersion: "1.33",
      privateSubnetIds: ["subnet-a"],
      publicAccessCidrs: ["0.0.0.0/0"],
      accessEntries: {},
      systemNodes: { minSize: 1, maxSize: 0 },
    });
    for (const part of [
      "clusterName: must be 1 to 100 letters",
      "kubernetesVersion: 1.33 is out of AWS's standard support: use one of 1.36, 1.35, 1.34",
      "privateSubnetIds: must name subnets in at least two zones",
      "publicAccessCidrs[0]: ",
      "accessEntries: ",
      "systemNodes.minSize: must be a whole number of at least 2, not 1",
      "systemNodes.maxSize: must be a whole number of at least minSize (1), not 0",
    ])
      expect(message).toContain(part);
  });

  test("one subnet twice isn't two zones, also when the ids are only known later", async () => {
    const later = pulumi.output(["subnet-a", "subnet-a"]);
    expect(await thrown({ privateSubnetIds: later })).toContain("privateSubnetIds must name subnets in at least two");
  });

  test("a name too long for the roles is refused before anything is made", async () => {
    const long = (length: number) =>
      run(() => void new EksCluster("c".repeat(length), { ...minimal, clusterName: "shop" }), { state });
    // IAM's 64 characters, less Pulumi's 8, less "-cluster-eksRole-role" (21) of the role inside eks.Cluster: 35.
    expect((await long(36)).errors[0]?.message).toContain("choose a shorter name");
    expect((await long(35)).errors).toEqual([]);
  });

  test("tags reach what takes them, and versions of single add-ons can be chosen", async () => {
    const { resources } = await make({
      tags: { team: "shop" },
      addonVersions: { coredns: "v9.9.9-eksbuild.9", vpcCni: undefined },
    });
    expect(addon(resources, "shop-coredns").addonVersion).toBe("v9.9.9-eksbuild.9");
    expect(addon(resources, "shop-vpc-cni").addonVersion).toBe("v1.22.4-eksbuild.3");
    for (const type of [
      types.cluster,
      types.addon,
      types.nodes,
      types.role,
      types.oidc,
      types.logs,
      types.key,
      types.template,
    ])
      for (const r of resources.filter((x) => x.type === type)) expect(r.inputs.tags).toMatchObject({ team: "shop" });
    expect(find(resources, types.template).inputs.tagSpecifications).toMatchObject([
      { resourceType: "instance", tags: { team: "shop" } },
      { resourceType: "volume", tags: { team: "shop" } },
      { resourceType: "network-interface", tags: { team: "shop" } },
    ]);
  });
});

describe("Kubernetes versions", () => {
  test("each has a kube-proxy of its own minor version", () => {
    expect(knownVersions).toEqual(["1.36", "1.35", "1.34"]);
    for (const version of knownVersions) {
      expect(pinnedAddons(version).kubeProxy).toMatch(new RegExp(`^v${version}\\.\\d+-eksbuild\\.\\d+$`));
      for (const build of Object.values(pinnedAddons(version))) expect(build).toMatch(/^v\d+\.\d+\.\d+-eksbuild\.\d+$/);
    }
  });

  test.each([
    ["1.36", undefined],
    ["1.34", undefined],
    ["1.33", "1.33 is out of AWS's standard support: use one of 1.36, 1.35, 1.34"],
    ["1.9", "1.9 is out of AWS's standard support: use one of 1.36, 1.35, 1.34"],
    [
      "1.37",
      "1.37 is newer than 1.36, the newest that this release has add-on builds for: use one of 1.36, 1.35, 1.34",
    ],
    ["1.36.2", 'must be a minor version such as "1.36", not "1.36.2": use one of 1.36, 1.35, 1.34'],
    ["constructor", 'must be a minor version such as "1.36", not "constructor": use one of 1.36, 1.35, 1.34'],
  ])("%s", (version, problem) => {
    expect(versionProblem(version)).toBe(problem);
  });

  // Ends of standard support: 1.34 on 2 December 2026, 1.35 on 27 March 2027, 1.36 on 2 August 2027 (AWS user guide).
  test.each([
    ["1.34", "2026-10-02", undefined],
    ["1.34", "2026-10-04", "ends on 2026-12-02: upgrade to 1.35 before AWS does it"],
    ["1.34", "2026-12-01", "ends on 2026-12-02"],
    ["1.34", "2026-12-04", "ended on 2026-12-02; AWS upgrades the cluster on a day of its own: upgrade to 1.35"],
    ["1.35", "2026-11-30", undefined],
    ["1.36", "2026-11-30", undefined],
    ["1.36", "2027-07-01", "upgrade to the next version"],
  ])("%s on %s", (version, today, warning) => {
    const text = supportWarning(version, new Date(`${today}T12:00:00Z`));
    if (warning === undefined) expect(text).toBeUndefined();
    else expect(text).toContain(warning);
  });

  test("a cluster whose version ends soon is made, with a warning", async () => {
    const now = jest.spyOn(Date, "now").mockReturnValue(Date.parse("2026-11-30T12:00:00Z"));
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const { errors } = await make({ kubernetesVersion: "1.34" });
    const warnings = warn.mock.calls.map(([message]) => message);
    warn.mockRestore();
    now.mockRestore();
    expect(errors).toEqual([]);
    expect(warnings).toEqual([
      "AWS's standard support of Kubernetes 1.34 ends on 2026-12-02: upgrade to 1.35 before AWS does it on a day of its own",
    ]);
  });
});

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
});
