import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { done, label, planned } from "./edits/effects";
import { changeCode } from "./edits/project-code";
import { refused, type Refused } from "./edits/refused";
import { root, Session } from "./session";
import { pager } from "./test-values";

const layers = ["network", "cluster", "edge", "kafka"] as const;

let session: Session;
const stack = (layer: string) => ["--stack", `prod-${layer}`, "--config-file", "Pulumi.prod.yaml"];

/** Makes a change, runs something, and takes the change back. */
async function withChange<T>(
  { settings = [], code = [] }: Pick<Refused, "settings" | "code">,
  run: () => Promise<T>,
): Promise<T> {
  const file = join(session.project, "Pulumi.prod.yaml");
  const before = readFileSync(file, "utf8");
  session.change("prod", new Map(settings));
  const undo = changeCode(session.project, code);
  try {
    return await run();
  } finally {
    undo();
    writeFileSync(file, before);
  }
}

beforeAll(async () => {
  session = await Session.open();
  session.useTestValues("prod");
  for (const layer of layers) {
    await session.succeed("stack", "init", `prod-${layer}`);
    await session.succeed("up", "--yes", "--skip-preview", ...stack(layer));
  }
  session.cloud.takeOperations();
}, 240_000);
afterAll(() => session.close());

/** What the engine refused, by its own error. */
function refusals(output: string): string[] {
  const errors =
    /error: (?:unable to replace|Preview failed:) resource "([^"]+)"\s+(?:as it is currently marked for protection|cannot be deleted)/g;
  return [...new Set([...output.matchAll(errors)].map(([, urn]) => label(urn ?? "")))].sort();
}

