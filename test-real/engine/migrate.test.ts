import { join } from "node:path";
import type { JsonObject } from "../../cli/engine/values";
import { type Cloud, Living } from "./cloud/cloud";
import { done } from "./edits/effects";
import { useProgram } from "./edits/project-code";
import { Session } from "./session";

/*
 * examples/migrate-hand-registered-targets, step by step, with the commands of docs/migrate-hand-registered-targets.md: nothing is
 * registered, deregistered or replaced by Pulumi while visitors use it, and each way back is a way back.
 */

const stack = ["--stack", "shop"];
const targetGroup = "aws:lb/targetGroup:TargetGroup";
const attachment = "aws:lb/targetGroupAttachment:TargetGroupAttachment";
const nginx = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/nginx/0a1b2c3d4e5f6001";
const record = "aws:route53/record:Record";
const visitors = "Z0A1B2C3D4E5F6_shop.example.com_A";
const oldShop = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop-old/0a1b2c3d4e5f6004";

/** What is there already, as somebody else made it. */
function given(cloud: Cloud, type: string, id: string, inputs: JsonObject, outputs: JsonObject = {}): Living {
  const thing = new Living(`urn:pulumi:platform::platform::${type}::given`, type, id, inputs, {
    ...inputs,
    ...outputs,
  });
  cloud.add(thing);
  return thing;
}

function platform(cloud: Cloud): void {
  given(cloud, "aws:eks/cluster:Cluster", "shop", { name: "shop" });
  given(cloud, "aws:eks/nodeGroup:NodeGroup", "shop:nodes", { clusterName: "shop" });
  given(cloud, "kubernetes:helm.sh/v3:Release", "lbc", { name: "lbc", chart: "aws-load-balancer-controller" });
  const definition = "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition";
  given(cloud, definition, "bindings", { metadata: { name: "targetgroupbindings.elbv2.k8s.aws" } });
  given(cloud, "kubernetes:core/v1:Namespace", "shop", { metadata: { name: "shop" } });
}

const ofGroup = { targetType: "ip", vpcId: "vpc-0a1b2c3d4e5f60000" };

async function open(entry: string): Promise<Session> {
  const session = await Session.open();
  useProgram(session.project, entry);
  platform(session.cloud);
  await session.succeed("stack", "init", "shop");
  return session;
}

function set(session: Session, step: string, share?: number): void {
  session.change(
    "shop",
    new Map<readonly string[], unknown>([
      [["moorings:step"], step],
      [["moorings:share"], share],
    ]),
  );
}

/** Brings the program to a step, and says what that did in the cloud. */
async function go(session: Session, step: string, share?: number): Promise<string[]> {
  set(session, step, share);
  session.cloud.takeOperations();
  await session.succeed("up", "--yes", "--skip-preview", ...stack);
  return done(session.cloud.takeOperations());
}

const importIt = (session: Session, type: string, name: string, id: string) =>
  session.succeed("import", type, name, id, "--yes", "--generate-code=false", ...stack);

const urnOf = (session: Session, type: string, name: string) =>
  session.state("shop").resources.find((r) => r.type === type && r.urn.endsWith(`::${name}`))?.urn ?? "";

