import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { Karpenter, KarpenterChartVersion, type KarpenterArgs } from "../../components/karpenter";
import { compatibilityProblem } from "../../components/karpenter/karpenter-versions";
import chartValues from "../fixtures/facts/karpenter-chart-values-1.15.2.json";
import { find, reaches } from "../support/graph";
import { answers, run, type Registration, type RunOptions } from "../support/harness";

const types = {
  access: "aws:eks/accessEntry:AccessEntry",
  attachment: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  policy: "aws:iam/policy:Policy",
  queue: "aws:sqs/queue:Queue",
  queuePolicy: "aws:sqs/queuePolicy:QueuePolicy",
  release: "kubernetes:helm.sh/v3:Release",
  role: "aws:iam/role:Role",
  rule: "aws:cloudwatch/eventRule:EventRule",
  target: "aws:cloudwatch/eventTarget:EventTarget",
};
const args: KarpenterArgs = {
  cluster: {
    name: "shop-prod",
    endpoint: "https://0123.gr7.eu-west-1.eks.amazonaws.com",
    certificateAuthority: "Q0E=",
    oidcProviderArn: "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123",
    oidcIssuer: "oidc.eks.eu-west-1.amazonaws.com/id/0123",
    securityGroupId: "sg-0123456789abcdef0",
    vpcId: "vpc-0123456789abcdef0",
  },
};
const queueArn = "arn:aws:sqs:eu-west-1:123456789012:k-interruptions-1a2b3c4";

const state: RunOptions["state"] = ({ type, name }) => {
  switch (type) {
    case types.role:
      return { arn: `arn:aws:iam::123456789012:role/${name}-1a2b3c4`, name: `${name}-1a2b3c4` };
    case types.policy:
      return { arn: `arn:aws:iam::123456789012:policy/${name}-1a2b3c4` };
    case types.queue:
      return { arn: queueArn, name: `${name}-1a2b3c4`, url: `https://sqs.eu-west-1.amazonaws.com/${name}` };
    case types.rule:
      return { arn: `arn:aws:events:eu-west-1:123456789012:rule/${name}`, name: `${name}-1a2b3c4` };
    default:
      return {};
  }
};

const make = (change: Partial<KarpenterArgs> = {}, options: RunOptions = {}, name = "k") =>
  run(
    () => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const made = new Karpenter(name, { ...args, ...change }, { providers: [cluster] });
      const { controllerRoleArn, nodeRoleName, nodeRoleArn, queueName, chartVersion } = made;
      return { controllerRoleArn, nodeRoleName, nodeRoleArn, queueName, chartVersion };
    },
    { state, ...options },
  );
const elsewhere = (partition: string, region: string, dnsSuffix: string): RunOptions => ({
  call: (call) => {
    const answer = answers(call);
    if (call.token === "aws:index/getPartition:getPartition") return { ...answer, partition, dnsSuffix };
    if (call.token === "aws:index/getRegion:getRegion") return { ...answer, region };
    return answer;
  },
});
const of = (resources: readonly Registration[], type: string) => resources.filter((r) => r.type === type);
const message = (errors: readonly Error[]) => errors.map((e) => e.message).join("\n");
const policyOf = (resources: readonly Registration[], key: string) =>
  find(resources, types.policy, `k-${key}`).inputs["policy"] as string;
const statementsOf = (resources: readonly Registration[], key: string) =>
  (JSON.parse(policyOf(resources, key)) as { Statement: { Sid: string }[] }).Statement;
const release = (resources: readonly Registration[], name = "release") => find(resources, types.release, `k-${name}`);
const valuesOf = (resources: readonly Registration[]) => release(resources).inputs["values"] as Record<string, unknown>;

// What Karpenter's CloudFormation template says (v1.14), read for the cluster shop-prod in eu-west-1, Sid by Sid.
const owned = { "aws:ResourceTag/kubernetes.io/cluster/shop-prod": "owned" };
const ofPool = { "aws:ResourceTag/karpenter.sh/nodepool": "*" };
const requested = {
  "aws:RequestTag/kubernetes.io/cluster/shop-prod": "owned",
  "aws:RequestTag/eks:eks-cluster-name": "shop-prod",
};
const createdTypes = [
  "arn:aws:ec2:eu-west-1:*:fleet/*",
  "arn:aws:ec2:eu-west-1:*:instance/*",
  "arn:aws:ec2:eu-west-1:*:volume/*",
  "arn:aws:ec2:eu-west-1:*:network-interface/*",
  "arn:aws:ec2:eu-west-1:*:launch-template/*",
  "arn:aws:ec2:eu-west-1:*:spot-instances-request/*",
];
const instanceProfiles = "arn:aws:iam::123456789012:instance-profile/*";

