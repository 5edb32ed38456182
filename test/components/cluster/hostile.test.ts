import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { ClusterAccessLevel, NodeArchitecture, VolumeReclaimPolicy } from "../../../components/cluster";
import { run } from "../../support/harness";
import { mistyped, type Kind } from "../../support/mistyped";
import { samples } from "../../support/components";
import { isDeep } from "../../support/deep";
import {
  eachWrong,
  expectGraphOrRefusal,
  hostileArguments,
  places,
  right,
  wrong,
  type Candidate,
  type Hostile,
} from "../../support/hostile-arguments";

const numRuns = isDeep ? 300 : 12;
const admin = { principalArn: "arn:aws:iam::123456789012:role/deploy", level: ClusterAccessLevel.ClusterAdmin };
const reader = { principalArn: "arn:aws:iam::123456789012:user/reader", level: ClusterAccessLevel.View };
const subnets = (count: number) => Array.from({ length: count }, (_, index) => `subnet-${index}a`);
const tags = right(undefined, {}, { team: "shop" });
const boundary = "arn:aws:iam::123456789012:policy/boundary";

test.each([
  ["publicAcessCidrs", { publicAcessCidrs: [] }, "write publicAccessCidrs"],
  ["clustername", { clustername: "shop" }, "write clusterName"],
  ["subnetIds", { subnetIds: [] }, "write privateSubnetIds"],
  ["a text", "shop", "args: must be an object"],
])("%s: what was meant is said", async (_, args, words) => {
  const { make, minimal } = samples["EksCluster"]!;
  const given = typeof args === "object" ? { ...minimal, ...args } : (args as unknown as object);
  const { errors } = await run(() => void make("one", given, {}));
  expect(errors.map(({ message }) => message).join()).toContain(words);
  expect(errors).toHaveLength(1);
});

/** Names of components that fit, so that what is wrong is wrong with the arguments. */
const shortNames = fc.constantFrom("c", "shop", "Shop-1", "c".repeat(35));

