/** Some resources of a platform, by type and name. */
export interface Stage {
  readonly type: string;
  /** Defaults to all of the type. */
  readonly name?: RegExp;
  /** The component of another package that stands for it offline, because only the engine sees what is inside. */
  readonly inside?: string;
  /** Only some environments have it. */
  readonly optional?: true;
}

const vpc = "awsx:ec2:Vpc";
const attachment = "aws:iam/rolePolicyAttachment:RolePolicyAttachment";
const release = "kubernetes:helm.sh/v3:Release";
const alarm = "aws:cloudwatch/metricAlarm:MetricAlarm";
const deployment = "kubernetes:apps/v1:Deployment";
const statefulSet = "kubernetes:apps/v1:StatefulSet";
const budget = "kubernetes:policy/v1:PodDisruptionBudget";
const addOn = "aws:eks/addon:Addon";

export const stages = {
  vpc: { type: "aws:ec2/vpc:Vpc", inside: vpc },
  subnets: { type: "aws:ec2/subnet:Subnet", inside: vpc },
  natGateways: { type: "aws:ec2/natGateway:NatGateway", inside: vpc },
  routes: { type: "aws:ec2/route:Route", inside: vpc },
  s3Endpoint: { type: "aws:ec2/vpcEndpoint:VpcEndpoint", name: /^network-s3$/ },
  flowLog: { type: "aws:ec2/flowLog:FlowLog" },
  clusterKey: { type: "aws:kms/key:Key", name: /^cluster-key$/ },
  clusterLogs: { type: "aws:cloudwatch/logGroup:LogGroup", name: /^cluster-logs$/ },
  cluster: { type: "aws:eks/cluster:Cluster", inside: "eks:index:Cluster" },
  apiRules: {
    type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    name: /^cluster-api-/,
    optional: true,
  },
  identity: { type: "aws:iam/openIdConnectProvider:OpenIdConnectProvider" },
  vpcCniPolicy: { type: attachment, name: /^cluster-vpc-cni-/ },
  vpcCni: { type: addOn, name: /-vpc-cni$/ },
  kubeProxy: { type: addOn, name: /-kube-proxy$/ },
  systemNodePolicies: { type: attachment, name: /^cluster-node-/ },
  systemNodes: { type: "aws:eks/nodeGroup:NodeGroup" },
  addOns: { type: addOn, name: /-(coredns|ebs-csi-driver|metrics-server|pod-identity-agent)$/ },
  ebsCsiPolicy: { type: attachment, name: /^cluster-ebs-csi-driver-/ },
  ebsCsi: { type: addOn, name: /-ebs-csi-driver$/ },
  storageClass: { type: "kubernetes:storage.k8s.io/v1:StorageClass", name: /^gp3-class$/ },
  karpenterRoles: { type: "aws:iam/role:Role", name: /^karpenter-(controller|node)$/ },
  karpenterPolicies: { type: attachment, name: /^karpenter-(?!node-Amazon)/ },
  nodePolicies: { type: attachment, name: /^karpenter-node-Amazon/ },
  queue: { type: "aws:sqs/queue:Queue" },
  queuePolicy: { type: "aws:sqs/queuePolicy:QueuePolicy" },
  interruptionRules: { type: "aws:cloudwatch/eventRule:EventRule", name: /^karpenter-/ },
  interruptions: { type: "aws:cloudwatch/eventTarget:EventTarget", name: /^karpenter-/ },
  nodeAccess: { type: "aws:eks/accessEntry:AccessEntry", name: /^karpenter-/ },
  karpenterCrds: { type: release, name: /^karpenter-crds$/ },
  karpenter: { type: release, name: /^karpenter-release$/ },
  lbcPolicies: { type: attachment, name: /^lbc-/ },
  lbcCrds: {
    type: "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition",
    inside: "kubernetes:yaml/v2:ConfigFile",
  },
  lbc: { type: release, name: /^lbc-release$/ },
  nodeClasses: { type: "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass" },
  nodePools: { type: "kubernetes:karpenter.sh/v1:NodePool" },
  metricsPolicy: { type: attachment, name: /^cluster-metrics-/ },
  metricsLogs: { type: "aws:cloudwatch/logGroup:LogGroup", name: /^cluster-metrics-logs$/ },
  metricsAgent: { type: deployment, name: /^cluster-metrics-agent$/ },
  pipelineAlarm: { type: alarm, name: /^cluster-metrics-pipeline-silent$/ },
  karpenterAlarm: { type: alarm, name: /^karpenter-alarms-karpenter-silent$/ },
  interruptionsAlarm: { type: alarm, name: /^karpenter-alarms-interruptions-unread$/ },
  lbcAlarm: { type: alarm, name: /^lbc-alarms-controller-silent$/ },
  targetGroups: { type: "aws:lb/targetGroup:TargetGroup" },
  loadBalancer: { type: "aws:lb/loadBalancer:LoadBalancer" },
  safetyNet: { type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", name: /^edge-net-/ },
  listeners: { type: "aws:lb/listener:Listener" },
  listenerRules: { type: "aws:lb/listenerRule:ListenerRule" },
  webService: { type: "kubernetes:core/v1:Service", name: /^web-/ },
  bindings: { type: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding" },
  webBudget: { type: budget, name: /^web-/ },
  web: { type: deployment, name: /^web-/ },
  kafkaBudgets: { type: budget, name: /^kafka-/ },
  kafkaControllers: { type: statefulSet, name: /^kafka-controller$/ },
  kafka: { type: statefulSet },
  kafkaBrokers: { type: statefulSet, name: /^kafka-broker$/ },
  kafkaAlarm: { type: alarm, name: /^kafka-alarms-no-active-controller$/ },
  kafkaClients: { type: deployment, name: /^kafka-demo-/ },
} satisfies Record<string, Stage>;
export type StageName = keyof typeof stages;

/**
 * What must exist before what, and go after it: design.md 4 and the chain of eks-karpenter.md 7, and why.
 *
 * Two things are otherwise there. Add-ons with pods go before the system nodes, and not after them: coredns without nodes gets DEGRADED.
 * And the load balancer controller doesn't wait for the pools to go: it is of another layer, runs on system nodes, and when it goes no
 * binding is left to look after. Target groups don't wait for node pools: nothing in AWS needs it, and the load balancer would start
 * minutes later.
 */
export const edges: readonly (readonly [StageName, StageName, string])[] = [
  ["vpc", "subnets", "a subnet is part of a VPC"],
  ["subnets", "cluster", "EKS puts network interfaces into them"],
  ["clusterKey", "cluster", "it encrypts the secrets"],
  ["clusterLogs", "cluster", "EKS would make the group itself, without an expiry"],
  ["routes", "systemNodes", "nodes without a way out never join; and drain while they have one"],
  ["natGateways", "systemNodes", "the same"],
  ["cluster", "identity", "the issuer is the cluster's"],
  ["cluster", "vpcCni", "an add-on is of a cluster"],
  ["cluster", "apiRules", "they are rules of the cluster's own group"],
  ["identity", "vpcCni", "its role trusts the issuer"],
  ["vpcCniPolicy", "vpcCni", "without it no network interface is given back, and subnets can't go"],
  ["vpcCni", "systemNodes", "nodes get Ready with a network only, and give it back while it is there"],
  ["kubeProxy", "systemNodes", "without it nothing on a node reaches a Service"],
  ["systemNodePolicies", "systemNodes", "nodes join by their role's permissions"],
  ["systemNodes", "addOns", "their pods need nodes, and coredns otherwise is DEGRADED"],
  ["ebsCsiPolicy", "ebsCsi", "without it no volume is detached"],
  ["ebsCsi", "storageClass", "the driver makes its volumes, and removes them while it is there"],
  ["addOns", "karpenterCrds", "the order of design.md 4"],
  [
    "addOns",
    "karpenter",
    "Karpenter resolves names by coredns, and has credentials by the agent where it uses Pod Identity",
  ],
  ["apiRules", "karpenterCrds", "whoever deploys from inside the VPC reaches the Kubernetes API by them"],
  ["apiRules", "lbc", "the same"],
  ["identity", "karpenter", "its role trusts the issuer"],
  ["karpenterRoles", "karpenter", "its pods run as the one, and its nodes as the other"],
  ["karpenterPolicies", "karpenter", "without permissions it can neither start nor remove an instance"],
  ["queue", "karpenter", "it reads the queue when it starts"],
  ["queuePolicy", "interruptions", "without it nothing arrives"],
  ["interruptionRules", "interruptions", "a target is of a rule"],
  ["interruptions", "karpenter", "as long as it runs it hears what EC2 takes away"],
  ["nodeAccess", "karpenter", "a node that it makes may join, and one that drains may say so"],
  ["nodePolicies", "karpenter", "a node that drains needs its role"],
  ["karpenterCrds", "karpenter", "the controller watches them; and their deletion takes every pool with it"],
  ["karpenterCrds", "nodePools", "the same"],
  ["karpenter", "nodeClasses", "its finalizer cleans up instance profiles and launch templates"],
  ["karpenter", "nodePools", "nobody else takes the nodes away"],
  ["nodePolicies", "nodeClasses", "nodes need their role's permissions"],
  ["nodeAccess", "nodeClasses", "nodes may join by the access entry"],
  ["interruptions", "nodePools", "a node is drained before it is taken away"],
  ["nodeClasses", "nodePools", "a pool names its class; Karpenter needs the class to remove the nodes"],
  ["vpcCni", "nodePools", "interfaces of pods that it didn't give back keep subnets and groups from going"],
  ["subnets", "nodePools", "AWS deletes no subnet with an instance in it"],
  ["routes", "nodePools", "nodes without a way out never join; and drain while they have one"],
  ["natGateways", "nodePools", "the same"],
  ["s3Endpoint", "nodePools", "the layers of images come by it, also of pods that have to move"],
  ["flowLog", "nodePools", "what was refused while nodes drained is looked up in it"],
  ["addOns", "lbc", "it resolves names by coredns"],
  ["identity", "lbc", "its role trusts the issuer"],
  ["lbcPolicies", "lbc", "without permissions it registers and removes nothing"],
  ["lbcCrds", "lbc", "the controller watches them"],
  ["lbc", "bindings", "its webhook checks them, and its finalizer removes the targets"],
  ["webService", "bindings", "a binding names it"],
  ["loadBalancer", "listeners", "a listener is part of it"],
  ["subnets", "loadBalancer", "its network interfaces are in them"],
  ["listeners", "listenerRules", "a rule is part of a listener"],
  ["targetGroups", "listenerRules", "a rule names it"],
  ["listenerRules", "bindings", "a target in a group that no rule names stays unused, and its pod never ready"],
  ["safetyNet", "web", "without it no health check gets through"],
  ["bindings", "web", "pods get their readiness gate when a binding is there"],
  ["nodePools", "web", "pods need nodes, and are drained while these are there"],
  ["nodePools", "webBudget", "a budget holds as long as there are nodes that may be drained for another reason"],
  ["webBudget", "web", "from the first pod to the last no drain takes too many at once"],
  ["nodePools", "kafka", "pods need nodes, and are drained while these are there"],
  ["nodePools", "kafkaBudgets", "as for web"],
  ["kafkaBudgets", "kafka", "as for web"],
  ["kafkaControllers", "kafkaBrokers", "brokers register with their quorum, and stop through it"],
  ["ebsCsi", "kafka", "it detaches their volumes"],
  ["kafka", "kafkaClients", "clients connect when they start"],
  ["nodePools", "kafkaClients", "pods need nodes, and are drained while these are there"],
  ["metricsPolicy", "metricsAgent", "without it nothing is written"],
  ["metricsLogs", "metricsAgent", "the agent would make the group itself, without an expiry"],
  ["metricsAgent", "pipelineAlarm", "it would be in alarm until the first sample"],
  ["karpenter", "pipelineAlarm", "the same"],
  ["karpenter", "karpenterAlarm", "the same"],
  ["metricsAgent", "karpenterAlarm", "the same"],
  ["queue", "interruptionsAlarm", "it is about the queue"],
  ["lbc", "lbcAlarm", "as for the pipeline's"],
  ["kafkaBrokers", "kafkaAlarm", "the same"],
];

/** Pairs of two stages that belong to different pools, roles or listeners. */
export const unrelated: readonly string[] = [
  "general-nodes-pool doesn't need kafka-nodes-class",
  "kafka-controller doesn't need kafka-broker-budget",
  "kafka-nodes-pool doesn't need general-nodes-class",
  "web-rule doesn't need edge-http",
];

/** Whether a resource of this type and name belongs to a stage. */
export function isOf({ type, name }: Stage, resource: { readonly type: string; readonly name: string }): boolean {
  return resource.type === type && (name?.test(resource.name) ?? true);
}
