import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import { Karpenter, KarpenterChartVersion } from "../../../components/karpenter";
import chartValues from "../../fixtures/facts/karpenter-chart-values-1.15.2.json";
import { find, reaches } from "../../support/graph";
import { run, type Registration } from "../../support/harness";
import { args, freeForm, make, of, release, types, valuesOf } from "./setup";

describe("Karpenter: releases", () => {
  test("definitions first, then the controller, both of one version", async () => {
    const { resources } = await make();
    expect(release(resources, "crds").inputs).toMatchObject({
      name: "karpenter-crd",
      chart: "oci://public.ecr.aws/karpenter/karpenter-crd",
      version: "1.15.2",
      namespace: "kube-system",
      atomic: true,
    });
    expect(release(resources).inputs).toMatchObject({
      name: "karpenter",
      chart: "oci://public.ecr.aws/karpenter/karpenter",
      version: "1.15.2",
      namespace: "kube-system",
      skipCrds: true,
      atomic: true,
    });
    expect(release(resources).inputs).not.toHaveProperty("repositoryOpts");
    expect(reaches(resources, release(resources), release(resources, "crds"))).toBe(true);
    const older = await make({ chartVersion: KarpenterChartVersion.V1_14_1 });
    for (const name of ["release", "crds"]) expect(release(older.resources, name).inputs["version"]).toBe("1.14.1");
  });

  test.each([
    ["oci://registry.acme.io/karpenter", { chart: "oci://registry.acme.io/karpenter/karpenter" }],
    ["https://charts.acme.io", { chart: "karpenter", repositoryOpts: { repo: "https://charts.acme.io" } }],
    ["./charts", { chart: "./charts/karpenter" }],
  ])("a mirror: %s", async (chartRepository, expected) => {
    const { resources, errors } = await make({ chartRepository });
    expect(errors).toEqual([]);
    expect(release(resources).inputs).toMatchObject(expected);
    expect(release(resources, "crds").inputs["chart"]).toMatch(/karpenter-crd$/);
  });

  // On destroy it goes first: what were gone before it would leave nodes that nobody can take away.
  test("everything that makes it work is there before it, and goes after it", async () => {
    const { resources } = await make({ nodePolicyArns: { cni: "arn:aws:iam::aws:policy/AmazonEKS_CNI_Policy" } });
    const before = [types.attachment, types.policy, types.role, types.queue, types.queuePolicy, types.rule];
    const needed = [...before, types.target, types.access].flatMap((type) => of(resources, type));
    expect(needed).toHaveLength(10 + 6 + 2 + 1 + 1 + 5 + 5 + 1);
    const missing = needed.filter((r) => !reaches(resources, release(resources), r));
    expect(missing.map((r) => `${r.type} ${r.name}`)).toEqual([]);
  });

  // Deleted before replaced, the definitions would take every node pool with them, and the controller would leave its nodes behind.
  test("no release is ever deleted before its replacement, or left behind", async () => {
    const { resources } = await make();
    for (const r of of(resources, types.release))
      expect({ first: r.deleteBeforeReplace, kept: r.retainOnDelete }).toEqual({ first: false, kept: false });
  });

  test("protection of the component protects the definitions, the controller and their roles", async () => {
    const { resources } = await run(() => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      new Karpenter("k", args, { providers: [cluster], protect: true });
    });
    const made = [types.release, types.role].flatMap((type) => of(resources, type));
    expect(made.map((r) => [r.name, r.protect])).toEqual(
      ["k-crds", "k-release", "k-controller", "k-node"].map((name) => [name, true]),
    );
  });

  test("every value exists in the chart: a misspelt one would be ignored in silence", async () => {
    const { resources } = await make({ featureGates: everyGate });
    expect(unknownKeys(valuesOf(resources), chartValues)).toEqual([]);
    const older = await make({ chartVersion: KarpenterChartVersion.V1_14_1, featureGates: olderGates });
    const sent = unknownKeys(valuesOf(older.resources), chartValues, "", true);
    expect(sent.filter((path) => notIn1_14_1.some((key) => path.startsWith(key)))).toEqual([]);
    expect(sent).toEqual(expect.arrayContaining(["settings.clusterName", "settings.featureGates.nodeRepair"]));
    const wrong = { settings: { interruptionQueueName: "", featureGates: { spotConsolidation: true } } };
    expect(unknownKeys(wrong, chartValues)).toEqual([
      "settings.interruptionQueueName",
      "settings.featureGates.spotConsolidation",
    ]);
  });

  test("it knows its cluster and its queue by their real names", async () => {
    const { resources } = await make();
    expect(valuesOf(resources)["settings"]).toEqual({
      clusterName: "shop-prod",
      clusterEndpoint: "https://0123.gr7.eu-west-1.eks.amazonaws.com",
      interruptionQueue: "k-interruptions-1a2b3c4",
      eksControlPlane: true,
      enableZonalShift: false,
      isolatedVPC: false,
      featureGates: {},
      awsFeatureGates: {},
    });
    const other = await make({
      isolatedVpc: true,
      featureGates: { nodeRepair: true, reservedCapacity: false, rebootForRepair: true },
    });
    expect(valuesOf(other.resources)["settings"]).toMatchObject({
      isolatedVPC: true,
      enableZonalShift: false,
      featureGates: { nodeRepair: true, reservedCapacity: false },
      awsFeatureGates: { rebootForRepair: true },
    });
  });

  test("two pods on the system nodes, with memory of their own, restarted by another role", async () => {
    const { resources } = await make();
    const { settings, ...rest } = valuesOf(resources);
    expect(settings).toBeDefined();
    expect(rest).toEqual({
      replicas: 2,
      serviceAccount: {
        create: true,
        name: "karpenter",
        annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/k-controller-1a2b3c4" },
      },
      nodeSelector: { "moorings.dev/node-role": "system" },
      tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists", effect: "NoSchedule" }],
      podAnnotations: { "moorings.dev/role-arn": "arn:aws:iam::123456789012:role/k-controller-1a2b3c4" },
      controller: { resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { memory: "1Gi" } } },
    });
  });

  test("own values are added and win, own nodes replace the system nodes, tags reach what takes them", async () => {
    const { resources } = await make({
      extraValues: {
        logLevel: "debug",
        controller: { resources: { requests: { memory: "2Gi" }, limits: { memory: "2Gi" } } },
        settings: { batchMaxDuration: "20s" },
        podAnnotations: { team: "edge" },
      },
      nodeSelector: { pool: "tools" },
      tags: { team: "edge" },
    });
    const values = valuesOf(resources);
    expect(values["nodeSelector"]).toEqual({ pool: "tools" });
    expect(values["logLevel"]).toBe("debug");
    expect(values["controller"]).toEqual({
      resources: { requests: { cpu: "1", memory: "2Gi" }, limits: { memory: "2Gi" } },
    });
    expect(values["settings"]).toMatchObject({ clusterName: "shop-prod", batchMaxDuration: "20s" });
    expect(Object.keys(values["podAnnotations"] as object)).toEqual(["moorings.dev/role-arn", "team"]);
    for (const type of [types.role, types.policy, types.queue, types.rule, types.access])
      for (const r of of(resources, type)) expect(r.inputs["tags"]).toEqual({ Name: r.name, team: "edge" });
  });

  test("a preview makes the same resources, with the names that are plain", async () => {
    const update = await make();
    const preview = await run(
      () => {
        const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
        const issuer = new aws.eks.Cluster("c", { roleArn: "r", vpcConfig: { subnetIds: [] } });
        new Karpenter(
          "k",
          { ...args, cluster: { ...args.cluster, endpoint: issuer.endpoint } },
          { providers: [cluster] },
        );
      },
      { preview: true },
    );
    expect(preview.errors).toEqual([]);
    const names = (resources: readonly Registration[]) =>
      resources
        .filter((r) => r.name.startsWith("k-") || r.name === "k")
        .map((r) => `${r.type} ${r.name}`)
        .sort();
    expect(names(preview.resources)).toEqual(names(update.resources));
    expect(find(preview.resources, types.access).inputs["clusterName"]).toBe("shop-prod");
  });

  test("what other components need", async () => {
    const { outputs } = await make();
    expect(outputs).toEqual({
      controllerRoleArn: "arn:aws:iam::123456789012:role/k-controller-1a2b3c4",
      nodeRoleName: "k-node-1a2b3c4",
      nodeRoleArn: "arn:aws:iam::123456789012:role/k-node-1a2b3c4",
      queueName: "k-interruptions-1a2b3c4",
      chartVersion: "1.15.2",
    });
  });
});

