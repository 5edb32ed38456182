import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { policies } from "../../policy/policies";
import { moorings, Workspace } from "../support/moorings";
import { checkResource, exempt, repairResource, unknown, type Given } from "../support/policy";

interface Row {
  type: string;
  broken: Record<string, unknown>;
  repaired: Record<string, unknown>;
}

const binding = "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding";
const release = "kubernetes:helm.sh/v3:Release";
const statefulSet = "kubernetes:apps/v1:StatefulSet";
const group = "aws:ec2/securityGroup:SecurityGroup";
const pool = "kubernetes:karpenter.sh/v1:NodePool";

const controller = (values?: object) => ({ chart: "aws-load-balancer-controller", ...(values && { values }) });
const kafka = (pod: object, container: object = {}, spec: object = {}) => {
  const containers = [
    { name: "proxy", image: "envoy:1" },
    { name: "kafka", image: "apache/kafka:4.4.0", ...container },
  ];
  return { spec: { ...spec, template: { spec: { ...pod, containers } } } };
};
const claims = { volumeClaimTemplates: [{ metadata: { name: "data" } }] };

/** What each rule finds, and what it makes of it. Unknowns and secrets stay, and so does all that isn't its business. */
const repairs: Record<string, Row> = {
  "no-controller-marks-on-bindings": {
    type: binding,
    broken: {
      metadata: {
        labels: { "ingress.k8s.aws/stack": "web", team: "shop" },
        annotations: { "elbv2.k8s.aws/checkpoint": "x", note: unknown },
      },
    },
    repaired: { metadata: { labels: { team: "shop" }, annotations: { note: unknown } } },
  },
  "no-controller-managed-descriptions": {
    type: group,
    broken: {
      ingress: [
        { description: "elbv2.k8s.aws/targetGroupBinding=shared", fromPort: 80 },
        { description: "elbv2.k8s.aws/", fromPort: 81 },
        { description: "of elbv2.k8selbv2.k8s.aws/.aws/web", fromPort: 82 },
        { description: "secret:elbv2.k8s.aws/of the shop", fromPort: unknown },
      ],
    },
    repaired: {
      ingress: [
        { description: "targetGroupBinding=shared", fromPort: 80 },
        { fromPort: 81 },
        { description: "of web", fromPort: 82 },
        { description: "secret:of the shop", fromPort: unknown },
      ],
    },
  },
  "node-class-encrypts-volumes": {
    type: "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
    broken: {
      spec: {
        blockDeviceMappings: [
          { deviceName: "/dev/xvda", ebs: { volumeSize: "4Gi" } },
          { deviceName: "/dev/xvdb", ebs: { volumeSize: unknown, encrypted: false } },
          { deviceName: "/dev/xvdc" },
        ],
      },
    },
    repaired: {
      spec: {
        blockDeviceMappings: [
          { deviceName: "/dev/xvda", ebs: { volumeSize: "4Gi", encrypted: true } },
          { deviceName: "/dev/xvdb", ebs: { volumeSize: unknown, encrypted: true } },
          { deviceName: "/dev/xvdc" },
        ],
      },
    },
  },
  "controller-survives-a-drain": {
    type: release,
    broken: controller({ clusterName: unknown, replicaCount: 1, autoscaling: { enabled: true } }),
    repaired: controller({
      clusterName: unknown,
      replicaCount: 2,
      autoscaling: { enabled: true, minReplicas: 2 },
      podDisruptionBudget: { maxUnavailable: 1 },
    }),
  },
  "controller-webhooks-block-nothing": {
    type: release,
    broken: controller({
      webhookTLS: { key: "secret:words" },
      serviceMutatorWebhookConfig: { operations: ["CREATE"] },
    }),
    repaired: controller({
      webhookTLS: { key: "secret:words" },
      serviceMutatorWebhookConfig: { operations: ["CREATE"], failurePolicy: "Ignore" },
    }),
  },
  "controller-keeps-its-certificate": {
    type: release,
    broken: controller(),
    repaired: controller({ keepTLSSecret: true }),
  },
  "node-pool-has-budgets": {
    type: pool,
    broken: {
      spec: {
        disruption: {
          budgets: [
            { nodes: unknown, schedule: "@weekly" },
            { nodes: "1", schedule: "@daily" },
          ],
        },
      },
    },
    repaired: {
      spec: {
        disruption: {
          budgets: [{ nodes: unknown, schedule: "@weekly" }, { nodes: "1", schedule: "@daily" }, { nodes: "10%" }],
        },
      },
    },
  },
  "kafka-shuts-down-in-time": {
    type: statefulSet,
    broken: kafka({ terminationGracePeriodSeconds: 60, priorityClassName: unknown }),
    repaired: kafka({ terminationGracePeriodSeconds: 300, priorityClassName: unknown }),
  },
  "kafka-pods-get-nothing-injected": {
    type: statefulSet,
    broken: kafka({ enableServiceLinks: true }),
    repaired: kafka({ enableServiceLinks: false, automountServiceAccountToken: false }),
  },
  "no-kafka-server-stop-hook": {
    type: statefulSet,
    broken: kafka({}, { lifecycle: { preStop: { exec: { command: ["kafka-server-stop.sh"] } }, postStart: unknown } }),
    repaired: kafka({}, { lifecycle: { postStart: unknown } }),
  },
  "kafka-keeps-its-data": {
    type: statefulSet,
    broken: kafka(
      {},
      {},
      { ...claims, persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Delete" } },
    ),
    repaired: kafka(
      {},
      {},
      { ...claims, persistentVolumeClaimRetentionPolicy: { whenScaled: "Retain", whenDeleted: "Retain" } },
    ),
  },
};

const rule = (name: string) => policies.find((p) => p.name === name)!;
const repair = (name: string, type: string, props: Given["props"], config?: object) =>
  repairResource(rule(name), { type, name: "it", props }, config);

test("every rule that repairs is in the table, and no stack rule is one", () => {
  expect(Object.keys(repairs).sort()).toEqual(
    policies
      .filter((p) => p.repairs !== undefined)
      .map((p) => p.name)
      .sort(),
  );
  expect(policies.filter((p) => "validateStack" in p && p.repairs !== undefined)).toEqual([]);
});

describe.each(Object.entries(repairs))("%s", (name, { type, broken, repaired }) => {
  const given = (props: Given["props"]): Given => ({ type, name: "it", props });
  test("finds something, repairs it, finds nothing, and has nothing more to repair", () => {
    expect(checkResource(rule(name), given(broken)).violations).not.toEqual([]);
    expect(repair(name, type, broken)).toEqual(repaired);
    expect(checkResource(rule(name), given(repaired)).violations).toEqual([]);
    expect(repair(name, type, repaired)).toBeUndefined();
  });

  test("leaves exempt resources, other types and what is all unknown alone", () => {
    expect(repair(name, type, broken, { exemptions: [exempt("i*")] })).toBeUndefined();
    expect(repair(name, "acme:index:Thing", broken)).toBeUndefined();
    const unknowns = Object.fromEntries(Object.keys(broken).map((key) => [key, unknown]));
    expect(repair(name, type, unknowns)).toBeUndefined();
  });
});

describe("what would be a guess, or no help, stays a violation:", () => {
  test.each<[string, string, string, Given["props"]]>([
    [
      "a Chart is rendered by the program",
      "controller-survives-a-drain",
      "kubernetes:helm.sh/v3:Chart",
      controller({ replicaCount: 1 }),
    ],
    [
      "so is the group of an awsx load balancer",
      "no-controller-managed-descriptions",
      "awsx:lb:ApplicationLoadBalancer",
      { defaultSecurityGroup: { args: { ingress: [{ description: "elbv2.k8s.aws/x" }] } } },
    ],
    [
      "which namespaces webhooks select",
      "controller-webhooks-block-nothing",
      release,
      controller({ enableServiceMutatorWebhook: false, webhookNamespaceSelectors: [{}] }),
    ],
    [
      "a shell that keeps signals",
      "kafka-shuts-down-in-time",
      statefulSet,
      kafka({ terminationGracePeriodSeconds: 300 }, { command: ["sh", "-c", "run.sh"] }),
    ],
    [
      "a mark whose value isn't known",
      "no-controller-marks-on-bindings",
      binding,
      { metadata: { labels: { "ingress.k8s.aws/stack": unknown } } },
    ],
    ["where the data is", "kafka-keeps-its-data", statefulSet, kafka({})],
  ])("%s", (_, name, type, props) => {
    expect(checkResource(rule(name), { type, name: "it", props }).violations).not.toEqual([]);
    expect(repair(name, type, props)).toBeUndefined();
  });

  test.each<[string, string, string, Given["props"]]>([
    ["values in files", "controller-survives-a-drain", release, { ...controller(), valueYamlFiles: ["values.yaml"] }],
    [
      "a count that isn't known",
      "controller-survives-a-drain",
      release,
      controller({ replicaCount: unknown, podDisruptionBudget: { maxUnavailable: 1 } }),
    ],
    [
      "a grace period that isn't known",
      "kafka-shuts-down-in-time",
      statefulSet,
      kafka({ terminationGracePeriodSeconds: unknown }),
    ],
    ["what a patch leaves out", "kafka-pods-get-nothing-injected", "kubernetes:apps/v1:StatefulSetPatch", kafka({})],
    [
      "what a patch of a pool leaves out",
      "node-pool-has-budgets",
      "kubernetes:karpenter.sh/v1:NodePoolPatch",
      { spec: {} },
    ],
    ["values that aren't known", "controller-survives-a-drain", release, { ...controller(), values: unknown }],
    ["other charts", "controller-survives-a-drain", release, { chart: "acme", values: { replicaCount: 1 } }],
    ["StatefulSets without Kafka", "kafka-shuts-down-in-time", statefulSet, { spec: { template: { spec: {} } } }],
    [
      "data that may be thrown away",
      "kafka-keeps-its-data",
      statefulSet,
      {
        metadata: { annotations: { "moorings.dev/disposable-data": "rebuilt every night" } },
        ...kafka({}, {}, { ...claims, persistentVolumeClaimRetentionPolicy: { whenDeleted: "Delete" } }),
      },
    ],
  ])("or is left alone: %s", (_, name, type, props) => expect(repair(name, type, props)).toBeUndefined());

  test("a list of budgets that is missing, or empty, is made", () => {
    const made = { disruption: { budgets: [{ nodes: "10%" }] } };
    for (const spec of [{}, null, { disruption: null }, { disruption: { budgets: [] } }])
      expect(repair("node-pool-has-budgets", pool, { spec })).toEqual({ spec: made });
  });
});

/** A preview's words for values. */
const shown = (value: object): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(unknown, "[unknown]")
      .replaceAll(/"secret:[^"]*"/g, '"[secret]"'),
  );

