import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { KarpenterIdentity } from "../../../components/karpenter";
import { find } from "../../support/graph";
import { allows, type Question } from "../../support/iam";
import { make, of, types } from "./setup";

/*
 * What the policies come to, judged by an evaluator of IAM policies: the controller has them and nothing else. Statement by statement they are in
 * policies.test.ts. (The evaluator's data has no public parameters of SSM, whose ARNs name no account.)
 */

const ec2 = (resource: string) => `arn:aws:ec2:eu-west-1:123456789012:${resource}`;
const iam = (rest: string) => `arn:aws:iam::123456789012:${rest}`;
const instance = ec2("instance/i-0123456789abcdef0");
const template = ec2("launch-template/lt-0123456789abcdef0");
const profile = iam("instance-profile/karpenter/eu-west-1/shop-prod/5e4b1c/shop-prod_1234");
const nodeRole = iam("role/k-node-1a2b3c4");

const has = (tags: Record<string, string>) =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:ResourceTag/${key}`, value]));
const asks = (tags: Record<string, string>) => ({
  ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
  "aws:TagKeys": Object.keys(tags),
});
const owned = (cluster: string) => ({ [`kubernetes.io/cluster/${cluster}`]: "owned", "karpenter.sh/nodepool": "web" });
/** Tags of what Karpenter makes for a pool, and of its instance profiles. */
const made = (cluster: string) => ({ ...owned(cluster), "eks:eks-cluster-name": cluster });
const profileTags = (cluster: string, region = "eu-west-1") => ({
  [`kubernetes.io/cluster/${cluster}`]: "owned",
  "eks:eks-cluster-name": cluster,
  "topology.kubernetes.io/region": region,
  "karpenter.k8s.aws/ec2nodeclass": "web",
});

type Deed = Pick<Question, "action" | "resource" | "context">;
const deed = (action: string, resource: string, context: Deed["context"] = {}): Deed => ({ action, resource, context });

const may: Record<string, Deed> = {
  "make an instance with its tags": deed("ec2:RunInstances", instance, asks(made("shop-prod"))),
  "use a subnet": deed("ec2:RunInstances", ec2("subnet/subnet-0123456789abcdef0")),
  "use its launch template": deed("ec2:CreateFleet", template, has(owned("shop-prod"))),
  "tag what it makes": deed("ec2:CreateTags", instance, {
    ...asks(made("shop-prod")),
    "ec2:CreateAction": "RunInstances",
  }),
  "tag its instance with the claim's name": deed("ec2:CreateTags", instance, {
    ...has(owned("shop-prod")),
    ...asks({ "karpenter.sh/nodeclaim": "web-x7k2p", Name: "web" }),
  }),
  "terminate its instance": deed("ec2:TerminateInstances", instance, has(owned("shop-prod"))),
  "delete its launch template": deed("ec2:DeleteLaunchTemplate", template, has(owned("shop-prod"))),
  "give nodes their role": deed("iam:PassRole", nodeRole, { "iam:PassedToService": "ec2.amazonaws.com" }),
  "make an instance profile with its tags": deed("iam:CreateInstanceProfile", profile, asks(profileTags("shop-prod"))),
  "put a role into its profile": deed("iam:AddRoleToInstanceProfile", profile, has(profileTags("shop-prod"))),
  "read a profile that somebody else made": deed("iam:GetInstanceProfile", iam("instance-profile/nodes")),
  "read its queue": deed("sqs:ReceiveMessage", "arn:aws:sqs:eu-west-1:123456789012:k-interruptions-1a2b3c4"),
  "look at instances": deed("ec2:DescribeInstances", "*", { "aws:RequestedRegion": "eu-west-1" }),
};

const mayNot: Record<string, Deed> = {
  "terminate another cluster's instance": deed("ec2:TerminateInstances", instance, has(owned("shop-dev"))),
  "terminate an instance of no pool": deed(
    "ec2:TerminateInstances",
    instance,
    has({ "kubernetes.io/cluster/shop-prod": "owned" }),
  ),
  "terminate an instance that only uses the cluster": deed(
    "ec2:TerminateInstances",
    instance,
    has({ ...owned("shop-prod"), "kubernetes.io/cluster/shop-prod": "shared" }),
  ),
  "terminate an instance without tags": deed("ec2:TerminateInstances", instance),
  "make an instance without tags": deed("ec2:RunInstances", instance),
  "make an instance for another cluster": deed("ec2:RunInstances", instance, asks(made("shop-dev"))),
  "use somebody's launch template": deed("ec2:RunInstances", template),
  "delete somebody's launch template": deed("ec2:DeleteLaunchTemplate", template),
  "take a foreign instance by tagging it": deed("ec2:CreateTags", instance, asks(made("shop-prod"))),
  "tag another cluster's instance": deed("ec2:CreateTags", instance, {
    ...has(owned("shop-dev")),
    ...asks({ Name: "web" }),
  }),
  "tag its instance with anything": deed("ec2:CreateTags", instance, {
    ...has(owned("shop-prod")),
    ...asks({ team: "edge" }),
  }),
  "reboot its instance": deed("ec2:RebootInstances", instance, has(owned("shop-prod"))),
  "give nodes another role": deed("iam:PassRole", iam("role/admin"), { "iam:PassedToService": "ec2.amazonaws.com" }),
  "give the role to something else": deed("iam:PassRole", nodeRole, { "iam:PassedToService": "lambda.amazonaws.com" }),
  "make an instance profile without tags": deed("iam:CreateInstanceProfile", profile),
  "make an instance profile for another region": deed(
    "iam:CreateInstanceProfile",
    profile,
    asks(profileTags("shop-prod", "us-east-1")),
  ),
  "put a role into another cluster's profile": deed(
    "iam:AddRoleToInstanceProfile",
    profile,
    has(profileTags("shop-dev")),
  ),
  "delete a profile that somebody else made": deed("iam:DeleteInstanceProfile", iam("instance-profile/nodes")),
  "look at instances of another region": deed("ec2:DescribeInstances", "*", { "aws:RequestedRegion": "us-east-1" }),
  "read somebody's parameters": deed("ssm:GetParameter", "arn:aws:ssm:eu-west-1:123456789012:parameter/database"),
  "read another queue": deed("sqs:ReceiveMessage", "arn:aws:sqs:eu-west-1:123456789012:orders"),
  "send to its own queue": deed("sqs:SendMessage", "arn:aws:sqs:eu-west-1:123456789012:k-interruptions-1a2b3c4"),
  "change its own role": deed("iam:AttachRolePolicy", iam("role/k-controller-1a2b3c4")),
};

const controller = { arn: iam("role/k-controller-1a2b3c4"), session: "1765000000" };
/** The deeds of a list that are allowed. */
async function allowed(deeds: Record<string, Deed>, change?: Parameters<typeof make>[0]): Promise<string[]> {
  const grants = of((await make(change)).resources, types.policy).map((policy) => policy.inputs["policy"] as string);
  const verdicts = await Promise.all(
    Object.entries(deeds).map(async ([name, question]) =>
      (await allows({ ...question, principal: controller, grants })) ? [name] : [],
    ),
  );
  return verdicts.flat();
}

test("the controller may do what its work needs, on what is its own", async () => {
  expect(await allowed(may)).toEqual(Object.keys(may));
});

test("and nothing to what is others'", async () => {
  expect(await allowed(mayNot)).toEqual([]);
});

test("it may reboot with the gate alone, and its own instances alone", async () => {
  const reboots = {
    its: mayNot["reboot its instance"]!,
    "another cluster's": deed("ec2:RebootInstances", instance, has(owned("shop-dev"))),
  };
  expect(await allowed(reboots, { featureGates: { rebootForRepair: true } })).toEqual(["its"]);
});

test("the organization's policy of docs/karpenter.md keeps the tags to Karpenter", async () => {
  const page = readFileSync(resolve(__dirname, "../../../docs/karpenter.md"), "utf8");
  const serviceControlPolicy = /```json\n([^]*?)```/.exec(page)![1]!;
  const tagging = (arn: string, key: string) =>
    allows({
      principal: { arn: iam(arn), session: "jane" },
      ...deed("ec2:CreateTags", instance, asks({ [key]: "web" })),
      serviceControlPolicy,
    });
  expect(await tagging("role/admin", "karpenter.sh/nodepool")).toBe(false);
  expect(await tagging("role/admin", "team")).toBe(true);
  expect(await tagging("role/karpenter-controller-1a2b3c4", "karpenter.sh/nodepool")).toBe(true);
});

describe("whom the role trusts with Pod Identity", () => {
  const cluster = "arn:aws:eks:eu-west-1:123456789012:cluster/shop-prod";
  const session = {
    "aws:SourceAccount": "123456789012",
    "aws:SourceArn": cluster,
    "aws:RequestTag/kubernetes-namespace": "kube-system",
    "aws:RequestTag/kubernetes-service-account": "karpenter",
  };
  const without = (key: keyof typeof session) => Object.fromEntries(Object.entries(session).filter(([k]) => k !== key));
  test.each<[string, boolean, Record<string, string>, string?]>([
    ["EKS for Karpenter's service account", true, session],
    ["EKS for another service account", false, { ...session, "aws:RequestTag/kubernetes-service-account": "default" }],
    ["EKS for another namespace", false, { ...session, "aws:RequestTag/kubernetes-namespace": "web" }],
    ["EKS for a session without tags", false, without("aws:RequestTag/kubernetes-service-account")],
    ["EKS for another cluster", false, { ...session, "aws:SourceArn": cluster.replace("prod", "dev") }],
    ["EKS for another account", false, { ...session, "aws:SourceAccount": "210987654321" }],
    ["another service", false, session, "ec2.amazonaws.com"],
  ])("%s: %s", async (_, trusted, context, service = "pods.eks.amazonaws.com") => {
    const { resources } = await make({ identity: KarpenterIdentity.PodIdentity });
    const resourcePolicy = find(resources, types.role, "k-controller").inputs["assumeRolePolicy"] as string;
    for (const action of ["sts:AssumeRole", "sts:TagSession"])
      expect([
        action,
        await allows({
          principal: { arn: service },
          action,
          resource: controller.arn,
          context,
          resourcePolicy,
          grants: [],
        }),
      ]).toEqual([action, trusted]);
  });
});
