import * as pulumi from "@pulumi/pulumi";
import { ControllerChartVersion, ControllerPermissions } from "../../../../components/load-balancing";
import published from "../../../fixtures/facts/lbc-iam-policy.json";
import { find } from "../../../support/graph";
import { args, documentOf, elsewhere, make, statementsOf, types, type Statement } from "./setup";

describe("LoadBalancerController: permissions", () => {
  test("its role is assumed by one service account only, and lives under the path that guards know", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    const role = find(resources, types.role).inputs;
    expect(role["path"]).toBe("/moorings/shop-prod/");
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
              "oidc.eks.eu-west-1.amazonaws.com/id/0123:sub":
                "system:serviceaccount:kube-system:aws-load-balancer-controller",
            },
          },
        },
      ],
    });
  });

  // The six actions: what the controller's binary was seen to call for a binding without networking.
  test("by default it reads, and registers where the group carries the cluster's tag: no more", async () => {
    const { resources } = await make();
    expect(statementsOf(resources)).toEqual([
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
        Action: ["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"],
        Resource: "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/*/*",
        Condition: { StringEquals: { "aws:ResourceTag/moorings-target-registration": "shop-prod" } },
      },
    ]);
  });

  test("by default it can't revoke a rule: the second outage can't happen", async () => {
    const { resources } = await make();
    expect(documentOf(resources)).not.toMatch(/SecurityGroup(In|E)gress|\*:\*|"ec2:\*"|iam:/);
  });

  test("groups under migration are named one by one", async () => {
    const old = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/old/0123456789abcdef";
    const { resources } = await make({ targetGroupArns: [pulumi.output(old)] });
    expect(statementsOf(resources)[2]).toEqual({
      Sid: "RegisterMigrated",
      Effect: "Allow",
      Action: ["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"],
      Resource: [old],
    });
  });

  test("the full policy is the published one, but changes foreign groups' rules in the cluster's VPC only", async () => {
    const { resources, errors } = await make({ permissions: ControllerPermissions.Full });
    expect(errors).toEqual([]);
    const expected = structuredClone(published.Statement) as Statement[];
    expected[3]!.Condition = {
      ArnEquals: { "ec2:Vpc": "arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-0123456789abcdef0" },
    };
    expect(statementsOf(resources)).toHaveLength(16);
    expect(statementsOf(resources)).toEqual(expected);
  });

  test("3.7.0 may ask for quotas of security groups, as its release notes demand, and nothing else is added", async () => {
    const actions = async (chartVersion: ControllerChartVersion) =>
      statementsOf((await make({ chartVersion, permissions: ControllerPermissions.Full })).resources).map(
        (s) => s.Action,
      );
    const [old, middle, newest] = [
      await actions(ControllerChartVersion.V3_5_0),
      await actions(ControllerChartVersion.V3_6_0),
      await actions(ControllerChartVersion.V3_7_0),
    ];
    expect(middle).toEqual(old);
    expect(newest[1]).toEqual([...old[1]!, "ec2:ValidateSecurityGroupQuotasForInterface"]);
    expect(newest.filter((_, n) => n !== 1)).toEqual(old.filter((_, n) => n !== 1));
  });

  // IAM: a managed policy holds 6,144 characters. Longest EKS cluster name: 100.
  test.each([
    ["aws", "ap-southeast-7"],
    ["aws-cn", "cn-northwest-1"],
    ["aws-us-gov", "us-gov-west-1"],
  ])("both policies fit in partition %s with the longest cluster name", async (partition, region) => {
    const cluster = { ...args.cluster, name: "c".repeat(100) };
    for (const permissions of [ControllerPermissions.BindingOnly, ControllerPermissions.Full]) {
      const { resources, errors } = await make(
        { cluster, permissions, chartVersion: ControllerChartVersion.V3_7_0 },
        elsewhere(partition, region),
      );
      expect(errors).toEqual([]);
      const document = documentOf(resources);
      expect(document.length).toBeLessThanOrEqual(6144);
      expect(document).toContain(`arn:${partition}:`);
      expect(document.match(/arn:[a-z-]+:/g)!.every((arn) => arn === `arn:${partition}:`)).toBe(true);
    }
  });

  test("a policy that IAM would refuse for its size stops before it is sent", async () => {
    const arn = (n: number) =>
      `arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/${"g".repeat(32)}/${String(n).padStart(16, "0")}`;
    const { errors } = await make({ targetGroupArns: Array.from({ length: 60 }, (_, n) => arn(n)) });
    expect(errors.map((e) => e.message).join()).toMatch(/targetGroupArns makes .* IAM stores 6144: name fewer/);

    const roles = Array.from({ length: 60 }, (_, n) => `arn:aws:iam::123456789012:role/${"r".repeat(60)}${n}`);
    const full = await make({ permissions: ControllerPermissions.Full, assumeRoleArns: roles });
    expect(full.errors.map((e) => e.message).join()).toMatch(/assumeRoleArns makes .* IAM stores 6144: name fewer/);
  });
});
