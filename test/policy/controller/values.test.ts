import * as pulumi from "@pulumi/pulumi";
import type { Rule } from "../../../policy/lib/rule";
import { controllerChartIsCurrent } from "../../../policy/rules/controller/controller-chart-is-current";
import { controllerKeepsItsCertificate } from "../../../policy/rules/controller/controller-keeps-its-certificate";
import { controllerKnowsWhereItIs } from "../../../policy/rules/controller/controller-knows-where-it-is";
import { controllerSurvivesADrain } from "../../../policy/rules/controller/controller-survives-a-drain";
import { controllerWebhooksBlockNothing } from "../../../policy/rules/controller/controller-webhooks-block-nothing";
import { edited, type Path } from "../../support/edited";
import { checkResource, unknown } from "../../support/policy";
import { advisory, ok, refused, rows } from "../../support/verdicts";

const releaseType = "kubernetes:helm.sh/v3:Release";
const chartTypes = ["kubernetes:helm.sh/v2:Chart", "kubernetes:helm.sh/v3:Chart", "kubernetes:helm.sh/v4:Chart"];

// lbc.md 1.3, and the names of chart 3.5.0's values.yaml.
const release = {
  chart: "aws-load-balancer-controller",
  version: "3.5.0",
  repositoryOpts: { repo: "https://aws.github.io/eks-charts" },
  namespace: "kube-system",
  values: {
    clusterName: "shop",
    region: "eu-west-1",
    vpcId: "vpc-0123456789abcdef0",
    replicaCount: 2,
    podDisruptionBudget: { maxUnavailable: 1 },
    enableServiceMutatorWebhook: false,
    webhookTLS: { caCert: "ca", cert: "cert", key: "key" },
    keepTLSSecret: true,
  },
};

type Props = Record<string, unknown>;
const check = (rule: Rule, props: Props, config?: object, type = releaseType) =>
  checkResource(rule, { type, name: "lbc", props }, config);
/** The release with other values at paths. */
const given = (...changes: [Path, unknown][]) =>
  changes.reduce<Props>((props, [path, value]) => edited(props, ["values", ...path], value), release);
const about =
  (rule: Rule) =>
  (...changes: [Path, unknown][]) =>
    check(rule, given(...changes));

const valueRules = [
  controllerKnowsWhereItIs,
  controllerSurvivesADrain,
  controllerWebhooksBlockNothing,
  controllerKeepsItsCertificate,
];

describe.each([...valueRules, controllerChartIsCurrent].map((rule) => [rule.name, rule] as const))("%s", (_, rule) => {
  test("is content with what the chart should get, as a Release and as a Chart of any version", () => {
    for (const type of [releaseType, ...chartTypes]) expect(check(rule, release, {}, type)).toEqual(ok);
  });

  test("has nothing to say about other charts and other kinds", () => {
    for (const chart of ["aws-ebs-csi-driver", "my-aws-load-balancer-controller-extras", unknown, undefined])
      expect(check(rule, { chart })).toEqual(ok);
    expect(check(rule, {}, {}, "kubernetes:apps/v1:Deployment").notApplicable).toBe(true);
  });
});