describe("Karpenter: permissions", () => {
  test("its nodes' life: only what carries the cluster's tags", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    expect(statementsOf(resources, "node-lifecycle")).toEqual([
      {
        Sid: "AllowScopedEC2InstanceAccessActions",
        Effect: "Allow",
        Resource: [
          "arn:aws:ec2:eu-west-1::image/*",
          "arn:aws:ec2:eu-west-1::snapshot/*",
          "arn:aws:ec2:eu-west-1:*:security-group/*",
          "arn:aws:ec2:eu-west-1:*:subnet/*",
          "arn:aws:ec2:eu-west-1:*:capacity-reservation/*",
          "arn:aws:ec2:eu-west-1:*:placement-group/*",
        ],
        Action: ["ec2:RunInstances", "ec2:CreateFleet"],
      },
      {
        Sid: "AllowScopedEC2LaunchTemplateAccessActions",
        Effect: "Allow",
        Resource: "arn:aws:ec2:eu-west-1:*:launch-template/*",
        Action: ["ec2:RunInstances", "ec2:CreateFleet"],
        Condition: { StringEquals: owned, StringLike: ofPool },
      },
      {
        Sid: "AllowScopedEC2InstanceActionsWithTags",
        Effect: "Allow",
        Resource: createdTypes,
        Action: ["ec2:RunInstances", "ec2:CreateFleet", "ec2:CreateLaunchTemplate"],
        Condition: { StringEquals: requested, StringLike: { "aws:RequestTag/karpenter.sh/nodepool": "*" } },
      },
      {
        Sid: "AllowScopedResourceCreationTagging",
        Effect: "Allow",
        Resource: createdTypes,
        Action: "ec2:CreateTags",
        Condition: {
          StringEquals: {
            ...requested,
            "ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"],
          },
          StringLike: { "aws:RequestTag/karpenter.sh/nodepool": "*" },
        },
      },
      {
        Sid: "AllowScopedResourceTagging",
        Effect: "Allow",
        Resource: "arn:aws:ec2:eu-west-1:*:instance/*",
        Action: "ec2:CreateTags",
        Condition: {
          StringEquals: owned,
          StringLike: ofPool,
          StringEqualsIfExists: { "aws:RequestTag/eks:eks-cluster-name": "shop-prod" },
          "ForAllValues:StringEquals": { "aws:TagKeys": ["eks:eks-cluster-name", "karpenter.sh/nodeclaim", "Name"] },
        },
      },
      {
        Sid: "AllowScopedDeletion",
        Effect: "Allow",
        Resource: ["arn:aws:ec2:eu-west-1:*:instance/*", "arn:aws:ec2:eu-west-1:*:launch-template/*"],
        Action: ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"],
        Condition: { StringEquals: owned, StringLike: ofPool },
      },
    ]);
  });

  test("instance profiles: for the one role, of this cluster and region", async () => {
    const { resources } = await make();
    const region = (kind: string) => ({ [`aws:${kind}Tag/topology.kubernetes.io/region`]: "eu-west-1" });
    const ofClass = (kind: string) => ({ [`aws:${kind}Tag/karpenter.k8s.aws/ec2nodeclass`]: "*" });
    expect(statementsOf(resources, "iam-integration")).toEqual([
      {
        Sid: "AllowPassingInstanceRole",
        Effect: "Allow",
        Resource: "arn:aws:iam::123456789012:role/k-node-1a2b3c4",
        Action: "iam:PassRole",
        Condition: { StringEquals: { "iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"] } },
      },
      {
        Sid: "AllowScopedInstanceProfileCreationActions",
        Effect: "Allow",
        Resource: instanceProfiles,
        Action: ["iam:CreateInstanceProfile"],
        Condition: { StringEquals: { ...requested, ...region("Request") }, StringLike: ofClass("Request") },
      },
      {
        Sid: "AllowScopedInstanceProfileTagActions",
        Effect: "Allow",
        Resource: instanceProfiles,
        Action: ["iam:TagInstanceProfile"],
        Condition: {
          StringEquals: { ...owned, ...region("Resource"), ...requested, ...region("Request") },
          StringLike: { ...ofClass("Resource"), ...ofClass("Request") },
        },
      },
      {
        Sid: "AllowScopedInstanceProfileActions",
        Effect: "Allow",
        Resource: instanceProfiles,
        Action: ["iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:DeleteInstanceProfile"],
        Condition: { StringEquals: { ...owned, ...region("Resource") }, StringLike: ofClass("Resource") },
      },
    ]);
  });

  test("the cluster, the queue, zonal shifts, and what it reads", async () => {
    const { resources } = await make();
    const cluster = "arn:aws:eks:eu-west-1:123456789012:cluster/shop-prod";
    expect(statementsOf(resources, "eks-integration")).toEqual([
      { Sid: "AllowAPIServerEndpointDiscovery", Effect: "Allow", Resource: cluster, Action: "eks:DescribeCluster" },
    ]);
    expect(statementsOf(resources, "interruption")).toEqual([
      {
        Sid: "AllowInterruptionQueueActions",
        Effect: "Allow",
        Resource: queueArn,
        Action: ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"],
      },
    ]);
    expect(statementsOf(resources, "zonal-shift")).toEqual([
      {
        Sid: "AllowZonalShiftStatusReadOnly",
        Effect: "Allow",
        Resource: "*",
        Action: ["arc-zonal-shift:GetManagedResource"],
        Condition: { StringEquals: { "arc-zonal-shift:ResourceIdentifier": cluster } },
      },
    ]);
    expect(statementsOf(resources, "resource-discovery")).toEqual([
      {
        Sid: "AllowRegionalReadActions",
        Effect: "Allow",
        Resource: "*",
        Action: [
          "ec2:DescribeCapacityReservations",
          "ec2:DescribeImages",
          "ec2:DescribeInstances",
          "ec2:DescribeInstanceStatus",
          "ec2:DescribeInstanceTypeOfferings",
          "ec2:DescribeInstanceTypes",
          "ec2:DescribeLaunchTemplates",
          "ec2:DescribePlacementGroups",
          "ec2:DescribeSecurityGroups",
          "ec2:DescribeSpotPriceHistory",
          "ec2:DescribeSubnets",
        ],
        Condition: { StringEquals: { "aws:RequestedRegion": "eu-west-1" } },
      },
      {
        Sid: "AllowSSMReadActions",
        Effect: "Allow",
        Resource: "arn:aws:ssm:eu-west-1::parameter/aws/service/*",
        Action: "ssm:GetParameter",
      },
      { Sid: "AllowPricingReadActions", Effect: "Allow", Resource: "*", Action: "pricing:GetProducts" },
      {
        Sid: "AllowUnscopedInstanceProfileListAction",
        Effect: "Allow",
        Resource: "*",
        Action: "iam:ListInstanceProfiles",
      },
      {
        Sid: "AllowInstanceProfileReadActions",
        Effect: "Allow",
        Resource: instanceProfiles,
        Action: "iam:GetInstanceProfile",
      },
    ]);
  });

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

  test("it may reboot nodes only where that is asked for", async () => {
    const without = await make({ featureGates: { nodeRepair: true } });
    expect(JSON.stringify(of(without.resources, types.policy))).not.toContain("RebootInstances");
    const { resources } = await make({ featureGates: { rebootForRepair: true } });
    expect(statementsOf(resources, "node-lifecycle")[6]).toEqual({
      Sid: "AllowScopedReboot",
      Effect: "Allow",
      Resource: "arn:aws:ec2:eu-west-1:*:instance/*",
      Action: "ec2:RebootInstances",
      Condition: { StringEquals: owned, StringLike: ofPool },
    });
  });

  // Counted on the template itself for a cluster name of 100 characters in ap-southeast-2, without white space; IAM stores 6144.
  const counted: [string, number][] = [
    ["node-lifecycle", 3577],
    ["iam-integration", 2352],
    ["eks-integration", 290],
    ["interruption", 319],
    ["zonal-shift", 377],
    ["resource-discovery", 1006],
  ];
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
    // These hold no name but the cluster's: counted and made must agree to the letter.
    if (partition === "aws")
      for (const key of ["node-lifecycle", "eks-integration", "zonal-shift", "resource-discovery"])
        expect([key, policyOf(resources, key).length]).toEqual([key, Object.fromEntries(counted)[key]]);
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