const eksCluster: Readonly<Record<string, readonly Candidate[]>> = {
  clusterName: [
    ...right(undefined, "c", "7", `c${"-123456789".repeat(9)}-abcdefgh`, "A_b-9"), // 1 to 100 characters
    ...wrong("clusterName", "", "-shop", "a shop", "shop.prod", "c".repeat(101)),
  ],
  vpcId: [
    ...right("vpc-1", "vpc-0123456789abcdef0", pulumi.output("vpc-2")),
    ...wrong("vpcId", undefined, "", "shop", "vpc-"),
  ],
  privateSubnetIds: [
    ...right(...[2, 3, 4, 5, 6].map(subnets)), // zones
    ...wrong("privateSubnetIds", undefined, [], subnets(1), ["subnet-a", "subnet-a"], ["a", "b"]),
  ],
  kubernetesVersion: [
    ...right(undefined, "1.36", "1.35"),
    ...wrong("kubernetesVersion", "1.20", "1.33", "1.99", "1.36.1", "latest", "", "constructor"),
  ],
  accessEntries: [
    ...right({ a: admin }, { a: admin, "b-1": reader }),
    ...wrong("accessEntries.a.namespaces", { a: { ...admin, namespaces: [] } }),
    ...wrong("accessEntries", undefined, {}, { a: reader }, { a: { ...admin, namespaces: ["shop"] } }),
    ...wrong("accessEntries.b.principalArn", { a: admin, b: admin }, { a: admin, b: { ...reader, principalArn: "b" } }),
    ...wrong("accessEntries.b.level", { a: admin, b: { ...reader, level: "Owner" } }),
    ...wrong("accessEntries.b.namespaces[1]", { a: admin, b: { ...reader, namespaces: ["shop-*", "*"] } }),
    ...wrong('accessEntries["b"]', { a: admin, b: null }, { a: admin, b: "deploy" }),
    ...wrong('accessEntries["b"].principalArn', { a: admin, b: { level: ClusterAccessLevel.View } }),
    ...wrong('accessEntries["b"].role', { a: admin, b: { ...reader, role: "x" } }),
    ...wrong("accessEntries.b c", { a: admin, "b c": reader }),
  ],
  publicAccessCidrs: [
    ...right(
      undefined,
      [],
      ["203.0.113.0/24"],
      ["11.0.0.0/8", "198.51.100.7/32"],
      ["172.15.0.0/16"],
      ["172.32.0.0/16"],
    ),
    ...wrong(
      "publicAccessCidrs[0]",
      ["10.0.0.0/8"],
      ["172.31.0.0/16"],
      ["192.168.1.0/24"],
      ["100.64.0.0/10"],
      ["169.254.169.254/32"],
      ["0.0.0.0/0"],
      ["::/0"],
      ["2001:db8::/32"],
      ["office"],
      ["10.0.0.1/8"],
      ["1.2.3.4"],
    ),
    ...wrong("publicAccessCidrs[1]", ["203.0.113.0/24", "203.0.113.0/24"], ["203.0.113.0/24", "128.0.0.0/1"]),
  ],
  privateAccessCidrs: [
    ...right(undefined, ["10.20.0.0/16"], ["10.20.0.0/16", "10.21.0.0/16"]),
    ...wrong("privateAccessCidrs[0]", ["0.0.0.0/1"], ["fd00::/8"], ["256.0.0.0/8"], [""]),
  ],
  systemNodes: [
    ...right(undefined, {}, { minSize: 6 }, { architecture: NodeArchitecture.Arm64, instanceTypes: ["m7g.large"] }),
    ...wrong("systemNodes.minSize", { minSize: 1 }, { minSize: NaN, maxSize: 3 }, { minSize: 2.5, maxSize: 3 }),
    ...wrong("systemNodes.maxSize", { minSize: 3, maxSize: 2 }, { maxSize: Infinity }),
    ...wrong(
      "systemNodes.architecture",
      { architecture: "risc" },
      { architecture: "risc", instanceTypes: ["m7g.large"] },
    ),
    ...wrong(
      "systemNodes.instanceTypes",
      { instanceTypes: [] },
      { instanceTypes: ["m7g.large"] },
      { instanceTypes: ["large"] },
    ),
    ...wrong("systemNodes.instanceTypes", { instanceTypes: "m7i.large" }, { instanceTypes: null }),
    ...wrong("systemNodes.instanceType", { instanceType: "m7i.large" }),
    ...wrong("systemNodes.minSize", { minSize: "3" }),
    ...wrong("systemNodes.diskSizeInGiB", { diskSizeInGiB: 19 }, { diskSizeInGiB: NaN }),
  ],
  workloadNodes: [...right(undefined, {}, { maxSize: 9 }), ...wrong("workloadNodes.minSize", { minSize: 0 })],
  addonVersions: [
    ...right(undefined, {}, { coredns: undefined }, { coredns: "v1.14.3-eksbuild.24" }),
    ...wrong("addonVersions.vpcCni", { vpcCni: "" }, { vpcCni: "latest" }, { vpcCni: "1.22.4" }),
    ...wrong("addonVersions.corednss", { corednss: "v1.14.3-eksbuild.24" }),
  ],
  optionalAddons: [
    ...right(undefined, {}, { nodeMonitoringAgent: "v1.4.0-eksbuild.2", snapshotController: "v8.2.0-eksbuild.1" }),
    ...wrong("optionalAddons.nodeMonitoringAgent", { nodeMonitoringAgent: "default" }),
    // It would win over the build that is pinned.
    ...wrong("optionalAddons.vpcCni", { vpcCni: "v1.14.3-eksbuild.24" }),
  ],
  addonValues: [
    ...right(undefined, {}, { coredns: { replicaCount: 4 } }, { kubeProxy: {} }),
    ...wrong("addonValues.coredns", { coredns: "replicaCount: 4" }),
    ...wrong("addonValues.coredns.tolerations", { coredns: { tolerations: [] } }),
  ],
  prefixDelegation: right(undefined, true, false),
  logRetentionInDays: [
    ...right(undefined, 0, 90, 3653, pulumi.output(30)),
    ...wrong("logRetentionInDays", -1, 2, 91, NaN, 1.5),
  ],
  deletionProtection: right(undefined, true, false),
  permissionsBoundaryArn: [...right(undefined, boundary), ...wrong("permissionsBoundaryArn", "", "boundary")],
  zonalShift: right(undefined, true, false),
  tags,
};

