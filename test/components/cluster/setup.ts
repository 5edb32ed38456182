import { ClusterAccessLevel, EksCluster, type EksClusterArgs } from "../../../components/cluster";
import { find } from "../../support/graph";
import { run, type Registration, type RunOptions } from "../../support/harness";

export const admin = { principalArn: "arn:aws:iam::123456789012:role/deploy", level: ClusterAccessLevel.ClusterAdmin };
export const minimal: EksClusterArgs = {
  vpcId: "vpc-1",
  privateSubnetIds: ["subnet-a", "subnet-b"],
  accessEntries: { deployer: admin },
};

export const types = {
  cluster: "eks:index:Cluster",
  addon: "aws:eks/addon:Addon",
  nodes: "aws:eks/nodeGroup:NodeGroup",
  role: "aws:iam/role:Role",
  attachment: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  oidc: "aws:iam/openIdConnectProvider:OpenIdConnectProvider",
  logs: "aws:cloudwatch/logGroup:LogGroup",
  key: "aws:kms/key:Key",
  template: "aws:ec2/launchTemplate:LaunchTemplate",
};

/** What AWS and `@pulumi/eks` would compute. */
export const child = {
  name: "shop",
  endpoint: "https://shop.example",
  certificateAuthority: { data: "Q0E=" },
  vpcConfig: { clusterSecurityGroupId: "sg-cluster", vpcId: "vpc-1" },
};
export const oidcIssuer = "oidc.eks.eu-west-1.amazonaws.com/id/ABC";
export const state: RunOptions["state"] = (args) =>
  args.type === types.cluster
    ? { eksCluster: child, oidcIssuer, oidcProviderArn: "", kubeconfigJson: '{"kind":"Config"}' }
    : { arn: `arn:${args.name}`, keyId: args.name, latestVersion: 3 };

export const make = (change: Partial<EksClusterArgs> = {}, options: RunOptions = { state }) =>
  run(() => {
    const made = new EksCluster("shop", { ...minimal, ...change });
    return { name: made.name, ref: made.ref, node: made.nodeRoleArn, driver: made.ebsCsiRoleArn };
  }, options);
export const thrown = async (change: Partial<EksClusterArgs>) =>
  (await make(change)).errors.map((e) => e.message).join("\n");
export const addon = (resources: readonly Registration[], name: string) => find(resources, types.addon, name).inputs;
export const valuesOf = (resources: readonly Registration[], name: string) =>
  JSON.parse(addon(resources, name).configurationValues as string) as unknown;
