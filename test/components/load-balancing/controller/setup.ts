import * as k8s from "@pulumi/kubernetes";
import { LoadBalancerController, type LoadBalancerControllerArgs } from "../../../../components/load-balancing";
import { shopProd } from "../../../support/clusters";
import { find } from "../../../support/graph";
import { answers, run, secretSignature, type Registration, type RunOptions } from "../../../support/harness";

export const types = {
  attachment: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  crds: "kubernetes:yaml/v2:ConfigFile",
  leaf: "tls:index/locallySignedCert:LocallySignedCert",
  ca: "tls:index/selfSignedCert:SelfSignedCert",
  policy: "aws:iam/policy:Policy",
  release: "kubernetes:helm.sh/v3:Release",
  request: "tls:index/certRequest:CertRequest",
  role: "aws:iam/role:Role",
};
export const args: LoadBalancerControllerArgs = {
  cluster: shopProd,
  region: "eu-west-1",
};

const state: RunOptions["state"] = (resource) => {
  switch (resource.type) {
    case types.role:
    case types.policy:
      return { arn: `arn:aws:iam::123456789012:made/${resource.name}`, name: `${resource.name}-1a2b3c4` };
    case "tls:index/privateKey:PrivateKey":
      return { privateKeyPem: `key of ${resource.name}` };
    case types.ca:
    case types.leaf:
      return { certPem: `certificate ${resource.name}` };
    case types.request:
      return { certRequestPem: `request ${resource.name}` };
    default:
      return {};
  }
};

export const make = (change: Partial<LoadBalancerControllerArgs> = {}, options: RunOptions = {}) =>
  run(
    () => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const made = new LoadBalancerController("lbc", { ...args, ...change }, { providers: [cluster] });
      return { roleArn: made.roleArn, chartVersion: made.chartVersion };
    },
    { state, ...options },
  );

export interface Statement {
  Sid?: string;
  Effect: string;
  Action: string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string | string[]>>;
}
export const documentOf = (resources: readonly Registration[]) =>
  find(resources, types.policy).inputs["policy"] as string;
export const statementsOf = (resources: readonly Registration[]) =>
  (JSON.parse(documentOf(resources)) as { Statement: Statement[] }).Statement;
export const secret = (value: string) => ({ ...secretSignature, value });
export const valuesOf = (resources: readonly Registration[]) =>
  find(resources, types.release).inputs["values"] as Record<string, unknown>;
export const elsewhere = (partition: string, region: string): RunOptions => ({
  call: (call) => {
    const answer = answers(call);
    if (call.token === "aws:index/getPartition:getPartition") return { ...answer, partition };
    if (call.token === "aws:index/getRegion:getRegion") return { ...answer, region };
    return answer;
  },
});
