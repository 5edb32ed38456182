import * as aws from "@pulumi/aws";
import { EksCluster, NodeArchitecture } from "../../../components/cluster";
import { find, reaches } from "../../support/graph";
import { run, type Registration } from "../../support/harness";
import { addon, make, minimal, oidcIssuer, state, thrown, types, valuesOf } from "./setup";

describe("EksCluster", () => {
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
    for (const name of ["shop-vpc-cni", "shop-kube-proxy"])
      expect(reaches(resources, workload, find(resources, types.addon, name))).toBe(true);
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
      "shop-kube-proxy": ["kube-proxy", "v1.36.0-eksbuild.25"],
      "shop-coredns": ["coredns", "v1.14.3-eksbuild.23"],
      "shop-ebs-csi-driver": ["aws-ebs-csi-driver", "v1.66.0-eksbuild.1"],
      "shop-metrics-server": ["metrics-server", "v0.9.0-eksbuild.11"],
      "shop-pod-identity-agent": ["eks-pod-identity-agent", "v1.3.10-eksbuild.3"],
    };
    expect(resources.filter((r) => r.type === types.addon)).toHaveLength(6);
    for (const [name, [addonName, addonVersion]] of Object.entries(expected))
      expect(addon(resources, name)).toMatchObject({
        clusterName: "shop",
        addonName,
        addonVersion,
        resolveConflictsOnCreate: "OVERWRITE",
        resolveConflictsOnUpdate: "PRESERVE",
        preserve: ["shop-vpc-cni", "shop-kube-proxy"].includes(name),
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

  describe("configuration of add-ons", () => {
    test("is merged over the cluster's own", async () => {
      const { resources, errors } = await make({
        addonValues: {
          coredns: { replicaCount: 3, autoScaling: { enabled: false } },
          vpcCni: { env: { AWS_VPC_K8S_CNI_LOGLEVEL: "INFO" } },
          kubeProxy: { mode: "ipvs" },
          ebsCsiDriver: { controller: { replicaCount: 3 } },
        },
      });
      expect(errors).toEqual([]);
      expect(valuesOf(resources, "shop-coredns")).toMatchObject({
        replicaCount: 3,
        autoScaling: { enabled: false },
        nodeSelector: { "moorings.dev/node-role": "system" },
      });
      expect(valuesOf(resources, "shop-vpc-cni")).toEqual({
        enableNetworkPolicy: "true",
        env: { AWS_VPC_K8S_CNI_LOGLEVEL: "INFO" },
      });
      expect(valuesOf(resources, "shop-kube-proxy")).toEqual({ mode: "ipvs" });
      expect(valuesOf(resources, "shop-ebs-csi-driver")).toMatchObject({
        controller: { replicaCount: 3, nodeSelector: { "moorings.dev/node-role": "system" } },
        node: { tolerateAllTaints: true },
      });
    });

    test("can't take what the cluster promises, or set up what isn't there", async () => {
      const message = await thrown({
        addonValues: {
          vpcCni: { enableNetworkPolicy: "false", env: { ENABLE_PREFIX_DELEGATION: "true" } },
          coredns: { tolerations: [] },
          ebsCsiDriver: { controller: {}, node: { tolerateAllTaints: false } },
          snapshotController: { replicaCount: 3 },
        },
      });
      for (const part of [
        "addonValues.vpcCni.enableNetworkPolicy: makes NetworkPolicies hold",
        "addonValues.vpcCni.env.ENABLE_PREFIX_DELEGATION: is what prefixDelegation sets",
        "addonValues.coredns.tolerations: keeps it on the system nodes",
        "addonValues.ebsCsiDriver.node.tolerateAllTaints: lets pods on every node mount",
        "addonValues.snapshotController: configures an add-on that isn't installed",
      ])
        expect(message).toContain(part);
    });

    test("hands out prefixes of addresses where asked to", async () => {
      const { resources } = await make({ prefixDelegation: true });
      expect(valuesOf(resources, "shop-vpc-cni")).toEqual({
        enableNetworkPolicy: "true",
        env: { ENABLE_PREFIX_DELEGATION: "true", WARM_PREFIX_TARGET: "1" },
      });
    });
  });

  test("add-ons that not every cluster needs come by their build", async () => {
    const { resources, errors } = await make({
      optionalAddons: { nodeMonitoringAgent: "v1.4.0-eksbuild.2", snapshotController: "v8.2.0-eksbuild.1" },
    });
    expect(errors).toEqual([]);
    expect(addon(resources, "shop-node-monitoring-agent")).toMatchObject({
      addonName: "eks-node-monitoring-agent",
      addonVersion: "v1.4.0-eksbuild.2",
    });
    expect(addon(resources, "shop-snapshot-controller")).toMatchObject({
      addonName: "snapshot-controller",
      addonVersion: "v8.2.0-eksbuild.1",
    });
    expect(valuesOf(resources, "shop-snapshot-controller")).toMatchObject({
      nodeSelector: { "moorings.dev/node-role": "system" },
    });
    expect(await thrown({ optionalAddons: { snapshotController: "latest" }, addonVersions: { coredns: "1.14" } })).toBe(
      [
        'EksCluster "shop" can\'t be made from these arguments:',
        '  - addonVersions.coredns: must be one build of the add-on, such as v1.14.3-eksbuild.23, not "1.14": see aws eks describe-addon-versions',
        '  - optionalAddons.snapshotController: must be one build of the add-on, such as v1.14.3-eksbuild.23, not "latest": see aws eks describe-addon-versions',
      ].join("\n"),
    );
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
});
