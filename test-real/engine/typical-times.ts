import type { Seconds } from "./critical-path";

/**
 * Typical seconds on AWS, as of 2026-11-30: [to be made, to go]. What isn't listed takes about one. From logs of public Terraform runs:
 * DevopsArtFactory/terraform-provisioning pull requests 46 and 47 (cluster 8m33, node group 1m48 to 1m59, OIDC provider and access entry 1 s),
 * terraform-aws-modules/terraform-aws-eks issue 2203 (subnet 10 s, security group rule 3 s); hashicorp-education/
 * learn-terraform-provision-eks-cluster issue 22 (NAT gateway over a minute). Without a log at hand, marked "estimate".
 */
const times: Readonly<Record<string, readonly [create: number, remove: number]>> = {
  "aws:ec2/vpc:Vpc": [12, 1],
  "aws:ec2/internetGateway:InternetGateway": [1, 10],
  "aws:ec2/subnet:Subnet": [10, 2],
  "aws:ec2/natGateway:NatGateway": [105, 60],
  "aws:ec2/vpcEndpoint:VpcEndpoint": [6, 6],
  "aws:eks/cluster:Cluster": [513, 180],
  "aws:eks/nodeGroup:NodeGroup": [114, 240],
  "aws:eks/addon:Addon": [30, 15],
  "aws:lb/loadBalancer:LoadBalancer": [150, 20],
  "aws:kms/key:Key": [10, 1],
  "aws:sqs/queue:Queue": [25, 60],
  "aws:iam/role:Role": [2, 2],
  "kubernetes:helm.sh/v3:Release": [45, 15],
  // Estimate: definitions have no pods to wait for.
  definitions: [8, 5],
  // Estimates: a pool's nodes are drained and terminated before it goes.
  "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass": [5, 10],
  "kubernetes:karpenter.sh/v1:NodePool": [5, 120],
  // Estimates: an instance of a minute, images, and a rollout one after the other or in parallel; to go, the grace of a clean shutdown.
  "kubernetes:apps/v1:StatefulSet": [150, 90],
  "kubernetes:apps/v1:Deployment": [100, 45],
  "kubernetes:batch/v1:Job": [20, 5], // an image that is there, and a few starts of a JVM
  "kubernetes:core/v1:Namespace": [1, 10],
  "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding": [1, 15],
};

export const creationSeconds: Seconds = (type, name) => of(type, name)[0];
export const deletionSeconds: Seconds = (type, name) => of(type, name)[1];

function of(type: string, name: string): readonly [create: number, remove: number] {
  const known = name.endsWith("-crds") && type.endsWith(":Release") ? times["definitions"] : times[type];
  return known ?? (isPulumiOnly(type) ? [0, 0] : [1, 1]);
}

/** Components, providers and keys: made on the machine that runs Pulumi. */
function isPulumiOnly(type: string): boolean {
  return !/^(aws|kubernetes):/.test(type) || type.startsWith("kubernetes:yaml/");
}

type Step = readonly [type: string, name?: string];

/** The chain that AWS, Kubernetes and Kafka force, whatever the tool: nothing on it can start before the one above it is there. */
const forced: readonly Step[] = [
  ["aws:ec2/vpc:Vpc"],
  ["aws:ec2/subnet:Subnet"],
  ["aws:eks/cluster:Cluster"],
  ["aws:eks/addon:Addon"], // vpc-cni: nodes get Ready with a network only
  ["aws:eks/nodeGroup:NodeGroup"],
  ["aws:eks/addon:Addon"], // coredns: controllers resolve AWS's addresses
  ["kubernetes:helm.sh/v3:Release", "karpenter-crds"],
  ["kubernetes:helm.sh/v3:Release"], // Karpenter
  ["kubernetes:karpenter.k8s.aws/v1:EC2NodeClass"],
  ["kubernetes:karpenter.sh/v1:NodePool"],
  ["kubernetes:apps/v1:StatefulSet"], // controllers: brokers register with their quorum, and stop through it
  ["kubernetes:apps/v1:StatefulSet"], // brokers
  ["kubernetes:batch/v1:Job"], // access rules
  ["kubernetes:batch/v1:Job"], // a topic
  ["kubernetes:apps/v1:Deployment"], // who connects to them
];

/** Seconds of the forced chain; taking down is the same chain backwards. */
export function forcedSeconds(seconds: Seconds): number {
  return forced.reduce((sum, [type, name = ""]) => sum + seconds(type, name), 0);
}
