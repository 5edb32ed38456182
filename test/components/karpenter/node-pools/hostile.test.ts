import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { KarpenterNodeClass, KarpenterNodePool } from "../../../../components/karpenter";
import { shopProd } from "../../../support/clusters";
import { isDeep } from "../../../support/deep";
import { run } from "../../../support/harness";
import { expectGraphOrRefusal, hostileArguments, right, wrong, type Candidate, type Hostile, type Trial } from "../../../support/hostile-arguments"; // prettier-ignore
import { samples } from "../../../support/components";
import { rulesOn, violations } from "./definitions";
import { types } from "./setup";

/** What programs without types give where something else belongs. */
const noNumber = [NaN, Infinity, -1, 0.5, "7", null, {}, [], true] as const;
const noText = [5, NaN, null, {}, ["x"], true, Symbol("x"), () => "x"] as const;
const noList = ["x", 5, null, {}, pulumi.output(["x"])] as const;
const noMap = ["x", 5, null, [], new Date(0).getTime()] as const;
const longText = "x".repeat(5000);
const badNames = ["", "Web", "-web", "w".repeat(64), "wéb", "\u{1f600}", " web", "web\n", longText] as const;

const nodes: Record<string, readonly Candidate[]> = {
  cluster: [
    ...right(shopProd),
    ...wrong("cluster", undefined, null, 5, "shop", []),
    ...wrong("cluster.securityGroupId", { ...shopProd, securityGroupId: 5 }),
  ],
  nodeRoleName: [
    ...right("nodes", pulumi.output("nodes"), "A_b+=,.@-1"),
    ...wrong("nodeRoleName", undefined, "", "a b", "arn:aws:iam::123456789012:role/nodes", longText, ...noText),
  ],
  subnetIds: [
    ...right(["subnet-0a"], pulumi.output(["subnet-0a", "subnet-0b"]), [pulumi.output("subnet-0a")]),
    ...wrong("subnetIds", undefined, [], ["private"], Array(31).fill("subnet-0a"), "subnet-0a", 5, null, {}),
    ...wrong("subnetIds[0]", [undefined], [5]),
  ],
  securityGroupIds: [...right(undefined, ["sg-0a"]), ...wrong("securityGroupIds", [], ["x"], null, "sg-0a")],
  amiAlias: [
    ...right("al2023@v20240703", "bottlerocket@v1.46.0", pulumi.output("al2023@v20240703")),
    ...wrong("amiAlias", undefined, "", "al2023", "al2023@latest", "al2@v20240703", "ål@v1", longText, ...noText),
  ],
  diskSizeInGiB: [...right(undefined, 20, 59_000), ...wrong("diskSizeInGiB", 19, 59_001, ...noNumber)],
  diskIops: [...right(undefined, 3000, pulumi.output(9000)), ...wrong("diskIops", 2999, 80_001, ...noNumber)],
  diskThroughput: [...right(undefined, 125), ...wrong("diskThroughput", 124, 2001, ...noNumber)],
  volumes: [
    ...right(undefined, [], [{ deviceName: "/dev/xvdf", sizeInGiB: 1 }]),
    ...wrong("volumes", ...noList),
    ...wrong("volumes[0]", [null], [undefined], ["/dev/xvdf"]),
    ...wrong("volumes[0].deviceName", [{ deviceName: "/dev/xvda", sizeInGiB: 1 }], [{ deviceName: 5, sizeInGiB: 1 }]),
    ...wrong("volumes[0].sizeInGiB", [{ deviceName: "/dev/xvdf", sizeInGiB: NaN }], [{ deviceName: "/dev/xvdf" }]),
  ],
  kmsKeyId: [...right(undefined, "alias/nodes"), ...wrong("kmsKeyId", "", "nodes", longText, ...noText)],
  instanceStoreRaid0: [...right(undefined, true, false), ...wrong("instanceStoreRaid0", "true", 1, null)],
  connectionTracking: [
    ...right(undefined, { udpTimeout: 30 }),
    ...wrong("connectionTracking", {}, ...noMap),
    ...wrong("connectionTracking.udpTimeout", { udpTimeout: 29 }, { udpTimeout: "30" }, { udpTimeout: NaN }),
    ...wrong("connectionTracking.icmp", { icmp: 30 }),
  ],
  detailedMonitoring: [...right(undefined, true), ...wrong("detailedMonitoring", "true", 1, null)],
  kubelet: [
    ...right(undefined, {}, { maxPods: 10, systemReserved: { cpu: "100m" } }),
    ...wrong("kubelet", ...noMap),
    ...wrong("kubelet.maxPods", { maxPods: 0 }, { maxPods: "10" }, { maxPods: NaN }),
    ...wrong('kubelet.systemReserved["cpu"]', { systemReserved: { cpu: 1 } }, { systemReserved: { cpu: "" } }),
    ...right({ clusterDNS: ["169.254.20.10"] }, { clusterDNS: ["fd00::10"] }),
    ...wrong("kubelet.clusterDNS[0]", { clusterDNS: ["nope"] }, { clusterDNS: ["10.0.0.0/8"] }, { clusterDNS: [""] }),
    ...wrong("kubelet.maxpods", { maxpods: 10 }),
  ],
  userData: [...right(undefined, "", longText), ...wrong("userData", ...noText)],
  nodeTags: [
    ...right(undefined, {}, { team: "wéb" }),
    ...wrong("nodeTags", ...noMap),
    ...wrong('nodeTags["eks:x"]', { "eks:x": "y" }),
    ...right({ ["k".repeat(128)]: "v".repeat(256) }),
    ...wrong(`nodeTags["${"k".repeat(129)}"]`, { ["k".repeat(129)]: "v" }),
    ...wrong('nodeTags["team"]', { team: "v".repeat(257) }),
    ...wrong('nodeTags["team"]', { team: undefined }, { team: 5 }),
  ],
  chartVersion: [...right(undefined, "1.14.1", "1.15.2"), ...wrong("chartVersion", "", "1.9", 1.15, null)],
  protect: [...right(undefined, true), ...wrong("protect", "false", 0, null)],
  colour: [...right(undefined), ...wrong("colour", "blue", null)],
};