describe("Karpenter: nodes", () => {
  test.each([
    ["aws", "eu-west-1", "amazonaws.com"],
    ["aws-cn", "cn-north-1", "amazonaws.com.cn"],
    ["aws-us-gov", "us-gov-east-1", "amazonaws.com"],
  ])(
    "their role in partition %s: a worker's policies, and no right to change the network",
    async (partition, region, suffix) => {
      const { resources } = await make({}, elsewhere(partition, region, suffix));
      const role = find(resources, types.role, "k-node").inputs;
      expect(JSON.parse(role["assumeRolePolicy"] as string)).toEqual({
        Version: "2012-10-17",
        Statement: [{ Effect: "Allow", Principal: { Service: `ec2.${suffix}` }, Action: "sts:AssumeRole" }],
      });
      const attached = of(resources, types.attachment).filter((a) => a.inputs["role"] === "k-node-1a2b3c4");
      expect(attached.map((a) => a.inputs["policyArn"]).sort()).toEqual([
        `arn:${partition}:iam::aws:policy/AmazonEC2ContainerRegistryPullOnly`,
        `arn:${partition}:iam::aws:policy/AmazonEKSWorkerNodePolicy`,
        `arn:${partition}:iam::aws:policy/AmazonSSMManagedInstanceCore`,
      ]);
    },
  );

  test("further policies by name, and joining only once the role works", async () => {
    const { resources } = await make({
      nodePolicyArns: { cni: pulumi.output("arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy") },
    });
    expect(find(resources, types.attachment, "k-node-cni").inputs).toEqual({
      role: "k-node-1a2b3c4",
      policyArn: "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy",
    });
    const access = find(resources, types.access);
    expect(access.inputs).toMatchObject({
      clusterName: "shop-prod",
      principalArn: "arn:aws:iam::123456789012:role/k-node-1a2b3c4",
      type: "EC2_LINUX",
    });
    for (const policy of ["AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly", "cni"])
      expect(reaches(resources, access, find(resources, types.attachment, `k-node-${policy}`))).toBe(true);
  });
});

