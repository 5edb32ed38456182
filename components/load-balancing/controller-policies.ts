import * as pulumi from "@pulumi/pulumi";
import type { Location, PolicyStatement } from "../internal/iam";
import { controllerReleases, type ControllerChartVersion } from "./controller-versions";
import { registrationTag } from "./refs";

/*
 * The two policies of the controller. The full one is docs/install/iam_policy.json of the controller's repository at v3.5.0,
 * statement by statement in its order; test/fixtures/facts holds the original for comparison.
 */

/** What a policy is limited to. */
export interface PolicyScope {
  readonly location: Location;
  readonly clusterName: string;
  readonly vpcId: pulumi.Input<string>;
}

/**
 * What bindings to target groups of other accounts need: roles there, which the controller takes on by name (`iamRoleArnToAssume` of
 * a binding). The published policy leaves it to the reader.
 */
export function otherAccountStatements(roleArns: pulumi.Input<string>[]): PolicyStatement[] {
  return roleArns.length === 0 ? [] : [{ Effect: "Allow", Action: ["sts:AssumeRole"], Resource: roleArns }];
}

/**
 * The least that a controller needs which only binds Services to existing target groups: what the controller was seen to call
 * without `spec.networking`. Dropping any of the six breaks registration or makes every binding retry each 15 s.
 *
 * @param migrated target groups without the registration tag that may be registered to as well.
 */
export function bindingOnlyStatements(scope: PolicyScope, migrated: pulumi.Input<string>[]): PolicyStatement[] {
  const { partition, region, accountId } = scope.location;
  const register = ["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"];
  return [
    {
      Sid: "ReadTargets",
      Effect: "Allow",
      Action: [
        "ec2:DescribeSecurityGroups",
        "ec2:DescribeVpcs",
        "elasticloadbalancing:DescribeTargetGroups",
        "elasticloadbalancing:DescribeTargetHealth",
      ],
      Resource: "*",
    },
    {
      Sid: "RegisterWhereTagged",
      Effect: "Allow",
      Action: register,
      Resource: pulumi.interpolate`arn:${partition}:elasticloadbalancing:${region}:${accountId}:targetgroup/*/*`,
      Condition: { StringEquals: { [`aws:ResourceTag/${registrationTag}`]: scope.clusterName } },
    },
    ...(migrated.length === 0
      ? []
      : [{ Sid: "RegisterMigrated", Effect: "Allow" as const, Action: register, Resource: migrated }]),
  ];
}

const clusterTag = "elbv2.k8s.aws/cluster";
const requestTagged = { [`aws:RequestTag/${clusterTag}`]: "false" };
const resourceTagged = { [`aws:ResourceTag/${clusterTag}`]: "false" };
const onlyResourceTagged = { [`aws:RequestTag/${clusterTag}`]: "true", ...resourceTagged };

/**
 * Everything that the controller can do. One statement is narrower than the original: rules of groups that the controller didn't
 * make may be changed in the cluster's VPC only. The original allows every group of the account; the controller's installation
 * guide asks to narrow it.
 */
export function fullStatements(scope: PolicyScope, version: ControllerChartVersion): PolicyStatement[] {
  const { partition, region, accountId } = scope.location;
  const elb = (resource: string) => pulumi.interpolate`arn:${partition}:elasticloadbalancing:*:*:${resource}`;
  const securityGroups = pulumi.interpolate`arn:${partition}:ec2:*:*:security-group/*`;
  const groupsAndLoadBalancers = [elb("targetgroup/*/*"), elb("loadbalancer/net/*/*"), elb("loadbalancer/app/*/*")];
  const allow = (Action: string[], Resource: PolicyStatement["Resource"] = "*"): PolicyStatement => ({
    Effect: "Allow",
    Action,
    Resource,
  });

  return [
    {
      ...allow(["iam:CreateServiceLinkedRole"]),
      Condition: { StringEquals: { "iam:AWSServiceName": "elasticloadbalancing.amazonaws.com" } },
    },
    allow([...readActions, ...controllerReleases[version].extraReadActions]),
    allow(companionActions),
    {
      ...allow(["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress"]),
      Condition: {
        ArnEquals: { "ec2:Vpc": pulumi.interpolate`arn:${partition}:ec2:${region}:${accountId}:vpc/${scope.vpcId}` },
      },
    },
    allow(["ec2:CreateSecurityGroup"]),
    {
      ...allow(["ec2:CreateTags"], securityGroups),
      Condition: { StringEquals: { "ec2:CreateAction": "CreateSecurityGroup" }, Null: requestTagged },
    },
    { ...allow(["ec2:CreateTags", "ec2:DeleteTags"], securityGroups), Condition: { Null: onlyResourceTagged } },
    {
      ...allow(["ec2:AuthorizeSecurityGroupIngress", "ec2:RevokeSecurityGroupIngress", "ec2:DeleteSecurityGroup"]),
      Condition: { Null: resourceTagged },
    },
    {
      ...allow(["elasticloadbalancing:CreateLoadBalancer", "elasticloadbalancing:CreateTargetGroup"]),
      Condition: { Null: requestTagged },
    },
    allow([
      "elasticloadbalancing:CreateListener",
      "elasticloadbalancing:DeleteListener",
      "elasticloadbalancing:CreateRule",
      "elasticloadbalancing:DeleteRule",
    ]),
    { ...allow(tagActions, groupsAndLoadBalancers), Condition: { Null: onlyResourceTagged } },
    allow(tagActions, [
      elb("listener/net/*/*/*"),
      elb("listener/app/*/*/*"),
      elb("listener-rule/net/*/*/*"),
      elb("listener-rule/app/*/*/*"),
    ]),
    { ...allow(changeActions), Condition: { Null: resourceTagged } },
    {
      ...allow(["elasticloadbalancing:AddTags"], groupsAndLoadBalancers),
      Condition: {
        StringEquals: { "elasticloadbalancing:CreateAction": ["CreateTargetGroup", "CreateLoadBalancer"] },
        Null: requestTagged,
      },
    },
    allow(["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"], elb("targetgroup/*/*")),
    allow([
      "elasticloadbalancing:SetWebAcl",
      "elasticloadbalancing:ModifyListener",
      "elasticloadbalancing:AddListenerCertificates",
      "elasticloadbalancing:RemoveListenerCertificates",
      "elasticloadbalancing:ModifyRule",
      "elasticloadbalancing:SetRulePriorities",
    ]),
  ];
}

