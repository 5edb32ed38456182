import * as pulumi from "@pulumi/pulumi";
import { find, reaches } from "../../support/graph";
import { args, elsewhere, make, of, queueArn, release, types } from "./setup";

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

  // IAM has no endpoint in a VPC: there Karpenter can make no profile. Elsewhere it makes one for each node class.
  test("in an isolated VPC they have a profile, which Karpenter waits for and goes before", async () => {
    expect(of((await make()).resources, types.profile)).toEqual([]);
    const { resources, outputs } = await make({ isolatedVpc: true });
    const profile = find(resources, types.profile);
    expect(profile.inputs).toEqual({ role: "k-node-1a2b3c4", tags: { Name: "k-node" } });
    expect(outputs?.instanceProfileName).toBe("k-node-1a2b3c4");
    expect(reaches(resources, release(resources), profile)).toBe(true);
  });

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
