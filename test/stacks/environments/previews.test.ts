import { resolve } from "node:path";
import { readPackConfig } from "../../../cli/engine/policy-config";
import { PolicyPack } from "../../../cli/engine/policy-pack";
import type { Recording, ResourceRecord } from "../../../cli/engine/records";
import { protectInside } from "../../../stacks/protection";
import { environments } from "../../support/environments";
import { find, reaches } from "../../support/graph";
import { edges, isOf, type Stage, type StageName, stages, unrelated } from "../../support/order";
import { judge, recordStack, stackConfig } from "../../support/recordings";
import { type, web } from "./setup";

const recordings: Record<string, Recording> = {};
const of = (environment: string) => recordings[environment]!.resources;
let pack: PolicyPack;

/** The resources of a stage; offline, the closed box that they are inside. */
function stageOf(environment: string, name: StageName): readonly ResourceRecord[] {
  const stage: Stage = stages[name];
  const found = of(environment).filter((r) => (stage.inside === undefined ? isOf(stage, r) : r.type === stage.inside));
  if (found.length === 0 && !(stage.optional === true && environment !== "prod"))
    throw new Error(`${environment} has nothing that is "${name}"`);
  return found;
}

/** Minutes of a timeout such as "75m". */
const minutes = (timeout: string | undefined) => Number(/^(\d+)m$/.exec(timeout ?? "")?.[1]);

beforeAll(async () => {
  const [started] = await Promise.all([
    PolicyPack.start(
      { directory: resolve(__dirname, "../../../policy"), config: {} },
      {
        project: "moorings",
        stack: "dev",
        organization: "o",
        config: {},
        secretKeys: [],
        engineAddress: "127.0.0.1:1",
      },
    ),
    ...environments.map(async (environment) => (recordings[environment] = await recordStack(environment))),
  ]);
  pack = started;
});

afterAll(() => pack.stop());

