import { resolve } from "node:path";
import { PolicyPack } from "../cli/engine/policy-pack";
import type { Recording, ResourceRecord } from "../cli/engine/records";
import { unknown } from "../cli/engine/values";
import { policies } from "../policy/policies";
import { judge, recordStack, stackConfig } from "./support/recordings";
import { find, reaches } from "./support/graph";

const ingressRule = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule";
const attachment = "aws:lb/targetGroupAttachment:TargetGroupAttachment";
const targetGroup = "aws:lb/targetGroup:TargetGroup";
const binding = "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding";

let dev: Recording;
let pack: PolicyPack;

beforeAll(async () => {
  [dev, pack] = await Promise.all([
    recordStack("dev"),
    PolicyPack.start(
      { directory: resolve(__dirname, "../policy"), config: {} },
      {
        project: "moorings",
        stack: "dev",
        organization: "o",
        config: {},
        secretKeys: [],
        engineAddress: "127.0.0.1:1",
      },
    ),
  ]);
});

afterAll(() => pack.stop());

describe("stack dev, from its own Pulumi.yaml", () => {
  test("runs to its end; main is the stack and not the library, which would register nothing", () => {
    expect(dev.failure).toBeUndefined();
    expect(dev.diagnostics.filter((d) => d.severity === "error" || d.severity === "warning")).toEqual([]);
    expect(dev.resources.length).toBeGreaterThan(60);
  });

  test("says which values are still examples", () => {
    const said = dev.diagnostics.map((d) => d.message).join("\n");
    expect(said).toContain("an update stops until you write yours");
    for (const key of [
      "aws:allowedAccountIds[0]",
      "moorings:alerts.pageEndpoints.platform-team.address",
      "moorings:cluster.admins.deployer",
      "moorings:cluster.apiAccessCidrs[0]",
      "moorings:edge.certificateArn",
      "moorings:edge.visitors.office",
      "moorings:edge.web.hosts[0]",
    ]) {
      expect(said).toContain(`- ${key}`);
    }
  });

  test("only these are closed boxes", () => {
    const closed = dev.resources.filter((r) => r.remote).map((r) => `${r.type} ${r.name}`);
    expect(closed.sort()).toEqual([
      "awsx:ec2:Vpc network",
      "eks:index:Cluster cluster-cluster",
      "kubernetes:yaml/v2:ConfigFile lbc-crds",
    ]);
  });

  test("has the parts of the path from a visitor to a pod", () => {
    const count = (type: string) => dev.resources.filter((r) => r.type === type).length;
    expect(count("aws:lb/loadBalancer:LoadBalancer")).toBe(1);
    expect(count(targetGroup)).toBe(1);
    expect(count("aws:lb/listenerRule:ListenerRule")).toBe(1);
    expect(count(binding)).toBe(1);
    expect(count("kubernetes:apps/v1:Deployment")).toBe(1);
    expect(count("aws:cloudwatch/metricAlarm:MetricAlarm")).toBe(4);
    expect(count("aws:sns/topic:Topic")).toBe(2);
  });

  test("every Kubernetes object names the cluster's own provider", () => {
    const objects = dev.resources.filter((r) => r.type.startsWith("kubernetes:") && r.custom);
    expect(objects.length).toBeGreaterThan(5);
    expect(new Set(objects.map((r) => r.provider))).toEqual(
      new Set([find(dev.resources, "pulumi:providers:kubernetes", "cluster").urn]),
    );
  });

  // Order of creation; destruction is the reverse (design.md 4).
  test.each([
    ["eks:index:Cluster", "cluster-cluster", "awsx:ec2:Vpc", "network"],
    ["aws:eks/addon:Addon", "cluster-vpc-cni", "eks:index:Cluster", "cluster-cluster"],
    ["aws:eks/addon:Addon", "cluster-vpc-cni", "aws:iam/openIdConnectProvider:OpenIdConnectProvider", "cluster-oidc"],
    ["aws:eks/nodeGroup:NodeGroup", "cluster-system", "aws:eks/addon:Addon", "cluster-vpc-cni"],
    ["aws:eks/addon:Addon", "cluster-coredns", "aws:eks/nodeGroup:NodeGroup", "cluster-system"],
    ["pulumi:providers:kubernetes", "cluster", "aws:eks/addon:Addon", "cluster-coredns"],
    ["pulumi:providers:kubernetes", "cluster", "aws:eks/nodeGroup:NodeGroup", "cluster-workload"],
    ["kubernetes:helm.sh/v3:Release", "lbc-release", "pulumi:providers:kubernetes", "cluster"],
    ["kubernetes:helm.sh/v3:Release", "lbc-release", "kubernetes:yaml/v2:ConfigFile", "lbc-crds"],
    [
      "kubernetes:helm.sh/v3:Release",
      "lbc-release",
      "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
      "lbc-attachment",
    ],
    ["aws:lb/listenerRule:ListenerRule", "web-rule", targetGroup, "web-tg"],
    [binding, "web-pods-binding", "aws:lb/listenerRule:ListenerRule", "web-rule"],
    [binding, "web-pods-binding", "kubernetes:helm.sh/v3:Release", "lbc-release"],
    [binding, "web-pods-binding", "kubernetes:core/v1:Service", "web-service"],
    ["kubernetes:apps/v1:Deployment", "web-app-deployment", binding, "web-pods-binding"],
    ["kubernetes:apps/v1:Deployment", "web-app-deployment", ingressRule, "edge-net-ingress"],
    ["aws:lb/loadBalancer:LoadBalancer", "edge-alb", "awsx:ec2:Vpc", "network"],
  ])("%s %s comes after %s %s", (laterType, later, earlierType, earlier) => {
    const from = find(dev.resources, laterType, later);
    const to = find(dev.resources, earlierType, earlier);
    expect(reaches(dev.resources, from, to)).toBe(true);
    expect(reaches(dev.resources, to, from)).toBe(false);
  });

  test("the alarms' floor, the disruption budget's pods and the autoscaler's minimum are one number", () => {
    const decay = find(dev.resources, "aws:cloudwatch/metricAlarm:MetricAlarm", "web-health-host-decay-24h");
    expect(JSON.stringify(decay.inputs)).toContain("(h < 2)");
    const scaler = find(dev.resources, "kubernetes:autoscaling/v2:HorizontalPodAutoscaler");
    expect(scaler.inputs["spec"]).toMatchObject({ minReplicas: 2, maxReplicas: 4 });
    const deployment = find(dev.resources, "kubernetes:apps/v1:Deployment");
    expect(deployment.inputs["spec"]).not.toHaveProperty("replicas");
  });

  test("no secret of the configuration is written in clear", () => {
    expect(stackConfig("dev")["moorings:alerts"]).toContain("platform-team@example.com");
    const subscription = find(dev.resources, "aws:sns/topicSubscription:TopicSubscription");
    expect(subscription.inputs["endpoint"]).toMatchObject({
      "4dabf18193072939515e22adb298388d": expect.any(String) as string,
    });
  });
});

