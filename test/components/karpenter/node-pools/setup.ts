import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { NodeArchitecture } from "../../../../components/cluster";
import {
  CapacityType,
  ConsolidationPolicy,
  DisruptionReason,
  KarpenterNodePool,
  NodePoolProfile,
  RequirementOperator,
  TaintEffect,
  type KarpenterNodeClassArgs,
  type KarpenterNodePoolArgs,
} from "../../../../components/karpenter";
import { shopProd } from "../../../support/clusters";
import { find } from "../../../support/graph";
import { run, type Registration, type RunOptions } from "../../../support/harness";

export const types = {
  nodeClass: "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
  pool: "kubernetes:karpenter.sh/v1:NodePool",
};
export const args: KarpenterNodePoolArgs = {
  cluster: shopProd,
  nodeRoleName: "k-node-1a2b3c4",
  subnetIds: ["subnet-0a", "subnet-0b"],
  profile: NodePoolProfile.Stateless,
  amiAlias: "al2023@v20240703",
  limits: { cpu: "200", memory: "800Gi" },
};
/** A class that pools share. */
export const classArgs: KarpenterNodeClassArgs = {
  cluster: shopProd,
  nodeRoleName: "k-node-1a2b3c4",
  subnetIds: ["subnet-0a", "subnet-0b"],
  amiAlias: "al2023@v20240703",
};
/** A pool that has nothing of a class but its name. */
export const sharing: Partial<KarpenterNodePoolArgs> = {
  nodeRoleName: undefined,
  subnetIds: undefined,
  amiAlias: undefined,
  nodeClassName: "shared",
};
export const stateful = { profile: NodePoolProfile.Stateful };

export const make = (
  change: Partial<KarpenterNodePoolArgs> = {},
  options: RunOptions = {},
  opts: pulumi.ComponentResourceOptions = {},
) =>
  run(() => {
    const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
    const made = new KarpenterNodePool("web", { ...args, ...change }, { providers: [cluster], ...opts });
    const { poolName, nodeClassName, nodeSelector, tolerations } = made;
    return { poolName, nodeClassName, nodeSelector, tolerations };
  }, options);
export const refusal = async (change: Partial<KarpenterNodePoolArgs>) => {
  const { errors, resources } = await make(change);
  expect(resources.filter((r) => Object.values(types).includes(r.type))).toEqual([]);
  return errors.map((e) => e.message).join("\n");
};

export interface PoolSpec {
  weight?: number;
  limits: Record<string, string>;
  disruption: Record<string, unknown>;
  template: { metadata?: unknown; spec: Record<string, unknown> & { requirements: { key: string }[] } };
}
export const poolOf = (resources: readonly Registration[]) => find(resources, types.pool).inputs["spec"] as PoolSpec;
export const classOf = (resources: readonly Registration[]) =>
  find(resources, types.nodeClass).inputs["spec"] as Record<string, unknown>;
export const requirement = (spec: PoolSpec, key: string) =>
  spec.template.spec.requirements.filter((r) => r.key === key);

/** Everything that can be given at once. */
export const full: Partial<KarpenterNodePoolArgs> = {
  securityGroupIds: ["sg-0a"],
  architectures: [NodeArchitecture.X86, NodeArchitecture.Arm64],
  capacityTypes: [CapacityType.Reserved, CapacityType.Spot],
  capacityReservationIds: ["cr-0123456789abcdef0"],
  instanceCategories: ["c"],
  minInstanceGeneration: 6,
  zones: ["eu-west-1a"],
  requirements: [
    { key: "karpenter.k8s.aws/instance-cpu", operator: RequirementOperator.Lte, values: ["16"] },
    { key: "example.com/rack", operator: RequirementOperator.In, values: ["a", "b"], minValues: 2 },
    { key: "karpenter.k8s.aws/instance-local-nvme", operator: RequirementOperator.Exists },
  ],
  consolidationPolicy: ConsolidationPolicy.Balanced,
  consolidateAfter: "1h30m",
  budgets: [
    { nodes: "20%" },
    { nodes: "0", reasons: [DisruptionReason.Unhealthy], scheduleUtc: "@daily", duration: "8h30m" },
  ],
  freezeWindows: [{ scheduleUtc: "0 8 * * mon-fri", duration: "10h" }],
  expireAfter: "336h",
  terminationGracePeriod: "2h",
  longestPodGraceSeconds: 90,
  labels: { team: "web", "example.com/tier": pulumi.output("front") },
  taints: [{ key: "example.com/web", value: "only", effect: TaintEffect.NoSchedule }],
  startupTaints: [{ key: "ebs.csi.aws.com/agent-not-ready", effect: TaintEffect.NoExecute }],
  weight: 100,
  limits: { cpu: "200", memory: "800Gi", nodes: 10 },
  diskSizeInGiB: 100,
  diskIops: pulumi.output(50_000),
  diskThroughput: 2000,
  volumes: [{ deviceName: "/dev/sdf", sizeInGiB: pulumi.output(1), iops: 3000, throughput: 750 }],
  kmsKeyId: "arn:aws:kms:eu-west-1:123456789012:key/mrk-0123456789abcdef0123456789abcdef",
  instanceStoreRaid0: true,
  connectionTracking: { tcpEstablishedTimeout: 432_000, udpStreamTimeout: 60, udpTimeout: pulumi.output(30) },
  detailedMonitoring: true,
  kubelet: {
    maxPods: 110,
    evictionHard: { "memory.available": "5%" },
    systemReserved: { cpu: "100m" },
    allowedUnsafeSysctls: ["net.core.*", "kernel.sem"],
    further: { registryPullQPS: 10 },
  },
  userData: "kind: NodeConfig",
  nodeTags: { team: "web" },
};
