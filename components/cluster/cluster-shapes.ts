import type { KnownArguments } from "../internal/arguments";
import {
  anything,
  fields,
  flag,
  lateNumber,
  lateText,
  lateTextMap,
  lateTexts,
  listOf,
  mapOf,
  number,
  required,
  text,
  type Shape,
} from "../internal/shapes";
import { ClusterAccessLevel, type ClusterAccess } from "./access";
import type { AddonValues, AddonVersions, OptionalAddons } from "./addon-args";
import type { EksClusterArgs } from "./eks-cluster-args";
import type { NodesArgs } from "./node-args";
import type { PrivateClusterEndpointsArgs } from "./private-endpoints-args";
import type { DefaultStorageClassArgs } from "./storage-class-args";

/*
 * What the arguments of this family are. Records of all fields, so that the compiler misses none.
 */

const texts = listOf(text);
const tags = lateTextMap;

const access: Record<keyof ClusterAccess, Shape> = {
  principalArn: required(lateText),
  level: required(text),
  namespaces: texts,
};
const nodes: Record<keyof NodesArgs, Shape> = {
  architecture: text,
  instanceTypes: lateTexts,
  minSize: number,
  maxSize: number,
  diskSizeInGiB: lateNumber,
};
const builds: Record<keyof AddonVersions, Shape> = {
  vpcCni: lateText,
  kubeProxy: lateText,
  coredns: lateText,
  ebsCsiDriver: lateText,
  metricsServer: lateText,
  podIdentityAgent: lateText,
};
const optionalBuilds: Record<keyof OptionalAddons, Shape> = {
  nodeMonitoringAgent: lateText,
  snapshotController: lateText,
};
/** Which parts of them may come later, the schema of the add-on says. */
const values = mapOf(anything);
const addonValues: Record<keyof AddonValues, Shape> = {
  vpcCni: values,
  kubeProxy: values,
  coredns: values,
  ebsCsiDriver: values,
  metricsServer: values,
  podIdentityAgent: values,
  nodeMonitoringAgent: values,
  snapshotController: values,
};

const missingVpc = "is missing: give the id of the VPC";
const standInAdmin = {
  admin: { principalArn: "arn:aws:iam::000000000000:role/missing", level: ClusterAccessLevel.ClusterAdmin },
};

/** Arguments of `EksCluster`. What is missing of `accessEntries`, its own check says. */
export const eksClusterArguments: KnownArguments<EksClusterArgs> = {
  shapes: {
    clusterName: text,
    vpcId: lateText,
    privateSubnetIds: lateTexts,
    kubernetesVersion: text,
    accessEntries: mapOf(fields(access)),
    publicAccessCidrs: texts,
    privateAccessCidrs: texts,
    systemNodes: fields(nodes),
    workloadNodes: fields(nodes),
    addonVersions: fields(builds),
    optionalAddons: fields(optionalBuilds),
    addonValues: fields(addonValues),
    prefixDelegation: flag,
    logRetentionInDays: lateNumber,
    deletionProtection: flag,
    permissionsBoundaryArn: lateText,
    zonalShift: flag,
    tags,
  },
  missing: {
    vpcId: missingVpc,
    privateSubnetIds: "is missing: give the ids of private subnets in at least two zones",
  },
  standIns: {
    vpcId: "vpc-0",
    privateSubnetIds: ["subnet-a", "subnet-b"],
    accessEntries: standInAdmin,
    // Values for one of them aren't for nothing.
    optionalAddons: { nodeMonitoringAgent: "v1.0.0-eksbuild.1", snapshotController: "v1.0.0-eksbuild.1" },
  },
  elsewhere: {
    name: "isn't an argument: write clusterName",
    version: "isn't an argument: write kubernetesVersion",
    subnetIds: "isn't an argument: write privateSubnetIds",
  },
};

/** Arguments of `DefaultStorageClass`. */
export const storageClassArguments: KnownArguments<DefaultStorageClassArgs> = {
  shapes: {
    className: text,
    kmsKeyArn: lateText,
    iops: lateNumber,
    throughputMiB: lateNumber,
    reclaimPolicy: text,
    volumeTags: mapOf(text),
  },
  elsewhere: { tags: "isn't an argument: write volumeTags", kmsKeyId: "isn't an argument: write kmsKeyArn" },
};

/** Arguments of `PrivateClusterEndpoints`. */
export const endpointsArguments: KnownArguments<PrivateClusterEndpointsArgs> = {
  shapes: {
    vpcId: lateText,
    subnetIds: lateTexts,
    routeTableIds: lateTexts,
    allowedCidrs: texts,
    allowedSecurityGroupIds: mapOf(lateText),
    services: texts,
    furtherServices: texts,
    tags,
  },
  missing: { vpcId: missingVpc, subnetIds: "is missing: give the ids of its private subnets, one for each zone" },
  // A wrong list of who may come in counts as one.
  standIns: {
    vpcId: "vpc-0",
    subnetIds: ["subnet-a"],
    allowedCidrs: ["10.0.0.0/16"],
    allowedSecurityGroupIds: { missing: "sg-0" },
  },
};