describe("Karpenter: interruptions", () => {
  test("a queue that forgets after five minutes, encrypted, under a name that fits any cluster", async () => {
    const { resources } = await make({ cluster: { ...args.cluster, name: "c".repeat(100) } });
    expect(find(resources, types.queue).inputs).toEqual({
      messageRetentionSeconds: 300,
      sqsManagedSseEnabled: true,
      tags: { Name: "k-interruptions" },
    });
  });

  test("who may send to it, and how", async () => {
    const { resources } = await make();
    const policy = find(resources, types.queuePolicy).inputs;
    expect(policy["queueUrl"]).toBe("https://sqs.eu-west-1.amazonaws.com/k-interruptions");
    const rule = (name: string) => `arn:aws:events:eu-west-1:123456789012:rule/k-${name}`;
    expect(JSON.parse(policy["policy"] as string)).toEqual({
      Version: "2012-10-17",
      Statement: [
        {
          Sid: "AllowInterruptionRules",
          Effect: "Allow",
          Principal: { Service: "events.amazonaws.com" },
          Action: "sqs:SendMessage",
          Resource: queueArn,
          Condition: {
            ArnEquals: {
              "aws:SourceArn": [
                rule("scheduled-change"),
                rule("spot-interruption"),
                rule("rebalance"),
                rule("instance-state-change"),
                rule("capacity-reservation"),
              ],
            },
          },
        },
        {
          Sid: "AllowSqs",
          Effect: "Allow",
          Principal: { Service: "sqs.amazonaws.com" },
          Action: "sqs:SendMessage",
          Resource: queueArn,
          Condition: { StringEquals: { "aws:SourceAccount": "123456789012" } },
        },
        {
          Sid: "DenyHTTP",
          Effect: "Deny",
          Principal: "*",
          Action: "sqs:*",
          Resource: queueArn,
          Condition: { Bool: { "aws:SecureTransport": "false" } },
        },
      ],
    });
  });

  // A published construct library has "C2 Instance State-change Notification": all its state changes are lost in silence.
  test("five rules, letter by letter, each with the queue as target", async () => {
    const { resources } = await make();
    const patterns = of(resources, types.rule).map((r) => JSON.parse(r.inputs["eventPattern"] as string) as object);
    expect(patterns).toEqual([
      { source: ["aws.health"], "detail-type": ["AWS Health Event"] },
      { source: ["aws.ec2"], "detail-type": ["EC2 Spot Instance Interruption Warning"] },
      { source: ["aws.ec2"], "detail-type": ["EC2 Instance Rebalance Recommendation"] },
      { source: ["aws.ec2"], "detail-type": ["EC2 Instance State-change Notification"] },
      { source: ["aws.ec2"], "detail-type": ["EC2 Capacity Reservation Instance Interruption Warning"] },
    ]);
    const targets = of(resources, types.target);
    expect(targets.map((t) => t.inputs["rule"]).sort()).toEqual(
      of(resources, types.rule)
        .map((r) => `${r.name}-1a2b3c4`)
        .sort(),
    );
    for (const target of targets) {
      expect(target.inputs).toMatchObject({ arn: queueArn, targetId: "KarpenterInterruptionQueueTarget" });
      // With a role of its own EventBridge would ask that role, not the queue's policy.
      expect(target.inputs["roleArn"]).toBeUndefined();
      expect(reaches(resources, target, find(resources, types.queuePolicy))).toBe(true);
    }
  });
});

