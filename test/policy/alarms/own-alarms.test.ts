import * as aws from "@pulumi/aws";
import { TargetHealthAlarms, type TargetHealthAlarmsArgs } from "../../../components/alarms";
import { ipTargetGroupHasAlarms } from "../../../policy/rules/alarms/ip-target-group-has-alarms";
import { outageAlarmsAreNeverMuted } from "../../../policy/rules/alarms/outage-alarms-are-never-muted";
import { run } from "../../support/harness";
import { checkStack, type Given } from "../../support/policy";
import { ok, refused } from "../../support/verdicts";

const routes = {
  pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
  ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
};
const plannedWork = { patching: { schedule: "cron(0 2 * * SUN)", durationMinutes: 60 } };

/** A stack before its first update: two groups with a rule each, and the component's alarms on the first, or on both. */
async function stack(change: Partial<TargetHealthAlarmsArgs>, groups: string[] = ["blue"]): Promise<Given[]> {
  const { resources, errors } = await run(
    () => {
      const loadBalancer = new aws.lb.LoadBalancer("lb");
      const made = groups.map((name) => {
        const group = new aws.lb.TargetGroup(name, { targetType: "ip" });
        new aws.lb.ListenerRule(`${name}-rule`, {
          listenerArn: "arn:aws:elasticloadbalancing:eu-west-1:123456789012:listener/app/lb/1/2",
          actions: [{ type: "forward", targetGroupArn: group.arn }],
          conditions: [],
        });
        return [name, group.arnSuffix] as const;
      });
      new TargetHealthAlarms("shop", {
        routes,
        loadBalancerArnSuffix: loadBalancer.arnSuffix,
        targetGroupArnSuffix: made[0]![1],
        minReplicas: 3,
        ...change,
        ...(change.targetGroupArnSuffixes === undefined
          ? {}
          : { targetGroupArnSuffix: undefined, targetGroupArnSuffixes: Object.fromEntries(made) }),
      });
    },
    { preview: true },
  );
  expect(errors).toEqual([]);
  const nameOf = new Map(resources.map((r) => [r.urn, r.name]));
  return resources
    .filter((r) => r.custom)
    .map((r) => ({
      type: r.type,
      name: r.name,
      props: r.inputs,
      propertyDependencies: Object.fromEntries(
        Object.entries(r.propertyDependencies).map(([property, urns]) => [
          property,
          urns.flatMap((urn) => nameOf.get(urn) ?? []),
        ]),
      ),
    }));
}

// The rules judge what TargetHealthAlarms makes, in a preview that knows no ARN.
test.each<[string, Partial<TargetHealthAlarmsArgs>, string[]]>([
  ["as it is", {}, ["blue"]],
  ["by zones", { crossZone: false, availabilityZones: ["eu-west-1a", "eu-west-1b"] }, ["blue"]],
  ["with pages together and planned work", { combinePages: true, plannedWork }, ["blue"]],
  ["of two groups", { targetGroupArnSuffixes: {}, plannedWork }, ["blue", "green"]],
  // Fewer than one is none, whichever alarm says it.
  [
    "of one replica, with pages together and planned work",
    {
      minReplicas: undefined,
      fixedReplicas: 1,
      overrides: { lowHealthyHosts: { threshold: 1 } },
      combinePages: true,
      plannedWork,
    },
    ["blue"],
  ],
  [
    "with a level of one",
    {
      overrides: { lowHealthyHosts: { levels: { warning: { threshold: 2 }, critical: { threshold: 1 } } } },
      plannedWork,
    },
    ["blue"],
  ],
])("the set %s passes both rules", async (_, change, groups) => {
  const given = await stack(change, groups);
  expect(checkStack(ipTargetGroupHasAlarms, given)).toEqual(ok);
  expect(checkStack(outageAlarmsAreNeverMuted, given)).toEqual(ok);
});

test("a second group that isn't in the set is seen", async () => {
  expect(checkStack(ipTargetGroupHasAlarms, await stack({}, ["blue", "green"]))).toEqual(refused(/"green"/, "green"));
});

test("a set without LOW, FLOOR and NODATA isn't enough", async () => {
  const off = { enabled: false };
  const overrides = { lowHealthyHosts: off, belowDeclaredMinimum: off, noHealthyHosts: off };
  expect(checkStack(ipTargetGroupHasAlarms, await stack({ overrides }))).toEqual(refused(/silence/, "blue"));
});