describe.each(Object.entries(refused))("%s", (section, changes) => {
  test.each(changes.map((change) => [change.what, change] as const))("%s fails in the preview", async (_, change) => {
    const { code, output } = await withChange(change, () => session.pulumi("preview", ...stack(change.layer)));
    expect(refusals(output)).toEqual(expect.arrayContaining([...change.names]));
    expect(code).not.toBe(0);
  });

  test("has a procedure, which README's troubleshooting names", () => {
    expect(readFileSync(join(root, "docs/replacements.md"), "utf8")).toContain(`\n## ${section}\n`);
    const place = section.toLowerCase().replace(/[',]/g, "").replaceAll(" ", "-");
    expect(troubleshooting()).toContain(
      section === "Target group" ? "replace-target-group.md" : `replacements.md#${place})`,
    );
  });
});

/** README's row for the engine's refusal. */
function troubleshooting(): string {
  const rows = readFileSync(join(root, "README.md"), "utf8").split("\n");
  return rows.find((row) => row.startsWith("| `unable to replace resource`")) ?? "";
}

test("an update stops before it touches anything", async () => {
  const [change] = refused["Load balancer"] ?? [];
  const { code } = await withChange(change ?? {}, () => session.pulumi("up", "--yes", ...stack("edge")));
  expect(code).not.toBe(0);
  expect(session.cloud.takeOperations()).toEqual([]);
});

/** Daily work, which protection doesn't get in the way of. */
const free: readonly (Pick<Refused, "what" | "layer" | "settings" | "code"> & { readonly plan: readonly string[] })[] =
  [
    {
      what: "somebody else gets tickets",
      layer: "network",
      settings: [[["moorings:alerts", "ticketEndpoints", "platform-team", "address"], "desk@moorings.test"]],
      plan: ["replace TopicSubscription alerts-ticket-platform-team"],
    },
    {
      what: "other system nodes, and a larger node pool",
      layer: "cluster",
      settings: [
        [["moorings:cluster", "systemNodes", "instanceTypes"], ["m7g.xlarge"]],
        [["moorings:cluster", "nodePools", "kafka", "limits", "cpu"], "128"],
      ],
      plan: ["replace NodeGroup cluster-system", "update NodePool kafka-nodes-pool"],
    },
    {
      what: "other visitors",
      layer: "edge",
      settings: [[["moorings:edge", "visitors"], { branch: "8.8.7.0/24" }]],
      plan: [
        "create SecurityGroupIngressRule edge-branch-443",
        "create SecurityGroupIngressRule edge-branch-80",
        "remove SecurityGroupIngressRule edge-office-443",
        "remove SecurityGroupIngressRule edge-office-80",
      ],
    },
    {
      // To another address of the same cluster: without `clusterIdentifier` the provider would take it for another cluster.
      what: "a kubeconfig that goes through a tunnel",
      layer: "edge",
      code: [
        {
          file: "stacks/references.ts",
          from: "kubernetesProvider(ref.name, kubeconfig, [])",
          to: 'kubernetesProvider(ref.name, kubeconfig.apply((text) => text.replace(/https:[^"]*/, "https://localhost:8443")), [])',
        },
      ],
      plan: ["update kubernetes cluster"],
    },
    {
      what: "one more broker",
      layer: "kafka",
      settings: [[["moorings:kafka", "brokers"], 4]],
      plan: [
        ...["broker-silent", "disk-filling", "disk-nearly-full"].map(
          (one) => `create MetricAlarm kafka-alarms-103-${one}`,
        ),
        "replace Job kafka-drain",
        "update Deployment kafka-certificates",
        "update MetricAlarm kafka-alarms-certificates-unread",
        "update StatefulSet kafka-broker",
      ],
    },
  ];

test.each(free)("$what: nobody refuses", async (change) => {
  expect(await withChange(change, () => planned(session, ...stack(change.layer)))).toEqual(change.plan);
});

/** The types of protected resources. All that awsx makes below the VPC inherits its protection. */
const protectedTypes: Readonly<Record<(typeof layers)[number], readonly string[]>> = {
  network: [
    "aws:cloudwatch/logGroup:LogGroup",
    "aws:ec2/eip:Eip",
    "aws:ec2/internetGateway:InternetGateway",
    "aws:ec2/natGateway:NatGateway",
    "aws:ec2/route:Route",
    "aws:ec2/routeTable:RouteTable",
    "aws:ec2/routeTableAssociation:RouteTableAssociation",
    "aws:ec2/subnet:Subnet",
    "aws:ec2/vpc:Vpc",
    "aws:kms/key:Key",
    "aws:sns/topic:Topic",
  ],
  cluster: [
    "aws:cloudwatch/logGroup:LogGroup",
    "aws:eks/cluster:Cluster",
    "aws:kms/key:Key",
    "kubernetes:helm.sh/v3:Release",
    "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
    "kubernetes:karpenter.sh/v1:NodePool",
    "pulumi:providers:kubernetes",
  ],
  edge: [
    "aws:lb/loadBalancer:LoadBalancer",
    "aws:lb/targetGroup:TargetGroup",
    "aws:s3/bucket:Bucket",
    "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition",
    "kubernetes:core/v1:Namespace",
    "kubernetes:helm.sh/v3:Release",
    "pulumi:providers:kubernetes",
  ],
  kafka: ["kubernetes:apps/v1:StatefulSet", "kubernetes:core/v1:Namespace", "pulumi:providers:kubernetes"],
};

test.each(layers)("%s: what the state file has as protected, and docs/replacements.md names it", (layer) => {
  const resources = session.state(`prod-${layer}`).resources.filter(({ custom }) => custom);
  const types = (isProtected: boolean) =>
    [...new Set(resources.filter(({ protect = false }) => protect === isProtected).map(({ type }) => type))].sort();
  expect(types(true)).toEqual(protectedTypes[layer]);
  expect(types(false).filter((type) => protectedTypes[layer].includes(type))).toEqual([]);

  const procedures = readFileSync(join(root, "docs/replacements.md"), "utf8");
  const names = protectedTypes[layer].map((type) => `\`${String(type.split(/[:/]/).pop())}\``);
  expect(names.filter((name) => !procedures.includes(name))).toEqual([]);
});

/** A change that stays, and what it does. */
async function lasting(
  layer: Refused["layer"],
  change: Pick<Refused, "settings" | "code">,
  ...options: string[]
): Promise<string[]> {
  session.change("prod", new Map(change.settings ?? []));
  changeCode(session.project, change.code ?? []);
  await session.succeed("up", "--yes", "--skip-preview", ...stack(layer), ...options);
  return done(session.cloud.takeOperations());
}

const urnOf = (layer: string, resource: string) =>
  session.state(`prod-${layer}`).resources.find(({ urn, custom }) => custom && label(urn) === resource)?.urn ?? "";

describe("as docs/replacements.md says", () => {
  // The StatefulSet alone is deleted, the pods stay, and a new one adopts them.
  test("Kafka's volumes grow", async () => {
    const { living } = session.cloud;
    living.splice(
      living.findIndex(({ urn }) => label(urn) === "StatefulSet kafka-broker"),
      1,
    );
    const settings = [[["moorings:kafka", "brokerStorageGiB"], 1000]] as const;
    // Alarms know how large the volumes are.
    const full = (id: number) =>
      ["disk-filling", "disk-nearly-full"].map((alarm) => `update MetricAlarm kafka-alarms-${id}-${alarm}`);
    expect(await lasting("kafka", { settings }, "--refresh")).toEqual([
      "create StatefulSet kafka-broker",
      ...[100, 101, 102].flatMap(full),
    ]);
    expect(await lasting("kafka", {})).toEqual([]);
  });

  test("brokers move to another node pool", async () => {
    const added = {
      file: "stacks/layers/cluster.ts",
      from: "  return [\n    [\n      poolNames.general,",
      to: `  return [
    ["brokers", { profile: NodePoolProfile.Stateful, limits: kafka.limits, startupTaints: [withoutVolumes] }],
    [
      poolNames.general,`,
    };
    expect(await lasting("cluster", { code: [added] })).toEqual([
      "create EC2NodeClass brokers-nodes-class",
      "create NodePool brokers-nodes-pool",
    ]);
    const file = "stacks/node-pools.ts";
    const chosen = [
      { file, from: '"karpenter.sh/nodepool": poolNames.kafka', to: '"karpenter.sh/nodepool": "brokers"' },
      { file, from: "value: poolNames.kafka", to: 'value: "brokers"' },
    ];
    expect(await lasting("kafka", { code: chosen })).toEqual([
      // Jobs of the administrator run beside the brokers.
      "recreate Job kafka-access",
      "replace Job kafka-demo-topic-job",
      "replace Job kafka-drain",
      "update Deployment kafka-certificates",
      "update StatefulSet kafka-broker",
      "update StatefulSet kafka-controller",
    ]);
    const old = ["EC2NodeClass kafka-nodes-class", "NodePool kafka-nodes-pool"];
    for (const resource of old)
      await session.succeed("state", "unprotect", urnOf("cluster", resource), "--yes", "--stack", "prod-cluster");
    const removed = {
      file: "stacks/layers/cluster.ts",
      from: "nodePools(settings).map(",
      to: "nodePools(settings).slice(0, 2).map(",
    };
    expect(await lasting("cluster", { code: [removed] })).toEqual(old.map((resource) => `remove ${resource}`));
  });

  test("whoever is paged gets another name", async () => {
    const old = urnOf("network", "TopicSubscription alerts-page-platform-team");
    await session.succeed("state", "rename", old, "alerts-page-on-call", "--yes", "--stack", "prod-network");
    const renamed = { "on-call": { protocol: "email", address: pager } };
    expect(await lasting("network", { settings: [[["moorings:alerts", "pageEndpoints"], renamed]] })).toEqual([]);
  });

  // Not as it should be: SNS has one subscription for both names.
  test("without that nobody is paged, until a refresh", async () => {
    const paged = () =>
      session.cloud
        .ofType("aws:sns/topicSubscription:TopicSubscription")
        .filter(({ inputs }) => inputs["endpoint"] === pager).length;
    const renamed = { "night-shift": { protocol: "email", address: pager } };
    await lasting("network", { settings: [[["moorings:alerts", "pageEndpoints"], renamed]] });
    expect(paged()).toBe(0);
    await lasting("network", {}, "--refresh");
    expect(paged()).toBe(1);
  });
});