describe("the policy pack on stack dev", () => {
  test("finds nothing", async () => {
    expect(await judge(pack, copy())).toEqual([]);
  });

  const copy = (): ResourceRecord[] => structuredClone([...dev.resources]);
  const groupUrn = () => find(dev.resources, targetGroup).urn;
  const added = (
    type: string,
    name: string,
    inputs: ResourceRecord["inputs"],
    dependsOn: Record<string, string[]> = {},
  ) => ({
    ...structuredClone(find(dev.resources, "aws:lb/listenerRule:ListenerRule")),
    urn: `urn:pulumi:dev::moorings::${type}::${name}`,
    type,
    name,
    inputs,
    propertyDependencies: dependsOn,
    dependencies: Object.values(dependsOn).flat(),
  });

  /** One fault for each rule, as somebody would make it. */
  const mutations: Record<string, (resources: ResourceRecord[]) => ResourceRecord[]> = {
    "no-hand-registered-ip-targets": (all) => [
      ...all,
      added(attachment, "by-hand", {
        targetGroupArn: "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/other/0123456789abcdef",
        targetId: "10.20.33.17",
      }),
    ],
    "no-attachments-on-ip-target-groups": (all) => [
      ...all,
      added(attachment, "by-hand", { targetGroupArn: unknown, targetId: unknown }, { targetGroupArn: [groupUrn()] }),
    ],
    "ip-target-group-needs-binding": (all) => all.filter((r) => r.type !== binding),
    "no-binding-to-selectorless-service": (all) => {
      const spec = find(all, "kubernetes:core/v1:Service").inputs["spec"] as { selector?: unknown };
      delete spec.selector;
      return all;
    },
    "no-inline-rules-on-cluster-security-groups": (all) => {
      const group = find(all, "aws:ec2/securityGroup:SecurityGroup");
      group.inputs["tags"] = { "kubernetes.io/cluster/moorings-dev": "owned" };
      group.inputs["ingress"] = [{ protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.0.0.0/8"] }];
      return all;
    },
    "no-controller-managed-descriptions": (all) => {
      find(all, ingressRule, "edge-net-ingress").inputs["description"] = "elbv2.k8s.aws/targetGroupBinding=shared";
      return all;
    },
    "no-equal-security-group-rules": (all) => {
      const rule = structuredClone(find(all, ingressRule, "edge-office-443"));
      return [...all, { ...rule, name: "again", urn: `${rule.urn}-again` }];
    },
  };

  test("each rule has a mutation", () => {
    expect(Object.keys(mutations).sort()).toEqual(policies.map((p) => p.name).sort());
  });

  test.each(Object.keys(mutations))("%s is tripped by its fault, and nothing else is", async (rule) => {
    const found = await judge(pack, mutations[rule]!(copy()));
    const mandatory = found.filter((v) => v.enforcement === "mandatory").map((v) => v.policy);
    expect([...new Set(mandatory)]).toEqual([rule]);
  });
});
