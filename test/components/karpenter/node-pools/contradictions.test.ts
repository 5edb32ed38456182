import { NodeArchitecture } from "../../../../components/cluster";
import {
  RequirementOperator,
  type KarpenterNodePoolArgs,
  type NodeRequirement,
} from "../../../../components/karpenter";
import { make, refusal } from "./setup";

/* Pools that could never make a node: Karpenter takes them, and pods wait for ever. */

const needs = (key: string, operator: RequirementOperator, ...values: string[]): NodeRequirement => ({
  key,
  operator,
  values,
});
const { In, NotIn, Exists, DoesNotExist, Gt, Gte, Lt, Lte } = RequirementOperator;
const category = "karpenter.k8s.aws/instance-category";
const generation = "karpenter.k8s.aws/instance-generation";
const cpu = "karpenter.k8s.aws/instance-cpu";
const arch = "kubernetes.io/arch";

test.each<[string, Partial<KarpenterNodePoolArgs>, string]>([
  ["another processor as requirement", { requirements: [needs(arch, In, "arm64")] }, "requirements[0]"],
  ["another processor as label", { labels: { [arch]: "arm64" } }, `labels["${arch}"]`],
  ["Windows", { labels: { "kubernetes.io/os": "windows" } }, 'labels["kubernetes.io/os"]'],
  [
    "spot, of an on-demand pool",
    { labels: { "karpenter.sh/capacity-type": "spot" } },
    'labels["karpenter.sh/capacity-type"]',
  ],
  [
    "a zone beside the pool's",
    { zones: ["eu-west-1a"], requirements: [needs("topology.kubernetes.io/zone", In, "eu-west-1b")] },
    "requirements[0]",
  ],
  [
    "the pool's only category excluded",
    { instanceCategories: ["g"], requirements: [needs(category, NotIn, "g", "p")] },
    "requirements[0]",
  ],
  ["a category that must not be", { requirements: [needs(category, DoesNotExist)] }, "requirements[0]"],
  [
    "a generation below the least",
    { minInstanceGeneration: 6, requirements: [needs(generation, Lt, "6")] },
    "requirements[0]",
  ],
  [
    "a type beside the pool's",
    { instanceTypes: ["m7i.large"], requirements: [needs("node.kubernetes.io/instance-type", In, "m7i.xlarge")] },
    "requirements[0]",
  ],
  ["bounds without a number between", { requirements: [needs(cpu, Gt, "4"), needs(cpu, Lt, "5")] }, "requirements[1]"],
  [
    "numbers that are all excluded",
    { requirements: [needs(cpu, Gte, "4"), needs(cpu, Lte, "5"), needs(cpu, NotIn, "4", "5")] },
    "requirements[2]",
  ],
  [
    "a label with two values",
    { labels: { team: "shop" }, requirements: [needs("team", In, "web")] },
    "requirements[0]",
  ],
  [
    "a key that must be and mustn't",
    { requirements: [needs("a", Exists), needs("a", DoesNotExist)] },
    "requirements[1]",
  ],
])("%s is refused", async (_, change, where) => {
  expect(await refusal(change)).toContain(`- ${where}: leaves no value of `);
});

test("the error names what it contradicts", async () => {
  expect(await refusal({ requirements: [needs(arch, In, "arm64")] })).toContain(
    "requirements[0]: leaves no value of kubernetes.io/arch, for which architectures says In amd64, so no node could be made: change the one or the other",
  );
});

test.each<[string, Partial<KarpenterNodePoolArgs>]>([
  [
    "one processor of two",
    { architectures: [NodeArchitecture.X86, NodeArchitecture.Arm64], labels: { [arch]: "arm64" } },
  ],
  ["at least two of the categories", { requirements: [{ ...needs(category, In, "c", "m"), minValues: 2 }] }],
  ["a category less", { requirements: [needs(category, NotIn, "r")] }],
  ["no later generation than 7", { requirements: [needs(generation, Lte, "7")] }],
  ["numbers between bounds", { requirements: [needs(cpu, Gt, "3"), needs(cpu, Lt, "5")] }],
  ["a key that may be away", { requirements: [needs("a", NotIn, "b"), needs("a", DoesNotExist)] }],
])("%s narrows, and is taken", async (_, change) => {
  expect((await make(change)).errors).toEqual([]);
});
