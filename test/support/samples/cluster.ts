import * as moorings from "../../../components";
import { sample, tags, type Sample } from "./sample";

const boundary = "arn:aws:iam::123456789012:policy/boundary";

/** Samples of the family `cluster`. */
export const clusterSamples: Record<string, Sample> = {
  EksCluster: sample(
    moorings.EksCluster,
    {
      vpcId: "vpc-0123456789abcdef0",
      privateSubnetIds: ["subnet-a", "subnet-b"],
      accessEntries: {
        deployer: {
          principalArn: "arn:aws:iam::123456789012:role/deployer",
          level: moorings.ClusterAccessLevel.ClusterAdmin,
        },
      },
    },
    {
      clusterName: "shop",
      kubernetesVersion: "1.35",
      addonVersions: { coredns: "v1.13.2-eksbuild.31" },
      optionalAddons: { nodeMonitoringAgent: "v1.4.0-eksbuild.2", snapshotController: "v8.2.0-eksbuild.1" },
      addonValues: { coredns: { replicaCount: 3 } },
      prefixDelegation: true,
      publicAccessCidrs: ["198.51.100.0/24"],
      privateAccessCidrs: ["10.20.0.0/16"],
      systemNodes: { architecture: moorings.NodeArchitecture.Arm64, minSize: 3 },
      workloadNodes: { minSize: 2 },
      logRetentionInDays: 30,
      deletionProtection: false,
      permissionsBoundaryArn: boundary,
      zonalShift: false,
      tags,
    },
    {
      args: { accessEntries: {}, publicAccessCidrs: ["0.0.0.0/0"], privateAccessCidrs: ["::/0"] },
      messages: ["accessEntries", "publicAccessCidrs[0]", "privateAccessCidrs[0]"],
    },
  ),
  DefaultStorageClass: sample(
    moorings.DefaultStorageClass,
    {},
    {
      className: "gp3",
      kmsKeyArn: "arn:aws:kms:eu-west-1:123456789012:key/0123",
      iops: 4000,
      throughputMiB: 1000,
      reclaimPolicy: moorings.VolumeReclaimPolicy.Retain,
      volumeTags: tags,
    },
    { args: { iops: 1, className: "Gp3" }, messages: ["iops", "className"] },
    { kubernetes: true },
  ),
  PrivateClusterEndpoints: sample(
    moorings.PrivateClusterEndpoints,
    { vpcId: "vpc-0123456789abcdef0", subnetIds: ["subnet-a"], allowedCidrs: ["10.20.0.0/16"] },
    {
      subnetIds: ["subnet-a", "subnet-b"],
      routeTableIds: ["rtb-a"],
      allowedSecurityGroupIds: { runner: "sg-0123456789abcdef0" },
      services: ["ec2", "ecr.api", "sts"],
      furtherServices: ["com.amazonaws.eu-west-1.secretsmanager"],
      tags,
    },
    { args: { allowedCidrs: [], services: ["s3"] }, messages: ["allowedCidrs", "services[0]"] },
  ),
};