const everyGate = {
  nodeRepair: true,
  nodeOverlay: true,
  reservedCapacity: true,
  spotToSpotConsolidation: true,
  staticCapacity: true,
  capacityBuffer: true,
  terminateFirstDrift: true,
  terminateFirstRepair: true,
  podDeletionCostManagement: true,
  rebootForRepair: true,
};

const olderGates = { nodeRepair: true, nodeOverlay: true, staticCapacity: true, capacityBuffer: true };

/** What values.yaml of 1.15.2 has and that of 1.14.1 doesn't (both compared on 2026-11-30; it has nothing that 1.15.2 hasn't). */
const notIn1_14_1 = [
  "settings.enableDRA",
  "settings.legacyNodeRepair",
  "settings.securityGroupRefreshInterval",
  "settings.featureGates.terminateFirst",
  "settings.featureGates.podDeletionCostManagement",
  "settings.awsFeatureGates.dra",
  "settings.awsFeatureGates.rebootForRepair",
];

/** Paths of values that the chart doesn't know, or of all. */
function unknownKeys(ours: unknown, theirs: unknown, path = "", all = false): string[] {
  if (typeof ours !== "object" || ours === null || Array.isArray(ours) || freeForm.includes(path)) return [];
  const known = theirs as Record<string, unknown>;
  return Object.entries(ours).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return key in known ? [...(all ? [at] : []), ...unknownKeys(value, known[key], at, all)] : [at];
  });
}
