import type { CodeChange } from "./project-code";

/*
 * Changes of code that stacks have no setting for: what somebody who uses this repository as a starting point would write.
 */

const cluster = "stacks/layers/cluster.ts";
const edge = "stacks/layers/edge.ts";
const kafka = "stacks/layers/kafka.ts";

/** The release before the default. */
export const olderKarpenter: readonly CodeChange[] = [
  { file: cluster, from: "  Karpenter,\n", to: "  Karpenter,\n  KarpenterChartVersion,\n" },
  {
    file: cluster,
    from: "kubernetesVersion: given.kubernetesVersion }",
    to: "kubernetesVersion: given.kubernetesVersion, chartVersion: KarpenterChartVersion.V1_14_1 }",
  },
];

export const newerKarpenter: readonly CodeChange[] = [
  { file: cluster, from: "KarpenterChartVersion.V1_14_1", to: "KarpenterChartVersion.V1_15_2" },
];

export const newerController: readonly CodeChange[] = [
  {
    file: edge,
    from: "  LoadBalancerController,\n",
    to: "  ControllerChartVersion,\n  ControllerPermissions,\n  LoadBalancerController,\n",
  },
  {
    file: edge,
    from: "region: settings.region }",
    to: "region: settings.region, chartVersion: ControllerChartVersion.V3_6_0, permissions: ControllerPermissions.Full }",
  },
];

export const secondCertificate: readonly CodeChange[] = [
  {
    file: edge,
    from: "certificateArn: edge.certificateArn,",
    to: `certificateArn: edge.certificateArn,
      furtherCertificateArns: {
        blog: "arn:aws:acm:eu-west-1:987654321098:certificate/5b0d1c1e-2f3a-4b6c-8d7e-9f0a1b2c3d4e",
      },`,
  },
];

export const newNodeGroup: readonly CodeChange[] = [
  {
    file: cluster,
    from: "systemNodes: given.systemNodes,",
    to: "systemNodes: given.systemNodes, workloadNodes: {},",
  },
];

export const newNodePool: readonly CodeChange[] = [
  {
    file: cluster,
    from: "  return [\n    [\n      poolNames.general,",
    to: `  return [
    ["batch", { profile: NodePoolProfile.Stateless, limits: { cpu: "16", memory: "64Gi" } }],
    [
      poolNames.general,`,
  },
];

export const newService: readonly CodeChange[] = [
  {
    file: edge,
    from: "  return {\n    loadBalancerDnsName",
    to: `  const shop = new LoadBalancedService(
    "shop",
    {
      cluster: cluster.ref,
      loadBalancer: loadBalancer.ref,
      safetyNet: safetyNet.ref,
      namespace: namespace.metadata.name,
      selector: { app: "shop" },
      port: 8080,
      paths: ["/shop/*"],
      healthCheckPath: "/healthz",
      minReplicas: 2,
      alarmRoutes: network.ownerRoutes.loadBalancer,
      alarmNamePrefix: settings.cluster.name,
    },
    { ...providers, dependsOn: [controller, safetyNet] },
  );
  new DrainSafeDeployment(
    "shop-app",
    {
      namespace: namespace.metadata.name,
      image: "ghcr.io/stefanprodan/podinfo:6.9.0",
      port: 8080,
      podLabels: { app: "shop" },
      replicas: shop.minReplicas,
      probes: { readinessPath: "/healthz" },
      resources: { cpu: "100m", memory: "64Mi" },
      readinessGates: [shop.readinessGate],
    },
    { ...providers, dependsOn: cluster.ready },
  );
  return {
    loadBalancerDnsName`,
  },
];

export const renamedService: readonly CodeChange[] = [
  {
    file: edge,
    from: '  const service = new LoadBalancedService(\n    "web",',
    to: '  const service = new LoadBalancedService(\n    "site",',
  },
  {
    file: edge,
    from: "protectTargetGroup: settings.protected,\n    },\n    { ...providers,",
    to: 'protectTargetGroup: settings.protected,\n    },\n    { ...providers, aliases: [{ name: "web" }],',
  },
];

export const newKafkaClient: readonly CodeChange[] = [
  {
    file: kafka,
    from: "producer: { namespace: demo.metadata.name, topics: { [demoTopic]: [KafkaTopicAccess.Produce] } },",
    to: `producer: { namespace: demo.metadata.name, topics: { [demoTopic]: [KafkaTopicAccess.Produce] } },
        shop: { namespace: demo.metadata.name, topics: { orders: [KafkaTopicAccess.Produce] } },`,
  },
];

export const kafkaProperty: readonly CodeChange[] = [
  {
    file: kafka,
    from: "...onKafkaPool,",
    to: "configuration: { retentionHours: 72 }, ...onKafkaPool,",
  },
];

export const newerKafka: readonly CodeChange[] = [
  { file: kafka, from: "apache/kafka:4.4.0", to: "apache/kafka:4.4.1" },
];
