import * as pulumi from "@pulumi/pulumi";
import type { Location, PolicyStatement } from "../internal/iam";

/*
 * What the controller may do: the six managed policies of Karpenter's CloudFormation template, documented statement by statement in
 * its "Reference: CloudFormation" (v1.14), with the same Sids in the same order. Six, because one would exceed what IAM stores from a
 * cluster name of 18 characters on in eu-west-1, and of 9 in ap-southeast-2.
 */

/** What the policies are limited to. */
export interface ControllerScope {
  readonly location: Location;
  readonly clusterName: string;
  /** The one role that the controller may give to nodes. */
  readonly nodeRoleArn: pulumi.Input<string>;
  readonly queueArn: pulumi.Input<string>;
  /** Whether it may reboot nodes (gate `rebootForRepair`). */
  readonly reboot: boolean;
}

/** The policies' statements, by a name that becomes part of their resources' names. */
export function controllerPolicies(scope: ControllerScope): Record<string, PolicyStatement[]> {
  return {
    "node-lifecycle": nodeLifecycle(scope),
    "iam-integration": iamIntegration(scope),
    "eks-integration": [allow("AllowAPIServerEndpointDiscovery", "eks:DescribeCluster", clusterArn(scope))],
    interruption: [
      allow(
        "AllowInterruptionQueueActions",
        ["sqs:DeleteMessage", "sqs:GetQueueUrl", "sqs:ReceiveMessage"],
        scope.queueArn,
      ),
    ],
    "zonal-shift": [
      allow("AllowZonalShiftStatusReadOnly", ["arc-zonal-shift:GetManagedResource"], "*", {
        StringEquals: { "arc-zonal-shift:ResourceIdentifier": clusterArn(scope) },
      }),
    ],
    "resource-discovery": resourceDiscovery(scope),
  };
}

function allow(
  Sid: string,
  Action: PolicyStatement["Action"],
  Resource: PolicyStatement["Resource"],
  Condition?: PolicyStatement["Condition"],
): PolicyStatement {
  return { Sid, Effect: "Allow", Resource, Action, ...(Condition === undefined ? {} : { Condition }) };
}

function clusterArn({ location, clusterName }: ControllerScope): pulumi.Output<string> {
  return pulumi.interpolate`arn:${location.partition}:eks:${location.region}:${location.accountId}:cluster/${clusterName}`;
}

// Karpenter's own tags, by which everything that it may change is known. They are as safe as the right to set them: nobody else may
// have ec2:CreateTags for these keys.
const nodePoolTag = "karpenter.sh/nodepool";
const nodeClassTag = "karpenter.k8s.aws/ec2nodeclass";
const clusterNameTag = "eks:eks-cluster-name";
const regionTag = "topology.kubernetes.io/region";
const ownedTag = (clusterName: string) => `kubernetes.io/cluster/${clusterName}`;

function nodeLifecycle({ location, clusterName, reboot }: ControllerScope): PolicyStatement[] {
  const { partition, region } = location;
  const ec2 = (type: string) => pulumi.interpolate`arn:${partition}:ec2:${region}:*:${type}/*`;
  const ofNobody = (type: string) => pulumi.interpolate`arn:${partition}:ec2:${region}::${type}/*`;
  const created = ["fleet", "instance", "volume", "network-interface", "launch-template", "spot-instances-request"].map(
    ec2,
  );
  const itsOwn = {
    StringEquals: { [`aws:ResourceTag/${ownedTag(clusterName)}`]: "owned" },
    StringLike: { [`aws:ResourceTag/${nodePoolTag}`]: "*" },
  };
  const requested = {
    [`aws:RequestTag/${ownedTag(clusterName)}`]: "owned",
    [`aws:RequestTag/${clusterNameTag}`]: clusterName,
  };
  const requestedByPool = { StringLike: { [`aws:RequestTag/${nodePoolTag}`]: "*" } };

  return [
    allow(
      "AllowScopedEC2InstanceAccessActions",
      ["ec2:RunInstances", "ec2:CreateFleet"],
      [
        ofNobody("image"),
        ofNobody("snapshot"),
        ec2("security-group"),
        ec2("subnet"),
        ec2("capacity-reservation"),
        ec2("placement-group"),
      ],
    ),
    allow(
      "AllowScopedEC2LaunchTemplateAccessActions",
      ["ec2:RunInstances", "ec2:CreateFleet"],
      ec2("launch-template"),
      itsOwn,
    ),
    allow(
      "AllowScopedEC2InstanceActionsWithTags",
      ["ec2:RunInstances", "ec2:CreateFleet", "ec2:CreateLaunchTemplate"],
      created,
      { StringEquals: requested, ...requestedByPool },
    ),
    allow("AllowScopedResourceCreationTagging", "ec2:CreateTags", created, {
      StringEquals: { ...requested, "ec2:CreateAction": ["RunInstances", "CreateFleet", "CreateLaunchTemplate"] },
      ...requestedByPool,
    }),
    allow("AllowScopedResourceTagging", "ec2:CreateTags", ec2("instance"), {
      ...itsOwn,
      StringEqualsIfExists: { [`aws:RequestTag/${clusterNameTag}`]: clusterName },
      "ForAllValues:StringEquals": { "aws:TagKeys": [clusterNameTag, "karpenter.sh/nodeclaim", "Name"] },
    }),
    allow(
      "AllowScopedDeletion",
      ["ec2:TerminateInstances", "ec2:DeleteLaunchTemplate"],
      [ec2("instance"), ec2("launch-template")],
      itsOwn,
    ),
    // Not in the template, which doesn't cover alpha features; scoped as deletion is.
    ...(reboot ? [allow("AllowScopedReboot", "ec2:RebootInstances", ec2("instance"), itsOwn)] : []),
  ];
}

