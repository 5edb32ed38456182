import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { LoadBalancerType, TargetHealthAlarms } from "../../../../components/alarms";
import { run } from "../../../support/harness";
import { alarm, alarmType, dimensions, edge, make, measured, readyPods, routes, strict } from "./setup";

// Expected values: the proposed set in section 3 of the alarms research (statistic, period, M of N, missing data, warm-up).
describe("the set of one target group", () => {
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

  test("ALLBAD says that targets are registered and none is healthy, and late reports don't switch it", async () => {
    const { inputs } = await measured({}, "all-targets-unhealthy");
    expect(inputs).toMatchObject({
      metricQueries: [
        { id: "h", metric: { metricName: "HealthyHostCount", dimensions, stat: "Maximum", period: 60 } },
        { id: "u", metric: { metricName: "UnHealthyHostCount", dimensions, stat: "Minimum", period: 60 } },
        { id: "result", expression: "IF((h < 1) AND (u >= 1), 1, 0)", returnData: true },
      ],
      datapointsToAlarm: 2,
      evaluationPeriods: 3,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      threshold: 1,
      treatMissingData: "ignore",
      // Not in the table: replays/silent-decay/benign.test.ts says what it is for.
      warmUpConfiguration: strict,
    });
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

  test("FLOOR knows the declared minimum", async () => {
    const { resources } = await make({ minReplicas: 6 });
    expect(alarm(resources, "shop-below-declared-minimum")).toMatchObject({
      metricName: "HealthyHostCount",
      dimensions,
      statistic: "Maximum",
      period: 300,
      datapointsToAlarm: 6,
      evaluationPeriods: 6,
      comparisonOperator: "LessThanThreshold",
      threshold: 6,
      treatMissingData: "breaching",
      warmUpConfiguration: strict,
    });
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

  test("READY-GAP compares the ready pods with the healthy hosts, and neither is filled", async () => {
    const { inputs } = await measured({ readyPods }, "ready-not-registered");
    expect(inputs).toMatchObject({
      metricQueries: [
        { id: "ready", metric: { ...readyPods, stat: "Minimum", period: 60 } },
        { id: "h", metric: { metricName: "HealthyHostCount", dimensions, stat: "Maximum", period: 60 } },
        { id: "result", expression: "ready - h", returnData: true },
      ],
      datapointsToAlarm: 15,
      evaluationPeriods: 20,
      comparisonOperator: "GreaterThanOrEqualToThreshold",
      threshold: 1,
      treatMissingData: "notBreaching",
      warmUpConfiguration: strict,
    });
  });

  test("which alarms there are depends on what is declared", async () => {
    const keys = async (change: Parameters<typeof make>[0]) => Object.keys((await make(change)).outputs?.arns ?? {});
    const always = ["allTargetsUnhealthy", "hostDecay24h", "lowHealthyHosts", "noHealthyHosts", "staleTargets"];
    expect((await keys({ minReplicas: undefined })).sort()).toEqual(always);
    expect((await keys({})).sort()).toEqual([...always, "belowDeclaredMinimum"].sort());
    expect((await keys({ readyPods })).sort()).toEqual(
      [...always, "belowDeclaredMinimum", "readyNotRegistered"].sort(),
    );
  });

  test("without a declared minimum DECAY24 wants an unhealthy host as well", async () => {
    const { expressions } = await measured({ minReplicas: undefined }, "host-decay-24h");
    expect(expressions).toEqual({ result: "IF((DIFF(h) < 0) AND (u >= 1), 1, 0)" });
  });

  // Not the bare DIFF(h) < 0: it fires the day after a deploy whose surge had one pod more for a minute.
  test("a fixed number of replicas is a minimum, and DECAY24 needs the healthy hosts only", async () => {
    const fixed = { minReplicas: undefined, fixedReplicas: 6 };
    const { metrics, expressions } = await measured(fixed, "host-decay-24h");
    expect(Object.keys(metrics)).toEqual(["h"]);
    expect(expressions).toEqual({ result: "IF((DIFF(h) < 0) AND (h < 6), 1, 0)" });
    const { resources } = await make(fixed);
    expect(alarm(resources, "shop-below-declared-minimum")["threshold"]).toBe(6);
  });

  test("a Network Load Balancer has its own namespace", async () => {
    const { resources, errors } = await make({
      loadBalancerType: LoadBalancerType.Network,
      loadBalancerArnSuffix: "net/edge/50dc6c495c0c9188",
      crossZone: true,
    });
    expect(errors).toEqual([]);
    expect(alarm(resources, "shop-low-healthy-hosts")).toMatchObject({
      namespace: "AWS/NetworkELB",
      dimensions: { LoadBalancer: "net/edge/50dc6c495c0c9188" },
    });
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
    expect(low["dimensions"]).toEqual({ LoadBalancer: unknown, TargetGroup: unknown });
    expect(low["threshold"]).toBe(2);
    expect(resources.filter((r) => r.type === alarmType)).toHaveLength(6);
  });
});
