import { AlarmSeverity, LoadBalancerType, TargetHealthAlarms } from "../../../components/alarms";
import {
  LoadBalancedService,
  TargetGroupProtocol,
  type LoadBalancedServiceArgs,
} from "../../../components/load-balancing";
import { find } from "../../support/graph";
import { arn, inputs, loadBalancer, messages, serviceArgs, types, withCluster } from "./setup";

const availabilityZones = ["eu-west-1a", "eu-west-1b"];
const make = (change: Partial<LoadBalancedServiceArgs>) =>
  withCluster((opts) => {
    const made = new LoadBalancedService("web", { ...serviceArgs, ...change }, opts);
    return { arns: made.alarmArns, names: made.alarmNames, group: made.targetGroup };
  });
const alarmsOf = async (change: Partial<LoadBalancedServiceArgs>) => {
  const { resources, errors } = await make(change);
  expect(errors).toEqual([]);
  return (alarm: string) => inputs(resources, types.alarm, `web-health-${alarm}`);
};

describe("LoadBalancedService's alarms", () => {
  test("know the floor, the owner, the links and the ready pods of the service", async () => {
    const alarm = await alarmsOf({
      minReplicas: 4,
      owner: "platform team",
      runbookUrl: "https://runbooks.example/{alarm}",
      dashboardUrl: "https://dash.example/web",
      readyPods: { namespace: "Moorings/shop", metricName: "ready_pods", dimensions: { Service: "web" } },
    });
    expect(alarm("below-declared-minimum")["threshold"]).toBe(4);
    const text = alarm("ready-not-registered")["alarmDescription"] as string;
    for (const part of [
      "Owner: platform team",
      "Runbook: https://runbooks.example/ready-not-registered",
      "Dashboard: https://dash.example/web",
    ])
      expect(text).toContain(part);
  });

  test("carry overrides, warm-up, planned work and pages together", async () => {
    const { resources, errors } = await make({
      alarms: { staleTargets: { severity: AlarmSeverity.Ticket } },
      alarmWarmUpMinutes: 45,
      strictAlarmWarmUp: false,
      combinePages: true,
      plannedWork: { patching: { schedule: "cron(0 2 * * SUN)", durationMinutes: 60 } },
    });
    expect(errors).toEqual([]);
    expect(inputs(resources, types.alarm, "web-health-stale-targets")["tags"]).toMatchObject({
      "alarm-severity": "ticket",
    });
    expect(inputs(resources, types.alarm, "web-health-low-healthy-hosts")["warmUpConfiguration"]).toEqual({
      warmUpPeriodDurationInMinutes: 45,
      onlyStartEvaluatingAfterWarmUpPeriodEnds: false,
    });
    find(resources, "aws:cloudwatch/compositeAlarm:CompositeAlarm", "web-health-no-service");
    find(resources, "aws:cloudwatch/alarmMuteRule:AlarmMuteRule", "web-health-patching");
  });

  test("are given out by key", async () => {
    const { outputs } = await make({ alarmNamePrefix: "prod" });
    expect(outputs?.names).toMatchObject({ noHealthyHosts: "prod-web-health-no-healthy-hosts" });
    expect(Object.keys(outputs?.arns ?? {})).toHaveLength(6);
  });

  test("add up the zones of a target group that keeps requests in their zone", async () => {
    const change = { crossZone: false, loadBalancer: { ...loadBalancer, availabilityZones } };
    const { resources, outputs } = await make(change);
    expect(inputs(resources, types.targetGroup)["loadBalancingCrossZoneEnabled"]).toBe("false");
    expect(inputs(resources, types.alarm, "web-health-stale-targets")["metricQueries"]).toMatchObject([
      { metric: { dimensions: { AvailabilityZone: "eu-west-1a" } } },
      { metric: { dimensions: { AvailabilityZone: "eu-west-1b" } } },
      { expression: "u1 + u2" },
    ]);
    expect(outputs?.group).toMatchObject({ crossZone: false });
    expect(messages((await make({ crossZone: false })).errors)).toContain("loadBalancer.availabilityZones: is missing");
  });

  test("leave the attribute to the load balancer, unless it is said", async () => {
    expect(inputs((await make({})).resources, types.targetGroup)).not.toHaveProperty("loadBalancingCrossZoneEnabled");
    const on = await make({ crossZone: true });
    expect(inputs(on.resources, types.targetGroup)["loadBalancingCrossZoneEnabled"]).toBe("true");
  });

  test("of a given group do what the group says, and else the load balancer", async () => {
    const group = { arn: arn("targetgroup/shop/73e2d6bc24d8a067"), arnSuffix: "targetgroup/shop/73e2d6bc24d8a067" };
    const given: Partial<LoadBalancedServiceArgs> = {
      loadBalancer: {
        type: LoadBalancerType.Network,
        arnSuffix: "net/shop/50dc6c495c0c9188",
        crossZone: false,
        availabilityZones,
      },
      targetGroup: group,
      targetGroupProtocol: TargetGroupProtocol.Tcp,
      healthCheckPath: undefined,
      hosts: undefined,
    };
    expect((await alarmsOf(given))("low-healthy-hosts")).toHaveProperty("metricQueries");
    const itself = await alarmsOf({ ...given, targetGroup: { ...group, crossZone: true } });
    expect(itself("low-healthy-hosts")).toMatchObject({ metricName: "HealthyHostCount" });
    expect(messages((await make({ ...given, crossZone: true })).errors)).toContain("crossZone: is a setting of");
  });

  test("may be made elsewhere, for an edge of several groups", async () => {
    const { resources, outputs, errors } = await make({ alarmsElsewhere: true, alarmRoutes: undefined });
    expect(errors).toEqual([]);
    expect(resources.filter((r) => r.type === types.alarm)).toEqual([]);
    expect(outputs?.arns).toEqual({});
    expect(outputs?.names).toEqual({});
  });

  test("are refused together with all the rest, in the service's words, and before anything is made", async () => {
    const { resources, errors } = await make({
      port: 80,
      crossZone: false,
      alarmNamePrefix: "pröd",
      alarmWarmUpMinutes: -1,
      alarms: { lowHealthyHosts: { threshold: 9, datapointsToAlarm: 7 } },
      plannedWork: { patching: { schedule: "Sundays", durationMinutes: 60 } },
    });
    expect(resources.filter((r) => r.custom && !r.type.startsWith("pulumi:"))).toEqual([]);
    const message = messages(errors);
    for (const part of [
      "port: is 80",
      "loadBalancer.availabilityZones: is missing",
      "name: makes the alarm name",
      "alarmWarmUpMinutes: must be a whole number of minutes",
      "alarms.lowHealthyHosts.threshold: must be a whole number from 1 to 3, not 9",
      "raise alarms.lowHealthyHosts.evaluationPeriods too",
      "plannedWork.patching.schedule: must be at(",
    ])
      expect(message).toContain(part);
  });

  test("of two services that serve in turns are one set", async () => {
    const { resources, errors } = await withCluster((opts) => {
      const { alarmRoutes, ...rest } = serviceArgs;
      const half = (name: string) => new LoadBalancedService(name, { ...rest, alarmsElsewhere: true }, opts);
      const [blue, green] = [half("blue"), half("green")];
      new TargetHealthAlarms("shop", {
        routes: alarmRoutes!,
        loadBalancerArnSuffix: loadBalancer.arnSuffix,
        targetGroupArnSuffixes: { blue: blue.targetGroupArnSuffix, green: green.targetGroupArnSuffix },
        minReplicas: blue.minReplicas,
      });
    });
    expect(errors).toEqual([]);
    expect(inputs(resources, types.alarm, "shop-no-healthy-hosts")["metricQueries"]).toMatchObject([
      { metric: { dimensions: { TargetGroup: "targetgroup/blue-tg/73e2d6bc24d8a067" } } },
      { metric: { dimensions: { TargetGroup: "targetgroup/green-tg/73e2d6bc24d8a067" } } },
      { expression: "FILL(h1, 0) + FILL(h2, 0)" },
    ]);
    expect(inputs(resources, types.alarm, "shop-below-declared-minimum")["threshold"]).toBe(3);
  });

  test("need topics, in the service's words", async () => {
    const alarmRoutes = { ...serviceArgs.alarmRoutes!, pageTopicArn: "page" };
    expect(messages((await make({ alarmRoutes })).errors)).toContain("alarmRoutes.pageTopicArn: must be the ARN of");
  });

  test("need routes if they are made here, and none of their settings has an effect if they aren't", async () => {
    expect(messages((await make({ alarmRoutes: undefined })).errors)).toContain("alarmRoutes: is missing: give");
    const message = messages(
      (await make({ alarmsElsewhere: true, owner: "platform team", combinePages: true })).errors,
    );
    expect([...message.matchAll(/\n {2}- (.*?): has no effect with alarmsElsewhere/g)].map(([, name]) => name)).toEqual(
      ["alarmRoutes", "owner", "combinePages"],
    );
  });
});
