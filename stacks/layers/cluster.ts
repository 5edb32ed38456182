import {
  ClusterAccessLevel,
  ClusterMetrics,
  DefaultStorageClass,
  DiscoveryScope,
  EksCluster,
  Karpenter,
  KarpenterAlarms,
  KarpenterNodePool,
  kafkaMetricsTargets,
  NodePoolProfile,
  type KarpenterNodePoolArgs,
} from "../../components";
import type { ClusterContract, NetworkContract } from "../contracts";
import { kafkaNames } from "../kafka-names";
import { kubernetesProvider } from "../kubernetes";
import { podGraceSeconds, poolNames, withoutVolumes } from "../node-pools";
import type { Settings } from "../settings";

/** The EKS cluster with its system nodes and add-ons, Karpenter, one pool of nodes for each kind of workload, and the way of metrics. */
export function clusterLayer(settings: Settings, network: NetworkContract): ClusterContract {
  const { cluster: given } = settings;
  const admins = Object.entries(given.admins).map(([who, principalArn]) => [
    who,
    { principalArn, level: ClusterAccessLevel.ClusterAdmin },
  ]);
  const cluster = new EksCluster("cluster", {
    clusterName: given.name,
    kubernetesVersion: given.kubernetesVersion,
    vpcId: network.vpcId,
    privateSubnetIds: network.privateSubnetIds,
    accessEntries: Object.fromEntries(admins),
    publicAccessCidrs: given.apiAccessCidrs,
    privateAccessCidrs: given.privateApiAccessCidrs,
    systemNodes: given.systemNodes,
    logRetentionInDays: given.logRetentionDays,
    deletionProtection: settings.protected,
  });
  const provider = kubernetesProvider(cluster.name, cluster.kubeconfig, [cluster]);

  // Kafka brings a class of its own, whose volumes stay where that is asked for; this one is for whatever else claims a volume. Nothing waits
  // for it: Kubernetes gives it to claims without a class once it exists.
  new DefaultStorageClass("gp3", {}, { providers: [provider] });

  // Its charts wait for the cluster's nodes by the provider; its queue and roles are made meanwhile.
  const karpenter = new Karpenter(
    "karpenter",
    { cluster: cluster.ref, kubernetesVersion: given.kubernetesVersion },
    { providers: [provider] },
  );
  const pools = nodePools(settings).map(
    ([poolName, args]) =>
      new KarpenterNodePool(
        `${poolName}-nodes`,
        {
          cluster: cluster.ref,
          nodeRoleName: karpenter.nodeRoleName,
          subnetIds: network.privateSubnetIds,
          poolName,
          amiAlias: given.nodePools.amiAlias,
          ...args,
        },
        { providers: [provider], dependsOn: [karpenter, ...network.ready] },
      ),
  );
  // Alarms of all layers on what pods expose listen to it. Nothing waits for it: without metrics workloads run all the same.
  const metrics = new ClusterMetrics(
    "cluster-metrics",
    {
      cluster: cluster.ref,
      region: settings.region,
      routes: network.ownerRoutes.cluster,
      namePrefix: given.name,
      targets: kafkaMetricsTargets({ ...kafkaNames, brokers: settings.kafka.brokers }),
      // Kafka's namespace is made after it, and maybe by another stack.
      discovery: DiscoveryScope.Cluster,
    },
    // Its alarm listens to Karpenter.
    { providers: [provider], dependsOn: [karpenter] },
  );
  new KarpenterAlarms(
    "karpenter-alarms",
    {
      cluster: cluster.ref,
      queueName: karpenter.queueName,
      routes: network.ownerRoutes.cluster,
      namePrefix: given.name,
    },
    { dependsOn: [karpenter, metrics] },
  );
  return { ref: cluster.ref, kubeconfig: cluster.kubeconfig, provider, ready: [cluster, karpenter, ...pools] };
}

type PoolArgs = Pick<KarpenterNodePoolArgs, "profile" | "limits"> & Partial<KarpenterNodePoolArgs>;

/** General workloads may be moved at any time; Kafka's never without need. */
function nodePools(settings: Settings): [string, PoolArgs][] {
  const { general, kafka } = settings.cluster.nodePools;
  return [
    [
      poolNames.general,
      {
        profile: NodePoolProfile.Stateless,
        architectures: [general.architecture],
        capacityTypes: general.capacityTypes,
        instanceTypes: general.instanceTypes,
        limits: general.limits,
        freezeWindows: general.freezeWindows,
        longestPodGraceSeconds: podGraceSeconds.general,
      },
    ],
    [
      poolNames.kafka,
      {
        profile: NodePoolProfile.Stateful,
        architectures: [kafka.architecture],
        instanceTypes: kafka.instanceTypes,
        limits: kafka.limits,
        freezeWindows: kafka.freezeWindows,
        longestPodGraceSeconds: podGraceSeconds.kafka,
        startupTaints: [withoutVolumes],
        protect: settings.protected,
      },
    ],
  ];
}