function iamIntegration({ location, clusterName, nodeRoleArn }: ControllerScope): PolicyStatement[] {
  const { partition, region, accountId } = location;
  const profiles = pulumi.interpolate`arn:${partition}:iam::${accountId}:instance-profile/*`;
  const owned = (kind: "Request" | "Resource") => ({ [`aws:${kind}Tag/${ownedTag(clusterName)}`]: "owned" });
  const ofRegion = (kind: "Request" | "Resource") => ({ [`aws:${kind}Tag/${regionTag}`]: region });
  const ofCluster = { [`aws:RequestTag/${clusterNameTag}`]: clusterName };
  const ofClass = (kind: "Request" | "Resource") => ({ [`aws:${kind}Tag/${nodeClassTag}`]: "*" });
  return [
    allow("AllowPassingInstanceRole", "iam:PassRole", nodeRoleArn, {
      StringEquals: { "iam:PassedToService": ["ec2.amazonaws.com", "ec2.amazonaws.com.cn"] },
    }),
    allow("AllowScopedInstanceProfileCreationActions", ["iam:CreateInstanceProfile"], profiles, {
      StringEquals: { ...owned("Request"), ...ofCluster, ...ofRegion("Request") },
      StringLike: ofClass("Request"),
    }),
    allow("AllowScopedInstanceProfileTagActions", ["iam:TagInstanceProfile"], profiles, {
      StringEquals: {
        ...owned("Resource"),
        ...ofRegion("Resource"),
        ...owned("Request"),
        ...ofCluster,
        ...ofRegion("Request"),
      },
      StringLike: { ...ofClass("Resource"), ...ofClass("Request") },
    }),
    allow(
      "AllowScopedInstanceProfileActions",
      ["iam:AddRoleToInstanceProfile", "iam:RemoveRoleFromInstanceProfile", "iam:DeleteInstanceProfile"],
      profiles,
      { StringEquals: { ...owned("Resource"), ...ofRegion("Resource") }, StringLike: ofClass("Resource") },
    ),
  ];
}

function resourceDiscovery({ location }: ControllerScope): PolicyStatement[] {
  const { partition, region, accountId } = location;
  return [
    allow(
      "AllowRegionalReadActions",
      [
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
      "*",
      { StringEquals: { "aws:RequestedRegion": region } },
    ),
    allow(
      "AllowSSMReadActions",
      "ssm:GetParameter",
      pulumi.interpolate`arn:${partition}:ssm:${region}::parameter/aws/service/*`,
    ),
    allow("AllowPricingReadActions", "pricing:GetProducts", "*"),
    allow("AllowUnscopedInstanceProfileListAction", "iam:ListInstanceProfiles", "*"),
    allow(
      "AllowInstanceProfileReadActions",
      "iam:GetInstanceProfile",
      pulumi.interpolate`arn:${partition}:iam::${accountId}:instance-profile/*`,
    ),
  ];
}
