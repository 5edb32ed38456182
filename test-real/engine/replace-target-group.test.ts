import type { Cloud, Living } from "./cloud/cloud";
import { targetGroupsOf } from "./cloud/listener-rules";
import { done } from "./edits/effects";
import { useProgram } from "./edits/project-code";
import { givenPlatform } from "./given-platform";
import { Session } from "./session";

/*
 * examples/replace-target-group, step by step (docs/replace-target-group.md): whichever rule takes the requests, at each moment the group that
 * gets them has a binding, and pods never wait for a binding that isn't there.
 */

const stack = ["--stack", "shop"];
let session: Session;
const problems: string[] = [];

beforeAll(async () => {
  session = await Session.open();
  useProgram(session.project, "examples/replace-target-group/index.ts");
  givenPlatform(session.cloud);
  await session.succeed("stack", "init", "shop");
  await go("start");
  session.cloud.takeOperations();
  session.cloud.hold = () => void problems.push(...problemsNow(session.cloud));
}, 120_000);
afterAll(() => session.close());

async function go(step: string, share?: number): Promise<string[]> {
  session.change(
    "shop",
    new Map<readonly string[], unknown>([
      [["moorings:step"], step],
      [["moorings:share"], share],
    ]),
  );
  await session.succeed("up", "--yes", "--skip-preview", ...stack);
  return done(session.cloud.takeOperations());
}

/** Groups that the requests go to. */
function served({ inputs }: Living): string[] {
  return targetGroupsOf(inputs)
    .filter(({ weight = 1 }) => weight > 0)
    .map(({ arn }) => arn);
}

function problemsNow(cloud: Cloud): string[] {
  // They all have the same conditions: the lowest number takes the requests.
  const rules = cloud.ofType("aws:lb/listenerRule:ListenerRule");
  const [first] = rules.sort((a, b) => Number(a.inputs["priority"]) - Number(b.inputs["priority"]));
  const bindings = cloud.ofType("kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding").map(({ inputs }) => ({
    name: (inputs["metadata"] as { name: string }).name,
    group: (inputs["spec"] as { targetGroupARN: string }).targetGroupARN,
  }));
  const groups = cloud.ofType("aws:lb/targetGroup:TargetGroup").map(({ id }) => id);
  const gates = cloud.ofType("kubernetes:apps/v1:Deployment").flatMap(({ inputs }) => gatesOf(inputs));
  return [
    ...(first === undefined ? ["no rule takes the requests"] : served(first))
      .filter((group) => !groups.includes(group) || !bindings.some((binding) => binding.group === group))
      .map((group) => `requests go to ${group}, which has no targets`),
    ...gates
      .filter((gate) => !bindings.some(({ name }) => gate === `target-health.elbv2.k8s.aws/${name}`))
      .map((gate) => `pods wait for ${gate}, which nobody sets`),
  ];
}

function gatesOf(deployment: Living["sent"]): string[] {
  const { template } = deployment["spec"] as unknown as {
    template: { spec: { readinessGates: { conditionType: string }[] } };
  };
  return template.spec.readinessGates.map(({ conditionType }) => conditionType);
}

const ofNew = [
  "create ListenerRule basket-rule",
  "create MetricAlarm basket-health-all-targets-unhealthy",
  "create MetricAlarm basket-health-below-declared-minimum",
  "create MetricAlarm basket-health-host-decay-24h",
  "create MetricAlarm basket-health-low-healthy-hosts",
  "create MetricAlarm basket-health-no-healthy-hosts",
  "create MetricAlarm basket-health-stale-targets",
  "create Service basket-service",
  "create TargetGroup basket-tg",
  "create TargetGroupBinding basket-pods-binding",
];
const ofOld = ofNew.map((line) => line.replace("create", "remove").replace("basket", "cart"));

test("beside: the new group gets the same pods, which wait for both", async () => {
  expect(await go("beside")).toEqual([...ofNew, "update Deployment cart-app-deployment"]);
});

test("share: one rule divides the requests, and its shares change in place", async () => {
  expect(await go("share", 10)).toEqual(["create ListenerRule cart-move"]);
  expect(await go("share", 50)).toEqual(["update ListenerRule cart-move"]);
});

test("the old group can't go yet", async () => {
  session.change("shop", new Map([[["moorings:step"], "remove"]]));
  const { code, output } = await session.pulumi("preview", ...stack);
  expect(output).toMatch(/resource "[^"]+::cart-tg" cannot be deleted\s+because it is protected/);
  expect(code).not.toBe(0);
});

test("move: the rule names the new group only", async () => {
  expect(await go("move")).toEqual(["update ListenerRule cart-move"]);
});

test("remove: the old service goes, after the pods have stopped waiting for it", async () => {
  expect(await go("remove")).toEqual([...ofOld, "update Deployment cart-app-deployment"].sort());
});

test("done: the new service's own rule takes over", async () => {
  expect(await go("done")).toEqual(["remove ListenerRule cart-move"]);
  await session.succeed("preview", "--expect-no-changes", ...stack);
});

test("at no moment did requests or pods depend on a group without targets", () => {
  expect([...problems, ...problemsNow(session.cloud)]).toEqual([]);
});

test("all at once they would have; without a preview the protection of the group comes too late", async () => {
  await go("move");
  problems.splice(0);
  session.change("shop", new Map([[["moorings:step"], "start"]]));
  const { code } = await session.pulumi("up", "--yes", "--skip-preview", ...stack);
  expect(code).not.toBe(0);
  expect(problems).toContainEqual(
    expect.stringMatching(/^requests go to .*:targetgroup\/basket-tg-.*, which has no targets$/),
  );
});
