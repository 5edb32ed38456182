import * as k8s from "@pulumi/kubernetes";
import { Karpenter, type KarpenterArgs } from "../../../components/karpenter";
import { shopProd } from "../../support/clusters";
import { find } from "../../support/graph";
import { answers, run, type Registration, type RunOptions } from "../../support/harness";

export const types = {
  access: "aws:eks/accessEntry:AccessEntry",
  association: "aws:eks/podIdentityAssociation:PodIdentityAssociation",
  attachment: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  policy: "aws:iam/policy:Policy",
  profile: "aws:iam/instanceProfile:InstanceProfile",
  queue: "aws:sqs/queue:Queue",
  queuePolicy: "aws:sqs/queuePolicy:QueuePolicy",
  release: "kubernetes:helm.sh/v3:Release",
  role: "aws:iam/role:Role",
  rule: "aws:cloudwatch/eventRule:EventRule",
  target: "aws:cloudwatch/eventTarget:EventTarget",
};
export const args: KarpenterArgs = {
  cluster: shopProd,
};
export const queueArn = "arn:aws:sqs:eu-west-1:123456789012:k-interruptions-1a2b3c4";

export const state: RunOptions["state"] = ({ type, name }) => {
  switch (type) {
    case types.role:
      return { arn: `arn:aws:iam::123456789012:role/${name}-1a2b3c4`, name: `${name}-1a2b3c4` };
    case types.profile:
      return { name: `${name}-1a2b3c4` };
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

export const make = (change: Partial<KarpenterArgs> = {}, options: RunOptions = {}, name = "k") =>
  run(
    () => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const made = new Karpenter(name, { ...args, ...change }, { providers: [cluster] });
      const { controllerRoleArn, nodeRoleName, nodeRoleArn, instanceProfileName, queueName, chartVersion } = made;
      const outputs = { controllerRoleArn, nodeRoleName, nodeRoleArn, queueName, chartVersion };
      return { ...outputs, ...(instanceProfileName && { instanceProfileName }) };
    },
    { state, ...options },
  );
export const elsewhere = (partition: string, region: string, dnsSuffix: string): RunOptions => ({
  call: (call) => {
    const answer = answers(call);
    if (call.token === "aws:index/getPartition:getPartition") return { ...answer, partition, dnsSuffix };
    if (call.token === "aws:index/getRegion:getRegion") return { ...answer, region };
    return answer;
  },
});
export const of = (resources: readonly Registration[], type: string) => resources.filter((r) => r.type === type);
export const message = (errors: readonly Error[]) => errors.map((e) => e.message).join("\n");
export const policyOf = (resources: readonly Registration[], key: string) =>
  find(resources, types.policy, `k-${key}`).inputs["policy"] as string;
export const statementsOf = (resources: readonly Registration[], key: string) =>
  (JSON.parse(policyOf(resources, key)) as { Statement: { Sid: string }[] }).Statement;
export const release = (resources: readonly Registration[], name = "release") =>
  find(resources, types.release, `k-${name}`);
export const valuesOf = (resources: readonly Registration[]) =>
  release(resources).inputs["values"] as Record<string, unknown>;

/** Maps whose keys the chart doesn't fix. */
export const freeForm = ["nodeSelector", "podAnnotations", "serviceAccount.annotations", "controller.resources"];