describe("Karpenter: releases", () => {
  test("definitions first, then the controller, both of one version", async () => {
    const { resources } = await make();
    expect(release(resources, "crds").inputs).toMatchObject({
      name: "karpenter-crd",
      chart: "oci://public.ecr.aws/karpenter/karpenter-crd",
      version: "1.15.2",
      namespace: "kube-system",
      atomic: true,
    });
    expect(release(resources).inputs).toMatchObject({
      name: "karpenter",
      chart: "oci://public.ecr.aws/karpenter/karpenter",
      version: "1.15.2",
      namespace: "kube-system",
      skipCrds: true,
      atomic: true,
    });
    expect(release(resources).inputs).not.toHaveProperty("repositoryOpts");
    expect(reaches(resources, release(resources), release(resources, "crds"))).toBe(true);
    const older = await make({ chartVersion: KarpenterChartVersion.V1_14_1 });
    for (const name of ["release", "crds"]) expect(release(older.resources, name).inputs["version"]).toBe("1.14.1");
  });

  test.each([
    ["oci://registry.acme.io/karpenter", { chart: "oci://registry.acme.io/karpenter/karpenter" }],
    ["https://charts.acme.io", { chart: "karpenter", repositoryOpts: { repo: "https://charts.acme.io" } }],
    ["./charts", { chart: "./charts/karpenter" }],
  ])("a mirror: %s", async (chartRepository, expected) => {
    const { resources, errors } = await make({ chartRepository });
    expect(errors).toEqual([]);
    expect(release(resources).inputs).toMatchObject(expected);
    expect(release(resources, "crds").inputs["chart"]).toMatch(/karpenter-crd$/);
  });

  // On destroy it goes first: what were gone before it would leave nodes that nobody can take away.
  test("everything that makes it work is there before it, and goes after it", async () => {
    const { resources } = await make({ nodePolicyArns: { cni: "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy" } });
    const before = [types.attachment, types.policy, types.role, types.queue, types.queuePolicy, types.rule];
    const needed = [...before, types.target, types.access].flatMap((type) => of(resources, type));
    expect(needed).toHaveLength(10 + 6 + 2 + 1 + 1 + 5 + 5 + 1);
    const missing = needed.filter((r) => !reaches(resources, release(resources), r));
    expect(missing.map((r) => `${r.type} ${r.name}`)).toEqual([]);
  });

  // Deleted before replaced, the definitions would take every node pool with them, and the controller would leave its nodes behind.
  test("no release is ever deleted before its replacement, or left behind", async () => {
    const { resources } = await make();
    for (const r of of(resources, types.release))
      expect({ first: r.deleteBeforeReplace, kept: r.retainOnDelete }).toEqual({ first: false, kept: false });
  });

  test("every value exists in the chart: a misspelt one would be ignored in silence", async () => {
    const { resources } = await make({ featureGates: everyGate });
    expect(unknownKeys(valuesOf(resources), chartValues)).toEqual([]);
    const wrong = { settings: { interruptionQueueName: "", featureGates: { spotConsolidation: true } } };
    expect(unknownKeys(wrong, chartValues)).toEqual([
      "settings.interruptionQueueName",
      "settings.featureGates.spotConsolidation",
    ]);
  });

  test("it knows its cluster and its queue by their real names", async () => {
    const { resources } = await make();
    expect(valuesOf(resources)["settings"]).toEqual({
      clusterName: "shop-prod",
      clusterEndpoint: "https://0123.gr7.eu-west-1.eks.amazonaws.com",
      interruptionQueue: "k-interruptions-1a2b3c4",
      eksControlPlane: true,
      enableZonalShift: true,
      isolatedVPC: false,
      featureGates: {},
      awsFeatureGates: {},
    });
    const other = await make({
      isolatedVpc: true,
      zonalShift: false,
      featureGates: { nodeRepair: true, reservedCapacity: false, rebootForRepair: true },
    });
    expect(valuesOf(other.resources)["settings"]).toMatchObject({
      isolatedVPC: true,
      enableZonalShift: false,
      featureGates: { nodeRepair: true, reservedCapacity: false },
      awsFeatureGates: { rebootForRepair: true },
    });
  });

  test("two pods on the system nodes, with memory of their own, restarted by another role", async () => {
    const { resources } = await make();
    const { settings, ...rest } = valuesOf(resources);
    expect(settings).toBeDefined();
    expect(rest).toEqual({
      replicas: 2,
      serviceAccount: {
        create: true,
        name: "karpenter",
        annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/k-controller-1a2b3c4" },
      },
      nodeSelector: { "moorings.dev/node-role": "system" },
      tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists", effect: "NoSchedule" }],
      podAnnotations: { "moorings.dev/role-arn": "arn:aws:iam::123456789012:role/k-controller-1a2b3c4" },
      controller: { resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "1Gi" } } },
    });
  });

  test("own values are added, own nodes replace the system nodes, tags reach what takes them", async () => {
    const { resources } = await make({
      extraValues: [new pulumi.asset.StringAsset("logLevel: debug")],
      nodeSelector: { pool: "tools" },
      tags: { team: "edge" },
    });
    expect(valuesOf(resources)["nodeSelector"]).toEqual({ pool: "tools" });
    expect(release(resources).inputs["valueYamlFiles"]).toHaveLength(1);
    for (const type of [types.role, types.policy, types.queue, types.rule, types.access])
      for (const r of of(resources, type)) expect(r.inputs["tags"]).toEqual({ Name: r.name, team: "edge" });
  });

  test("a preview makes the same resources, with the names that are plain", async () => {
    const update = await make();
    const preview = await run(
      () => {
        const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
        const issuer = new aws.eks.Cluster("c", { roleArn: "r", vpcConfig: { subnetIds: [] } });
        new Karpenter(
          "k",
          { ...args, cluster: { ...args.cluster, endpoint: issuer.endpoint } },
          { providers: [cluster] },
        );
      },
      { preview: true },
    );
    expect(preview.errors).toEqual([]);
    const names = (resources: readonly Registration[]) =>
      resources
        .filter((r) => r.name.startsWith("k-") || r.name === "k")
        .map((r) => `${r.type} ${r.name}`)
        .sort();
    expect(names(preview.resources)).toEqual(names(update.resources));
    expect(find(preview.resources, types.access).inputs["clusterName"]).toBe("shop-prod");
  });

  test("what other components need", async () => {
    const { outputs } = await make();
    expect(outputs).toEqual({
      controllerRoleArn: "arn:aws:iam::123456789012:role/k-controller-1a2b3c4",
      nodeRoleName: "k-node-1a2b3c4",
      nodeRoleArn: "arn:aws:iam::123456789012:role/k-node-1a2b3c4",
      queueName: "k-interruptions-1a2b3c4",
      chartVersion: "1.15.2",
    });
  });
});