const budget = (more: object) => [{ nodes: "10%" }, { nodes: "1", ...more }];
const pools: Record<string, readonly Candidate[]> = {
  cluster: nodes["cluster"]!,
  chartVersion: nodes["chartVersion"]!,
  protect: nodes["protect"]!,
  colour: nodes["colour"]!,
  disruption: [...right(undefined), ...wrong("disruption", { expireAfter: "720h" })],
  poolName: [...right(undefined, "web", "w".repeat(63)), ...wrong("poolName", ...badNames, ...noText)],
  profile: [...right("stateless"), ...wrong("profile", undefined, "", "critical", "constructor", ...noText)],
  limits: [
    ...right({ cpu: "1", memory: "1Gi" }, { cpu: "0.5", memory: "1e9", nodes: 1 }),
    ...wrong("limits", undefined, ...noMap),
    ...wrong("limits.cpu", { memory: "1Gi" }, { cpu: 1, memory: "1Gi" }, { cpu: "many", memory: "1Gi" }),
    ...wrong("limits.nodes", { cpu: "1", memory: "1Gi", nodes: NaN }, { cpu: "1", memory: "1Gi", nodes: "3" }),
    ...wrong("limits.memory", { cpu: "1" }),
    ...wrong("limits.gpu", { cpu: "1", memory: "1Gi", gpu: 1 }),
  ],
  architectures: [...right(undefined, ["arm64"]), ...wrong("architectures", [], ["amd64"], ...noList)],
  capacityTypes: [...right(undefined, ["spot"]), ...wrong("capacityTypes", [], ["cheap"], ...noList)],
  instanceTypes: [...right(undefined), ...wrong("instanceTypes", [], ...noList)],
  instanceCategories: [
    ...right(undefined, ["c"], ["inf", "trn"]),
    ...wrong("instanceCategories", [], ...noList),
    ...wrong("instanceCategories[0]", ["m7i"], ["m7"], [""], ["M"]),
  ],
  minInstanceGeneration: [...right(undefined, 1), ...wrong("minInstanceGeneration", 0, 13, 50, ...noNumber)],
  zones: [
    ...right(undefined, ["eu-west-1a"], ["us-gov-west-1b"], ["us-west-2-lax-1a", "us-east-1-wl1-bos-wlz-1"]),
    ...wrong("zones", [], ...noList),
    ...wrong("zones[0]", ["eu-west-1"], ["euw1-az1"], ["a"]),
    ...wrong("zones[0]", [""], ["eu west"], ["zöne"], [5], [longText]),
  ],
  requirements: [
    ...right(undefined, [], [{ key: "a", operator: "Exists" }], [{ key: "a", operator: "In", values: ["b"] }]),
    ...right(Array.from({ length: 94 }, (_, n) => ({ key: `k${n}`, operator: "Exists" }))),
    ...wrong(
      "requirements",
      ...noList,
      Array.from({ length: 96 }, (_, n) => ({ key: `k${n}`, operator: "Exists" })),
    ),
    ...wrong("requirements[0]", [undefined], ["a"], [[]]),
    ...wrong("requirements[0].operator", [{ key: "a", operator: "=" }], [{ key: "a" }]),
    ...wrong("requirements[0].values", [{ key: "a", operator: "In" }], [{ key: "a", operator: "Gt", values: ["x"] }]),
    ...wrong("requirements[0].key", [{ key: "", operator: "Exists" }], [{ operator: "Exists" }]),
    ...wrong("requirements[0].key", [{ key: longText, operator: "Exists" }]),
  ],
  consolidationPolicy: [
    ...right(undefined, "Balanced", "WhenEmpty"),
    ...wrong("consolidationPolicy", "WhenUnderutilized", "", "toString", ...noText),
  ],
  consolidateAfter: [
    ...right(undefined, "0s", "Never", "1h30m"),
    ...wrong("consolidateAfter", "", "5", "5d", "-5m", longText, ...noText),
  ],
  budgets: [
    ...right(undefined, [{ nodes: "0" }], budget({ scheduleUtc: "@daily", duration: "1h" })),
    ...wrong("budgets", [], ...noList),
    ...wrong("budgets[0]", [null], ["10%"]),
    ...wrong("budgets[0].nodes", [{ nodes: 5 }], [{ nodes: "101%" }], [{ nodes: "" }], [{}]),
    ...wrong("budgets[1].duration", budget({ scheduleUtc: "@daily" })),
    ...wrong("budgets[1].scheduleUtc", budget({ duration: "1h" }), budget({ scheduleUtc: longText, duration: "1h" })),
    ...wrong("budgets[1].schedule", budget({ schedule: "@daily" })),
  ],
  freezeWindows: [
    ...right(undefined, [], [{ scheduleUtc: "0 8 * * mon-fri", duration: "8h" }]),
    ...wrong("freezeWindows", ...noList),
    ...wrong("freezeWindows[0].duration", [{ scheduleUtc: "@daily" }], [{ scheduleUtc: "@daily", duration: "2d" }]),
    ...wrong(
      "freezeWindows[0].scheduleUtc",
      [{ scheduleUtc: "TZ=UTC 0 8 * * *", duration: "1h" }],
      [{ duration: "1h" }],
    ),
  ],
  expireAfter: [
    ...right(undefined, "720h", "1h", "Never"),
    ...wrong("expireAfter", "30s", "59m59s"),
    ...wrong("expireAfter", "", "30d", "0s", longText, ...noText),
  ],
  terminationGracePeriod: [...right(undefined, "1h"), ...wrong("terminationGracePeriod", "", "2d", "1 h", ...noText)],
  longestPodGraceSeconds: [...right(undefined, 30, 1800), ...wrong("longestPodGraceSeconds", ...noNumber)],
  labels: [
    ...right(
      undefined,
      {},
      { team: "web" },
      { team: "" },
      Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`l${n}`, ""])),
    ),
    ...wrong("labels", ...noMap, Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`l${n}`, ""]))),
    ...wrong('labels["a b"]', { "a b": "x" }),
    ...wrong('labels["team"]', { team: "wéb" }, { team: 5 }, { team: undefined }, { team: longText }),
    ...wrong('labels["karpenter.sh/x"]', { "karpenter.sh/x": "y" }),
  ],
  taints: [
    ...right(undefined, [], [{ key: "a", effect: "NoSchedule" }]),
    ...wrong("taints", ...noList),
    ...wrong("taints[0].effect", [{ key: "a" }], [{ key: "a", effect: "Never" }]),
    ...wrong("taints[0].value", [{ key: "a", value: "b c", effect: "NoSchedule" }]),
  ],
  weight: [...right(undefined, 1, 100), ...wrong("weight", 101, ...noNumber)],
};
/** A pool of a shared class: what describes a class is refused. */
const shared: Record<string, readonly Candidate[]> = {
  ...pools,
  nodeClassName: [
    ...right("shared", "a.b", pulumi.output("shared")),
    ...wrong("nodeClassName", "", "Shared", "a b", "ü", longText, ...noText),
  ],
  amiAlias: [...right(undefined), ...wrong("amiAlias", "al2023@v20240703", "al2023@latest", 5)],
  kubelet: [...right(undefined), ...wrong("kubelet", {}, { maxPods: 10 }, 5)],
};