describe.each(environments)("%s, from the repository's own Pulumi.yaml", (environment) => {
  test("runs to its end; main is the stack and not the library, which would register nothing", () => {
    const { failure, diagnostics, resources } = recordings[environment]!;
    expect(failure).toBeUndefined();
    expect(diagnostics.filter((d) => d.severity === "error" || d.severity === "warning")).toEqual([]);
    expect(resources.length).toBeGreaterThan(120);
  });

  test("violates no policy of its own profile, nor is it advised of anything", async () => {
    await pack.configure(readPackConfig(resolve(__dirname, `../../../policy/profiles/${environment}.json`)));
    expect(await judge(pack, of(environment))).toEqual([]);
  });

  test("only these are closed boxes", () => {
    const closed = of(environment).filter((r) => r.remote);
    expect(closed.map((r) => `${r.type} ${r.name}`).sort()).toEqual([
      "awsx:ec2:Vpc network",
      "eks:index:Cluster cluster-cluster",
      "kubernetes:yaml/v2:ConfigFile lbc-crds",
    ]);
  });

  // Whatever else changes about the kubeconfig, no plan takes it for that of another cluster (pulumi-kubernetes, `DiffConfig`).
  test("the Kubernetes provider is replaced with the cluster's name only", () => {
    const { inputs } = find(of(environment), type.provider, "cluster");
    expect(inputs["clusterIdentifier"]).toBe(find(of(environment), type.cluster).inputs["name"]);
  });

  test("volumes that nobody chose a class for are encrypted, and there is one default", () => {
    const classes = of(environment).filter((r) => r.type === "kubernetes:storage.k8s.io/v1:StorageClass");
    const marked = classes.filter((r) => JSON.stringify(r.inputs).includes("is-default-class"));
    expect(marked.map((r) => [r.name, r.inputs["parameters"]])).toEqual([
      ["gp3-class", { type: "gp3", encrypted: "true" }],
    ]);
  });

  test("every Kubernetes object names the cluster's own provider", () => {
    const objects = of(environment).filter((r) => r.type.startsWith("kubernetes:") && r.custom);
    expect(objects.length).toBeGreaterThan(25);
    expect(new Set(objects.map((r) => r.provider))).toEqual(
      new Set([find(of(environment), type.provider, "cluster").urn]),
    );
  });

  // Each edge is one of dependencies: what happened in order once by luck may happen the other way round on another day.
  test.each(edges)("%s exists before %s, and goes after it: %s", (before, after) => {
    const missing = stageOf(environment, after).flatMap((from) =>
      stageOf(environment, before)
        .filter((to) => to.urn !== from.urn && !reaches(of(environment), from, to))
        .map((to) => `${from.name} doesn't need ${to.name}`),
    );
    expect(missing.filter((pair) => !unrelated.includes(pair))).toEqual([]);
  });

  // Gone from the state and not from the cluster, or given up on too early, it leaves instances that nobody takes away.
  test("what takes nodes away is really deleted, and waited for", () => {
    const chain = of(environment).filter((r) => [type.nodePool, type.nodeClass, type.release].includes(r.type));
    expect(chain.length).toBeGreaterThanOrEqual(7);
    for (const r of chain)
      expect([r.name, r.retainOnDelete, r.deletedWith, minutes(r.customTimeouts["delete"]) >= 10]).toEqual([
        r.name,
        false,
        "",
        true,
      ]);
    expect(find(of(environment), type.provider, "cluster").inputs).not.toHaveProperty("deleteUnreachable");

    for (const pool of chain.filter((r) => r.type === type.nodePool)) {
      const { template } = pool.inputs["spec"] as { template: { spec: { terminationGracePeriod?: string } } };
      // The profiles' graces: an hour, and none, for which two hours see twenty brokers through theirs of six minutes.
      const grace = template.spec.terminationGracePeriod;
      expect([undefined, "1h"]).toContain(grace);
      expect(minutes(pool.customTimeouts["delete"])).toBeGreaterThanOrEqual(grace === undefined ? 120 : 60 + 15);
    }
    // Pulumi gives up later than Helm: one that gave up first would leave a release that is neither there nor gone.
    for (const r of chain.filter((release) => release.type === type.release))
      for (const step of ["create", "update"])
        expect(minutes(r.customTimeouts[step]) * 60).toBeGreaterThan(r.inputs["timeout"] as number);
  });

  test("the alarms' floor, the disruption budget's pods and the autoscaler's minimum are one number", () => {
    const { minReplicas, maxReplicas } = web[environment]!;
    const decay = find(of(environment), "aws:cloudwatch/metricAlarm:MetricAlarm", "web-health-host-decay-24h");
    expect(JSON.stringify(decay.inputs)).toContain(`(h < ${minReplicas})`);
    const scaler = find(of(environment), "kubernetes:autoscaling/v2:HorizontalPodAutoscaler");
    expect(scaler.inputs["spec"]).toMatchObject({ minReplicas, maxReplicas });
    // What the Deployment begins with; from then on the autoscaler's number stays (test-real/kubernetes-provider/scaled.test.ts).
    const app = find(of(environment), type.deployment, "web-app-deployment");
    expect(app.inputs["spec"]).toMatchObject({ replicas: minReplicas });
    expect(app.ignoreChanges).toEqual(["spec.replicas"]);
  });

  test("Kafka's pods go onto the pool that is tainted for them, and nothing else does", () => {
    const pool = find(of(environment), type.nodePool, "kafka-nodes-pool").inputs;
    expect(pool).toMatchObject({
      metadata: { name: "kafka", labels: { "moorings.dev/node-pool-profile": "stateful" } },
      spec: {
        template: {
          spec: { taints: [{ key: "moorings.dev/node-pool", value: "kafka", effect: "NoSchedule" }] },
        },
      },
    });
    const sets = of(environment).filter((r) => r.type === type.statefulSet);
    expect(sets.map((r) => r.name).sort()).toEqual(["kafka-broker", "kafka-controller"]);
    for (const { inputs } of sets) {
      expect(inputs["spec"]).toMatchObject({
        template: {
          spec: {
            nodeSelector: { "karpenter.sh/nodepool": "kafka" },
            tolerations: [{ key: "moorings.dev/node-pool", operator: "Equal", value: "kafka", effect: "NoSchedule" }],
          },
        },
      });
    }
    // What reads the certificates that brokers serve is part of them, and so small that it needs no nodes of its own.
    const others = of(environment).filter((r) => r.type === type.deployment && r.name !== "kafka-certificates");
    expect(others.length).toBeGreaterThan(1);
    for (const { inputs } of others) expect(JSON.stringify(inputs)).not.toContain("moorings.dev/node-pool");
  });

  // Karpenter, the load balancer controller, CoreDNS and the EBS driver select the label: what must deregister targets is never drained with them.
  test("no node of Karpenter's passes for one of the system's", () => {
    const pools = of(environment).filter((r) => r.type === type.nodePool);
    expect(pools).toHaveLength(2);
    for (const { inputs } of pools) {
      const text = JSON.stringify(inputs["spec"]);
      expect([text.includes("moorings.dev/node-role"), text.includes("CriticalAddonsOnly")]).toEqual([false, false]);
    }
  });

  test("no pod ends later than its pool reckons with", () => {
    const grace = (r: ResourceRecord) =>
      (r.inputs["spec"] as { template: { spec: { terminationGracePeriodSeconds?: number } } }).template.spec
        .terminationGracePeriodSeconds ?? 30;
    const general = of(environment).filter((r) => r.type === type.deployment);
    const kafka = of(environment).filter((r) => r.type === type.statefulSet);
    expect(Math.max(...general.map(grace))).toBe(60);
    expect(Math.max(...kafka.map(grace))).toBe(360);
    // stacks/node-pools.ts; a pool whose grace period were shorter than twice that is refused by the component.
  });

  test("the demo producer uses the client profile, with a certificate of its own", () => {
    const config = find(of(environment), "kubernetes:core/v1:ConfigMap", "kafka-demo-producer");
    const text = (config.inputs["data"] as Record<string, string>)["java.properties"]!;
    for (const line of [
      "request.timeout.ms=15000",
      "delivery.timeout.ms=180000",
      "metadata.max.age.ms=15000",
      "enable.idempotence=true",
      "acks=all",
      "security.protocol=SSL",
      "ssl.keystore.location=/etc/moorings/certificate/tls-combined.pem",
    ])
      expect(text.split("\n")).toContain(line);
    // kafka-verifiable-producer.sh sets retries=0 unless the file says otherwise, and idempotence needs some.
    expect(text).toMatch(/^retries=[1-9]\d*$/m);
    const pod = JSON.stringify(find(of(environment), type.deployment, "kafka-demo-producer").inputs);
    expect(pod).toContain("kafka-client-producer");
    expect(pod).toContain("net.ipv4.tcp_keepalive_time");
  });

  test("no secret of the configuration is written in clear", () => {
    expect(stackConfig(environment)["moorings:alerts"]).toContain("platform-team@example.com");
    const subscription = find(
      of(environment),
      "aws:sns/topicSubscription:TopicSubscription",
      "alerts-page-platform-team",
    );
    expect(subscription.inputs["endpoint"]).toMatchObject({
      "4dabf18193072939515e22adb298388d": expect.any(String) as string,
    });
  });
});

