import * as pulumi from "@pulumi/pulumi";
import * as fc from "fast-check";
import { KarpenterChartVersion, KarpenterIdentity } from "../../../components/karpenter";
import { samples } from "../../support/components";
import { isDeep } from "../../support/deep";
import {
  expectGraphOrRefusal,
  hostileArguments,
  places,
  right,
  wrong,
  type Candidate,
} from "../../support/hostile-arguments";
import { mistyped, type Kind } from "../../support/mistyped";
import { cluster, routes, tags } from "../../support/samples/sample";

/* Random arguments of Karpenter and of the alarms on it: a whole graph, or one error that names what is wrong. */

const boundary = "arn:aws:iam::123456789012:policy/boundary";
const named = (name: unknown) => ({ ...cluster, name });
const clusters = [
  ...right(cluster, named("c"), named("c".repeat(100))),
  ...wrong("cluster.name", named(""), named("c".repeat(101)), named("shop/prod"), named("-shop"), named("caf\u00e9")),
];
const runbooks = [
  ...right(undefined, "https://wiki.example/{alarm}", pulumi.output("https://wiki.example")),
  ...wrong("runbookUrl", "https://wiki/b\u00fcro", `https://wiki.example/${"x".repeat(900)}`),
];

const karpenter: Record<string, Candidate[]> = {
  cluster: clusters,
  kubernetesVersion: [
    ...right(undefined, "1.33", "1.34", "1.35", "1.36"),
    ...wrong("kubernetesVersion", "1.20", "1.36.2", "latest", "", "constructor"),
  ],
  chartVersion: [
    ...right(undefined, KarpenterChartVersion.V1_14_1, KarpenterChartVersion.V1_15_2),
    ...wrong("chartVersion", "1.99.0", "v1.15.2", "latest", "", "constructor"),
  ],
  identity: [
    ...right(undefined, KarpenterIdentity.Irsa, KarpenterIdentity.PodIdentity),
    ...wrong("identity", "kiam", ""),
  ],
  replicas: [...right(undefined, 2, 3), ...wrong("replicas", 1, 0, -2, 2.5, Number.NaN, Number.POSITIVE_INFINITY, "2")],
  nodeSelector: [
    ...right(undefined, {}, { pool: "tools" }, pulumi.output({ pool: "tools" })),
    ...wrong('nodeSelector["karpenter.sh/nodepool"]', { "karpenter.sh/nodepool": "web" }),
    ...wrong('nodeSelector["a b"]', { "a b": "c" }),
    ...wrong('nodeSelector["pool"]', { pool: "a b" }),
  ],
  isolatedVpc: right(undefined, true, false),
  zonalShift: right(undefined, true, false),
  featureGates: [
    ...right(undefined, {}, { nodeRepair: true, reservedCapacity: false }, { staticCapacity: undefined }),
    ...wrong("featureGates.nodeRepairs", { nodeRepairs: true }),
    ...wrong("featureGates.nodeRepair", { nodeRepair: "no" }, { nodeRepair: null }),
  ],
  chartRepository: [
    ...right(undefined, "oci://registry.acme.io/karpenter", "https://charts.acme.io", "./charts", "/charts"),
    ...wrong("chartRepository", "", "oci://", "https://charts.acme.io/", "http://charts.acme.io", "a b", 5),
  ],
  permissionsBoundaryArn: [...right(undefined, boundary), ...wrong("permissionsBoundaryArn", "", "boundary", 5, null)],
  nodePolicyArns: [
    ...right(undefined, {}, { cni: "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy", own: boundary }),
    ...wrong("nodePolicyArns.cni", { cni: "AmazonEKS_CNI_Policy" }),
    ...wrong('nodePolicyArns["cni"]', { cni: undefined }, { cni: null }, { cni: 5 }),
    ...wrong('nodePolicyArns["a b"]', { "a b": boundary }),
    ...wrong('nodePolicyArns["AmazonEKSWorkerNodePolicy"]', { AmazonEKSWorkerNodePolicy: boundary }),
  ],
  extraValues: [
    ...right(undefined, {}, { logLevel: "debug" }, { settings: { batchMaxDuration: pulumi.output("20s") } }),
    ...wrong("extraValues", [], "logLevel: debug", 5, pulumi.output({ logLevel: "debug" })),
    ...right({ controller: { image: { repository: "registry.acme.io/karpenter", digest: "" } } }),
    ...wrong("extraValues.controller.image.digest", { controller: { image: { digest: "sha256:0123" } } }),
    ...wrong("extraValues.controller.image.repository", { controller: { image: { repository: "a/b:1.9.0" } } }),
    ...wrong("extraValues.replicas", { replicas: 3 }),
    ...wrong("extraValues.settings.disableDryRun", { settings: { disableDryRun: true } }),
  ],
  tags: right(undefined, tags, pulumi.output(tags)),
};