/** Beyond what the graph must be: Karpenter's definitions take the objects. */
async function expectAccepted(make: Trial["make"], args: object): Promise<void> {
  const { resources, errors } = await run(() => {
    make("one", args, { providers: [new k8s.Provider("cluster", { kubeconfig: "{}" })] });
  });
  expect(errors).toEqual([]);
  for (const [kind, type] of [["pool", types.pool] as const, ["nodeClass", types.nodeClass] as const])
    for (const { inputs } of resources.filter((r) => r.type === type)) {
      expect(violations(kind, inputs["spec"])).toEqual([]);
      expect([...rulesOn(kind, inputs["spec"]).refused]).toEqual([]);
    }
}

describe.each<[string, string, Record<string, readonly Candidate[]>]>([
  ["a class", "KarpenterNodeClass", { ...nodes, className: [...right(undefined), ...wrong("className", ...badNames, ...noText)] }], // prettier-ignore
  ["a pool with a class of its own", "KarpenterNodePool", { ...nodes, ...pools }],
  ["a pool of a shared class", "KarpenterNodePool", shared],
])("%s", (_, component, candidates) => {
  const { make } = samples[component]!;

  test("is whole, and Karpenter's definitions take it, or one error names each bad argument", async () => {
    await fc.assert(
      fc.asyncProperty(hostileArguments(candidates), fc.boolean(), async (hostile: Hostile, preview) => {
        await expectGraphOrRefusal({ make, ...hostile, preview });
        if (hostile.named.length === 0) await expectAccepted(make, hostile.args);
      }),
      { numRuns: isDeep ? 2000 : 30 },
    );
  });

  test("names every bad value that there is here, many at a time", async () => {
    const rounds = Math.max(...Object.values(candidates).map((all) => all.length));
    for (let round = 0; round < rounds; round++) {
      const chosen = Object.entries(candidates).map(([key, all]): [string, Candidate] => {
        const bad = all.filter(({ named }) => named.length > 0);
        return [key, bad[round] ?? all[0]!];
      });
      await expectGraphOrRefusal({
        make,
        args: Object.fromEntries(chosen.map(([key, { value }]) => [key, value])),
        named: chosen.flatMap(([, { named }]) => named),
      });
    }
  });
});

test("no arguments at all are one error, too", async () => {
  for (const make of [
    () => Reflect.construct(KarpenterNodeClass, ["one"]) as unknown,
    () => Reflect.construct(KarpenterNodePool, ["one"]) as unknown,
  ]) {
    const { errors } = await run(() => void make());
    expect(errors.map((e) => pulumi.InputPropertiesError.isInstance(e))).toEqual([true]);
    expect(errors[0]!.message).toMatch(/^ {2}- cluster: is missing/m);
  }
});