test("in a preview under the level remediate each resource gets what its rule writes, and its secrets stay secret", async () => {
  const work = new Workspace();
  try {
    const names = Object.keys(repairs);
    const project = work.program("registers");
    const resources = Object.entries(repairs).map(([name, { type, broken }]) => ({ type, name, props: broken }));
    writeFileSync(join(project, "resources.json"), JSON.stringify(resources));
    // Each rule has one resource to repair: the others are exempt from it.
    const settings = names.map((name) => {
      const exemptions = names.filter((other) => other !== name).map(exempt);
      return [name, { enforcementLevel: "remediate", exemptions }];
    });
    const config = work.path("remediate.json");
    writeFileSync(config, JSON.stringify({ all: "disabled", ...Object.fromEntries(settings) }));
    const plan = work.path("plan.json");
    const { code, stdout } = await moorings([
      "preview",
      "--project",
      project,
      "--policy-pack",
      "policy",
      "--policy-pack-config",
      config,
      "--json",
      plan,
    ]);
    for (const name of names) expect(stdout).toContain(`[remediated] ${name} changed`);
    const inputs = work.plan("plan.json").resources.map((r) => [r.name, r.inputs] as const);
    expect(Object.fromEntries(inputs.filter(([name]) => names.includes(name)))).toEqual(
      Object.fromEntries(Object.entries(repairs).map(([name, { repaired }]) => [name, shown(repaired)])),
    );
    expect(work.plan("plan.json").policies.filter((p) => p.enforcement === "mandatory")).toEqual([]);
    expect(code).toBe(0);
  } finally {
    work.dispose();
  }
});
