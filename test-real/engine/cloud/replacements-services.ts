import type { Replacement } from "./replacement";

/** Everything else of AWS: terraform-provider-aws internal/service/{eks,iam,kms,s3,sns,sqs,events,logs,cloudwatch}. */
export const serviceReplacements: Readonly<Record<string, Replacement>> = {
  /** cloudtrail/trail.go: `name` forces a new one. Bucket, selectors and regions change in place. */
  "aws:cloudtrail/trail:Trail": { properties: ["name"], nameProperty: "name" },
  /** cloudwatch/dashboard.go: `dashboard_name` forces a new one. Its name is required, so never Pulumi's. */
  "aws:cloudwatch/dashboard:Dashboard": { properties: ["dashboardName"] },
  /** events/rule.go 0cdab4a. */
  "aws:cloudwatch/eventRule:EventRule": {
    properties: ["eventBusName", "name", "namePrefix"],
    nameProperty: "name",
  },
  /** events/target.go 0762c41. Pulumi names it by its target id, so one set by hand deletes first. */
  "aws:cloudwatch/eventTarget:EventTarget": {
    properties: ["eventBusName", "rule", "targetId"],
    nameProperty: "targetId",
  },
  /** logs/group.go 0073593. A replaced group loses its logs, unless `skipDestroy` is on. */
  "aws:cloudwatch/logGroup:LogGroup": { properties: ["logGroupClass", "name", "namePrefix"], nameProperty: "name" },
  /** cloudwatch/metric_alarm.go 055611a. */
  "aws:cloudwatch/metricAlarm:MetricAlarm": { properties: ["name"], nameProperty: "name" },

  /** access_entry.go 01f4311. Cluster and principal identify it: another `type`, created first, meets the old entry. */
  "aws:eks/accessEntry:AccessEntry": { properties: ["clusterName", "principalArn", "type"] },
  /** addon.go 00a3530. Version, settings and role change in place. Not seen: `namespaceConfig`. */
  "aws:eks/addon:Addon": { properties: ["addonName", "clusterName"] },
  /**
   * cluster.go of 2026. The version, all of `vpcConfig` and `remoteNetworkConfig` (which replaced up to 00555dc) change in place.
   * `encryptionConfig` may be added, and replaces when it goes. Not seen: `defaultAddonsToRemoves`, `kube*Config`.
   */
  "aws:eks/cluster:Cluster": {
    properties: [
      "accessConfig.bootstrapClusterCreatorAdminPermissions",
      "bootstrapSelfManagedAddons",
      "kubernetesNetworkConfig.ipFamily",
      "kubernetesNetworkConfig.serviceIpv4Cidr",
      "name",
      "outpostConfig.controlPlaneInstanceType",
      "outpostConfig.controlPlanePlacement.groupName",
      "roleArn",
    ],
    nameProperty: "name",
  },
  /**
   * node_group.go 012e0a3. Version, scaling, labels, taints and the launch template's version change in place.
   * Not seen: `warmPoolConfig`.
   */
  "aws:eks/nodeGroup:NodeGroup": {
    properties: [
      "amiType",
      "capacityType",
      "clusterName",
      "diskSize",
      "instanceTypes",
      "launchTemplate.id",
      "launchTemplate.name",
      "nodeGroupName",
      "nodeGroupNamePrefix",
      "nodeRoleArn",
      "remoteAccess",
      "subnetIds",
    ],
    nameProperty: "nodeGroupName",
  },

  /** pod_identity_association.go 00a3530 (Plugin Framework). Another role changes in place. */
  "aws:eks/podIdentityAssociation:PodIdentityAssociation": {
    properties: ["clusterName", "namespace", "serviceAccount"],
  },

  /** instance_profile.go 013f173. Another role changes in place. */
  "aws:iam/instanceProfile:InstanceProfile": { properties: ["name", "namePrefix", "path"], nameProperty: "name" },
  /** openid_connect_provider.go 0160692. */
  "aws:iam/openIdConnectProvider:OpenIdConnectProvider": { properties: ["url"] },
  /** policy.go 01ccd9a. IAM can't reword a description; the document changes in place, as a new version. */
  "aws:iam/policy:Policy": { properties: ["description", "name", "namePrefix", "path"], nameProperty: "name" },
  /** role.go 0040ea6. */
  "aws:iam/role:Role": { properties: ["name", "namePrefix", "path"], nameProperty: "name" },
  /** role_policy.go 02f97af. */
  "aws:iam/rolePolicy:RolePolicy": { properties: ["name", "namePrefix", "role"], nameProperty: "name" },
  /** role_policy_attachment.go 04c7984; pulumi-aws has it deleted first. */
  "aws:iam/rolePolicyAttachment:RolePolicyAttachment": { properties: ["policyArn", "role"], deleteBeforeReplace: true },

  /** alias.go 01c0800. The key that it names changes in place. */
  "aws:kms/alias:Alias": { properties: ["name", "namePrefix"], nameProperty: "name" },
  /** key.go 00a3530. Policy, description and rotation change in place. */
  "aws:kms/key:Key": {
    properties: ["customKeyStoreId", "customerMasterKeySpec", "keyUsage", "multiRegion", "xksKeyId"],
  },

  /** bucket.go 0070bcd. Not seen: `bucketNamespace`. */
  "aws:s3/bucket:Bucket": {
    properties: ["bucket", "bucketPrefix", "objectLockConfiguration.objectLockEnabled", "objectLockEnabled"],
    nameProperty: "bucket",
  },
  /** bucket_lifecycle_configuration.go 0160692 (Plugin Framework). */
  "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration": {
    properties: ["bucket", "expectedBucketOwner"],
  },
  /** bucket_policy.go 0073593. */
  "aws:s3/bucketPolicy:BucketPolicy": { properties: ["bucket"] },
  /** bucket_public_access_block.go 0160692. */
  "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock": { properties: ["bucket"] },
  /** bucket_server_side_encryption_configuration.go 0160692. */
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration": {
    properties: ["bucket", "expectedBucketOwner"],
  },

  /** topic.go 00a3530. */
  "aws:sns/topic:Topic": { properties: ["fifoTopic", "name", "namePrefix"], nameProperty: "name" },
  /** topic_policy.go 00a3530. */
  "aws:sns/topicPolicy:TopicPolicy": { properties: ["arn"] },
  /** topic_subscription.go 04a2e6e. */
  "aws:sns/topicSubscription:TopicSubscription": { properties: ["endpoint", "protocol", "topic"] },
  /** queue.go 00a3530. */
  "aws:sqs/queue:Queue": { properties: ["fifoQueue", "name", "namePrefix"], nameProperty: "name" },
  /** queue_policy.go 0148137. */
  "aws:sqs/queuePolicy:QueuePolicy": { properties: ["queueUrl"] },
};
