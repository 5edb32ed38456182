import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import Ajv from "ajv";
import * as fc from "fast-check";
import { NodeArchitecture } from "../../components/cluster";
import {
  CapacityType,
  ConsolidationPolicy,
  DisruptionReason,
  KarpenterNodePool,
  NodePoolProfile,
  RequirementOperator,
  TaintEffect,
  type KarpenterNodePoolArgs,
  type NodePoolLimits,
} from "../../components/karpenter";
import { durationProblem, DurationForm, secondsOf } from "../../components/karpenter/durations";
import { instanceLabels } from "../../components/karpenter/node-labels";
import { scheduleProblem } from "../../components/karpenter/schedules";
import nodeClassFacts from "../fixtures/facts/karpenter-ec2nodeclasses-v1.json";
import nodePoolFacts from "../fixtures/facts/karpenter-nodepools-v1.json";
import { find, reaches } from "../support/graph";
import { run, type Registration, type RunOptions } from "../support/harness";

const types = {
  nodeClass: "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass",
  pool: "kubernetes:karpenter.sh/v1:NodePool",
};
const args: KarpenterNodePoolArgs = {
  cluster: {
    name: "shop-prod",
    endpoint: "https://0123.gr7.eu-west-1.eks.amazonaws.com",
    certificateAuthority: "Q0E=",
    oidcProviderArn: "arn:aws:iam::123456789012:oidc-provider/oidc.eks.eu-west-1.amazonaws.com/id/0123",
    oidcIssuer: "oidc.eks.eu-west-1.amazonaws.com/id/0123",
    securityGroupId: "sg-0123456789abcdef0",
    vpcId: "vpc-0123456789abcdef0",
  },
  nodeRoleName: "k-node-1a2b3c4",
  subnetIds: ["subnet-0a", "subnet-0b"],
  profile: NodePoolProfile.Stateless,
  amiAlias: "al2023@v20240703",
  limits: { cpu: "200", memory: "800Gi" },
};
const stateful = { profile: NodePoolProfile.Stateful };

const make = (
  change: Partial<KarpenterNodePoolArgs> = {},
  options: RunOptions = {},
  opts: pulumi.ComponentResourceOptions = {},
) =>
  run(() => {
    const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
    const made = new KarpenterNodePool("web", { ...args, ...change }, { providers: [cluster], ...opts });
    const { poolName, nodeClassName, nodeSelector, tolerations } = made;
    return { poolName, nodeClassName, nodeSelector, tolerations };
  }, options);
const refusal = async (change: Partial<KarpenterNodePoolArgs>) => {
  const { errors, resources } = await make(change);
  expect(resources.filter((r) => Object.values(types).includes(r.type))).toEqual([]);
  return errors.map((e) => e.message).join("\n");
};

interface PoolSpec {
  weight?: number;
  limits: Record<string, string>;
  disruption: Record<string, unknown>;
  template: { metadata?: unknown; spec: Record<string, unknown> & { requirements: { key: string }[] } };
}
const poolOf = (resources: readonly Registration[]) => find(resources, types.pool).inputs["spec"] as PoolSpec;
const classOf = (resources: readonly Registration[]) =>
  find(resources, types.nodeClass).inputs["spec"] as Record<string, unknown>;
const requirement = (spec: PoolSpec, key: string) => spec.template.spec.requirements.filter((r) => r.key === key);

/** Everything that can be given at once. */
const full: Partial<KarpenterNodePoolArgs> = {
  securityGroupIds: ["sg-0a"],
  architectures: [NodeArchitecture.X86, NodeArchitecture.Arm64],
  capacityTypes: [CapacityType.Reserved, CapacityType.Spot],
  capacityReservationIds: ["cr-0123456789abcdef0"],
  instanceCategories: ["c"],
  minInstanceGeneration: 6,
  zones: ["eu-west-1a"],
  requirements: [
    { key: "karpenter.k8s.aws/instance-cpu", operator: RequirementOperator.Lte, values: ["16"] },
    { key: "example.com/rack", operator: RequirementOperator.In, values: ["a", "b"], minValues: 2 },
    { key: "karpenter.k8s.aws/instance-local-nvme", operator: RequirementOperator.Exists },
  ],
  consolidationPolicy: ConsolidationPolicy.Balanced,
  consolidateAfter: "1h30m",
  budgets: [
    { nodes: "20%" },
    { nodes: "0", reasons: [DisruptionReason.Unhealthy], scheduleUtc: "@daily", duration: "8h30m" },
  ],
  freezeWindows: [{ scheduleUtc: "0 8 * * mon-fri", duration: "10h" }],
  expireAfter: "336h",
  terminationGracePeriod: "2h",
  longestPodGraceSeconds: 90,
  labels: { team: "web", "example.com/tier": pulumi.output("front") },
  taints: [{ key: "example.com/web", value: "only", effect: TaintEffect.NoSchedule }],
  startupTaints: [{ key: "ebs.csi.aws.com/agent-not-ready", effect: TaintEffect.NoExecute }],
  weight: 100,
  limits: { cpu: "200", memory: "800Gi", nodes: 10 },
  diskSizeInGiB: 100,
  kubelet: { maxPods: 110, evictionHard: { "memory.available": "5%" }, systemReserved: { cpu: "100m" } },
  userData: "kind: NodeConfig",
  nodeTags: { team: "web" },
};

