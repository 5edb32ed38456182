import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  KarpenterNodePool,
  NodePoolProfile,
  TaintEffect,
  type KarpenterNodePoolArgs,
} from "../../../../components/karpenter";
import { find, reaches } from "../../../support/graph";
import { run } from "../../../support/harness";
import { args, classOf, full, make, poolOf, requirement, stateful, types } from "./setup";

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
