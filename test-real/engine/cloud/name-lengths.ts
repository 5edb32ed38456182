/** How long AWS lets a name be. */
export interface NameLength {
  readonly property: string;
  readonly max: number;
}

/**
 * Longest name that AWS takes, by type. Pulumi itself stops a name of its own making (logical name, hyphen, seven characters) at 255
 * characters, except for a few types (pulumi/pulumi-aws 015d343, provider/resource_overrides.go, aliases.go and autonaming.go:
 * target group 32, bucket 63, IAM role 64, event rule 64, queue 80, topic 80). For a load balancer, IAM policy, launch template
 * or EKS cluster only AWS notices, in the middle of an update.
 *
 * Not here: targetId of aws.cloudwatch.EventTarget (events PutTargets: 64 characters), which is no name within an account:
 * PutTargets overwrites the rule's target of this id.
 */
export const MAX_NAME_LENGTH: Readonly<Record<string, NameLength>> = {
  /** elasticloadbalancing CreateTargetGroup. */
  "aws:lb/targetGroup:TargetGroup": { property: "name", max: 32 },
  /** elasticloadbalancing CreateLoadBalancer. */
  "aws:lb/loadBalancer:LoadBalancer": { property: "name", max: 32 },
  /** iam CreateRole; terraform-provider-aws internal/service/iam/role.go, `roleNameMaxLen`. */
  "aws:iam/role:Role": { property: "name", max: 64 },
  /** iam CreatePolicy; internal/service/iam/policy.go, `policyNameMaxLen`. */
  "aws:iam/policy:Policy": { property: "name", max: 128 },
  /** iam PutRolePolicy. */
  "aws:iam/rolePolicy:RolePolicy": { property: "name", max: 128 },
  /** eks CreateCluster; internal/service/eks/validate.go, `validClusterName`. */
  "aws:eks/cluster:Cluster": { property: "name", max: 100 },
  /** eks CreateNodegroup; internal/service/eks/node_group.go, `StringLenBetween(0, 63)`. */
  "aws:eks/nodeGroup:NodeGroup": { property: "nodeGroupName", max: 63 },
  /** sqs CreateQueue, `.fifo` included. */
  "aws:sqs/queue:Queue": { property: "name", max: 80 },
  /** sns CreateTopic, `.fifo` included; internal/service/sns/topic.go, `resourceTopicCustomizeDiff`. */
  "aws:sns/topic:Topic": { property: "name", max: 256 },
  /** events PutRule. */
  "aws:cloudwatch/eventRule:EventRule": { property: "name", max: 64 },
  /** cloudtrail CreateTrail. */
  "aws:cloudtrail/trail:Trail": { property: "name", max: 128 },
  /** s3 CreateBucket: bucket naming rules. */
  "aws:s3/bucket:Bucket": { property: "bucket", max: 63 },
  /** cloudwatch PutDashboard. */
  "aws:cloudwatch/dashboard:Dashboard": { property: "dashboardName", max: 255 },
  /** cloudwatch PutMetricAlarm. */
  "aws:cloudwatch/metricAlarm:MetricAlarm": { property: "name", max: 255 },
  /** logs CreateLogGroup. */
  "aws:cloudwatch/logGroup:LogGroup": { property: "name", max: 512 },
  /** kms CreateAlias, `alias/` included. */
  "aws:kms/alias:Alias": { property: "name", max: 256 },
  /** ec2 CreateSecurityGroup. */
  "aws:ec2/securityGroup:SecurityGroup": { property: "name", max: 255 },
  /** ec2 CreateLaunchTemplate. */
  "aws:ec2/launchTemplate:LaunchTemplate": { property: "name", max: 128 },
};
