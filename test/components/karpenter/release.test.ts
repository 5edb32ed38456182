import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { Karpenter, KarpenterChartVersion, KarpenterIdentity, type KarpenterArgs } from "../../../components/karpenter";
import { reservedValues } from "../../../components/karpenter/controller-reserved-values";
import { compatibilityProblem } from "../../../components/karpenter/karpenter-versions";
import chartValues from "../../fixtures/facts/karpenter-chart-values-1.15.2.json";
import { find, reaches } from "../../support/graph";
import { run, type Registration } from "../../support/harness";
import { args, make, message, of, release, types, valuesOf } from "./setup";

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

describe("Karpenter: refusals", () => {
  test("all problems at once, each with its argument, and nothing is made", async () => {
    const { errors, resources } = await run(
      () =>
        void new Karpenter("k", {
          ...args,
          cluster: { ...args.cluster, name: "shop/prod" },
          replicas: 1,
          kubernetesVersion: "1.20",
          chartVersion: KarpenterChartVersion.V1_14_1,
          featureGates: { rebootForRepair: true, nodeRepair: true, terminateFirstDrift: undefined },
          identity: "kiam" as KarpenterIdentity,
          chartRepository: "public.ecr.aws/karpenter/",
          permissionsBoundaryArn: "boundary",
          nodePolicyArns: {
            "a b": "arn:aws:iam::aws:policy/A",
            AmazonEKSWorkerNodePolicy: "arn:aws:iam::aws:policy/AmazonEKSWorkerNodePolicy",
            cni: "AmazonEKS_CNI_Policy",
          },
        }),
    );
    const text = message(errors);
    for (const argument of [
      "opts.providers",
      "cluster.name",
      "replicas",
      "kubernetesVersion",
      "featureGates.rebootForRepair",
      "identity",
      "chartRepository",
      "permissionsBoundaryArn",
      'nodePolicyArns["a b"]',
      'nodePolicyArns["AmazonEKSWorkerNodePolicy"]',
      "nodePolicyArns.cni",
    ])
      expect(text).toContain(`\n  - ${argument}: `);
    expect(text).not.toContain("nodeRepair");
    expect(text).not.toContain("terminateFirstDrift");
    expect(resources.filter((r) => r.custom)).toEqual([]);
  });

  test.each<[string, NonNullable<KarpenterArgs["extraValues"]>, RegExp]>([
    ["settings.interruptionQueue", { settings: { interruptionQueue: "" } }, /is the queue that is made here/],
    [
      "settings.featureGates.nodeRepair",
      { settings: { featureGates: { nodeRepair: true } } },
      /is the argument featureG/,
    ],
    ["settings", { settings: null }, /covers settings\.clusterName, which is cluster\.name/],
    [
      "settings",
      { settings: pulumi.output({ disableDryRun: true }) },
      /covers settings\.disableDryRun, which makes node classes/,
    ],
    [
      "controller.env",
      { controller: { env: [{ name: "AWS_ACCESS_KEY_ID", value: "AKIA" }] } },
      /can take the role away/,
    ],
    ["controller.image.tag", { controller: { image: { tag: "1.9.0" } } }, /is the argument chartVersion/],
    [
      "serviceAccount.annotations.eks.amazonaws.com/role-arn",
      { serviceAccount: { annotations: { "eks.amazonaws.com/role-arn": "arn:aws:iam::123456789012:role/admin" } } },
      /is the role that is made here/,
    ],
    ["affinity", { affinity: {} }, /off nodes that Karpenter itself takes away/],
  ])("a value that nobody but the component sets: %s", async (path, extraValues, reason) => {
    const { errors, resources } = await make({ extraValues });
    const line = message(errors)
      .split("\n")
      .find((text) => text.startsWith(`  - extraValues.${path}: `) && reason.test(text));
    expect([message(errors), line]).toEqual([expect.any(String), expect.any(String)]);
    expect(resources.filter((r) => r.type.startsWith("aws:"))).toEqual([]);
  });

  // A reserved path that the chart doesn't have would guard nothing.
  test("every reserved value exists in the chart", () => {
    expect(Object.keys(reservedValues).length).toBeGreaterThan(20);
    const known = (path: string, theirs: unknown): boolean => {
      if (path === "" || freeForm.some((free) => path.startsWith(`${free}.`))) return true;
      const [first = "", ...rest] = path.split(".");
      return typeof theirs === "object" && theirs !== null && first in theirs
        ? known(rest.join("."), (theirs as Record<string, unknown>)[first])
        : false;
    };
    expect(Object.keys(reservedValues).filter((path) => !known(path, chartValues))).toEqual([]);
    expect(known("settings.interruptionQueueName", chartValues)).toBe(false);
  });

  test("a list of files, as extraValues once were", async () => {
    const { errors } = await make({ extraValues: [new pulumi.asset.StringAsset("logLevel: debug")] });
    expect(message(errors)).toContain("extraValues: is a list, as it was before 0.1.0: write nested values");
  });

  test("the labels of its own nodes, where its pods never run", async () => {
    const { errors } = await make({ nodeSelector: { "karpenter.sh/nodepool": "web", "a b": "c" } });
    expect(message(errors)).toContain(
      'nodeSelector["karpenter.sh/nodepool"]: is a label of nodes that Karpenter makes',
    );
    expect(message(errors)).toContain('nodeSelector["a b"]: must be a key such as');
    const late = await make({ nodeSelector: pulumi.output({ "karpenter.sh/nodepool": "web" }) });
    expect(message(late.errors)).toContain('nodeSelector has "karpenter.sh/nodepool", which is a label of nodes');
  });

  test("a policy ARN that only shows late", async () => {
    const { errors } = await make({ nodePolicyArns: { cni: pulumi.output("AmazonEKS_CNI_Policy") } });
    expect(message(errors)).toMatch(/nodePolicyArns\.cni must be the ARN of a managed policy/);
  });

  test("a release whose permissions nobody looked up", async () => {
    const { errors } = await make({ chartVersion: "1.99.0" as KarpenterChartVersion });
    expect(message(errors)).toContain('chartVersion: must be one of 1.14.1, 1.15.2, not "1.99.0"');
    const worse = await make({ chartVersion: "1.99.0" as KarpenterChartVersion, kubernetesVersion: "1.20" });
    expect(message(worse.errors)).toContain('kubernetesVersion: "1.20" isn\'t one of 1.33, 1.34, 1.35, 1.36');
  });

  // With Pulumi's suffix of eight characters: rules and roles have 64, queues 80.
  test("names that AWS would refuse in the middle of an update", async () => {
    expect((await make({}, {}, "n".repeat(34))).errors).toEqual([]);
    const { errors } = await make({}, {}, "n".repeat(35));
    expect(message(errors)).toMatch(
      /name: makes the EventBridge rule "n{35}-instance-state-change" of 57 characters; .* at most 56 fit/,
    );
    const longer = message((await make({}, {}, "n".repeat(60))).errors);
    for (const kind of ["IAM role", "SQS queue"]) expect(longer).toContain(`name: makes the ${kind} "n`);
  });

  // Karpenter's compatibility table: 1.33 from 1.5 on, 1.34 from 1.6, 1.35 from 1.9, 1.36 from 1.13.
  test.each([
    ["1.5.0", "1.33", true],
    ["1.4.9", "1.33", false],
    ["1.6.0", "1.34", true],
    ["1.5.3", "1.34", false],
    ["1.9.0", "1.35", true],
    ["1.8.8", "1.35", false],
    ["1.13.0", "1.36", true],
    ["1.12.4", "1.36", false],
    ["1.15.2", "1.36", true],
    ["1.15.2", "1.37", false],
    ["1.15.2", "1.36.2", false],
  ])("Karpenter %s on Kubernetes %s: %s", (chart, kubernetes, fine) => {
    expect(compatibilityProblem(chart, kubernetes) === undefined).toBe(fine);
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

/** Maps whose keys the chart doesn't fix. */
const freeForm = ["nodeSelector", "podAnnotations", "serviceAccount.annotations", "controller.resources"];

/** Paths of values that the chart doesn't know, or of all. */
function unknownKeys(ours: unknown, theirs: unknown, path = "", all = false): string[] {
  if (typeof ours !== "object" || ours === null || Array.isArray(ours) || freeForm.includes(path)) return [];
  const known = theirs as Record<string, unknown>;
  return Object.entries(ours).flatMap(([key, value]) => {
    const at = path === "" ? key : `${path}.${key}`;
    return key in known ? [...(all ? [at] : []), ...unknownKeys(value, known[key], at, all)] : [at];
  });
}
