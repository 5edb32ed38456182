import { nameOf, typeOf } from "../../cli/engine/urn";
import type { Operation } from "./cloud/cloud";
import { Graph } from "./graph";
import type { StateResource } from "./session";

/** Some resources of a platform, by type and name. */
export interface Stage {
  readonly type: string;
  /** Defaults to all of the type. */
  readonly name?: RegExp;
}

const stages = {
  vpc: { type: "aws:ec2/vpc:Vpc" },
  subnets: { type: "aws:ec2/subnet:Subnet" },
  natGateways: { type: "aws:ec2/natGateway:NatGateway" },
  routes: { type: "aws:ec2/route:Route" },
  clusterKey: { type: "aws:kms/key:Key", name: /^cluster-key$/ },
  clusterLogs: { type: "aws:cloudwatch/logGroup:LogGroup", name: /^cluster-logs$/ },
  cluster: { type: "aws:eks/cluster:Cluster" },
  identity: { type: "aws:iam/openIdConnectProvider:OpenIdConnectProvider" },
  vpcCni: { type: "aws:eks/addon:Addon", name: /-vpc-cni$/ },
  systemNodes: { type: "aws:eks/nodeGroup:NodeGroup" },
  addOns: { type: "aws:eks/addon:Addon", name: /-(coredns|ebs-csi-driver|metrics-server|pod-identity-agent)$/ },
  karpenterPolicies: { type: "aws:iam/rolePolicyAttachment:RolePolicyAttachment", name: /^karpenter-(?!node-Amazon)/ },
  nodePolicies: { type: "aws:iam/rolePolicyAttachment:RolePolicyAttachment", name: /^karpenter-node-Amazon/ },
  queue: { type: "aws:sqs/queue:Queue" },
  interruptions: { type: "aws:cloudwatch/eventTarget:EventTarget", name: /^karpenter-/ },
  nodeAccess: { type: "aws:eks/accessEntry:AccessEntry", name: /^karpenter-/ },
  karpenterCrds: { type: "kubernetes:helm.sh/v3:Release", name: /^karpenter-crds$/ },
  karpenter: { type: "kubernetes:helm.sh/v3:Release", name: /^karpenter-release$/ },
  lbcPolicies: { type: "aws:iam/rolePolicyAttachment:RolePolicyAttachment", name: /^lbc-/ },
  lbcCrds: { type: "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition" },
  lbc: { type: "kubernetes:helm.sh/v3:Release", name: /^lbc-release$/ },
  nodeClasses: { type: "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass" },
  nodePools: { type: "kubernetes:karpenter.sh/v1:NodePool" },
  targetGroups: { type: "aws:lb/targetGroup:TargetGroup" },
  loadBalancer: { type: "aws:lb/loadBalancer:LoadBalancer" },
  safetyNet: { type: "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule", name: /^edge-net-/ },
  listeners: { type: "aws:lb/listener:Listener" },
  listenerRules: { type: "aws:lb/listenerRule:ListenerRule" },
  bindings: { type: "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding" },
  web: { type: "kubernetes:apps/v1:Deployment", name: /^web-/ },
  kafka: { type: "kubernetes:apps/v1:StatefulSet" },
  kafkaClients: { type: "kubernetes:apps/v1:Deployment", name: /^kafka-demo-/ },
} satisfies Record<string, Stage>;
export type StageName = keyof typeof stages;

/**
 * What must exist before what, and go after it: design.md 4, and why. Target groups don't wait for node pools, as the line there reads:
 * nothing in AWS needs it, and the load balancer would start minutes later.
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
  ["identity", "vpcCni", "its role trusts the issuer"],
  ["vpcCni", "systemNodes", "nodes get Ready with a network only"],
  ["systemNodes", "addOns", "their pods need nodes, and coredns otherwise is DEGRADED"],
  ["addOns", "karpenterCrds", "the order of design.md 4"],
  ["addOns", "karpenter", "Karpenter resolves names by coredns"],
  ["karpenterPolicies", "karpenter", "without permissions it can neither start nor remove an instance"],
  ["queue", "karpenter", "it reads the queue when it starts"],
  ["karpenterCrds", "karpenter", "the controller watches them"],
  ["karpenter", "nodeClasses", "its finalizer cleans up instance profiles"],
  ["nodePolicies", "nodeClasses", "nodes need their role's permissions"],
  ["nodeAccess", "nodeClasses", "nodes may join by the access entry"],
  ["interruptions", "nodePools", "a node is drained before it is taken away"],
  ["nodeClasses", "nodePools", "a pool names its class; Karpenter needs the class to remove the nodes"],
  ["addOns", "lbc", "it resolves names by coredns"],
  ["lbcPolicies", "lbc", "without permissions it registers and removes nothing"],
  ["lbcCrds", "lbc", "the controller watches them"],
  ["lbc", "bindings", "its webhook checks them, and its finalizer removes the targets"],
  ["loadBalancer", "listeners", "a listener is part of it"],
  ["listeners", "listenerRules", "a rule is part of a listener"],
  ["targetGroups", "listenerRules", "a rule names it"],
  ["listenerRules", "bindings", "a target in a group that no rule names stays unused, and its pod never ready"],
  ["safetyNet", "web", "without it no health check gets through"],
  ["bindings", "web", "pods get their readiness gate when a binding is there"],
  ["nodePools", "web", "pods need nodes, and are drained while these are there"],
  ["nodePools", "kafka", "the same"],
  ["kafka", "kafkaClients", "clients connect when they start"],
];

/** Pairs of operations of one kind that happened the wrong way round: `before` must have come before `after`, in a destroy after it. */
export function violations(operations: readonly Operation[], kind: "create" | "delete"): string[] {
  const done = operations.filter((operation) => operation.kind === kind);
  const placesOf = (name: StageName) => {
    const stage: Stage = stages[name];
    const places = done.flatMap(({ urn }, place) => (isOf(stage, urn) ? [{ urn, place }] : []));
    if (places.length === 0) throw new Error(`nothing was ${kind}d that is "${name}"`);
    return places;
  };
  return edges.flatMap(([before, after, why]) => {
    const [first, second] = kind === "create" ? [before, after] : [after, before];
    return placesOf(first).flatMap((one) =>
      placesOf(second)
        .filter((other) => other.place < one.place)
        .map((other) => `${kind} of ${nameOf(other.urn)} (${second}) before ${nameOf(one.urn)} (${first}): ${why}`),
    );
  });
}

/**
 * Pairs that nothing but luck keeps in order: `after` doesn't need `before`, by any way through the dependencies in the state. What happened in
 * order once may happen the other way round on another day.
 */
export function unforced(resources: readonly StateResource[]): string[] {
  const graph = new Graph(resources);
  const urnsOf = (name: StageName) => resources.map(({ urn }) => urn).filter((urn) => isOf(stages[name], urn));
  return edges.flatMap(([before, after]) =>
    urnsOf(after).flatMap((urn) =>
      urnsOf(before)
        .filter((other) => !graph.allNeedsOf(urn).has(other))
        .map((other) => `${nameOf(urn)} doesn't need ${nameOf(other)}`),
    ),
  );
}

function isOf({ type, name }: Stage, urn: string): boolean {
  return typeOf(urn) === type && (name?.test(nameOf(urn)) ?? true);
}
