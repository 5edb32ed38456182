import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { LoadBalancerType, MissingData, type TargetHealthAlarmsArgs } from "../../../../components/alarms";
import type { Registration } from "../../../support/harness";
import { alarm, blueGreen, make, readyPods, thrown, zonal } from "./setup";

const lines = async (change: Partial<TargetHealthAlarmsArgs>, suffix: string) => {
  const { resources, errors } = await make({ readyPods, ...change });
  expect(errors).toEqual([]);
  return (alarm(resources, `shop-${suffix}`)["alarmDescription"] as string).split("\n");
};
const group = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop/73e2d6bc24d8a067";
const health = (query: string) =>
  `aws elbv2 describe-target-health --region eu-west-1 --query "TargetHealthDescriptions${query}" --target-group-arn`;
const unhealthy = health("[?TargetHealth.State!='healthy']");

/** The descriptions of all alarms. */
const texts = (resources: readonly Registration[]) =>
  resources.flatMap(({ inputs: { alarmDescription } }) =>
    typeof alarmDescription === "string" ? [alarmDescription] : [],
  );

test("a description says what happened, what failed, what visitors see, whose it is, what to type and where to read on", async () => {
  const text = await lines(
    {
      owner: "platform team, #platform-oncall",
      runbookUrl: "https://wiki.example/{alarm}.html",
      dashboardUrl: "https://dash.example/shop",
    },
    "stale-targets",
  );
  expect(text).toEqual([
    "A target has been unhealthy for 1 h: its pod or node is gone and still registered, or the pod hangs.",
    "Failed: registration of targets (AWS Load Balancer Controller, or by hand).",
    "Visitors see: nothing yet, perhaps slow answers.",
    "Owner: platform team, #platform-oncall",
    `First: ${unhealthy} ${group}`,
    "Runbook: https://wiki.example/stale-targets.html",
    "Dashboard: https://dash.example/shop",
  ]);
});

test.each([
  ["low-healthy-hosts", "Fewer than 2 healthy targets, or nothing reported, for 2 of 3 minutes"],
  ["no-healthy-hosts", "No healthy target, or no target registered at all, for 5 of 5 minutes"],
  ["all-targets-unhealthy", "Targets are registered and none is healthy, for 2 of 3 minutes"],
  ["stale-targets", "A target has been unhealthy for 1 h"],
  ["below-declared-minimum", "Fewer than 3 healthy targets, the declared minimum, or nothing reported, for 30 min."],
  ["host-decay-24h", "Healthy targets fell within 24 h and did not come back"],
  ["ready-not-registered", "At least 1 of the ready pods is no healthy target, for 15 of 20 minutes"],
])("%s begins with what happened", async (suffix, beginning) => {
  expect((await lines({}, suffix))[0]).toContain(beginning);
});

test("an override changes the words", async () => {
  const overrides = {
    lowHealthyHosts: { threshold: 1, missingData: MissingData.NotBreaching },
    noHealthyHosts: { threshold: 2 },
    staleTargets: { threshold: 2, datapointsToAlarm: 9 },
    belowDeclaredMinimum: { threshold: 2 },
  };
  expect((await lines({ overrides }, "low-healthy-hosts"))[0]).toContain("Fewer than 1 healthy target, for 2 of 3");
  expect((await lines({ overrides }, "no-healthy-hosts"))[0]).toContain("Fewer than 2 healthy targets, or no target");
  expect((await lines({ overrides }, "stale-targets"))[0]).toContain(
    "2 targets have been unhealthy for 9 of 12 times 5 min",
  );
  expect((await lines({ overrides }, "below-declared-minimum"))[0]).not.toContain("the declared minimum");
});

test("behind a Network Load Balancer a visitor meets a connect timeout, at the CDN in front too", async () => {
  const network = {
    loadBalancerType: LoadBalancerType.Network,
    loadBalancerArnSuffix: "net/edge/50dc6c495c0c9188",
    crossZone: true,
  };
  expect(await lines(network, "no-healthy-hosts")).toContain(
    "Visitors see: connect timeouts or resets; at a CDN in front its connect timeout to the origin (504, 522).",
  );
  expect((await lines({}, "all-targets-unhealthy"))[2]).toMatch(/^Visitors see: HTTP 503/);
});

