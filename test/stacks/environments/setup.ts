export const type = {
  alarm: "aws:cloudwatch/metricAlarm:MetricAlarm",
  addon: "aws:eks/addon:Addon",
  attachment: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  binding: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding",
  cluster: "eks:index:Cluster",
  deployment: "kubernetes:apps/v1:Deployment",
  ingressRule: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
  listenerRule: "aws:lb/listenerRule:ListenerRule",
  loadBalancer: "aws:lb/loadBalancer:LoadBalancer",
  nodeClass: "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
  nodeGroup: "aws:eks/nodeGroup:NodeGroup",
  nodePool: "kubernetes:karpenter.sh/v1:NodePool",
  provider: "pulumi:providers:kubernetes",
  release: "kubernetes:helm.sh/v3:Release",
  statefulSet: "kubernetes:apps/v1:StatefulSet",
  targetGroup: "aws:lb/targetGroup:TargetGroup",
  vpc: "awsx:ec2:Vpc",
};

export const web: Record<string, { minReplicas: number; maxReplicas: number }> = {
  dev: { minReplicas: 2, maxReplicas: 4 },
  staging: { minReplicas: 3, maxReplicas: 6 },
  prod: { minReplicas: 3, maxReplicas: 12 },
};
