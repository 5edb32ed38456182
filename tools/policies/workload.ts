import type { Given } from "../../test/support/policy";

const group = "aws:lb/targetGroup:TargetGroup";
const binding = "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding";

/**
 * A stack of many resources: services behind a load balancer with everything that the stack rules compare with each other, and as many
 * resources again that concern no rule.
 */
export function workload(count: number): Given[] {
  const resources: Given[] = [];
  for (let i = 0; resources.length < count; i++) resources.push(...service(i));
  return resources.slice(0, count);
}

/** Twenty resources. What others name is known: as in an update, the dearer case. */
function service(i: number): Given[] {
  const name = `web-${i}`;
  const arn = `arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/${name}/0123456789abcdef`;
  const listener = `arn:aws:elasticloadbalancing:eu-west-1:123456789012:listener/app/edge/0123456789abcdef/${i}`;
  const labels = { app: name };
  const metadata = { name, namespace: "shop", labels };
  const rule = (port: number): Given => ({
    type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    name: `${name}-${port}`,
    props: {
      ...{ securityGroupId: `sg-${i}`, cidrIpv4: "10.0.0.0/16", description: "from the load balancer" },
      ...{ ipProtocol: "tcp", fromPort: port, toPort: port },
    },
    propertyDependencies: { securityGroupId: [name] },
  });
  const alarm = (metricName: string): Given => ({
    type: "aws:cloudwatch/metricAlarm:MetricAlarm",
    name: `${name}-${metricName}`,
    props: {
      ...{ namespace: "AWS/ApplicationELB", metricName, statistic: "Sum", threshold: 5 },
      ...{ comparisonOperator: "GreaterThanThreshold", evaluationPeriods: 5, datapointsToAlarm: 3, period: 60 },
      dimensions: { TargetGroup: `targetgroup/${name}/0123456789abcdef`, LoadBalancer: "app/edge/0123456789abcdef" },
      alarmActions: ["arn:aws:sns:eu-west-1:123456789012:page"],
    },
    propertyDependencies: { dimensions: [`${name}-group`] },
  });
  const bucket = (n: number): Given => ({
    type: "aws:s3/bucket:Bucket",
    name: `${name}-bucket-${n}`,
    props: { bucket: `${name}-${n}`, tags: { team: "shop", cost: "1" }, versioning: { enabled: true } },
  });
  return [
    {
      type: "aws:ec2/securityGroup:SecurityGroup",
      name,
      props: { id: `sg-${i}`, vpcId: "vpc-1", description: "edge" },
    },
    ...[rule(443), rule(80), rule(8443)],
    { type: group, name: `${name}-group`, props: { arn, name, targetType: "ip", port: 8080, protocol: "HTTP" } },
    {
      type: binding,
      name: `${name}-binding`,
      props: { metadata, spec: { targetGroupARN: arn, targetType: "ip", serviceRef: { name, port: 80 } } },
      propertyDependencies: { spec: [`${name}-group`] },
    },
    { type: "kubernetes:core/v1:Service", name: `${name}-service`, props: { metadata, spec: { selector: labels } } },
    {
      type: "kubernetes:apps/v1:Deployment",
      name: `${name}-deployment`,
      props: {
        metadata,
        spec: {
          ...{ replicas: 3, selector: { matchLabels: labels } },
          template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx:1.29" }] } },
        },
      },
    },
    {
      type: "aws:lb/listenerRule:ListenerRule",
      name: `${name}-rule`,
      props: { listenerArn: listener, priority: 10, actions: [{ type: "forward", targetGroupArn: arn }] },
    },
    ...[alarm("UnHealthyHostCount"), alarm("HealthyHostCount"), alarm("HTTPCode_Target_5XX_Count")],
    ...[1, 2].map(bucket),
    {
      type: "kubernetes:policy/v1:PodDisruptionBudget",
      name: `${name}-budget`,
      props: { metadata, spec: { maxUnavailable: 1, selector: { matchLabels: labels } } },
    },
    {
      type: "kubernetes:autoscaling/v2:HorizontalPodAutoscaler",
      name: `${name}-scaler`,
      props: { metadata, spec: { minReplicas: 3, scaleTargetRef: { kind: "Deployment", name } } },
    },
    { type: "aws:iam/role:Role", name: `${name}-role`, props: { assumeRolePolicy: '{"Version":"2012-10-17"}' } },
    { type: "aws:sqs/queue:Queue", name: `${name}-queue`, props: { visibilityTimeoutSeconds: 30 } },
    { type: "aws:ec2/subnet:Subnet", name: `${name}-subnet`, props: { cidrBlock: "10.0.0.0/24", vpcId: "vpc-1" } },
    { type: "kubernetes:core/v1:ConfigMap", name: `${name}-map`, props: { metadata, data: { a: "b" } } },
  ];
}
