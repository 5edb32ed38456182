import { edited } from "../support/edited";
import { unknown, type Given } from "../support/policy";
import { bare, binding, service } from "./draining/setup";
import { broker, budget, container, pod, pool, set, storage, withEnv } from "./kafka/setup";

const resource = (type: string, name: string, props: object, from: Record<string, string[]> = {}): Given => ({
  type,
  name,
  props: { ...props },
  propertyDependencies: from,
});
const group = (targetType: unknown) =>
  resource("aws:lb/targetGroup:TargetGroup", "group", { targetType, arn: unknown });
const attachment = resource(
  "aws:lb/targetGroupAttachment:TargetGroupAttachment",
  "by-hand",
  { targetGroupArn: unknown, targetId: unknown },
  { targetGroupArn: ["group"] },
);
const bound = (name: string, spec: object) =>
  resource("kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding", name, { metadata: { namespace: "shop" }, spec });
const shared = { targetGroupARN: "arn:shared", multiClusterTargetGroup: unknown };
const alarm = (threshold: unknown, treatMissingData: unknown) =>
  resource(
    "aws:cloudwatch/metricAlarm:MetricAlarm",
    "alarm",
    {
      name: "prod-few",
      metricName: "HealthyHostCount",
      comparisonOperator: "LessThanThreshold",
      dimensions: { TargetGroup: unknown },
      alarmActions: ["arn:page"],
      threshold,
      treatMissingData,
    },
    { dimensions: ["group"] },
  );
const listenerRule = (name: string, from: Record<string, string[]>) =>
  resource("aws:lb/listenerRule:ListenerRule", name, { listenerArn: unknown, priority: 10, actions: [{}] }, from);
const component = resource("acme:index:Edge", "edge", {});
const ingress = (name: string) =>
  resource(
    "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
    name,
    { securityGroupId: unknown, cidrIpv4: "10.0.0.0/16", ipProtocol: "tcp", fromPort: 443, toPort: 443 },
    { securityGroupId: ["edge"] },
  );
const release = (name: string, props: object) =>
  resource(
    "kubernetes:helm.sh/v3:Release",
    name,
    { chart: "aws-load-balancer-controller", version: "3.5.0", ...props },
    { values: ["edge"] },
  );
const chart = [release("lbc", { values: unknown })];
const cluster = (props: object) => [resource("aws:eks/cluster:Cluster", "cluster", props)];
const managed = (from: string[]) =>
  resource(
    "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding",
    "managed",
    {
      spec: {
        networking: { ingress: [{ from: [{ securityGroup: { groupID: unknown } }], ports: [{ port: 443 }] }] },
      },
    },
    { spec: from },
  );
/** A client of Kafka of which nothing is known but its label. */
const client = [
  resource("kubernetes:apps/v1:Deployment", "client", {
    spec: { template: { metadata: { labels: unknown }, spec: { containers: [] } } },
  }),
];
const nodePool = (props: object) => resource("kubernetes:karpenter.sh/v1:NodePool", "pool", props);
const nodeClass = (props: object) => resource("kubernetes:karpenter.k8s.aws/v1:EC2NodeClass", "class", props);

