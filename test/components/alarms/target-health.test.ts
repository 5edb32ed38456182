import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import {
  AlarmSeverity,
  LoadBalancerType,
  TargetHealthAlarms,
  type TargetHealthAlarmsArgs,
} from "../../../components/alarms";
import { find } from "../../support/graph";
import { run, type Registration } from "../../support/harness";

const alarmType = "aws:cloudwatch/metricAlarm:MetricAlarm";
const routes = {
  pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
  ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
};
const edge: TargetHealthAlarmsArgs = {
  routes,
  loadBalancerArnSuffix: "app/edge/50dc6c495c0c9188",
  targetGroupArnSuffix: "targetgroup/shop/73e2d6bc24d8a067",
  minReplicas: 3,
};
const dimensions = { LoadBalancer: "app/edge/50dc6c495c0c9188", TargetGroup: "targetgroup/shop/73e2d6bc24d8a067" };
const strict = { warmUpPeriodDurationInMinutes: 30, onlyStartEvaluatingAfterWarmUpPeriodEnds: true };

const make = (change: Partial<TargetHealthAlarmsArgs> = {}, name = "shop") =>
  run(() => {
    const made = new TargetHealthAlarms(name, { ...edge, ...change });
    return { arns: made.alarmArns, names: made.alarmNames };
  });
const alarm = (resources: readonly Registration[], name: string) => find(resources, alarmType, name).inputs;
const thrown = async (change: Partial<TargetHealthAlarmsArgs>, name?: string) => {
  const { errors } = await make(change, name);
  return errors.map((e) => e.message).join("\n");
};

