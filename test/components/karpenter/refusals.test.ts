import * as pulumi from "@pulumi/pulumi";
import { Karpenter, KarpenterChartVersion, KarpenterIdentity, type KarpenterArgs } from "../../../components/karpenter";
import { reservedValues } from "../../../components/karpenter/controller-reserved-values";
import { compatibilityProblem } from "../../../components/karpenter/karpenter-versions";
import chartValues from "../../fixtures/facts/karpenter-chart-values-1.15.2.json";
import { run } from "../../support/harness";
import { args, freeForm, make, message, valuesOf } from "./setup";

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

  // The chart makes repository:tag@digest of them, and its own digest is that of the public image.
  test.each<[string, object, string[]]>([
    ["a mirror", { repository: "registry.acme.io/karpenter/controller" }, []],
    ["a mirror at a port", { repository: "registry.acme.io:5000/controller" }, []],
    ["a mirror of images that were built anew", { repository: "registry.acme.io/controller", digest: "" }, []],
    ["the same, as Helm takes a default away", { digest: null }, []],
    ["another tag", { tag: "1.9.0" }, ["tag"]],
    ["another digest", { digest: `sha256:${"0".repeat(64)}` }, ["digest"]],
    ["a digest that comes later", { digest: pulumi.output("") }, ["digest"]],
    ["a tag in the address", { repository: "registry.acme.io/controller:1.9.0" }, ["repository"]],
    ["a digest in the address", { repository: "registry.acme.io/controller@sha256:0123" }, ["repository"]],
    ["all of them", { repository: "a/b:1", tag: "1", digest: "sha256:0123" }, ["tag", "digest", "repository"]],
  ])("the image is that of chartVersion: %s", async (_, image, refused) => {
    const { errors, resources } = await make({ extraValues: { controller: { image } } });
    const named = [...message(errors).matchAll(/^ {2}- extraValues\.controller\.image\.(\w+): /gm)];
    expect(named.map(([, key]) => key)).toEqual(refused);
    expect(errors).toHaveLength(refused.length > 0 ? 1 : 0);
    if (refused.length === 0) expect(valuesOf(resources)["controller"]).toMatchObject({ image });
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
    expect(message(errors)).toContain(
      'chartVersion: must be one of 1.14.1, 1.15.2, not "1.99.0": those are the releases whose permissions this Moorings knows. Write ',
    );
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
    ["1.15.2", "constructor", false],
  ])("Karpenter %s on Kubernetes %s: %s", (chart, kubernetes, fine) => {
    expect(compatibilityProblem(chart, kubernetes) === undefined).toBe(fine);
  });
});
