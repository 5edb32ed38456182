import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import { Karpenter, KarpenterIdentity } from "../../../components/karpenter";
import { find, reaches } from "../../support/graph";
import { run } from "../../support/harness";
import { previewState, providerState } from "../../support/provider-state";
import { args, elsewhere, make, of, policyOf, release, types, valuesOf } from "./setup";

describe("Karpenter: permissions", () => {
  test("six policies, each attached to the controller's role, and nothing else", async () => {
    const { resources } = await make();
    const policies = of(resources, types.policy);
    expect(policies).toHaveLength(6);
    expect(
      policies.flatMap((p) => (JSON.parse(p.inputs["policy"] as string) as { Statement: [] }).Statement),
    ).toHaveLength(18);
    const attached = of(resources, types.attachment).filter((a) => a.inputs["role"] === "k-controller-1a2b3c4");
    expect(attached.map((a) => a.inputs["policyArn"]).sort()).toEqual(
      policies.map((p) => `arn:aws:iam::123456789012:policy/${p.name}-1a2b3c4`).sort(),
    );
  });

  // Characters without white space, counted on the template itself, whose role is KarpenterNodeRole-<cluster>, cut to the 64 characters that IAM
  // takes, and whose queue is called like the cluster (research report on Karpenter, 1.1). IAM stores 6144.
  const sizes: [cluster: string, region: string, Record<string, number>][] = [
    [
      "abc",
      "eu-west-1",
      {
        "node-lifecycle": 2691,
        "iam-integration": 1707,
        "eks-integration": 188,
        interruption: 217,
        "zonal-shift": 275,
        "resource-discovery": 996,
      },
    ],
    [
      "c".repeat(26),
      "ap-southeast-2",
      {
        "node-lifecycle": 2985,
        "iam-integration": 1888,
        "eks-integration": 216,
        interruption: 245,
        "zonal-shift": 303,
        "resource-discovery": 1006,
      },
    ],
    [
      "c".repeat(100),
      "ap-southeast-2",
      {
        "node-lifecycle": 3577,
        "iam-integration": 2352,
        "eks-integration": 290,
        interruption: 319,
        "zonal-shift": 377,
        "resource-discovery": 1006,
      },
    ],
  ];
  test.each(sizes)(
    "the policies of cluster %s in %s are as long as the template's, to the letter",
    async (name, region, counted) => {
      const { resources, errors } = await make(
        { cluster: { ...args.cluster, name } },
        {
          ...elsewhere("aws", region, "amazonaws.com"),
          state: ({ type }) =>
            type === types.role
              ? { name: "r", arn: `arn:aws:iam::123456789012:role/${`KarpenterNodeRole-${name}`.slice(0, 64)}` }
              : type === types.queue
                ? { name: "q", arn: `arn:aws:sqs:${region}:123456789012:${name}` }
                : {},
        },
      );
      expect(errors).toEqual([]);
      const made = Object.keys(counted).map((key) => [key, policyOf(resources, key).length]);
      expect(Object.fromEntries(made)).toEqual(counted);
    },
  );

  const counted = Object.entries(sizes[2]![2]);
  test.each([
    ["aws", "ap-southeast-2", 0],
    ["aws-cn", "cn-northwest-1", 3],
    ["aws-us-gov", "us-gov-west-1", 7],
  ])("each policy fits for the longest cluster name in partition %s", async (partition, region, longer) => {
    const { resources, errors } = await make(
      { cluster: { ...args.cluster, name: "c".repeat(100) } },
      {
        ...elsewhere(partition, region, "amazonaws.com"),
        // Names as long as AWS takes them: roles 64, queues 80.
        state: (resource) =>
          resource.type === types.role
            ? { arn: `arn:${partition}:iam::123456789012:role/${"r".repeat(64)}`, name: "r".repeat(64) }
            : resource.type === types.queue
              ? { arn: `arn:${partition}:sqs:${region}:123456789012:${"q".repeat(80)}`, name: "q".repeat(80) }
              : {},
      },
    );
    expect(errors).toEqual([]);
    for (const [key, bound] of counted) {
      const document = policyOf(resources, key);
      const arns = document.match(/arn:[a-z-]+:/g) ?? [];
      expect(document.length).toBeLessThanOrEqual(bound + longer * arns.length);
      expect(document.length).toBeLessThanOrEqual(6144);
      expect(arns.every((arn) => arn === `arn:${partition}:`)).toBe(true);
    }
    // What one policy of everything would be: the reason for six.
    expect(counted.reduce((sum, [key]) => sum + policyOf(resources, key).length, 0)).toBeGreaterThan(6144);
  });

  test("the controller's role is for one service account, outside of the path that guards know", async () => {
    const { resources } = await make({ permissionsBoundaryArn: "arn:aws:iam::123456789012:policy/boundary" });
    const role = find(resources, types.role, "k-controller").inputs;
    expect(JSON.parse(role["assumeRolePolicy"] as string)).toEqual({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Federated: args.cluster.oidcProviderArn },
          Action: "sts:AssumeRoleWithWebIdentity",
          Condition: {
            StringEquals: {
              "oidc.eks.eu-west-1.amazonaws.com/id/0123:aud": "sts.amazonaws.com",
              "oidc.eks.eu-west-1.amazonaws.com/id/0123:sub": "system:serviceaccount:kube-system:karpenter",
            },
          },
        },
      ],
    });
    expect(role["path"]).toBeUndefined();
    for (const name of ["k-controller", "k-node"])
      expect(find(resources, types.role, name).inputs["permissionsBoundary"]).toBe(
        "arn:aws:iam::123456789012:policy/boundary",
      );
  });
});