describe("TargetHealthAlarms", () => {
  // Expected values: the proposed set in section 3 of the alarms research (statistic, period, M of N, missing data, warm-up).
  test("LOW pages after 2 of 3 minutes below two hosts, and silence counts as too few", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    expect(alarm(resources, "shop-low-healthy-hosts")).toMatchObject({
      name: "shop-low-healthy-hosts",
      namespace: "AWS/ApplicationELB",
      metricName: "HealthyHostCount",
      dimensions,
      statistic: "Minimum",
      period: 60,
      datapointsToAlarm: 2,
      evaluationPeriods: 3,
      comparisonOperator: "LessThanThreshold",
      threshold: 2,
      treatMissingData: "breaching",
      warmUpConfiguration: strict,
      alarmActions: [routes.pageTopicArn],
      okActions: [routes.pageTopicArn],
      insufficientDataActions: [routes.ticketTopicArn],
    });
  });

  test("NODATA counts an unreported minute as zero hosts, five minutes long", async () => {
    const { resources } = await make();
    const nodata = alarm(resources, "shop-no-healthy-hosts");
    expect(nodata).toMatchObject({
      metricQueries: [
        {
          id: "h",
          metric: {
            namespace: "AWS/ApplicationELB",
            metricName: "HealthyHostCount",
            dimensions,
            stat: "Maximum",
            period: 60,
          },
        },
        { id: "result", expression: "FILL(h, 0)", returnData: true },
      ],
      datapointsToAlarm: 5,
      evaluationPeriods: 5,
      comparisonOperator: "LessThanThreshold",
      threshold: 1,
      treatMissingData: "breaching",
      warmUpConfiguration: strict,
    });
    expect(nodata).not.toHaveProperty("metricName");
    expect(nodata).not.toHaveProperty("period");
  });

  test("STALE finds one host that stays unhealthy for an hour", async () => {
    const { resources } = await make();
    const stale = alarm(resources, "shop-stale-targets");
    expect(stale).toMatchObject({
      metricName: "UnHealthyHostCount",
      statistic: "Minimum",
      period: 300,
      datapointsToAlarm: 12,
      evaluationPeriods: 12,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      threshold: 1,
      treatMissingData: "notBreaching",
    });
    expect(stale).not.toHaveProperty("warmUpConfiguration");
  });

  test("DECAY24 compares whole days and knows the declared minimum", async () => {
    const { resources } = await make({ minReplicas: 6 });
    const decay = alarm(resources, "shop-host-decay-24h");
    expect(decay).toMatchObject({
      metricQueries: [
        { id: "h", metric: { metricName: "HealthyHostCount", dimensions, stat: "Maximum", period: 86400 } },
        { id: "u", metric: { metricName: "UnHealthyHostCount", dimensions, stat: "Minimum", period: 86400 } },
        { id: "result", expression: "IF((DIFF(h) < 0) AND ((h < 6) OR (u >= 1)), 1, 0)", returnData: true },
      ],
      datapointsToAlarm: 1,
      evaluationPeriods: 1,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      threshold: 1,
      treatMissingData: "notBreaching",
    });
    expect(decay).not.toHaveProperty("warmUpConfiguration");
  });

  test("with two replicas LOW only pages after five minutes; as a ticket, or overridden, it stays quick", async () => {
    const low = async (change: Partial<TargetHealthAlarmsArgs>) => {
      const { datapointsToAlarm, evaluationPeriods } = alarm((await make(change)).resources, "shop-low-healthy-hosts");
      return [datapointsToAlarm, evaluationPeriods];
    };
    expect(await low({ minReplicas: 2 })).toEqual([5, 5]);
    expect(await low({ minReplicas: 3 })).toEqual([2, 3]);
    expect(await low({ minReplicas: 2, overrides: { lowHealthyHosts: { severity: AlarmSeverity.Ticket } } })).toEqual([
      2, 3,
    ]);
    expect(
      await low({ minReplicas: 2, overrides: { lowHealthyHosts: { datapointsToAlarm: 3, evaluationPeriods: 4 } } }),
    ).toEqual([3, 4]);
  });

  test("overrides move an alarm to the ticket topic, change its threshold, or leave it out", async () => {
    const { resources, outputs } = await make({
      overrides: {
        staleTargets: { severity: AlarmSeverity.Ticket, threshold: 2 },
        lowHealthyHosts: { threshold: 3 },
        hostDecay24h: { enabled: false },
      },
    });
    expect(alarm(resources, "shop-stale-targets")).toMatchObject({
      threshold: 2,
      alarmActions: [routes.ticketTopicArn],
      okActions: [routes.ticketTopicArn],
      tags: { "alarm-severity": "ticket" },
    });
    expect(alarm(resources, "shop-low-healthy-hosts").threshold).toBe(3);
    expect(outputs?.names).toEqual({
      lowHealthyHosts: "shop-low-healthy-hosts",
      noHealthyHosts: "shop-no-healthy-hosts",
      staleTargets: "shop-stale-targets",
    });
  });

  test("the warm-up may end early when strictness is switched off", async () => {
    const { resources } = await make({ strictWarmUp: false });
    expect(alarm(resources, "shop-low-healthy-hosts").warmUpConfiguration).toEqual({
      warmUpPeriodDurationInMinutes: 30,
      onlyStartEvaluatingAfterWarmUpPeriodEnds: false,
    });
  });

  test("the description says what happened, what to type, and where the runbook is", async () => {
    const { resources } = await make({ runbookUrl: "https://wiki.example/targets" });
    const text = alarm(resources, "shop-stale-targets").alarmDescription as string;
    expect(text).toContain("A target has been unhealthy for an hour");
    expect(text).toContain(
      "aws elbv2 describe-target-health --region eu-west-1 --target-group-arn arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop/73e2d6bc24d8a067",
    );
    expect(text).toContain("Runbook: https://wiki.example/targets");
    expect(await thrown({ runbookUrl: `https://wiki.example/${"x".repeat(900)}` })).toContain("CloudWatch takes 1024");
  });

  test("physical names carry the prefix once", async () => {
    const names = async (name: string) => (await make({ namePrefix: "prod" }, name)).outputs?.names.staleTargets;
    expect(await names("shop")).toBe("prod-shop-stale-targets");
    expect(await names("prod-shop")).toBe("prod-shop-stale-targets");
    expect(await thrown({ namePrefix: "x".repeat(250) })).toContain("at most 255");
    expect(await thrown({ namePrefix: "pröd" })).toContain("must be ASCII");
  });

  test("a Network Load Balancer is refused unless its nodes count all zones", async () => {
    const network = { loadBalancerType: LoadBalancerType.Network, loadBalancerArnSuffix: "net/edge/50dc6c495c0c9188" };
    expect(await thrown(network)).toContain("crossZone: must be true");
    expect(await thrown({ crossZone: false })).toContain("loadBalancingCrossZoneEnabled");
    const { resources, errors } = await make({ ...network, crossZone: true });
    expect(errors).toEqual([]);
    expect(alarm(resources, "shop-low-healthy-hosts")).toMatchObject({
      namespace: "AWS/NetworkELB",
      dimensions: { LoadBalancer: "net/edge/50dc6c495c0c9188" },
    });
  });

  test("an ARN in the place of its suffix stops the update: the alarm would watch nothing", async () => {
    const arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop/73e2d6bc24d8a067";
    expect(await thrown({ targetGroupArnSuffix: arn })).toContain(
      'targetGroupArnSuffix must start with "targetgroup/"',
    );
    expect(await thrown({ loadBalancerArnSuffix: "net/edge/1" })).toContain(
      'loadBalancerArnSuffix must start with "app/"',
    );
  });

  test("all mistakes are reported at once", async () => {
    const message = await thrown({
      minReplicas: 3,
      crossZone: false,
      overrides: {
        lowHealthyHosts: { threshold: 4, datapointsToAlarm: 4, evaluationPeriods: 3 },
        noHealthyHosts: { datapointsToAlarm: 3, evaluationPeriods: 3 },
        staleTargets: { threshold: 0, evaluationPeriods: 289 },
        hostDecay24h: { threshold: 2 },
        ...({ staleTarget: {} } as object),
      },
    });
    for (const part of [
      "crossZone: must be true",
      "overrides.staleTarget: is not an alarm of the set",
      "overrides.lowHealthyHosts.threshold: must be a whole number from 1 to 3, not 4",
      "overrides.lowHealthyHosts.datapointsToAlarm: is 4, more than the 3 periods",
      "overrides.noHealthyHosts.datapointsToAlarm: must be a whole number of at least 4, not 3",
      "overrides.staleTargets.threshold: must be a whole number from 1 to 1000, not 0",
      // 86,400 s: CloudWatch's limit for periods below an hour; 288 periods of 300 s.
      "overrides.staleTargets.evaluationPeriods: must be a whole number from 1 to 288, not 289",
      "overrides.hostDecay24h.threshold: must be a whole number equal to 1, not 2",
    ])
      expect(message).toContain(part);
  });

  test("one replica can't be watched for fewer than two, and the error says both ways out", async () => {
    const message = await thrown({ minReplicas: 1 });
    expect(message).toContain("run at least 2 replicas, or set overrides.lowHealthyHosts.threshold to 1");
    expect(message).not.toContain("overrides.lowHealthyHosts.threshold: ");
    expect(await thrown({ minReplicas: 1, overrides: { lowHealthyHosts: { threshold: 1 } } })).toBe("");
    expect(await thrown({ minReplicas: 1, overrides: { lowHealthyHosts: { enabled: false } } })).toBe("");
    expect(await thrown({ minReplicas: 2.5 })).toContain("minReplicas: must be a whole number");
  });

  test("previews on a load balancer that doesn't exist yet", async () => {
    const { resources, errors } = await run(
      () => {
        const loadBalancer = new aws.lb.LoadBalancer("lb");
        const targetGroup = new aws.lb.TargetGroup("tg");
        new TargetHealthAlarms("shop", {
          ...edge,
          loadBalancerArnSuffix: loadBalancer.arnSuffix,
          targetGroupArnSuffix: targetGroup.arnSuffix,
        });
      },
      { preview: true },
    );
    expect(errors).toEqual([]);
    const low = alarm(resources, "shop-low-healthy-hosts");
    const unknown = pulumi.runtime.unknownValue;
    expect(low.dimensions).toEqual({ LoadBalancer: unknown, TargetGroup: unknown });
    expect(low.threshold).toBe(2);
    expect(resources.filter((r) => r.type === alarmType)).toHaveLength(4);
  });
});
