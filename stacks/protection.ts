import * as pulumi from "@pulumi/pulumi";

/*
 * What is protected where `moorings:protected` is true: deleting or replacing it loses data, names, addresses or identities that no update
 * brings back. Not simply everything: rules, certificates and attachments are replaced in daily work, and protection would stop that.
 */

/** Resources that this program makes itself. */
const own: ReadonlySet<string> = new Set([
  // What they encrypt is lost with them.
  "aws:kms/key:Key",
  // Records.
  "aws:cloudwatch/logGroup:LogGroup",
  "aws:s3/bucket:Bucket",
  // Subscribers must confirm a new topic before anybody is paged.
  "aws:sns/topic:Topic",
  // The way of every request.
  "aws:lb/loadBalancer:LoadBalancer",
  "aws:lb/targetGroup:TargetGroup",
  // Whatever it made goes with it.
  "pulumi:providers:kubernetes",
  // Definitions take every object of their kind with them, controllers what they look after, pools their nodes.
  "kubernetes:helm.sh/v3:Release",
  "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
  "kubernetes:karpenter.sh/v1:NodePool",
  // Brokers, and the claims of their volumes.
  "kubernetes:apps/v1:StatefulSet",
  "kubernetes:core/v1:Namespace",
]);

/** Resources inside the components of other packages, which only the engine sees. */
const inside: ReadonlySet<string> = new Set([
  // Everything stands on them; addresses of NAT gateways are in other people's firewalls.
  "aws:ec2/vpc:Vpc",
  "aws:ec2/subnet:Subnet",
  "aws:ec2/eip:Eip",
  "aws:eks/cluster:Cluster",
  "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition",
]);

/** Protects what the program makes. Two forms, because the engine's form makes an input with one unknown part unknown as a whole. */
export const protectOwn: pulumi.ResourceTransformation = ({ type, props, opts }) =>
  own.has(type) ? { props: props as pulumi.Inputs, opts: pulumi.mergeOptions(opts, { protect: true }) } : undefined;

/** Protects what is inside remote components. */
export const protectInside: pulumi.ResourceTransform = ({ type, props, opts }) =>
  inside.has(type) ? { props, opts: pulumi.mergeOptions(opts, { protect: true }) } : undefined;
