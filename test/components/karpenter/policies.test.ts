import { make, of, queueArn, statementsOf, types } from "./setup";

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
});