describe("a target group behind a Network Load Balancer", () => {
  let session: Session;
  let listener: Living;
  beforeAll(async () => {
    session = await open("examples/migrate-hand-registered-targets/index.ts");
    const group = { name: "nginx", port: 8080, protocol: "TCP", ...ofGroup };
    given(session.cloud, targetGroup, nginx, group, { arn: nginx, arnSuffix: "targetgroup/nginx/0a1b2c3d4e5f6001" });
    listener = given(session.cloud, "aws:lb/listener:Listener", "old-listener", {
      port: 443,
      defaultActions: [{ type: "forward", targetGroupArn: nginx }],
    });
    const alias = { name: "old-edge-0a1b2c3d4e5f6000.elb.eu-west-1.amazonaws.com", zoneId: "Z2IFOLAFXWLO4F" };
    given(session.cloud, record, visitors, {
      ...{ zoneId: "Z0A1B2C3D4E5F6", name: "shop.example.com", type: "A" },
      aliases: [{ ...alias, evaluateTargetHealth: true }],
    });
  }, 120_000);
  afterAll(() => session.close());

  test("start: the visitors' record is imported, and what holds the registrations is left as it is", async () => {
    await importIt(session, record, "visitors-old", visitors);
    expect(await go(session, "start")).toEqual([
      "create TargetGroupAttachment nginx-a", // somebody's, from long ago
      "create TargetGroupAttachment nginx-b",
      "create TargetGroupAttachment nginx-c",
    ]);
  });

  test("import: the group comes into the state as it is; then one tag is all that changes", async () => {
    session.cloud.takeOperations();
    await importIt(session, targetGroup, "nginx", nginx);
    expect(session.cloud.takeOperations()).toEqual([]);
    expect(await go(session, "import")).toEqual(["update TargetGroup nginx"]);
    expect(session.cloud.find(targetGroup, nginx)?.inputs["tags"]).toEqual({ "moorings-target-registration": "shop" });
  });

  test("import: the way back touches nothing", async () => {
    const urn = urnOf(session, targetGroup, "nginx");
    await session.succeed("state", "unprotect", urn, "--yes", ...stack);
    await session.succeed("state", "delete", urn, "--yes", ...stack);
    expect(await go(session, "start")).toEqual([]);
    expect(session.cloud.find(targetGroup, nginx)).toBeDefined();

    await importIt(session, targetGroup, "nginx", nginx);
    expect(await go(session, "import")).toEqual([]);
  });

  test("bind: the binding and the alarms of a Network Load Balancer come", async () => {
    expect(await go(session, "bind")).toEqual([
      "create MetricAlarm nginx-health-all-targets-unhealthy",
      "create MetricAlarm nginx-health-below-declared-minimum",
      "create MetricAlarm nginx-health-host-decay-24h",
      "create MetricAlarm nginx-health-low-healthy-hosts",
      "create MetricAlarm nginx-health-no-healthy-hosts",
      "create MetricAlarm nginx-health-stale-targets",
      "create TargetGroupBinding nginx-pods-binding",
    ]);
  });

  test("forget: taken out of the program only, the pods would be deregistered", async () => {
    set(session, "forget");
    const { output, code } = await session.pulumi("preview", "--expect-no-changes", ...stack);
    expect(code).not.toBe(0);
    expect(output.match(/-\s+aws:lb:TargetGroupAttachment nginx-[abc] delete/g)).toHaveLength(3);
  });

  test("forget: taken out of the state first, nobody is deregistered, and the exported state is the way back", async () => {
    const file = join(session.project, "before-forget.json");
    await session.succeed("stack", "export", "--file", file, ...stack);
    const forget = async () => {
      for (const name of ["nginx-a", "nginx-b", "nginx-c"])
        await session.succeed("state", "delete", urnOf(session, attachment, name), "--yes", ...stack);
      return go(session, "forget");
    };
    expect(await forget()).toEqual([]);
    expect(session.cloud.ofType(attachment)).toHaveLength(3);

    await session.succeed("stack", "import", "--file", file, ...stack);
    expect(await go(session, "bind")).toEqual([]);
    expect(await forget()).toEqual([]);
    await session.succeed("preview", "--expect-no-changes", ...stack);
  });

  test("beside: the pods themselves behind the new load balancer, with no visitor yet", async () => {
    expect(await go(session, "beside")).toEqual([
      "create ListenerRule shop-rule",
      "create MetricAlarm shop-health-all-targets-unhealthy",
      "create MetricAlarm shop-health-below-declared-minimum",
      "create MetricAlarm shop-health-host-decay-24h",
      "create MetricAlarm shop-health-low-healthy-hosts",
      "create MetricAlarm shop-health-no-healthy-hosts",
      "create MetricAlarm shop-health-stale-targets",
      "create Record visitors-new",
      "create Service shop-service",
      "create TargetGroup shop-tg",
      "create TargetGroupBinding shop-pods-binding",
      "update Record visitors-old", // it gets its weight, before the other one comes
    ]);
    expect(weights()).toEqual({ old: 100, new: 0 });
  });

  test("share: only weights move, there and back", async () => {
    const both = ["update Record visitors-new", "update Record visitors-old"];
    expect(await go(session, "share", 10)).toEqual(both);
    expect(weights()).toEqual({ old: 90, new: 10 });
    expect(await go(session, "share", 0)).toEqual(both);
    expect(weights()).toEqual({ old: 100, new: 0 });
    expect(await go(session, "share", 100)).toEqual(both);
  });

  test("retire: neither while the group is protected, nor while the old load balancer uses it", async () => {
    set(session, "retire");
    const { output, code } = await session.pulumi("preview", ...stack);
    expect(code).not.toBe(0);
    expect(output).toMatch(/::nginx" cannot be deleted\s+because it is protected/);

    await session.succeed("state", "unprotect", urnOf(session, targetGroup, "nginx"), "--yes", ...stack);
    const inUse = await session.pulumi("up", "--yes", "--skip-preview", ...stack);
    expect(inUse.code).not.toBe(0);
    expect(inUse.output).toContain("is used by aws:lb/listener:Listener old-listener");
    expect(weights()["new"]).toBe(100);
  });

  test("retire: with the old load balancer gone, the rest goes", async () => {
    session.cloud.remove(listener);
    expect(await go(session, "retire")).toContain("remove TargetGroup nginx");
    expect(session.cloud.ofType(targetGroup).map(({ urn }) => urn)).toEqual([urnOf(session, targetGroup, "shop-tg")]);
    expect(weights()).toEqual({ new: 100 });
    await session.succeed("preview", "--expect-no-changes", ...stack);
  });

  function weights(): Record<string, unknown> {
    return Object.fromEntries(
      session.cloud.ofType(record).map(({ inputs }) => {
        const [policy] = inputs["weightedRoutingPolicies"] as { weight: number }[];
        return [inputs["setIdentifier"] as string, policy?.weight];
      }),
    );
  }
});

describe("a target group behind an Application Load Balancer", () => {
  let session: Session;
  beforeAll(async () => {
    session = await open("examples/migrate-hand-registered-targets/adopt.ts");
    const group = {
      ...ofGroup,
      ...{ name: "shop-old", port: 3000, protocol: "HTTP", protocolVersion: "HTTP1", ipAddressType: "ipv4" },
      deregistrationDelay: 300,
      healthCheck: { enabled: true, path: "/healthz", interval: 30, healthyThreshold: 5 },
    };
    given(session.cloud, targetGroup, oldShop, group, {
      arn: oldShop,
      arnSuffix: "targetgroup/shop-old/0a1b2c3d4e5f6004",
    });
    await importIt(session, targetGroup, "old-shop", oldShop);
  }, 120_000);
  afterAll(() => session.close());

  test("imported: no change", async () => {
    expect(await go(session, "start")).toEqual([]);
  });

  test("the service takes it for its own: changed, not replaced", async () => {
    const changes = await go(session, "adopt");
    expect(changes).toContain("update TargetGroup shop-tg");
    expect(changes.filter((change) => /^(replace|recreate|remove)/.test(change))).toEqual([]);
    expect(session.cloud.ofType(targetGroup).map(({ id }) => id)).toEqual([oldShop]);
    const [binding] = session.cloud.ofType("kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding");
    expect(binding?.inputs["spec"]).toMatchObject({ targetGroupARN: oldShop });
    await session.succeed("preview", "--expect-no-changes", ...stack);
  });

  test("and gives it back", async () => {
    const changes = await go(session, "start");
    expect(changes).toContain("update TargetGroup old-shop");
    expect(changes).toContain("remove TargetGroupBinding shop-pods-binding");
    expect(session.cloud.ofType(targetGroup).map(({ id }) => id)).toEqual([oldShop]);
    await session.succeed("preview", "--expect-no-changes", ...stack);
  });
});