const tagActions = ["elasticloadbalancing:AddTags", "elasticloadbalancing:RemoveTags"];

const readActions = [
  "ec2:DescribeAccountAttributes",
  "ec2:DescribeAddresses",
  "ec2:DescribeAvailabilityZones",
  "ec2:DescribeInternetGateways",
  "ec2:DescribeVpcs",
  "ec2:DescribeVpcPeeringConnections",
  "ec2:DescribeSubnets",
  "ec2:DescribeSecurityGroups",
  "ec2:DescribeInstances",
  "ec2:DescribeNetworkInterfaces",
  "ec2:DescribeTags",
  "ec2:GetCoipPoolUsage",
  "ec2:DescribeCoipPools",
  "ec2:GetSecurityGroupsForVpc",
  "ec2:DescribeIpamPools",
  "ec2:DescribeRouteTables",
  "elasticloadbalancing:DescribeLoadBalancers",
  "elasticloadbalancing:DescribeLoadBalancerAttributes",
  "elasticloadbalancing:DescribeListeners",
  "elasticloadbalancing:DescribeListenerCertificates",
  "elasticloadbalancing:DescribeSSLPolicies",
  "elasticloadbalancing:DescribeRules",
  "elasticloadbalancing:DescribeTargetGroups",
  "elasticloadbalancing:DescribeTargetGroupAttributes",
  "elasticloadbalancing:DescribeTargetHealth",
  "elasticloadbalancing:DescribeTags",
  "elasticloadbalancing:DescribeTrustStores",
  "elasticloadbalancing:DescribeListenerAttributes",
  "elasticloadbalancing:DescribeCapacityReservation",
];

/** Certificates, sign-in, WAF and Shield: services that an Ingress can ask for. */
const companionActions = [
  "cognito-idp:DescribeUserPoolClient",
  "acm:ListCertificates",
  "acm:DescribeCertificate",
  "iam:ListServerCertificates",
  "iam:GetServerCertificate",
  "waf-regional:GetWebACL",
  "waf-regional:GetWebACLForResource",
  "waf-regional:AssociateWebACL",
  "waf-regional:DisassociateWebACL",
  "wafv2:GetWebACL",
  "wafv2:GetWebACLForResource",
  "wafv2:AssociateWebACL",
  "wafv2:DisassociateWebACL",
  "shield:GetSubscriptionState",
  "shield:DescribeProtection",
  "shield:CreateProtection",
  "shield:DeleteProtection",
];

const changeActions = [
  "elasticloadbalancing:ModifyLoadBalancerAttributes",
  "elasticloadbalancing:SetIpAddressType",
  "elasticloadbalancing:SetSecurityGroups",
  "elasticloadbalancing:SetSubnets",
  "elasticloadbalancing:DeleteLoadBalancer",
  "elasticloadbalancing:ModifyTargetGroup",
  "elasticloadbalancing:ModifyTargetGroupAttributes",
  "elasticloadbalancing:DeleteTargetGroup",
  "elasticloadbalancing:ModifyListenerAttributes",
  "elasticloadbalancing:ModifyCapacityReservation",
  "elasticloadbalancing:ModifyIpPools",
];