const alarms: Record<string, Candidate[]> = {
  cluster: clusters,
  queueName: [
    ...right("q", "q".repeat(80), pulumi.output("q")),
    ...wrong("queueName", "", "q".repeat(81), "arn:aws:sqs:eu-west-1:123456789012:q", "https://sqs.example/q"),
  ],
  routes: [
    ...right(routes, { pageTopicArn: pulumi.output("late"), ticketTopicArn: routes.ticketTopicArn }),
    ...wrong("routes", undefined),
    ...wrong("routes.ticketTopicArn", { pageTopicArn: routes.pageTopicArn }, { ...routes, ticketTopicArn: "ticket" }),
  ],
  overrides: [
    ...right(undefined, {}, { karpenterSilent: { enabled: false } }, { launchErrors: undefined }),
    ...right({ podsUnschedulable: { threshold: 1200, datapointsToAlarm: 1, evaluationPeriods: 288 } }),
    ...wrong("overrides.silent", { silent: {} }),
    ...wrong("overrides.constructor", { constructor: {} }),
    ...wrong("overrides.launchErrors", ...[null, 5, "off", false, []].map((launchErrors) => ({ launchErrors }))),
    ...wrong(
      "overrides.launchErrors.enabled",
      { launchErrors: { enabled: "no" } },
      { launchErrors: { enabled: null } },
    ),
    ...wrong(
      "overrides.launchErrors.threshold",
      { launchErrors: { threshold: -1 } },
      { launchErrors: { threshold: "5" } },
    ),
    ...wrong("overrides.launchErrors.period", { launchErrors: { period: 60 } }),
    ...wrong("overrides.launchErrors.severity", { launchErrors: { severity: "high" } }),
    ...wrong("overrides.launchErrors.datapointsToAlarm", { launchErrors: { datapointsToAlarm: 4 } }),
  ],
  runbookUrl: runbooks,
  namePrefix: [...right(undefined, "prod", ""), ...wrong("name", "b\u00fcro", 'a"b', "p".repeat(250))],
  strictWarmUp: right(undefined, true, false),
  tags: right(undefined, tags, pulumi.output(tags)),
};

/** Names of components: the longest is one that Karpenter's longest rule still fits with. */
const names = [...right("k", "n".repeat(34)), ...wrong("name", "n".repeat(35), "n".repeat(90))];

test.each([
  ["Karpenter", karpenter],
  ["KarpenterAlarms", alarms],
] as const)("%s of random arguments", async (component, candidates) => {
  await fc.assert(
    fc.asyncProperty(
      hostileArguments(candidates),
      fc.constantFrom(...(component === "Karpenter" ? names : right("k", "n".repeat(90)))),
      fc.constantFrom(...places),
      fc.boolean(),
      ({ args, named }, name, place, preview) =>
        expectGraphOrRefusal({
          make: samples[component]!.make,
          name: String(name.value),
          args,
          named: [...named, ...name.named],
          place,
          preview,
        }),
    ),
    { numRuns: isDeep ? 600 : 40 },
  );
});

const kinds: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  Karpenter: {
    cluster: "map",
    kubernetesVersion: "text",
    chartVersion: "text",
    identity: "text",
    replicas: "number",
    nodeSelector: "map",
    isolatedVpc: "flag",
    zonalShift: "flag",
    featureGates: "map",
    chartRepository: "text",
    permissionsBoundaryArn: "text",
    nodePolicyArns: "map",
    extraValues: "map",
    tags: "map",
  },
  KarpenterAlarms: {
    cluster: "map",
    queueName: "text",
    routes: "map",
    overrides: "map",
    runbookUrl: "text",
    namePrefix: "text",
    strictWarmUp: "flag",
    tags: "map",
  },
  LoadBalancerControllerAlarms: {
    cluster: "map",
    routes: "map",
    overrides: "map",
    runbookUrl: "text",
    namePrefix: "text",
    strictWarmUp: "flag",
    tags: "map",
  },
  ClusterMetrics: {
    cluster: "map",
    region: "text",
    routes: "map",
    presets: "list",
    targets: "map",
    discovery: "text",
    heartbeat: "map",
    namespace: "text",
    nodeSelector: "map",
    image: "text",
    memoryMiB: "number",
    logRetentionInDays: "number",
    logKeyArn: "text",
    runbookUrl: "text",
    namePrefix: "text",
    strictWarmUp: "flag",
    tags: "map",
  },
};

test.each(Object.entries(kinds))("%s names each argument that isn't what it must be", async (component, kinds) => {
  const { make, minimal, full, without } = samples[component]!;
  expect(Object.keys(kinds).sort()).toEqual([...new Set([...Object.keys(full), ...without])].sort());
  for (const given of mistyped(minimal, kinds)) await expectGraphOrRefusal({ make, ...given });
});

test.each(Object.keys(kinds))("%s says what is missing of nothing at all", async (component) => {
  const { make, minimal } = samples[component]!;
  const routed = component === "Karpenter" ? [] : ["routes"];
  const named = Object.keys(minimal).filter((argument) => argument !== "routes");
  await expectGraphOrRefusal({ make, args: {}, named: [...named, ...routed] });
});

test("Karpenter in another partition, of the longest cluster name", async () => {
  for (const place of places)
    await expectGraphOrRefusal({
      make: samples["Karpenter"]!.make,
      args: { ...samples["Karpenter"]!.full, cluster: named("c".repeat(100)) },
      named: [],
      place,
    });
});