test("where targets may be missing, the first command lists all of them", async () => {
  for (const suffix of ["low-healthy-hosts", "no-healthy-hosts", "below-declared-minimum", "ready-not-registered"])
    expect(await lines({}, suffix)).toContain(`First: ${health("[].[Target.Id,TargetHealth]")} ${group}`);
});

test("of several groups the first command lists the load balancer's", async () => {
  const first = (await lines(blueGreen, "stale-targets")).find((line) => line.startsWith("First: "));
  expect(first).toBe(
    'First: aws elbv2 describe-target-groups --region eu-west-1 --query "TargetGroups[].TargetGroupArn" --output text --load-balancer-arn ' +
      `arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/edge/50dc6c495c0c9188 | xargs -n1 ${unhealthy}`,
  );
});

test("the runbook is one address, one for each alarm, or this library's page", async () => {
  expect(await lines({ runbookUrl: "https://wiki.example/targets" }, "host-decay-24h")).toContain(
    "Runbook: https://wiki.example/targets",
  );
  expect(await lines({}, "host-decay-24h")).toContain(
    "Runbook: https://github.com/moorings/moorings/blob/main/docs/runbooks/host-decay-24h.md",
  );
});

test("a level has the page of its alarm", async () => {
  const overrides = { staleTargets: { levels: { late: {} } } };
  expect((await lines({ overrides }, "stale-targets-late")).join("\n")).toContain("runbooks/stale-targets.md");
});

// PutMetricAlarm: 1024 characters.
test("what makes a description too long is refused", async () => {
  expect(await thrown({ runbookUrl: `https://wiki.example/${"x".repeat(900)}` })).toContain("CloudWatch takes 1024");
  const late = Promise.resolve(`https://wiki.example/${"x".repeat(900)}`);
  expect(await thrown({ runbookUrl: late })).toMatch(/runbookUrl makes, .* CloudWatch takes 1024/);
});

test.each(["owner", "runbookUrl", "dashboardUrl"])(
  "an umlaut in %s is refused there, known now or later",
  async (argument) => {
    const text = "https://wiki.example/Büro";
    const now = await thrown({ [argument]: text });
    expect(now.match(/\n {2}- /g)).toHaveLength(1);
    expect(now).toContain(`- ${argument}: must be ASCII`);
    expect(await thrown({ [argument]: Promise.resolve(text) })).toContain(`${argument} must be ASCII`);
  },
);

test("it is refused before the load balancer has its name, and so before anything is made", async () => {
  // STALE's text has 483 characters beside the address with the group of this test, and 28 more with the longest name of a group.
  const runbookUrl = `https://wiki.example/${"x".repeat(500)}`;
  const overrides = Object.fromEntries(
    ["lowHealthyHosts", "noHealthyHosts", "allTargetsUnhealthy", "belowDeclaredMinimum", "hostDecay24h"].map((key) => [
      key,
      { enabled: false },
    ]),
  );
  const known = { runbookUrl, overrides };
  const late = { ...known, targetGroupArnSuffix: Promise.resolve("targetgroup/shop/73e2d6bc24d8a067") };
  expect(await thrown(known)).toBe("");
  expect(await thrown(late)).toContain("can't be made from these arguments:");
});

test("the longest description of the set's own leaves room for links", async () => {
  const { resources, errors } = await make({
    ...blueGreen,
    ...zonal,
    availabilityZones: ["eu-west-1a", "eu-west-1b"],
    minReplicas: 2,
    loadBalancerType: LoadBalancerType.Network,
    loadBalancerArnSuffix: `net/${"x".repeat(32)}/50dc6c495c0c9188`,
    readyPods,
    owner: "platform team, #platform-oncall",
    dashboardUrl:
      "https://eu-west-1.console.aws.amazon.com/cloudwatch/home?region=eu-west-1#dashboards/dashboard/moorings-prod-shop",
  });
  expect(errors).toEqual([]);
  const longest = Math.max(...texts(resources).map((text) => text.length));
  expect(longest).toBeGreaterThan(700);
  expect(longest).toBeLessThanOrEqual(1024);
});

test("each page that is linked exists", async () => {
  const { resources } = await make({ readyPods, combinePages: true });
  const pages = texts(resources).flatMap((text) =>
    [...text.matchAll(/\/main\/(docs\/runbooks\/.*)/g)].map(([, page]) => page!),
  );
  expect(new Set(pages).size).toBe(9);
  expect(pages.filter((page) => !existsSync(resolve(__dirname, "../../../..", page)))).toEqual([]);
});
