import { environments } from "../support/environments";
import { find } from "../support/graph";
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

/** Longest physical names (API references of each service); Pulumi adds 8 characters to names that it makes. */
const limits: Record<string, number> = {
  "aws:cloudtrail/trail:Trail": 128,
  "aws:cloudwatch/dashboard:Dashboard": 255,
  "aws:cloudwatch/eventRule:EventRule": 64,
  "aws:cloudwatch/metricAlarm:MetricAlarm": 255,
  "aws:iam/policy:Policy": 128,
  "aws:iam/role:Role": 64,
  "aws:kms/alias:Alias": 256,
  "aws:lb/loadBalancer:LoadBalancer": 32,
  "aws:lb/targetGroup:TargetGroup": 32,
  "aws:cloudwatch/logGroup:LogGroup": 512,
  "aws:sns/topic:Topic": 256,
  "aws:sqs/queue:Queue": 80,
  "aws:ec2/launchTemplate:LaunchTemplate": 128,
  "aws:eks/nodeGroup:NodeGroup": 63,
  "aws:ec2/securityGroup:SecurityGroup": 255,
  "aws:s3/bucket:Bucket": 63,
};

/** AWS types of the platform that have no physical name, or take it from what they belong to. */
const nameless =
  /^aws:(acm|route53|vpc|wafv2|s3\/bucket[A-Z]|eks\/(addon|accessEntry|accessPolicy)|iam\/(rolePolicy|openId)|kms\/key|sns\/topic[A-Z]|sqs\/queue[A-Z]|lb\/listener|cloudwatch\/eventTarget|ec2\/(flowLog|vpcEndpoint|defaultSecurityGroup))/;

describe.each(environments)("%s with a cluster name of 100 characters", (environment) => {
  test("keeps every name within its limit", async () => {
    const name = `c${"-123456789".repeat(9)}-abcdefgh`;
    expect(name).toHaveLength(100);
    const resources = await registeredBy(environment, (config) => ({
      ...config,
      "moorings:cluster": JSON.stringify({ ...(JSON.parse(config["moorings:cluster"]!) as object), name }),
    }));
    const own = resources.filter((r) => r.type.startsWith("aws:"));
    const named = own.filter((r) => r.type in limits);
    expect(own.filter((r) => !(r.type in limits) && !nameless.test(r.type)).map((r) => r.type)).toEqual([]);
    const long = named.flatMap((r) => {
      const given = r.inputs["name"] ?? r.inputs["nodeGroupName"] ?? r.inputs["bucket"] ?? r.inputs["dashboardName"];
      const length = typeof given === "string" ? given.length : r.name.length + 8;
      return length > limits[r.type]! ? [`${r.type} ${r.name}: ${length}`] : [];
    });
    expect(long).toEqual([]);
    // Policies of IAM hold 6,144 characters, roles' inline policies 10,240, paths 512.
    for (const r of own.filter((x) => x.type === "aws:iam/policy:Policy"))
      expect((r.inputs["policy"] as string).length).toBeLessThanOrEqual(6144);
    for (const r of own.filter((x) => x.type === "aws:iam/role:Role"))
      expect(((r.inputs["path"] as string | undefined) ?? "/").length).toBeLessThanOrEqual(512);
  });
});

test.each(environments)(
  "%s: every pod that goes into kube-system tolerates the taint of the system nodes",
  async (environment) => {
    const resources = await registeredBy(environment);
    const releases = resources.filter(
      (r) => r.type === "kubernetes:helm.sh/v3:Release" && r.inputs["namespace"] === "kube-system",
    );
    // A chart of definitions runs no pod.
    const running = releases.filter((r) => r.inputs["values"] !== undefined);
    expect(running.map((r) => r.name).sort()).toEqual(["karpenter-release", "lbc-release"]);
    for (const { inputs } of running) {
      const { tolerations } = inputs["values"] as { tolerations: unknown };
      expect(tolerations).toContainEqual(expect.objectContaining({ key: "CriticalAddonsOnly", operator: "Exists" }));
    }
    // Add-ons with pods of their own; the others are daemons, which run on every node.
    for (const name of ["cluster-coredns", "cluster-ebs-csi-driver", "cluster-metrics-server"]) {
      const values = find(resources, "aws:eks/addon:Addon", name).inputs["configurationValues"];
      expect(values).toContain('{"key":"CriticalAddonsOnly","operator":"Exists","effect":"NoSchedule"}');
    }
    // And what of ours is there without a chart.
    const others = resources.filter(
      (r) =>
        /^kubernetes:(apps|batch)\//.test(r.type) &&
        (r.inputs["metadata"] as { namespace?: string }).namespace === "kube-system",
    );
    expect(others.map((r) => r.name)).toEqual(["cluster-metrics-agent"]);
    for (const { inputs } of others)
      expect(inputs["spec"]).toMatchObject({
        template: {
          spec: {
            nodeSelector: { "moorings.dev/node-role": "system" },
            tolerations: [{ key: "CriticalAddonsOnly", operator: "Exists", effect: "NoSchedule" }],
          },
        },
      });
  },
);