/** The definition's schema as the API server applies it strictly: what isn't in it is an error, and not dropped in silence. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const part = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  const open = "additionalProperties" in part || part["x-kubernetes-preserve-unknown-fields"] === true;
  return part["type"] === "object" && "properties" in part && !open ? { ...part, additionalProperties: false } : part;
}
const ajv = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false, allErrors: true });
const validators = {
  pool: ajv.compile(strict(nodePoolFacts.spec) as object),
  nodeClass: ajv.compile(strict(nodeClassFacts.spec) as object),
};
const violations = (kind: keyof typeof validators, spec: unknown) => {
  validators[kind](spec);
  return (validators[kind].errors ?? []).map((e) => `${e.instancePath} ${e.message ?? ""} ${JSON.stringify(e.params)}`);
};

describe("KarpenterNodePool: against the definitions of 1.15.2", () => {
  test.each<[string, Partial<KarpenterNodePoolArgs>]>([
    ["stateless by default", {}],
    ["stateful by default", stateful],
    ["everything at once", full],
    [
      "an instance profile, types and Bottlerocket",
      {
        nodeRoleName: undefined,
        instanceProfileName: "nodes",
        instanceTypes: ["m7g.large"],
        architectures: [NodeArchitecture.Arm64],
        amiAlias: "bottlerocket@v1.20.4",
      },
    ],
  ])("%s is accepted, every word of it", async (_, change) => {
    const { resources, errors } = await make(change);
    expect(errors).toEqual([]);
    expect(violations("pool", poolOf(resources))).toEqual([]);
    expect(violations("nodeClass", classOf(resources))).toEqual([]);
    expect(find(resources, types.pool).inputs).toMatchObject({
      apiVersion: "karpenter.sh/v1",
      kind: nodePoolFacts.kind,
    });
    expect(find(resources, types.nodeClass).inputs).toMatchObject({
      apiVersion: "karpenter.k8s.aws/v1",
      kind: nodeClassFacts.kind,
    });
  });

  test("the check can fail: a published component still writes expireAfter beside the budgets", async () => {
    const { resources } = await make();
    const spec = structuredClone(poolOf(resources)) as PoolSpec & { disruption: { expireAfter?: string } };
    spec.disruption.expireAfter = "720h";
    expect(violations("pool", spec).join()).toMatch(/^\/disruption .*"additionalProperty":"expireAfter"/);
    spec.disruption = { ...poolOf(resources).disruption, consolidationPolicy: "WhenUnderutilized" };
    expect(violations("pool", spec).join()).toMatch(/^\/disruption\/consolidationPolicy /);
    const nodeClass = { ...classOf(resources), subnetSelector: {}, metadataOptions: { httpTokens: "maybe" } };
    expect(violations("nodeClass", nodeClass)).toHaveLength(2);
  });

  test("Karpenter's labels are those of the definition's rule", () => {
    const rules = JSON.stringify(nodePoolFacts.spec.properties.template.properties.spec);
    const named = new Set([...rules.matchAll(/karpenter\.k8s\.aws\/[a-z0-9-]+/g)].map(([label]) => label));
    expect([...instanceLabels].sort()).toEqual([...named].sort());
  });
});

describe("KarpenterNodePool: profiles", () => {
  // Upstream's defaults are 0s, one budget of 10 %, 720h and no grace at all.
  test("stateless: consolidated without haste, renewed after a month, gone within an hour", async () => {
    const { resources } = await make();
    const { disruption, template, limits } = poolOf(resources);
    expect(disruption).toEqual({
      consolidationPolicy: "WhenEmptyOrUnderutilized",
      consolidateAfter: "5m",
      budgets: [{ nodes: "10%" }, { nodes: "1", reasons: ["Underutilized"] }],
    });
    expect(template.spec).toMatchObject({ expireAfter: "720h", terminationGracePeriod: "1h" });
    expect(template.spec).not.toHaveProperty("taints");
    expect(limits).toEqual({ cpu: "200", memory: "800Gi" });
    const [nodeClass, pool] = [find(resources, types.nodeClass), find(resources, types.pool)];
    expect([nodeClass.protect, pool.protect]).toEqual([false, false]);
  });

  test("stateful: never moved to save nodes, never expired, never cut off, its own, protected", async () => {
    const { resources, outputs } = await make({ ...stateful, poolName: "kafka" });
    const { disruption, template } = poolOf(resources);
    expect(disruption).toEqual({
      consolidationPolicy: "WhenEmpty",
      consolidateAfter: "15m",
      budgets: [{ nodes: "1" }, { nodes: "0", reasons: ["Underutilized"] }],
    });
    expect(template.spec["expireAfter"]).toBe("Never");
    expect(template.spec).not.toHaveProperty("terminationGracePeriod");
    expect(template.spec["taints"]).toEqual([{ key: "moorings.dev/node-pool", value: "kafka", effect: "NoSchedule" }]);
    expect(requirement(poolOf(resources), "karpenter.sh/capacity-type")).toEqual([
      { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
    ]);
    expect([find(resources, types.nodeClass).protect, find(resources, types.pool).protect]).toEqual([true, true]);
    expect(outputs?.tolerations).toEqual([
      { key: "moorings.dev/node-pool", operator: "Equal", value: "kafka", effect: "NoSchedule" },
    ]);
  });

  test("policies can tell the profiles", async () => {
    for (const profile of [NodePoolProfile.Stateless, NodePoolProfile.Stateful]) {
      const { resources } = await make({ profile });
      expect(find(resources, types.pool).inputs["metadata"]).toMatchObject({
        labels: { "moorings.dev/node-pool-profile": profile },
      });
    }
  });

  test("protection follows the argument, then the profile, then the component's own options", async () => {
    const of = async (change: Partial<KarpenterNodePoolArgs>, protect?: boolean) =>
      find((await make(change, {}, { protect })).resources, types.pool).protect;
    expect(await of({ ...stateful, protect: false }, true)).toBe(false);
    expect(await of(stateful, false)).toBe(true);
    expect(await of({ protect: true })).toBe(true);
    expect(await of({}, true)).toBe(true);
    expect(await of({})).toBe(false);
  });

  test("given budgets replace the profile's, freeze windows add to them", async () => {
    const { resources } = await make({
      budgets: [{ nodes: "2" }],
      freezeWindows: [
        { scheduleUtc: "0 8 * * mon-fri", duration: "10h" },
        { scheduleUtc: "@daily", duration: "30m" },
      ],
    });
    expect(poolOf(resources).disruption["budgets"]).toEqual([
      { nodes: "2" },
      { nodes: "0", schedule: "0 8 * * mon-fri", duration: "10h" },
      { nodes: "0", schedule: "@daily", duration: "30m" },
    ]);
    const frozen = await make({ ...stateful, freezeWindows: [{ scheduleUtc: "@daily", duration: "1h" }] });
    expect(poolOf(frozen.resources).disruption["budgets"]).toEqual([
      { nodes: "1" },
      { nodes: "0", reasons: ["Underutilized"] },
      { nodes: "0", schedule: "@daily", duration: "1h" },
    ]);
  });
});

describe("KarpenterNodePool: objects", () => {
  test("fixed names, and Pulumi waits until Karpenter's dry run says Ready", async () => {
    const { resources, outputs } = await make({ poolName: "front" });
    for (const type of Object.values(types))
      expect(find(resources, type).inputs["metadata"]).toMatchObject({
        name: "front",
        annotations: { "pulumi.com/waitFor": "condition=Ready" },
      });
    expect(poolOf(resources).template.spec["nodeClassRef"]).toEqual({
      group: "karpenter.k8s.aws",
      kind: "EC2NodeClass",
      name: "front",
    });
    expect(outputs).toEqual({
      poolName: "front",
      nodeClassName: "front",
      nodeSelector: { "karpenter.sh/nodepool": "front" },
      tolerations: [],
    });
  });

  test("the pool goes first, then its class, then whatever it depends on", async () => {
    const { resources } = await run(() => {
      const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
      const karpenter = new k8s.helm.v3.Release("karpenter", { chart: "karpenter" }, { provider: cluster });
      new KarpenterNodePool("web", args, { providers: [cluster], dependsOn: [karpenter] });
    });
    const [pool, nodeClass] = [find(resources, types.pool), find(resources, types.nodeClass)];
    const karpenter = find(resources, "kubernetes:helm.sh/v3:Release");
    expect(reaches(resources, pool, nodeClass)).toBe(true);
    expect(reaches(resources, nodeClass, pool)).toBe(false);
    expect([pool, nodeClass].map((r) => reaches(resources, r, karpenter))).toEqual([true, true]);
  });

  // Pulumi's default of ten minutes ends before a node has drained, and whoever goes on by hand leaves instances behind.
  test.each([
    [{}, "75m"], // 1h and 15 minutes
    [{ terminationGracePeriod: "90m" }, "105m"],
    [{ terminationGracePeriod: "61s" }, "17m"], // rounded up to 2 minutes
    [stateful, "120m"], // no bound
    [{ ...stateful, terminationGracePeriod: "6h" }, "375m"],
  ])("deletion waits for the nodes: %j", async (change, expected) => {
    const { resources, errors } = await make(change);
    expect(errors).toEqual([]);
    for (const type of Object.values(types)) {
      const made = find(resources, type);
      expect(made.customTimeouts.delete).toBe(expected);
      expect(made.retainOnDelete).toBe(false);
    }
  });

  test("what a node is made from", async () => {
    const { resources } = await make({ nodeTags: { team: "web" }, userData: "kind: NodeConfig" });
    expect(classOf(resources)).toEqual({
      role: "k-node-1a2b3c4",
      amiSelectorTerms: [{ alias: "al2023@v20240703" }],
      subnetSelectorTerms: [{ id: "subnet-0a" }, { id: "subnet-0b" }],
      securityGroupSelectorTerms: [{ id: "sg-0123456789abcdef0" }],
      metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
      blockDeviceMappings: [
        {
          deviceName: "/dev/xvda",
          ebs: { volumeType: "gp3", volumeSize: "50Gi", encrypted: true, deleteOnTermination: true },
        },
      ],
      userData: "kind: NodeConfig",
      tags: { team: "web" },
    });
  });

  // Bottlerocket's second volume is the one that pods use (Karpenter's documentation, spec.blockDeviceMappings).
  test("Bottlerocket: the size is that of the volume for pods, and both are encrypted", async () => {
    const { resources } = await make({ amiAlias: "bottlerocket@v1.20.4", diskSizeInGiB: pulumi.output(100) });
    const volumes = classOf(resources)["blockDeviceMappings"] as { deviceName: string; ebs: Record<string, unknown> }[];
    expect(volumes.map((v) => [v.deviceName, v.ebs["volumeSize"], v.ebs["encrypted"]])).toEqual([
      ["/dev/xvda", "4Gi", true],
      ["/dev/xvdb", "100Gi", true],
    ]);
  });

  test("instances: on demand, x86, current, of three families", async () => {
    const { resources } = await make();
    expect(poolOf(resources).template.spec.requirements).toEqual([
      { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
      { key: "kubernetes.io/arch", operator: "In", values: ["amd64"] },
      { key: "karpenter.sh/capacity-type", operator: "In", values: ["on-demand"] },
      { key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["c", "m", "r"] },
      { key: "karpenter.k8s.aws/instance-generation", operator: "Gte", values: ["5"] },
    ]);
  });

  test("instances: as given", async () => {
    const { resources } = await make(full);
    expect(poolOf(resources).template.spec.requirements).toEqual([
      { key: "kubernetes.io/os", operator: "In", values: ["linux"] },
      { key: "kubernetes.io/arch", operator: "In", values: ["amd64", "arm64"] },
      { key: "karpenter.sh/capacity-type", operator: "In", values: ["reserved", "spot"] },
      { key: "karpenter.k8s.aws/instance-category", operator: "In", values: ["c"] },
      { key: "karpenter.k8s.aws/instance-generation", operator: "Gte", values: ["6"] },
      { key: "topology.kubernetes.io/zone", operator: "In", values: ["eu-west-1a"] },
      { key: "karpenter.k8s.aws/instance-cpu", operator: "Lte", values: ["16"] },
      { key: "example.com/rack", operator: "In", values: ["a", "b"], minValues: 2 },
      { key: "karpenter.k8s.aws/instance-local-nvme", operator: "Exists" },
    ]);
    expect(poolOf(resources)).toMatchObject({
      weight: 100,
      limits: { cpu: "200", memory: "800Gi", nodes: "10" },
      template: { metadata: { labels: { team: "web", "example.com/tier": "front" } } },
    });
    expect(classOf(resources)).toMatchObject({
      capacityReservationSelectorTerms: [{ id: "cr-0123456789abcdef0" }],
      securityGroupSelectorTerms: [{ id: "sg-0a" }],
      kubelet: { maxPods: 110, evictionHard: { "memory.available": "5%" }, systemReserved: { cpu: "100m" } },
    });
  });

  test("named types take the place of families and generations", async () => {
    const { resources } = await make({ instanceTypes: ["m7i.large", "m6i.large"] });
    const keys = poolOf(resources).template.spec.requirements.map((r) => r.key);
    expect(keys).toEqual([
      "kubernetes.io/os",
      "kubernetes.io/arch",
      "karpenter.sh/capacity-type",
      "node.kubernetes.io/instance-type",
    ]);
  });

  test("tolerations: what pods write", async () => {
    const { outputs } = await make({
      taints: [
        { key: "example.com/gpu", effect: TaintEffect.NoExecute },
        { key: "example.com/web", value: "only", effect: TaintEffect.PreferNoSchedule },
      ],
      startupTaints: [{ key: "ebs.csi.aws.com/agent-not-ready", effect: TaintEffect.NoExecute }],
    });
    expect(outputs?.tolerations).toEqual([
      { key: "example.com/gpu", operator: "Exists", effect: "NoExecute" },
      { key: "example.com/web", operator: "Equal", value: "only", effect: "PreferNoSchedule" },
    ]);
    expect((await make({ ...stateful, taints: [] })).outputs?.tolerations).toEqual([]);
  });

  test("a preview with a role that isn't there yet makes the same objects, under the same names", async () => {
    const { resources, errors } = await run(
      () => {
        const cluster = new k8s.Provider("cluster", { kubeconfig: "{}" });
        const unknown = new k8s.core.v1.ConfigMap("c", {}, { provider: cluster }).id;
        const subnetIds = unknown.apply((id) => [id]);
        new KarpenterNodePool(
          "web",
          { ...args, nodeRoleName: unknown, subnetIds, amiAlias: unknown },
          { providers: [cluster] },
        );
      },
      { preview: true },
    );
    expect(errors).toEqual([]);
    expect(find(resources, types.pool).inputs["metadata"]).toMatchObject({ name: "web" });
    expect(poolOf(resources).template.spec["nodeClassRef"]).toMatchObject({ name: "web" });
    expect(find(resources, types.nodeClass).inputs["metadata"]).toMatchObject({ name: "web" });
  });
});

describe("KarpenterNodePool: refusals", () => {
  test("all problems at once, each with its argument", async () => {
    const { errors } = await run(
      () =>
        void new KarpenterNodePool("Web", {
          ...args,
          nodeRoleName: undefined,
          amiAlias: "al2023@latest",
          limits: { cpu: "200 cores", memory: "800GB", nodes: 0 },
          expireAfter: "30d",
          budgets: [],
          weight: 0,
        }),
    );
    const text = errors[0]!.message;
    for (const argument of [
      "opts.providers",
      "poolName",
      "nodeRoleName",
      "amiAlias",
      "limits.cpu",
      "limits.memory",
      "limits.nodes",
      "expireAfter",
      "budgets",
      "weight",
    ])
      expect(text).toContain(`\n  - ${argument}: `);
  });

  const budget = (more: object) => ({ budgets: [{ nodes: "10%" }, { nodes: "1", ...more }] });
  const cases: [string, Partial<KarpenterNodePoolArgs>, RegExp][] = [
    // Where nodes come from.
    ["no role", { nodeRoleName: undefined }, /- nodeRoleName: is missing/],
    ["role and profile", { instanceProfileName: "p" }, /- nodeRoleName: can't be given together/],
    ["no subnets", { subnetIds: [] }, /- subnetIds: must have 1 to 30 ids, not 0/],
    ["names for subnets", { subnetIds: ["private-a"] }, /- subnetIds: must be ids \(subnet-\.\.\.\), not private-a/],
    ["no groups", { securityGroupIds: [] }, /- securityGroupIds: must have 1 to 30 ids/],
    ["newest image", { amiAlias: "al2023@latest" }, /- amiAlias: is "al2023@latest", which replaces every node/],
    ["old family", { amiAlias: "al2@v20240703" }, /- amiAlias: must name an image of al2023 or bottlerocket/],
    ["no version", { amiAlias: "al2023" }, /- amiAlias: must name an image/],
    ["tiny disk", { diskSizeInGiB: 8 }, /- diskSizeInGiB: must be a whole number of GiB from 20 to 59000, not 8/],
    ["late newest image", { amiAlias: pulumi.output("al2023@latest") }, /amiAlias is "al2023@latest"/],
    ["late no subnets", { subnetIds: pulumi.output<string[]>([]) }, /subnetIds must have 1 to 30 ids/],
    ["late tiny disk", { diskSizeInGiB: pulumi.output(8) }, /diskSizeInGiB must be a whole number/],
    // How many.
    ["no limits", { limits: undefined as unknown as NodePoolLimits }, /- limits: is missing: write how much/],
    ["no memory", { limits: { cpu: "1" } as NodePoolLimits }, /- limits\.memory: must be a Kubernetes quantity/],
    ["a number", { limits: { cpu: 1 as unknown as string, memory: "1Gi" } }, /- limits\.cpu: .* in quotes/],
    ["nothing at all", { limits: { cpu: "0", memory: "1Gi" } }, /- limits\.cpu: .* above 0/],
    ["half a node", { limits: { ...args.limits, nodes: 0.5 } }, /- limits\.nodes: must be a whole number/],
    ["weight 101", { weight: 101 }, /- weight: must be a whole number from 1 to 100, not 101/],
    // Which instances.
    ["no processor", { architectures: [] }, /- architectures: must be some of x86_64, arm64, not none/],
    ["Kubernetes' word", { architectures: ["amd64" as NodeArchitecture] }, /- architectures: .* not amd64/],
    ["unknown capacity", { capacityTypes: ["cheap" as CapacityType] }, /- capacityTypes: must be some of spot/],
    [
      "spot brokers",
      { ...stateful, capacityTypes: [CapacityType.OnDemand, CapacityType.Spot] },
      /- capacityTypes: can't have spot/,
    ],
    ["reserved of what", { capacityTypes: [CapacityType.Reserved] }, /- capacityReservationIds: .* need each other/],
    ["reservation unused", { capacityReservationIds: ["cr-1"] }, /- capacityReservationIds: .* need each other/],
    ["no types", { instanceTypes: [] }, /- instanceTypes: is empty/],
    ["no zones", { zones: [] }, /- zones: is empty/],
    [
      "types and families",
      { instanceTypes: ["m7i.large"], instanceCategories: ["m"] },
      /- instanceTypes: can't be given together/,
    ],
    [
      "Graviton for x86",
      { instanceTypes: ["m7i.large", "m7g.large"] },
      /- instanceTypes: has m7g\.large, which architectures \(x86_64\) exclude/,
    ],
    [
      "x86 for Graviton",
      { instanceTypes: ["m7i.large"], architectures: [NodeArchitecture.Arm64] },
      /- instanceTypes: has m7i\.large/,
    ],
    ["generation 0", { minInstanceGeneration: 0 }, /- minInstanceGeneration: must be a whole number/],
    // How carefully.
    ["old profile", { profile: "critical" as NodePoolProfile }, /- profile: must be one of stateless, stateful/],
    [
      "v1beta1's policy",
      { consolidationPolicy: "WhenUnderutilized" as ConsolidationPolicy },
      /- consolidationPolicy: must be one of WhenEmpty, WhenEmptyOrUnderutilized, Balanced/,
    ],
    [
      "moved brokers",
      { ...stateful, consolidationPolicy: ConsolidationPolicy.Balanced },
      /- consolidationPolicy: must be WhenEmpty with/,
    ],
    [
      "days",
      { expireAfter: "30d" },
      /- expireAfter: must be hours, minutes and seconds, .* or Never, not "30d": write 720h/,
    ],
    ["seconds as number", { consolidateAfter: 300 as unknown as string }, /- consolidateAfter: must be hours/],
    ["expired at birth", { expireAfter: "0s" }, /- expireAfter: is 0/],
    [
      "expiry without grace",
      { terminationGracePeriod: "Never" },
      /- terminationGracePeriod: is Never, but nodes expire after 720h/,
    ],
    [
      "expiring brokers",
      { ...stateful, expireAfter: "720h" },
      /- terminationGracePeriod: is Never, but nodes expire after 720h/,
    ],
    [
      "grace too short",
      { terminationGracePeriod: "59s" },
      /- terminationGracePeriod: is 59s, but must be at least 60s/,
    ],
    [
      "grace for long pods",
      { longestPodGraceSeconds: 1801 },
      /- terminationGracePeriod: is 1h, but must be at least 3602s/,
    ],
    ["no number", { longestPodGraceSeconds: -1 }, /- longestPodGraceSeconds: must be a whole number/],
    // Budgets.
    ["no budgets", { budgets: [] }, /- budgets: is empty, which lets Karpenter take every node at once/],
    [
      "freeze windows only",
      { budgets: [{ nodes: "0", scheduleUtc: "@daily", duration: "8h" }] },
      /- budgets: has no budget without schedule for Underutilized, Drifted/,
    ],
    [
      "drift forgotten",
      { budgets: [{ nodes: "1", reasons: [DisruptionReason.Underutilized] }] },
      /- budgets: has no budget without schedule for Drifted/,
    ],
    ["budget for nothing", budget({ reasons: [] }), /- budgets\[1\]\.reasons: is empty/],
    ["unknown reason", budget({ reasons: ["Expired"] }), /- budgets\[1\]\.reasons: must be different ones of/],
    ["reason twice", budget({ reasons: ["Empty", "Empty"] }), /- budgets\[1\]\.reasons: must be different ones of/],
    ["101 %", { budgets: [{ nodes: "101%" }] }, /- budgets\[0\]\.nodes: must be a number or a percentage/],
    ["a bare number", { budgets: [{ nodes: 1 as unknown as string }] }, /- budgets\[0\]\.nodes: .* in quotes/],
    ["schedule only", budget({ scheduleUtc: "@daily" }), /- budgets\[1\]\.duration: must be hours and minutes/],
    ["duration only", budget({ duration: "8h" }), /- budgets\[1\]\.scheduleUtc: must be a cron expression/],
    [
      "seconds",
      budget({ scheduleUtc: "@daily", duration: "90s" }),
      /- budgets\[1\]\.duration: must be hours and minutes/,
    ],
    ["no time", budget({ scheduleUtc: "@daily", duration: "0h" }), /- budgets\[1\]\.duration: is 0/],
    [
      "window of days",
      { freezeWindows: [{ scheduleUtc: "@monthly", duration: "2d" }] },
      /- freezeWindows\[0\]\.duration: .* not "2d": write 48h/,
    ],
    [
      "a time zone",
      { freezeWindows: [{ scheduleUtc: "TZ=Europe/Berlin 0 8 * * *", duration: "1h" }] },
      /- freezeWindows\[0\]\.scheduleUtc: .* there are no time zones/,
    ],
    [
      "fifty-one",
      { freezeWindows: Array.from({ length: 49 }, () => ({ scheduleUtc: "@daily", duration: "1h" })) },
      /- budgets: and freezeWindows are more than 50/,
    ],
    // Labels, taints, tags, requirements.
    [
      "Karpenter's label",
      { labels: { "karpenter.sh/nodepool": "x" } },
      /- labels\["karpenter\.sh\/nodepool"\]: is set by Karpenter/,
    ],
    [
      "Karpenter's domain",
      { labels: { "karpenter.sh/team": "x" } },
      /- labels\["karpenter\.sh\/team"\]: is in a domain/,
    ],
    [
      "a subdomain of it",
      { labels: { "compat.karpenter.sh/x": "x" } },
      /- labels\["compat\.karpenter\.sh\/x"\]: is in a domain/,
    ],
    [
      "host names",
      { labels: { "kubernetes.io/hostname": "x" } },
      /- labels\["kubernetes\.io\/hostname"\]: is the node's own name/,
    ],
    [
      "a misspelt label",
      {
        requirements: [{ key: "karpenter.k8s.aws/instance-catgory", operator: RequirementOperator.In, values: ["m"] }],
      },
      /- requirements\[0\]\.key: .* none of its labels/,
    ],
    ["no label", { labels: { "a b": "x" } }, /- labels\["a b"\]: must have a key such as/],
    ["long value", { labels: { a: "x".repeat(64) } }, /- labels\["a"\]: must be at most 63/],
    [
      "cluster tag",
      { nodeTags: { "kubernetes.io/cluster/shop-prod": "owned" } },
      /- nodeTags\["kubernetes\.io\/cluster\/shop-prod"\]: is a tag by which/,
    ],
    ["pool tag", { nodeTags: { "karpenter.sh/nodepool": "x" } }, /- nodeTags\["karpenter\.sh\/nodepool"\]/],
    ["claim tag", { nodeTags: { "karpenter.sh/nodeclaim": "x" } }, /- nodeTags\["karpenter\.sh\/nodeclaim"\]/],
    [
      "class tag",
      { nodeTags: { "karpenter.k8s.aws/ec2nodeclass": "x" } },
      /- nodeTags\["karpenter\.k8s\.aws\/ec2nodeclass"\]/,
    ],
    ["EKS tag", { nodeTags: { "eks:eks-cluster-name": "x" } }, /- nodeTags\["eks:eks-cluster-name"\]/],
    ["no key", { nodeTags: { "": "x" } }, /- nodeTags\[""\]: is empty/],
    ["bad taint", { taints: [{ key: "", effect: TaintEffect.NoSchedule }] }, /- taints\[0\]\.key: must have a key/],
    [
      "EKS' spelling",
      { taints: [{ key: "a", effect: "NO_SCHEDULE" as TaintEffect }] },
      /- taints\[0\]\.effect: must be one of NoSchedule, PreferNoSchedule, NoExecute/,
    ],
    [
      "bad value",
      { taints: [{ key: "a", value: "b c", effect: TaintEffect.NoSchedule }] },
      /- taints\[0\]\.value: must be a word/,
    ],
    [
      "taint twice",
      {
        taints: [{ key: "a", effect: TaintEffect.NoSchedule }],
        startupTaints: [{ key: "a", effect: TaintEffect.NoSchedule }],
      },
      /- startupTaints\[0\]: has key and effect of taints\[0\]/,
    ],
    [
      "In nothing",
      { requirements: [{ key: "a", operator: RequirementOperator.In }] },
      /- requirements\[0\]\.values: is empty/,
    ],
    [
      "more than two",
      { requirements: [{ key: "a", operator: RequirementOperator.Gt, values: ["1", "2"] }] },
      /- requirements\[0\]\.values: must be one whole number/,
    ],
    [
      "more than m",
      { requirements: [{ key: "a", operator: RequirementOperator.Gte, values: ["m"] }] },
      /- requirements\[0\]\.values: must be one whole number/,
    ],
    [
      "exists what",
      { requirements: [{ key: "a", operator: RequirementOperator.Exists, values: ["b"] }] },
      /- requirements\[0\]\.values: must be left out with Exists/,
    ],
    [
      "too few",
      { requirements: [{ key: "a", operator: RequirementOperator.In, values: ["b"], minValues: 2 }] },
      /- requirements\[0\]\.minValues: demands 2 values/,
    ],
    [
      "minValues 51",
      { requirements: [{ key: "a", operator: RequirementOperator.Exists, minValues: 51 }] },
      /- requirements\[0\]\.minValues: must be a whole number from 1 to 50/,
    ],
    [
      "no operator",
      { requirements: [{ key: "a", operator: "=" as RequirementOperator, values: ["b"] }] },
      /- requirements\[0\]\.operator: must be one of In/,
    ],
    // Kubelet: from 1.15 on the definition lets anything pass here.
    [
      "reserve what",
      { kubelet: { systemReserved: { memroy: "1Gi" } } },
      /- kubelet\.systemReserved\["memroy"\]: isn't one of cpu, memory/,
    ],
    [
      "reserve how much",
      { kubelet: { kubeReserved: { memory: "1 GiB" } } },
      /- kubelet\.kubeReserved\["memory"\]: must be a Kubernetes quantity/,
    ],
    [
      "evict when",
      { kubelet: { evictionHard: { "memory.free": "5%" } } },
      /- kubelet\.evictionHard\["memory\.free"\]: isn't one of memory\.available/,
    ],
    [
      "evict at",
      { kubelet: { evictionHard: { "memory.available": "5 percent" } } },
      /- kubelet\.evictionHard\["memory\.available"\]: must be a quantity or a percentage/,
    ],
    [
      "soft without grace",
      { kubelet: { evictionSoft: { "memory.available": "5%" } } },
      /- kubelet\.evictionSoftGracePeriod: must have the keys of evictionSoft/,
    ],
    ["no pods", { kubelet: { maxPods: 0 } }, /- kubelet\.maxPods: must be a whole number of at least 1, not 0/],
    [
      "never collected",
      { kubelet: { imageGCHighThresholdPercent: 80, imageGCLowThresholdPercent: 80 } },
      /- kubelet\.imageGCHighThresholdPercent: must be more than/,
    ],
    // Names.
    ["upper case", { poolName: "Web" }, /- poolName: must be a DNS label .* not "Web"/],
    ["a hyphen at the end", { poolName: "web-" }, /- poolName: must be a DNS label/],
    ["64 characters", { poolName: "w".repeat(64) }, /- poolName: must be a DNS label/],
  ];
  test.each(cases)("%s", async (_, change, expected) => expect(await refusal(change)).toMatch(expected));

  test("what is just right isn't refused", async () => {
    for (const change of [
      { poolName: "w".repeat(63) },
      { weight: 1 },
      { terminationGracePeriod: "60s" },
      { longestPodGraceSeconds: 1800 },
      { expireAfter: "Never", terminationGracePeriod: "Never" },
      { ...stateful, expireAfter: "2160h", terminationGracePeriod: "6h" },
      { ...stateful, capacityTypes: [CapacityType.Reserved], capacityReservationIds: ["cr-1"] },
      { budgets: [{ nodes: "100%" }] },
      { labels: { "karpenter.sh/capacity-type": "on-demand", "karpenter.k8s.aws/instance-family": "m7i" } },
      { nodeTags: { Name: "web", "kubernetes.io/role": "x" } },
    ] as Partial<KarpenterNodePoolArgs>[])
      expect((await make(change)).errors).toEqual([]);
  });
});

describe("times and schedules", () => {
  const budgets = nodePoolFacts.spec.properties.disruption.properties.budgets.items.properties;
  const template = nodePoolFacts.spec.properties.template.properties.spec.properties;
  const patterns: [DurationForm, RegExp][] = [
    [DurationForm.Plain, new RegExp(template.terminationGracePeriod.pattern)],
    [DurationForm.OrNever, new RegExp(template.expireAfter.pattern)],
    [DurationForm.Budget, new RegExp(budgets.duration.pattern)],
  ];
  const piece = fc.oneof(fc.nat(200).map(String), fc.constantFrom("h", "m", "s", "d", "Never", " ", "-", "."));
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));

  test("a duration is accepted exactly where the definition accepts it", () => {
    fc.assert(
      fc.property(text, (duration) => {
        for (const [form, pattern] of patterns)
          expect(durationProblem(duration, form) === undefined).toBe(pattern.test(duration));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["90s", 90],
    ["5m", 300],
    ["1h30m", 5400],
    ["1h1h", 7200],
    ["8h0s", 28_800],
    ["Never", Infinity],
  ])("%s are %d seconds", (duration, seconds) => expect(secondsOf(duration)).toBe(seconds));

  test("a schedule that is accepted is one that the definition accepts, too", () => {
    const field = fc.oneof(
      fc.nat(60).map(String),
      fc.constantFrom("*", "1-5", "*/15", "mon-fri", "JAN,jul", "0/2", "5-1", "x", ""),
    );
    const schedules = fc.oneof(
      fc.array(field, { minLength: 4, maxLength: 6 }).map((fields) => fields.join(" ")),
      fc.constantFrom("@daily", "@hourly", "@every 1h", "@reboot"),
    );
    const pattern = new RegExp(budgets.schedule.pattern);
    fc.assert(
      fc.property(schedules, (schedule) => {
        if (scheduleProblem(schedule) === undefined) expect(schedule).toMatch(pattern);
      }),
      { numRuns: 500 },
    );
  });

  // robfig/cron v3, ParseStandard: what it can't parse makes a budget of 0, and the pool is frozen in silence.
  test.each([
    ["0 8 * * mon-fri", true],
    ["0 8 * * MON,wed", true],
    ["*/15 0-6,22-23 1 jan-mar ?", true],
    ["5/10 * * * *", true],
    ["59 23 31 12 6", true],
    ["@weekly", true],
    ["60 * * * *", false],
    ["* 24 * * *", false],
    ["* * 0 * *", false],
    ["* * * 13 *", false],
    ["* * * * 7", false],
    ["0 0 8 * * *", false],
    ["0  8 * * mon", true],
    ["0 8 * *", false],
    ["0 8 * * mon-", false],
    ["0 8 * * fri-mon", false],
    ["*/0 * * * *", false],
    ["1/2/3 * * * *", false],
    ["every day at eight am", false],
    ["@every 1h", false],
    ["TZ=UTC 0 8 * * *", false],
  ])("%s: %s", (schedule, fine) => expect(scheduleProblem(schedule) === undefined).toBe(fine));
});