describe("Karpenter: identity", () => {
  const podIdentity = { identity: KarpenterIdentity.PodIdentity };

  test("by IRSA the service account carries the role, and nothing is associated", async () => {
    const { resources } = await make();
    expect(of(resources, types.association)).toEqual([]);
  });

  test("by Pod Identity an association has the role, before the first pod and after the last", async () => {
    const { resources, errors } = await make(podIdentity);
    expect(errors).toEqual([]);
    const association = find(resources, types.association, "k-identity");
    expect(association.inputs).toEqual({
      clusterName: "shop-prod",
      namespace: "kube-system",
      serviceAccount: "karpenter",
      roleArn: "arn:aws:iam::123456789012:role/k-controller-1a2b3c4",
      tags: { Name: "k-identity" },
    });
    expect(reaches(resources, release(resources), association)).toBe(true);
    // EKS takes both, and prefers the association; one of them would be forgotten.
    expect(valuesOf(resources)["serviceAccount"]).toEqual({ create: true, name: "karpenter", annotations: {} });
  });

  // Pods learn when they start where their credentials come from. Those that started under IRSA would lose them within the hour.
  test("another way to the role starts the pods anew", async () => {
    const annotations = async (change: Parameters<typeof make>[0]) =>
      valuesOf((await make(change)).resources)["podAnnotations"];
    expect(await annotations(podIdentity)).not.toEqual(await annotations({}));
    expect(await annotations({ identity: KarpenterIdentity.Irsa })).toEqual(await annotations({}));
  });

  test.each([
    ["aws", "eu-west-1"],
    ["aws-cn", "cn-north-1"],
    ["aws-us-gov", "us-gov-west-1"],
  ])("the role trusts EKS for one service account of one cluster in partition %s", async (partition, region) => {
    const { resources } = await make(podIdentity, elsewhere(partition, region, "amazonaws.com"));
    const role = find(resources, types.role, "k-controller").inputs;
    expect(JSON.parse(role["assumeRolePolicy"] as string)).toEqual({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Principal: { Service: "pods.eks.amazonaws.com" },
          Action: ["sts:AssumeRole", "sts:TagSession"],
          Condition: {
            StringEquals: {
              "aws:SourceAccount": "123456789012",
              "aws:RequestTag/kubernetes-namespace": "kube-system",
              "aws:RequestTag/kubernetes-service-account": "karpenter",
            },
            ArnEquals: { "aws:SourceArn": `arn:${partition}:eks:${region}:123456789012:cluster/shop-prod` },
          },
        },
      ],
    });
  });

  // Its inputs name the cluster by plain text: without an edge the association would be made before there is a cluster.
  test.each([false, true])("everything that needs the cluster comes after it (preview: %s)", async (preview) => {
    const { resources, errors } = await run(
      () => {
        const eks = new aws.eks.Cluster("c", { roleArn: "r", vpcConfig: { subnetIds: [] } });
        const cluster = { ...args.cluster, endpoint: eks.endpoint };
        const provider = new k8s.Provider("cluster", { kubeconfig: "{}" });
        new Karpenter("k", { ...args, ...podIdentity, cluster }, { providers: [provider] });
      },
      { preview, state: preview ? previewState : providerState },
    );
    expect(errors).toEqual([]);
    // Not by the way over the component, whose own arguments make it wait: that isn't in the state of what is inside.
    const own = resources.map((r) => ({ ...r, parent: "" }));
    const cluster = find(own, "aws:eks/cluster:Cluster");
    for (const type of [types.association, types.access])
      expect([type, reaches(own, find(own, type), cluster)]).toEqual([type, true]);
  });
});
