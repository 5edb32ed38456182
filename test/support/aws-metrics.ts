/**
 * Metrics that AWS publishes by itself: by namespace and name, the sets of dimensions that there are series of. Only those that alarms here
 * listen to; a misspelt one would be green for ever.
 *
 * Sources, read on 2026-11-30: Elastic Load Balancing user guides, "CloudWatch metrics for your Application Load Balancer" and "... Network Load
 * Balancer" (host counts have no series of a load balancer or a target group alone); CloudWatch user guide, "Monitoring your metric streams";
 * Data Firehose developer guide, "Monitor with CloudWatch metrics"; EventBridge user guide, "Monitoring Amazon EventBridge"; SQS developer guide,
 * "Available CloudWatch metrics for Amazon SQS".
 */
const hostCounts = {
  HealthyHostCount: ["LoadBalancer,TargetGroup", "AvailabilityZone,LoadBalancer,TargetGroup"],
  UnHealthyHostCount: ["LoadBalancer,TargetGroup", "AvailabilityZone,LoadBalancer,TargetGroup"],
};
const awsMetrics: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "AWS/ApplicationELB": hostCounts,
  "AWS/NetworkELB": hostCounts,
  "AWS/CloudWatch/MetricStreams": { MetricUpdate: ["MetricStreamName"], PublishErrorRate: ["MetricStreamName"] },
  "AWS/Events": { FailedInvocations: ["RuleName"] },
  "AWS/SQS": { ApproximateAgeOfOldestMessage: ["QueueName"], ApproximateNumberOfMessagesVisible: ["QueueName"] },
  "AWS/Firehose": {
    "DeliveryToHttpEndpoint.Success": ["DeliveryStreamName"],
    "DeliveryToHttpEndpoint.DataFreshness": ["DeliveryStreamName"],
  },
};

/** Whether a namespace is AWS's own. */
export function isAwsNamespace(namespace: string): boolean {
  return namespace.startsWith("AWS/");
}

/** Why AWS publishes no such series, or undefined. */
export function whyNotOfAws(namespace: string, metricName: string, dimensions: readonly string[]): string | undefined {
  const sets = awsMetrics[namespace]?.[metricName];
  if (sets === undefined)
    return `${namespace} has no ${metricName}: if it has, add it to test/support/aws-metrics.ts with its source`;
  const wanted = [...dimensions].sort().join();
  return sets.includes(wanted) ? undefined : `${metricName} has no series with the dimensions ${wanted}`;
}