describe("Karpenter: refusals", () => {
  test("all problems at once, each with its argument, and nothing is made", async () => {
    const { errors, resources } = await run(
      () =>
        void new Karpenter("k", {
          ...args,
          cluster: { ...args.cluster, name: "shop/prod" },
          replicas: 1,
          kubernetesVersion: "1.20",
          chartVersion: KarpenterChartVersion.V1_14_1,
          featureGates: { rebootForRepair: true, nodeRepair: true, terminateFirstDrift: undefined },
          chartRepository: "public.ecr.aws/karpenter/",
          permissionsBoundaryArn: "boundary",
          nodePolicyArns: {
            "a b": "arn:aws:iam::aws:policy/A",
            AmazonEKSWorkerNodePolicy: "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy",
            cni: "AmazonEKS_CNI_Policy",
          },
        }),
    );
    const text = message(errors);
    for (const argument of [
      "opts.providers",
      "cluster.name",
      "replicas",
      "kubernetesVersion",
      "featureGates.rebootForRepair",
      "chartRepository",
      "permissionsBoundaryArn",
      'nodePolicyArns["a b"]',
      'nodePolicyArns["AmazonEKSWorkerNodePolicy"]',
      "nodePolicyArns.cni",
    ])
      expect(text).toContain(`\n  - ${argument}: `);
    expect(text).not.toContain("nodeRepair");
    expect(text).not.toContain("terminateFirstDrift");
    expect(resources.filter((r) => r.custom)).toEqual([]);
  });

  test("a policy ARN that only shows late", async () => {
    const { errors } = await make({ nodePolicyArns: { cni: pulumi.output("AmazonEKS_CNI_Policy") } });
    expect(message(errors)).toMatch(/nodePolicyArns\.cni must be the ARN of a managed policy/);
  });

  test("a release whose permissions nobody looked up", async () => {
    const { errors } = await make({ chartVersion: "1.99.0" as KarpenterChartVersion });
    expect(message(errors)).toContain('chartVersion: must be one of 1.14.1, 1.15.2, not "1.99.0"');
  });

  // With Pulumi's suffix of eight characters: rules and roles have 64, queues 80.
  test("names that AWS would refuse in the middle of an update", async () => {
    expect((await make({}, {}, "n".repeat(34))).errors).toEqual([]);
    const { errors } = await make({}, {}, "n".repeat(35));
    expect(message(errors)).toMatch(
      /name: makes the EventBridge rule "n{35}-instance-state-change" of 57 characters; .* at most 56 fit/,
    );
    const longer = message((await make({}, {}, "n".repeat(60))).errors);
    for (const kind of ["IAM role", "SQS queue"]) expect(longer).toContain(`name: makes the ${kind} "n`);
  });

  // Karpenter's compatibility table: 1.33 from 1.5 on, 1.34 from 1.6, 1.35 from 1.9, 1.36 from 1.13.
  test.each([
    ["1.5.0", "1.33", true],
    ["1.4.9", "1.33", false],
    ["1.6.0", "1.34", true],
    ["1.5.3", "1.34", false],
    ["1.9.0", "1.35", true],
    ["1.8.8", "1.35", false],
    ["1.13.0", "1.36", true],
    ["1.12.4", "1.36", false],
    ["1.15.2", "1.36", true],
    ["1.15.2", "1.37", false],
    ["1.15.2", "1.36.2", false],
  ])("Karpenter %s on Kubernetes %s: %s", (chart, kubernetes, fine) => {
    expect(compatibilityProblem(chart, kubernetes) === undefined).toBe(fine);
  });
});

const everyGate = {
  nodeRepair: true,
  nodeOverlay: true,
  reservedCapacity: true,
  spotToSpotConsolidation: true,
  staticCapacity: true,
  capacityBuffer: true,
  terminateFirstDrift: true,
  terminateFirstRepair: true,
  podDeletionCostManagement: true,
  rebootForRepair: true,
};

/** Maps whose keys the chart doesn't fix. */
const freeForm = ["nodeSelector", "podAnnotations", "serviceAccount.annotations", "controller.resources"];

/** Paths of values that the chart doesn't know. */
function unknownKeys(ours: unknown, theirs: unknown, path = ""): string[] {
  if (typeof ours !== "object" || ours === null || Array.isArray(ours) || freeForm.includes(path)) return [];
  const known = theirs as Record<string, unknown>;
  return Object.entries(ours).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return key in known ? unknownKeys(value, known[key], at) : [at];
  });
}
