import { TargetHealthAlarms, type TargetHealthAlarmsArgs } from "../../../../components/alarms";
import { find } from "../../../support/graph";
import { run, type Registration } from "../../../support/harness";

export const alarmType = "aws:cloudwatch/metricAlarm:MetricAlarm";
export const compositeType = "aws:cloudwatch/compositeAlarm:CompositeAlarm";
export const muteType = "aws:cloudwatch/alarmMuteRule:AlarmMuteRule";
export const routes = {
  pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
  ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
};
export const edge: TargetHealthAlarmsArgs = {
  routes,
  loadBalancerArnSuffix: "app/edge/50dc6c495c0c9188",
  targetGroupArnSuffix: "targetgroup/shop/73e2d6bc24d8a067",
  minReplicas: 3,
};
export const dimensions = {
  LoadBalancer: "app/edge/50dc6c495c0c9188",
  TargetGroup: "targetgroup/shop/73e2d6bc24d8a067",
};
/** An edge of two groups, of which one may be empty. */
export const blueGreen: Partial<TargetHealthAlarmsArgs> = {
  targetGroupArnSuffix: undefined,
  targetGroupArnSuffixes: { blue: "targetgroup/blue/0000000000000001", green: "targetgroup/green/0000000000000002" },
};
/** A Network Load Balancer as AWS makes it: each node counts its own zone. */
export const zonal: Partial<TargetHealthAlarmsArgs> = {
  crossZone: false,
  availabilityZones: ["eu-west-1a", "eu-west-1b", "eu-west-1c"],
};
export const readyPods = {
  namespace: "ContainerInsights",
  metricName: "service_number_of_running_pods",
  dimensions: { ClusterName: "shop", Namespace: "web", Service: "web" },
};
export const strict = { warmUpPeriodDurationInMinutes: 30, onlyStartEvaluatingAfterWarmUpPeriodEnds: true };

export const make = (change: Partial<TargetHealthAlarmsArgs> = {}, name = "shop") =>
  run(() => {
    const made = new TargetHealthAlarms(name, { ...edge, ...change });
    return { arns: made.alarmArns, names: made.alarmNames, combined: made.combinedAlarmArns };
  });

/** The inputs of one alarm. */
export const alarm = (resources: readonly Registration[], name: string) => find(resources, alarmType, name).inputs;

interface Query {
  id: string;
  expression?: string;
  label?: string;
  returnData?: boolean;
  metric?: { metricName: string; stat: string; period: number; dimensions: Record<string, string> };
}

/** Dimensions sorted by name: AvailabilityZone, LoadBalancer, TargetGroup. */
const values = (of: Record<string, string>) =>
  Object.keys(of)
    .sort()
    .map((key) => of[key]!);

/** What one alarm of a set measures: metrics by id as `statistic name period dimensions`, expressions by id. */
export async function measured(change: Partial<TargetHealthAlarmsArgs>, suffix: string) {
  const { resources, errors } = await make(change);
  expect(errors).toEqual([]);
  const inputs = alarm(resources, `shop-${suffix}`);
  const queries = inputs["metricQueries"] as Query[];
  return {
    metrics: Object.fromEntries(
      queries.flatMap(({ id, metric }) =>
        metric === undefined
          ? []
          : [[id, [metric.stat, metric.metricName, metric.period, ...values(metric.dimensions)].join(" ")]],
      ),
    ),
    expressions: Object.fromEntries(queries.flatMap(({ id, expression }) => (expression ? [[id, expression]] : []))),
    returned: queries.filter((q) => q.returnData === true).map((q) => q.id),
    mOfN: [inputs["datapointsToAlarm"], inputs["evaluationPeriods"]],
    inputs,
  };
}

/** All that a set complains about. */
export const thrown = async (change: Partial<TargetHealthAlarmsArgs>, name?: string) => {
  const { errors } = await make(change, name);
  return errors.map((e) => e.message).join("\n");
};