const storageClass: Readonly<Record<string, readonly Candidate[]>> = {
  className: [
    ...right("gp3", "a", "fast.moorings.dev", "c".repeat(253)),
    ...wrong("className", "", "GP3", "a b", "-a", "c".repeat(254)),
  ],
  kmsKeyArn: [
    ...right(undefined, "arn:aws:kms:eu-west-1:123456789012:key/0123"),
    ...wrong("kmsKeyArn", "", "0123", "arn:aws:kms:eu-west-1:123456789012:alias/ebs"),
  ],
  iops: [...right(16000, 80000), ...wrong("iops", 0, 2999, 80001, NaN, 3000.5)],
  throughputMiB: [...right(undefined, 125, 2000), ...wrong("throughputMiB", 0, 124, 2001, NaN)],
  reclaimPolicy: [...right(undefined, VolumeReclaimPolicy.Retain), ...wrong("reclaimPolicy", "Keep", "")],
  volumeTags: [
    ...right(undefined, {}, { team: "shop", tier: "" }),
    ...wrong('volumeTags["CSIVolumeSnapshotName"]', { CSIVolumeSnapshotName: "x" }),
    ...wrong('volumeTags["kubernetes.io"]', { "kubernetes.io": "x" }),
    ...wrong('volumeTags["a*b"]', { "a*b": "x" }),
    ...wrong('volumeTags["aws:x"]', { "aws:x": "1" }, { team: "shop", "aws:x": "1" }),
    ...right(Object.fromEntries(Array.from({ length: 42 }, (_, n) => [`tag${n}`, ""]))),
    ...wrong("volumeTags", Object.fromEntries(Array.from({ length: 43 }, (_, n) => [`tag${n}`, ""]))),
    ...wrong('volumeTags["a"]', { a: null }, { a: 5 }),
    ...wrong('volumeTags["a"]', { a: "v".repeat(257) }, { a: "{{" }, { a: "x*y" }),
  ],
};

const endpoints: Readonly<Record<string, readonly Candidate[]>> = {
  vpcId: eksCluster["vpcId"]!,
  subnetIds: [
    ...right(...[1, 2, 3, 4, 5, 6].map(subnets)),
    ...wrong("subnetIds", undefined, [], ["a"], ["subnet-a", ""]),
  ],
  routeTableIds: [...right(undefined, ["rtb-1"], ["rtb-1", "rtb-2"]), ...wrong("routeTableIds", [], ["main"], [""])],
  allowedCidrs: [
    ...right(["10.20.0.0/16"], ["10.0.0.0/8", "100.64.0.0/10"]),
    ...wrong("allowedCidrs[0]", ["0.0.0.0/0"], ["fd00::/8"], ["vpc"], ["10.20.0.1/16"]),
    ...wrong("allowedCidrs[1]", ["10.20.0.0/16", "10.20.0.0/16"]),
  ],
  allowedSecurityGroupIds: [
    ...right(undefined, {}, { runner: "sg-0a" }),
    ...wrong("allowedSecurityGroupIds.runner", { runner: "runner" }, { runner: "" }),
    ...wrong("allowedSecurityGroupIds.a b", { "a b": "sg-0a" }),
  ],
  services: [
    ...right(undefined, [], ["ec2"], ["ecr.api", "com.amazonaws.eu-west-1.kms"]),
    ...wrong("services[0]", ["s3"], [""], ["EC2"], ["https://ec2"]),
    ...wrong("services[0]", [5], [null]),
    ...wrong("services[1]", ["ec2", "ec2"]),
  ],
  furtherServices: [
    ...right(undefined, [], ["secretsmanager"]),
    ...wrong("furtherServices[0]", ["com.amazonaws.eu-west-1.s3"]),
  ],
  tags,
};

const kinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  EksCluster: {
    clusterName: "text",
    vpcId: "text",
    privateSubnetIds: "list",
    kubernetesVersion: "text",
    accessEntries: "map",
    publicAccessCidrs: "list",
    privateAccessCidrs: "list",
    systemNodes: "map",
    workloadNodes: "map",
    addonVersions: "map",
    optionalAddons: "map",
    addonValues: "map",
    prefixDelegation: "flag",
    logRetentionInDays: "number",
    deletionProtection: "flag",
    permissionsBoundaryArn: "text",
    zonalShift: "flag",
    tags: "map",
  },
  DefaultStorageClass: {
    className: "text",
    kmsKeyArn: "text",
    iops: "number",
    throughputMiB: "number",
    reclaimPolicy: "text",
    volumeTags: "map",
  },
  PrivateClusterEndpoints: {
    vpcId: "text",
    subnetIds: "list",
    routeTableIds: "list",
    allowedCidrs: "list",
    allowedSecurityGroupIds: "map",
    services: "list",
    furtherServices: "list",
    tags: "map",
  },
};

const hostile = (args: fc.Arbitrary<Hostile>, names: fc.Arbitrary<string>) =>
  fc.record({ given: args, name: names, place: fc.constantFrom(...places), preview: fc.boolean() });

describe.each([
  ["EksCluster", eksCluster, shortNames],
  ["DefaultStorageClass", storageClass, fc.constantFrom("gp3", "a-b")],
  ["PrivateClusterEndpoints", endpoints, shortNames],
] as const)("%s", (component, candidates, names) => {
  const { make } = samples[component]!;

  test("names each argument that is wrong, and makes nothing", async () => {
    for (const given of eachWrong(candidates)) await expectGraphOrRefusal({ make, ...given });
  });

  test("names each argument that isn't what it must be", async () => {
    expect(Object.keys(kinds[component]!).sort()).toEqual(Object.keys(samples[component]!.full).sort());
    for (const given of mistyped(samples[component]!.minimal, kinds[component]!))
      await expectGraphOrRefusal({ make, ...given });
  });

  test("is a whole graph, or one error that names all that is wrong", async () => {
    await fc.assert(
      fc.asyncProperty(hostile(hostileArguments(candidates), names), ({ given, ...where }) =>
        expectGraphOrRefusal({ make, ...given, ...where }),
      ),
      { numRuns, seed: isDeep ? undefined : 20261130 },
    );
  });
});

// What is wrong once is said once, also where something else depends on it.
test.each([
  [
    "PrivateClusterEndpoints",
    { allowedCidrs: undefined, allowedSecurityGroupIds: "sg-1" },
    ["allowedSecurityGroupIds"],
  ],
  ["EksCluster", { optionalAddons: "x", addonValues: { snapshotController: {} } }, ["optionalAddons"]],
] as const)("%s names only what is wrong in %j", async (component, change, named) => {
  const { make, minimal } = samples[component]!;
  await expectGraphOrRefusal({ make, args: { ...minimal, ...change }, named });
});

test.each([
  ["too long for a role", "c".repeat(36)],
  ["no role's", "my shop"],
])("a name of the component that is %s is refused in the same way", async (_, name) => {
  const { make, minimal } = samples["EksCluster"]!;
  await expectGraphOrRefusal({ make, args: { ...minimal, clusterName: "shop" }, named: ["name"], name });
});