/** A resource, or a stack, for each rule that it can't decide about, because of a value that a preview doesn't know. */
export const undecidable: Record<string, Given[]> = {
  "no-hand-registered-ip-targets": [attachment],
  "no-ip-targets-in-templates": [resource("aws:cloudformation/stack:Stack", "stack", { templateBody: unknown })],
  "no-target-registration-in-scripts": [resource("command:local:Command", "register", { create: unknown })],
  "no-attachments-on-ip-target-groups": [group(unknown), attachment],
  "ip-target-group-needs-binding": [group(unknown)],
  "one-binding-per-target-group": [bound("a", shared), bound("b", shared)],
  "no-binding-to-selectorless-service": [edited(service, ["props", "spec", "selector"], unknown), binding],
  "no-controller-marks-on-bindings": [edited(binding, ["props", "metadata", "labels"], unknown)],
  "binding-name-fits-its-gate": [edited(binding, ["props", "metadata", "name"], unknown)],
  "binding-fields-fit-together": [edited(binding, ["props", "spec"], unknown)],
  "bound-workload-drains": [
    edited(bare, ["props", "spec", "template", "metadata", "labels"], unknown),
    service,
    binding,
  ],
  "ip-target-group-has-alarms": [group("ip"), listenerRule("rule", { actions: ["group"] }), alarm(2, unknown)],
  "outage-alarms-are-never-muted": [
    group("ip"),
    alarm(unknown, "breaching"),
    resource("aws:cloudwatch/alarmMuteRule:AlarmMuteRule", "night", { muteTargets: { alarmNames: ["prod-few"] } }),
  ],
  "no-equal-listener-rule-priorities": ["a", "b"].map((name) => listenerRule(name, { listenerArn: ["edge"] })),
  "controller-knows-where-it-is": chart,
  "controller-survives-a-drain": chart,
  "controller-webhooks-block-nothing": chart,
  "controller-keeps-its-certificate": chart,
  "controller-chart-is-current": [release("lbc", { version: unknown })],
  "one-controller-per-cluster": ["a", "b"].map((name) => release(name, { values: { clusterName: unknown } })),
  "no-inline-rules-on-cluster-security-groups": [
    resource("aws:ec2/securityGroup:SecurityGroup", "nodes", { tags: unknown, ingress: [] }),
  ],
  "no-controller-managed-descriptions": [edited(ingress("a"), ["props", "description"], unknown)],
  "no-equal-security-group-rules": [ingress("a"), ingress("b")],
  "no-static-copies-of-managed-rules": [
    ...["alb", "other"].map((name) => resource("aws:ec2/securityGroup:SecurityGroup", name, {})),
    managed(["alb", "other"]),
    resource(
      "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
      "net",
      { securityGroupId: "sg-1", referencedSecurityGroupId: unknown, ipProtocol: "tcp", fromPort: 443, toPort: 443 },
      { referencedSecurityGroupId: ["alb"] },
    ),
  ],
  "cluster-endpoint-names-its-callers": cluster({ vpcConfig: { publicAccessCidrs: unknown } }),
  "cluster-admits-by-access-entries": cluster({ accessConfig: unknown }),
  "cluster-stays-in-standard-support": cluster({ version: unknown, upgradePolicy: { supportType: "STANDARD" } }),
  "cluster-addons-are-pinned": [resource("aws:eks/addon:Addon", "addon", { addonVersion: unknown })],
  "node-pool-has-limits": [nodePool({ spec: { limits: unknown } })],
  "node-pool-has-budgets": [nodePool({ spec: { disruption: unknown } })],
  "node-pool-expiry-needs-grace": [nodePool({ spec: { template: unknown } })],
  "node-pool-fields-are-read": [nodePool({ spec: { disruption: { consolidationPolicy: unknown } } })],
  "node-pool-keeps-its-name": [nodePool({ metadata: { name: unknown } })],
  "node-pool-waits-for-its-nodes": [nodePool({ spec: { template: unknown } })],
  "node-class-pins-ami": [nodeClass({ spec: unknown })],
  "node-class-hides-its-role": [nodeClass({ spec: { metadataOptions: unknown } })],
  "node-class-encrypts-volumes": [nodeClass({ spec: { blockDeviceMappings: unknown } })],
  "stateful-node-pool-never-underutilized": [
    nodePool({ metadata: { labels: { "moorings.dev/node-pool-profile": "stateful" } }, spec: { disruption: unknown } }),
  ],
  "kafka-starts-together": [edited(broker, ["props", "spec", "podManagementPolicy"], unknown)],
  "kafka-shuts-down-in-time": [edited(broker, [...pod, "terminationGracePeriodSeconds"], unknown)],
  "no-kafka-server-stop-hook": [edited(broker, [...container, "lifecycle"], unknown)],
  "kafka-nodes-outlive-the-shutdown": [
    edited(pool, ["props", "spec", "template", "spec", "requirements"], unknown),
    broker,
  ],
  "kafka-has-a-disruption-budget": [edited(budget, ["props", "spec", "selector"], unknown), broker],
  "kafka-spreads-over-zones": [edited(broker, [...pod, "topologySpreadConstraints"], unknown)],
  "kafka-volumes-wait-for-their-pod": [edited(storage, ["props", "volumeBindingMode"], unknown), broker],
  "kafka-keeps-its-data": [edited(broker, ["props", "spec", "persistentVolumeClaimRetentionPolicy"], unknown)],
  "kafka-survives-losing-a-broker": [withEnv(set("broker"), "KAFKA_MIN_INSYNC_REPLICAS", unknown)],
  "kafka-has-its-own-cluster-id": [withEnv(broker, "CLUSTER_ID", unknown)],
  "kafka-advertises-names": [withEnv(broker, "KAFKA_ADVERTISED_LISTENERS", unknown)],
  "kafka-pods-get-nothing-injected": [edited(broker, [...pod, "enableServiceLinks"], unknown)],
  "kafka-client-drops-dead-brokers": client,
  "kafka-client-keeps-its-messages": client,
  "kafka-client-reports-statistics": client,
  "kafka-client-sysctls-are-safe": client,
  "keepalive-is-no-timeout": client,
};

/** Resources that those need beside them, in every stack: what values came from. */
export const origins = [component];