describe("what makes the environments different", () => {
  const nat = (environment: string) => find(of(environment), type.vpc, "network").inputs["natGateways"];
  const zones = (environment: string) => find(of(environment), type.vpc, "network").inputs["availabilityZoneNames"];
  const eks = (environment: string) => find(of(environment), type.cluster, "cluster-cluster").inputs;
  const protectedOnes = (environment: string) =>
    of(environment)
      .filter((r) => r.protect)
      .map((r) => `${r.type.split(":").at(-1)!} ${r.name}`)
      .sort();
  const brokers = (environment: string) =>
    find(of(environment), type.statefulSet, "kafka-broker").inputs["spec"] as Record<string, unknown>;
  const pool = (environment: string, name: string) =>
    JSON.stringify(find(of(environment), type.nodePool, `${name}-nodes-pool`).inputs["spec"]);

  test("zones and gateways", () => {
    expect(zones("dev")).toEqual(["eu-west-1a", "eu-west-1b"]);
    expect(nat("dev")).toEqual({ strategy: "Single" });
    for (const environment of ["staging", "prod"]) {
      expect(zones(environment)).toEqual(["eu-west-1a", "eu-west-1b", "eu-west-1c"]);
      expect(nat(environment)).toEqual({ strategy: "OnePerAz" });
    }
  });

  test("who reaches the Kubernetes API", () => {
    for (const environment of ["dev", "staging"])
      expect(eks(environment)).toMatchObject({
        endpointPrivateAccess: true,
        endpointPublicAccess: true,
        publicAccessCidrs: ["203.0.113.0/24"],
      });
    expect(eks("prod")).toMatchObject({ endpointPrivateAccess: true, endpointPublicAccess: false });
    expect(eks("prod")).not.toHaveProperty("publicAccessCidrs");
    const rule = find(of("prod"), type.ingressRule, "cluster-api-10.60.0.0-16");
    expect(rule.inputs).toMatchObject({ cidrIpv4: "10.60.0.0/16", fromPort: 443, toPort: 443 });
    for (const environment of ["dev", "staging"])
      expect(of(environment).filter((r) => r.name.startsWith("cluster-api-"))).toEqual([]);
  });

  test("protection, of what is hard to bring back and not of what changes every day", () => {
    expect(protectedOnes("dev")).toEqual([]);
    expect(protectedOnes("staging")).toEqual([]);
    expect(protectedOnes("prod")).toEqual([
      "Bucket edge-access-logs",
      "Bucket tampering-trail",
      "EC2NodeClass general-nodes-class",
      "EC2NodeClass kafka-nodes-class",
      "Key alerts-key",
      "Key cluster-key",
      "LoadBalancer edge-alb",
      "LogGroup cluster-logs",
      "LogGroup cluster-metrics-logs",
      "LogGroup network-flow",
      "Namespace kafka",
      "Namespace kafka-demo",
      "Namespace web",
      "NodePool general-nodes-pool",
      "NodePool kafka-nodes-pool",
      "Release karpenter-crds",
      "Release karpenter-release",
      "Release lbc-release",
      "StatefulSet kafka-broker",
      "StatefulSet kafka-controller",
      "TargetGroup web-tg",
      "Topic alerts-loadBalancer-page",
      "Topic alerts-page",
      "Topic alerts-ticket",
      "kubernetes cluster",
    ]);
    for (const environment of environments) {
      const protects = environment === "prod";
      expect(eks(environment)["deletionProtection"]).toBe(protects);
      expect(find(of(environment), type.loadBalancer).inputs["enableDeletionProtection"]).toBe(protects);
      for (const bucket of ["edge-access-logs", "tampering-trail"])
        expect(find(of(environment), "aws:s3/bucket:Bucket", bucket).inputs["forceDestroy"]).toBe(!protects);
    }
  });

  // Only the real engine shows these (eks-component.md lists what the components make); the rule for them is asked directly.
  test.each([
    ["aws:ec2/vpc:Vpc", true],
    ["aws:ec2/subnet:Subnet", true],
    ["aws:ec2/eip:Eip", true],
    ["aws:eks/cluster:Cluster", true],
    ["kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition", true],
    ["aws:eks/accessEntry:AccessEntry", false],
    ["aws:ec2/routeTable:RouteTable", false],
  ])("inside remote components %s is protected: %p", (child, protects) => {
    const asked = { type: child, name: "x", custom: true, props: { a: 1 }, opts: { ignoreChanges: ["a"] } };
    expect(protectInside(asked)).toEqual(
      protects ? { props: { a: 1 }, opts: { ignoreChanges: ["a"], protect: true } } : undefined,
    );
  });

  test("Kafka's volumes", () => {
    const retention = (environment: string) => brokers(environment)["persistentVolumeClaimRetentionPolicy"];
    expect(retention("prod")).toEqual({ whenDeleted: "Retain", whenScaled: "Retain" });
    for (const environment of ["dev", "staging"])
      expect(retention(environment)).toEqual({ whenDeleted: "Delete", whenScaled: "Retain" });
    const reclaim = (environment: string) =>
      find(of(environment), "kubernetes:storage.k8s.io/v1:StorageClass", "kafka-storage").inputs["reclaimPolicy"];
    expect([reclaim("dev"), reclaim("staging"), reclaim("prod")]).toEqual(["Delete", "Delete", "Retain"]);
  });

  test("node pools: spot in dev, frozen days in staging and prod, never spot under Kafka", () => {
    expect(pool("dev", "general")).toContain('"values":["spot","on-demand"]');
    for (const environment of ["staging", "prod"]) expect(pool(environment, "general")).not.toContain("spot");
    for (const environment of environments) {
      expect(pool(environment, "kafka")).not.toContain("spot");
      expect(pool(environment, "kafka")).toContain('"consolidationPolicy":"WhenEmpty"');
    }
    expect(pool("staging", "general")).toContain('{"duration":"12h","nodes":"0","schedule":"0 8 * * mon-fri"}');
    expect(pool("prod", "general")).toContain('{"duration":"14h","nodes":"0","schedule":"0 7 * * mon-fri"}');
    expect(pool("dev", "general")).not.toContain("schedule");
  });

  test("spread over as many zones as there are", () => {
    for (const [environment, minDomains] of [
      ["dev", 2],
      ["staging", 3],
      ["prod", 3],
    ] as const)
      expect(JSON.stringify(brokers(environment))).toContain(`"minDomains":${minDomains}`);
  });
});

test("a preview says which values are still examples", () => {
  const said = recordings["dev"]!.diagnostics.map((d) => d.message).join("\n");
  expect(said).toContain("an update stops until you write yours");
  for (const key of [
    "aws:allowedAccountIds[0]",
    "moorings:alerts.pageEndpoints.platform-team.address",
    "moorings:alerts.ticketEndpoints.platform-team.address",
    "moorings:cluster.admins.deployer",
    "moorings:cluster.apiAccessCidrs[0]",
    "moorings:edge.certificateArn",
    "moorings:edge.visitors.office",
    "moorings:edge.web.hosts[0]",
    "moorings:kafka.clusterId",
  ])
    expect(said).toContain(`- ${key}`);
});