describe.each(valueRules.map((rule) => [rule.name, rule] as const))("%s", (_, rule) => {
  test.each([
    "aws-load-balancer-controller",
    "eks/aws-load-balancer-controller",
    "./charts/aws-load-balancer-controller/",
    "oci://123456789012.dkr.ecr.eu-west-1.amazonaws.com/aws-load-balancer-controller",
    "oci://registry.example.com:5000/charts/aws-load-balancer-controller:3.5.0",
    "oci://registry.example.com/aws-load-balancer-controller@sha256:0123456789abcdef",
    "oci://registry.example.com/aws-load-balancer-controller:3.5.0@sha256:0123456789abcdef",
    "https://example.com/charts/aws-load-balancer-controller-3.5.0.tgz",
  ])("finds the chart as %s", (chart) => {
    expect(check(rule, { ...release, chart, values: {} }).violations.length).toBeGreaterThan(0);
  });

  test("finds it as a local folder of a Chart", () => {
    const local = { path: "charts/aws-load-balancer-controller" };
    expect(check(rule, local, {}, "kubernetes:helm.sh/v3:Chart").violations.length).toBeGreaterThan(0);
  });

  test.each(rows(undefined, null, "x", 7, [], {}))("takes %j for no values", (values) => {
    expect(check(rule, { ...release, values }).violations.length).toBeGreaterThan(0);
  });

  test("values that aren't known yet, or stand in a file, are advisory, or violations if configured so", () => {
    const files = { ...release, values: {}, valueYamlFiles: [new pulumi.asset.StringAsset("region: eu-west-1")] };
    expect(check(rule, { ...release, values: unknown })).toEqual(advisory("values"));
    expect(check(rule, files)).toEqual(advisory("valueYamlFiles"));
    expect(check(rule, { ...release, values: {}, valueYamlFiles: unknown })).toEqual(advisory("valueYamlFiles"));
    const strict = check(rule, files, { unknownValues: "violation" });
    expect(strict.violations[0]!.message).toMatch(/^valueYamlFiles isn't known yet and may /);
    expect(check(rule, { ...release, values: {}, valueYamlFiles: [] }).violations.length).toBeGreaterThan(0);
  });
});

test("values win over files: what they say is judged, whatever a file says", () => {
  const files = { valueYamlFiles: [new pulumi.asset.StringAsset("logLevel: debug")] };
  for (const rule of [controllerKnowsWhereItIs, controllerSurvivesADrain, controllerKeepsItsCertificate])
    expect(check(rule, { ...release, ...files }).violations).toEqual([]);
  expect(check(controllerWebhooksBlockNothing, { ...given([["enableServiceMutatorWebhook"], true]), ...files })) //
    .toMatchObject({ undecided: expect.stringContaining("valueYamlFiles") });
  expect(check(controllerSurvivesADrain, { ...given([["replicaCount"], 1]), ...files }).violations).toHaveLength(1);
});

describe("controller-knows-where-it-is", () => {
  const values = about(controllerKnowsWhereItIs);

  test("region and VPC must be said; what they are needn't be known", () => {
    expect(values([["vpcId"], unknown], [["region"], unknown])).toEqual(ok);
    expect(values([["region"], undefined])).toEqual(refused(/^values\.region is missing.*metadata service/));
    expect(values([["vpcId"], undefined])).toEqual(refused(/^values\.vpcId is missing.*Write vpcId: vpc\.id/));
    expect(values([["region"], ""], [["vpcId"], null]).violations).toHaveLength(2);
  });

  test("tags of the VPC may stand for its id", () => {
    expect(values([["vpcId"], undefined], [["vpcTags"], { Name: "shop" }])).toEqual(ok);
    expect(values([["vpcId"], undefined], [["vpcTags"], {}])).toEqual(refused(/vpcId is missing/));
  });
});

describe("controller-survives-a-drain", () => {
  const values = about(controllerSurvivesADrain);

  // values.yaml of chart 3.5.0: replicaCount 2, no budget, autoscaling.minReplicas 1; pdb.yaml: none below two replicas.
  test("the chart's two replicas are enough, its missing budget isn't", () => {
    expect(values([["replicaCount"], undefined])).toEqual(ok);
    expect(values([["replicaCount"], "3"])).toEqual(ok);
    expect(values([["podDisruptionBudget"], undefined])).toEqual(refused(/^values\.podDisruptionBudget is missing/));
    expect(values([["podDisruptionBudget"], {}])).toEqual(refused(/podDisruptionBudget is missing/));
    expect(values([["podDisruptionBudget"], { maxUnavailable: unknown }])).toEqual(ok);
  });

  test.each(rows(1, 0, "1"))("%j replicas aren't", (replicas) => {
    expect(values([["replicaCount"], replicas])).toEqual(
      refused(new RegExp(`^values\\.replicaCount is ${String(replicas)}: .*nobody registers pods\\. Write at least 2`)),
    );
  });

  test("an autoscaler must keep two as well", () => {
    expect(values([["autoscaling"], { enabled: true, minReplicas: 2 }])).toEqual(ok);
    expect(values([["autoscaling"], { enabled: true }])).toEqual(refused(/autoscaling\.minReplicas is missing.*1/));
    expect(values([["autoscaling"], { enabled: false }])).toEqual(ok);
  });

  test("a number that isn't known yet is advisory", () => {
    expect(values([["replicaCount"], unknown])).toEqual(advisory("replicaCount"));
    // There is one; how many pods it lets go is another matter.
    expect(values([["podDisruptionBudget"], unknown])).toEqual(ok);
  });
});

describe("controller-webhooks-block-nothing", () => {
  const values = about(controllerWebhooksBlockNothing);
  const services = /^values\.enableServiceMutatorWebhook isn't false.*Write enableServiceMutatorWebhook: false/;

  test.each(rows(undefined, null, true, "false"))("the webhook on Services is on with %j", (on) => {
    // A template takes every text for true.
    expect(values([["enableServiceMutatorWebhook"], on])).toEqual(refused(services));
  });

  test("one that doesn't fail closed blocks nothing", () => {
    const on: [Path, unknown] = [["enableServiceMutatorWebhook"], true];
    expect(values(on, [["serviceMutatorWebhookConfig"], { failurePolicy: "Ignore" }])).toEqual(ok);
    expect(values(on, [["serviceMutatorWebhookConfig"], { failurePolicy: "Fail" }])).toEqual(refused(services));
    expect(values(on, [["serviceMutatorWebhookConfig"], { failurePolicy: unknown }])).toEqual(
      advisory("failurePolicy"),
    );
    expect(values([["enableServiceMutatorWebhook"], unknown])).toEqual(advisory("enableServiceMutatorWebhook"));
  });

  test("selectors of namespaces also go into the webhook quicid, which fails closed", () => {
    const expression = { key: "gates", operator: "In", values: ["on"] };
    expect(values([["webhookNamespaceSelectors"], [expression]])).toEqual(refused(/quicid\.elbv2.*Leave it out/));
    expect(values([["webhookNamespaceSelectors"], [unknown]])).toEqual(refused(/quicid/));
    expect(values([["webhookNamespaceSelectors"], []])).toEqual(ok);
  });
});

describe("controller-keeps-its-certificate", () => {
  const off: [Path, unknown] = [["webhookTLS"], undefined];
  const secret: [Path, unknown] = [["keepTLSSecret"], undefined];
  const of = (type: string, ...changes: [Path, unknown][]) =>
    check(controllerKeepsItsCertificate, given(...changes), {}, type);

  test("all three parts of the certificate, known or not, are enough for both", () => {
    for (const type of [releaseType, ...chartTypes]) {
      expect(of(type, secret)).toEqual(ok);
      expect(of(type, secret, [["webhookTLS"], { caCert: unknown, cert: unknown, key: unknown }])).toEqual(ok);
      expect(of(type, secret, [["webhookTLS", "key"], undefined])).toEqual(refused(/^values fix no webhook cert/));
      expect(of(type, secret, off, [["enableCertManager"], true])).toEqual(ok);
    }
  });

  // _helpers.tpl: `lookup` finds the Secret only where Helm itself installs.
  test("keepTLSSecret alone is enough for a Release, and has no effect on a Chart", () => {
    expect(of(releaseType, off)).toEqual(ok);
    expect(of(releaseType, off, [["keepTLSSecret"], "true"])).toEqual(refused(/keepTLSSecret: true, or/));
    for (const type of chartTypes)
      expect(of(type, off)).toEqual(
        refused(/keepTLSSecret has no effect on a Chart, which can't look into the cluster/),
      );
  });

  // lbc.md 1.1: true in every 2.x, back with default false in 3.1.
  test("charts 1.x keep the Secret by default", () => {
    const old = { ...given(off, secret), version: "1.17.1" };
    expect(check(controllerKeepsItsCertificate, old)).toEqual(ok);
    expect(check(controllerKeepsItsCertificate, { ...old, version: "3.0.0" }).violations).toHaveLength(1);
    expect(check(controllerKeepsItsCertificate, old, {}, chartTypes[1]).violations).toHaveLength(1);
  });

  test("a switch that isn't known yet is advisory", () => {
    expect(of(releaseType, off, [["keepTLSSecret"], unknown])).toEqual(advisory("keepTLSSecret"));
    expect(of(releaseType, secret, [["webhookTLS"], unknown])).toEqual(advisory("webhookTLS"));
  });
});

describe("controller-chart-is-current", () => {
  const version = (value: unknown, over: object = {}) =>
    check(controllerChartIsCurrent, { ...release, version: value, ...over });

  test.each(["3.0.0", "3.7.0", "v3.5.0", "4.0.0-rc.1"])("%s is", (value) => {
    expect(version(value)).toEqual(ok);
  });

  // lbc.md 1.1: chart 1.N.M installs 2.N.M.
  test.each(["1.17.1", "1.7.2", "2.0.0", "0.1.0"])("%s is from before 3", (value) => {
    expect(version(value)).toEqual(refused(/^version [\d.]+ installs a controller before 3\. Plan the way to 3\.5\.0/));
  });

  test.each(["^3.5.0", "~3.5", "3", "3.x", ">=3.0.0", "3.5"])("%s is a range", (value) => {
    expect(version(value)).toEqual(refused(/is a range: Helm takes the newest in it/));
  });

  test("no version is the newest one, unless the chart brings its own along", () => {
    expect(version(undefined)).toEqual(refused(/^version is missing: Helm takes the newest at each update/));
    expect(version("")).toEqual(refused(/^version is missing/));
    for (const chart of [
      "./aws-load-balancer-controller",
      "https://example.com/aws-load-balancer-controller-3.5.0.tgz",
    ])
      expect(version(undefined, { chart })).toEqual(ok);
    expect(version(undefined, { chart: undefined, path: "/charts/aws-load-balancer-controller" })).toEqual(ok);
  });

  test("a reference's tag is its version, and its digest one too", () => {
    const reference = (end: string) =>
      version(undefined, { chart: `oci://registry.example.com:5000/charts/aws-load-balancer-controller${end}` });
    for (const end of [":3.5.0", ":3.5.0@sha256:0123", "@sha256:0123"]) expect(reference(end)).toEqual(ok);
    expect(reference("")).toEqual(refused(/^version is missing/));
    expect(reference(":1.17.1")).toEqual(refused(/^version 1\.17\.1 installs a controller before 3/));
  });

  test("a version that isn't known yet is advisory", () => {
    expect(version(unknown)).toEqual(advisory("version"));
  });
});
