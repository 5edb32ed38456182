import * as pulumi from "@pulumi/pulumi";
import {
  CapacityType,
  RequirementOperator,
  TaintEffect,
  type KarpenterNodePoolArgs,
} from "../../../../components/karpenter";
import { make, refusal, stateful, types } from "./setup";

describe("KarpenterNodePool: refusals", () => {
  const cases: [string, Partial<KarpenterNodePoolArgs>, RegExp][] = [
    // Labels, taints, tags, requirements.
    [
      "Karpenter's label",
      { labels: { "karpenter.sh/nodepool": "x" } },
      /- labels\["karpenter\.sh\/nodepool"\]: is set by Karpenter/,
    ],
    [
      "Karpenter's domain",
      { labels: { "karpenter.sh/team": "x" } },
      /- labels\["karpenter\.sh\/team"\]: is in a domain/,
    ],
    [
      "a subdomain of it",
      { labels: { "compat.karpenter.sh/x": "x" } },
      /- labels\["compat\.karpenter\.sh\/x"\]: is in a domain/,
    ],
    [
      "host names",
      { labels: { "kubernetes.io/hostname": "x" } },
      /- labels\["kubernetes\.io\/hostname"\]: is the node's own name/,
    ],
    [
      "a misspelt label",
      {
        requirements: [{ key: "karpenter.k8s.aws/instance-catgory", operator: RequirementOperator.In, values: ["m"] }],
      },
      /- requirements\[0\]\.key: .* none of its labels/,
    ],
    ["no label", { labels: { "a b": "x" } }, /- labels\["a b"\]: must be a key such as/],
    [
      // Nobody's limit but the definition's: as the key of a label it would do.
      "a key of 317 characters",
      { requirements: [{ key: `${"p".repeat(253)}/${"k".repeat(63)}`, operator: RequirementOperator.Exists }] },
      /- requirements\[0\]\.key: must have at most 316 characters, not 317$/,
    ],
    ["long value", { labels: { a: "x".repeat(64) } }, /- labels\["a"\]: must be at most 63/],
    [
      "cluster tag",
      { nodeTags: { "kubernetes.io/cluster/shop-prod": "owned" } },
      /- nodeTags\["kubernetes\.io\/cluster\/shop-prod"\]: is a tag by which/,
    ],
    ["pool tag", { nodeTags: { "karpenter.sh/nodepool": "x" } }, /- nodeTags\["karpenter\.sh\/nodepool"\]/],
    ["claim tag", { nodeTags: { "karpenter.sh/nodeclaim": "x" } }, /- nodeTags\["karpenter\.sh\/nodeclaim"\]/],
    [
      "class tag",
      { nodeTags: { "karpenter.k8s.aws/ec2nodeclass": "x" } },
      /- nodeTags\["karpenter\.k8s\.aws\/ec2nodeclass"\]/,
    ],
    ["EKS tag", { nodeTags: { "eks:eks-cluster-name": "x" } }, /- nodeTags\["eks:eks-cluster-name"\]/],
    ["no key", { nodeTags: { "": "x" } }, /- nodeTags\[""\]: is empty/],
    ["bad taint", { taints: [{ key: "", effect: TaintEffect.NoSchedule }] }, /- taints\[0\]\.key: must be a key/],
    [
      "EKS' spelling",
      { taints: [{ key: "a", effect: "NO_SCHEDULE" as TaintEffect }] },
      /- taints\[0\]\.effect: must be one of NoSchedule, PreferNoSchedule, NoExecute/,
    ],
    [
      "bad value",
      { taints: [{ key: "a", value: "b c", effect: TaintEffect.NoSchedule }] },
      /- taints\[0\]\.value: must be a word/,
    ],
    [
      // Karpenter would take it, and the API server refuse the node (IsValidLabelValue).
      "value like a key",
      { startupTaints: [{ key: "a", value: "example.com/b", effect: TaintEffect.NoSchedule }] },
      /- startupTaints\[0\]\.value: must be a word/,
    ],
    [
      "taint twice",
      {
        taints: [{ key: "a", effect: TaintEffect.NoSchedule }],
        startupTaints: [{ key: "a", effect: TaintEffect.NoSchedule }],
      },
      /- startupTaints\[0\]: has key and effect of taints\[0\]/,
    ],
    [
      "In nothing",
      { requirements: [{ key: "a", operator: RequirementOperator.In }] },
      /- requirements\[0\]\.values: is empty/,
    ],
    [
      "more than two",
      { requirements: [{ key: "a", operator: RequirementOperator.Gt, values: ["1", "2"] }] },
      /- requirements\[0\]\.values: must be one whole number/,
    ],
    [
      "more than m",
      { requirements: [{ key: "a", operator: RequirementOperator.Gte, values: ["m"] }] },
      /- requirements\[0\]\.values: must be one whole number/,
    ],
    [
      "exists what",
      { requirements: [{ key: "a", operator: RequirementOperator.Exists, values: ["b"] }] },
      /- requirements\[0\]\.values: must be left out with Exists/,
    ],
    [
      "too few",
      { requirements: [{ key: "a", operator: RequirementOperator.In, values: ["b"], minValues: 2 }] },
      /- requirements\[0\]\.minValues: demands 2 values/,
    ],
    [
      "minValues 51",
      { requirements: [{ key: "a", operator: RequirementOperator.Exists, minValues: 51 }] },
      /- requirements\[0\]\.minValues: must be a whole number from 1 to 50/,
    ],
    [
      "no operator",
      { requirements: [{ key: "a", operator: "=" as RequirementOperator, values: ["b"] }] },
      /- requirements\[0\]\.operator: must be one of In/,
    ],
    // Kubelet: from 1.15 on the definition lets anything pass here.
    [
      "reserve what",
      { kubelet: { systemReserved: { memroy: "1Gi" } } },
      /- kubelet\.systemReserved\["memroy"\]: isn't one of cpu, memory/,
    ],
    [
      "reserve how much",
      { kubelet: { kubeReserved: { memory: "1 GiB" } } },
      /- kubelet\.kubeReserved\["memory"\]: must be a Kubernetes quantity/,
    ],
    [
      "evict when",
      { kubelet: { evictionHard: { "memory.free": "5%" } } },
      /- kubelet\.evictionHard\["memory\.free"\]: isn't one of memory\.available/,
    ],
    [
      "evict at",
      { kubelet: { evictionHard: { "memory.available": "5 percent" } } },
      /- kubelet\.evictionHard\["memory\.available"\]: must be a quantity or a percentage/,
    ],
    [
      "soft without grace",
      { kubelet: { evictionSoft: { "memory.available": "5%" } } },
      /- kubelet\.evictionSoftGracePeriod: must have the keys of evictionSoft/,
    ],
    ["no pods", { kubelet: { maxPods: 0 } }, /- kubelet\.maxPods: must be a whole number of at least 1, not 0/],
    [
      "never collected",
      { kubelet: { imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 80 } },
      /- kubelet\.imageGCHighThresholdPercent: must be more than/,
    ],
    // Names.
    ["upper case", { poolName: "Web" }, /- poolName: must be a DNS label .* not "Web"/],
    ["a hyphen at the end", { poolName: "web-" }, /- poolName: must be a DNS label/],
    ["64 characters", { poolName: "w".repeat(64) }, /- poolName: must be a DNS label/],
  ];
  test.each(cases)("%s", async (_, change, expected) => expect(await refusal(change)).toMatch(expected));

  test("a label's value that is known late", async () => {
    const { errors, resources } = await make({ labels: { a: pulumi.output("b c") } });
    expect(errors.map(({ message }) => message).join()).toMatch(/labels\["a"\] must be at most 63/);
    expect(resources.filter((r) => r.type === types.pool)).toEqual([]);
  });

  test("what is just right isn't refused", async () => {
    for (const change of [
      { poolName: "w".repeat(63) },
      { weight: 1 },
      { terminationGracePeriod: "60s" },
      { longestPodGraceSeconds: 1800 },
      { expireAfter: "Never", terminationGracePeriod: "Never" },
      { ...stateful, expireAfter: "2160h", terminationGracePeriod: "6h" },
      { ...stateful, capacityTypes: [CapacityType.Reserved], capacityReservationIds: ["cr-1"] },
      { budgets: [{ nodes: "100%" }] },
      { labels: { "karpenter.sh/capacity-type": "on-demand", "karpenter.k8s.aws/instance-family": "m7i" } },
      { nodeTags: { Name: "web", "kubernetes.io/role": "x" } },
    ] as Partial<KarpenterNodePoolArgs>[])
      expect((await make(change)).errors).toEqual([]);
  });
});
