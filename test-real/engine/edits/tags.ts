import type { StateResource } from "../session";

/**
 * Resources of AWS that can't have tags (their actions in the service authorization reference: no TagResource). The tag isn't for objects in
 * Kubernetes, nor for what they make: Karpenter's nodes have tags of their own.
 */
const withoutTags = new Set([
  "aws:cloudwatch/dashboard:Dashboard",
  "aws:cloudwatch/eventTarget:EventTarget",
  "aws:ec2/route:Route",
  "aws:ec2/routeTableAssociation:RouteTableAssociation",
  "aws:eks/accessPolicyAssociation:AccessPolicyAssociation",
  "aws:acm/certificateValidation:CertificateValidation",
  "aws:iam/rolePolicy:RolePolicy",
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  "aws:kms/alias:Alias",
  "aws:lb/listenerCertificate:ListenerCertificate",
  "aws:route53/record:Record",
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration",
  "aws:s3/bucketPolicy:BucketPolicy",
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock",
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration",
  "aws:sns/topicPolicy:TopicPolicy",
  "aws:sns/topicSubscription:TopicSubscription",
  "aws:sqs/queuePolicy:QueuePolicy",
]);

export function takesTags({ custom, type }: StateResource): boolean {
  return custom && type.startsWith("aws:") && !withoutTags.has(type);
}
