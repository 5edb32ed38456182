import { environments } from "../support/environments";
import { nameProblems } from "../support/physical-names";
import { registeredBy } from "../support/platform";

describe("the whole platform in other partitions", () => {
  test.each([
    ["aws-cn", "cn-north-1"],
    ["aws-us-gov", "us-gov-west-1"],
  ])("%s: no ARN of another", async (partition, region) => {
    const resources = await registeredBy(
      "prod",
      (config) =>
        Object.fromEntries(
          Object.entries(config).map(([key, value]) => [
            key,
            value.replaceAll("arn:aws:", `arn:${partition}:`).replaceAll("eu-west-1", region),
          ]),
        ),
      partition,
    );
    const arns = resources.flatMap((r) =>
      [...JSON.stringify(r.inputs).matchAll(/arn:[a-z-]+:[^"\\]*/g)].map(([arn]) => `${r.name}: ${arn}`),
    );
    expect(arns.length).toBeGreaterThan(40);
    expect(arns.filter((arn) => !arn.includes(`arn:${partition}:`))).toEqual([]);
    // EC2 is the one service whose principal differs in China (IAM user guide, service principals in China).
    const trust = resources.find((r) => r.type === "aws:iam/role:Role" && r.name.includes("karpenter-node"))!;
    expect(trust.inputs["assumeRolePolicy"]).toContain(
      partition === "aws-cn" ? '"ec2.amazonaws.com.cn"' : '"ec2.amazonaws.com"',
    );
  });
});

describe.each(environments)("%s with a cluster name of 100 characters", (environment) => {
  test("keeps every name within its limit", async () => {
    const name = `c${"-123456789".repeat(9)}-abcdefgh`;
    expect(name).toHaveLength(100);
    const resources = await registeredBy(environment, (config) => ({
      ...config,
      "moorings:cluster": JSON.stringify({ ...(JSON.parse(config["moorings:cluster"]!) as object), name }),
    }));
    expect(nameProblems(resources)).toEqual([]);
    const own = resources.filter((r) => r.type.startsWith("aws:"));
    // Policies of IAM hold 6,144 characters, roles' inline policies 10,240, paths 512.
    for (const r of own.filter((x) => x.type === "aws:iam/policy:Policy"))
      expect((r.inputs["policy"] as string).length).toBeLessThanOrEqual(6144);
    for (const r of own.filter((x) => x.type === "aws:iam/role:Role"))
      expect(((r.inputs["path"] as string | undefined) ?? "/").length).toBeLessThanOrEqual(512);
  });
});

/** What keeps a pod on the system nodes (components/internal/system-nodes.ts), wherever charts and add-ons want it written. */
const onSystemNodes = {
  nodeSelector: { "moorings.dev/node-role": "system" },
  tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists", effect: "NoSchedule" }],
};

/** Where each add-on's configuration places its pods. Those that it leaves out are daemons, which tolerate every taint by themselves. */
const placement: Readonly<Record<string, string | undefined>> = {
  "cluster-coredns": "",
  "cluster-ebs-csi-driver": "controller",
  "cluster-metrics-server": "",
  "cluster-vpc-cni": undefined,
  "cluster-kube-proxy": undefined,
  "cluster-pod-identity-agent": undefined,
};

type Values = Readonly<Record<string, unknown>>;

test.each(environments)("%s: every pod that goes into kube-system runs on the system nodes", async (environment) => {
  const resources = await registeredBy(environment);
  const inSystem = (type: RegExp, namespace: (inputs: Values) => unknown) =>
    resources.filter((r) => type.test(r.type) && namespace(r.inputs) === "kube-system");

  const releases = inSystem(/^kubernetes:helm\.sh\/v3:Release$/, (inputs) => inputs["namespace"]);
  // A chart of definitions runs no pod.
  const running = releases.filter((r) => r.inputs["values"] !== undefined);
  expect(running.map((r) => r.name).sort()).toEqual(["karpenter-release", "lbc-release"]);
  for (const { name, inputs } of running)
    expect([name, inputs["values"]]).toEqual([name, expect.objectContaining(onSystemNodes)]);

  const addons = resources.filter((r) => r.type === "aws:eks/addon:Addon");
  expect(addons.map((r) => r.name).sort()).toEqual(Object.keys(placement).sort());
  for (const { name, inputs } of addons) {
    const path = placement[name];
    if (path === undefined) continue;
    const values = JSON.parse(String(inputs["configurationValues"])) as Record<string, Values>;
    expect([name, path === "" ? values : values[path]]).toEqual([name, expect.objectContaining(onSystemNodes)]);
  }

  // And what of ours is there without a chart: whatever has a template of pods.
  const others = inSystem(/^kubernetes:(apps|batch)\//, (inputs) => (inputs["metadata"] as Values)["namespace"]);
  expect(others.map((r) => r.name)).toEqual(["cluster-metrics-agent"]);
  for (const { inputs } of others) expect(inputs["spec"]).toMatchObject({ template: { spec: onSystemNodes } });
});
