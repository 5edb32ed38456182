import { LoadBalancerType, TargetType, type TargetHealthAlarmsArgs } from "../../../../components/alarms";
import { make, readyPods, routes, thrown } from "./setup";

const topic = routes.pageTopicArn;

test("all mistakes are reported at once", async () => {
  const message = await thrown({
    crossZone: false,
    targetType: TargetType.Alb,
    fixedReplicas: 3,
    warmUpMinutes: 2881,
    overrides: {
      lowHealthyHosts: { threshold: 4, datapointsToAlarm: 4, evaluationPeriods: 3 },
      noHealthyHosts: { datapointsToAlarm: 3, evaluationPeriods: 3 },
      allTargetsUnhealthy: { threshold: 0.5 },
      staleTargets: { threshold: 0, evaluationPeriods: 289 },
      belowDeclaredMinimum: { threshold: 4, alarmActions: [topic, topic, topic, topic, topic, topic] },
      hostDecay24h: { threshold: 2, periodSeconds: 3600, evaluationPeriods: 169 },
      readyNotRegistered: {},
      ...({ staleTarget: {} } as object),
    },
  });
  for (const part of [
    "availabilityZones: is missing",
    'targetType: must not be "alb"',
    "fixedReplicas: can't be given together with minReplicas",
    "warmUpMinutes: must be a whole number of minutes from 1 to 2880, or 0 for none, not 2881",
    "overrides.staleTarget: is not an alarm of the set",
    "overrides.lowHealthyHosts.threshold: must be a whole number from 1 to 3, not 4",
    "overrides.lowHealthyHosts.datapointsToAlarm: is 4, more than the 3 periods",
    "overrides.noHealthyHosts.datapointsToAlarm: must be a whole number of at least 4, not 3",
    "overrides.allTargetsUnhealthy.threshold: must be a whole number equal to 1, not 0.5",
    "overrides.staleTargets.threshold: must be a whole number from 1 to 1000, not 0",
    // 86,400 s: CloudWatch's limit for periods below an hour; 288 periods of 300 s. 604,800 s from an hour on: 168 of 3,600 s.
    "overrides.staleTargets.evaluationPeriods: must be a whole number from 1 to 288, not 289",
    "overrides.belowDeclaredMinimum.threshold: must be a whole number from 1 to 3, not 4",
    "overrides.belowDeclaredMinimum.alarmActions: has more than 5 actions",
    "overrides.hostDecay24h.threshold: must be a whole number equal to 1, not 2",
    "overrides.hostDecay24h.evaluationPeriods: must be a whole number from 1 to 168, not 169",
    "overrides.readyNotRegistered: has no effect: the alarm exists only with readyPods",
  ])
    expect(message).toContain(part);
});

// PutMetricAlarm takes 10, 20, 30 and multiples of 60; ELB's metrics have one point a minute, so the first three find nothing.
test.each([10, 20, 30, 0, -60, 90, 61.5, 691_200])("a period of %d s is refused", async (periodSeconds) => {
  expect(await thrown({ overrides: { lowHealthyHosts: { periodSeconds } } })).toContain(
    "overrides.lowHealthyHosts.periodSeconds: must be a multiple of 60",
  );
});

test.each([
  [TargetType.Alb, "Make the alarms for the target groups of the inner Application Load Balancer"],
  [TargetType.Lambda, "a function has no hosts that are counted"],
])("targets of type %s are refused, with what to do", async (targetType, message) => {
  expect(await thrown({ targetType })).toContain(message);
});

test("pods and instances are watched alike", async () => {
  expect(await thrown({ targetType: TargetType.Ip })).toBe("");
  expect(await thrown({ targetType: TargetType.Instance })).toBe("");
});

test("an ARN in the place of its suffix is refused: the alarm would watch nothing", async () => {
  const arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/shop/73e2d6bc24d8a067";
  expect(await thrown({ targetGroupArnSuffix: arn })).toContain('targetGroupArnSuffix: must start with "targetgroup/"');
  expect(await thrown({ loadBalancerArnSuffix: "net/edge/1" })).toContain(
    'loadBalancerArnSuffix: must start with "app/"',
  );
  const balancer = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/app/edge/50dc6c495c0c9188";
  expect(await thrown({ targetGroupArnSuffix: arn })).toContain('; write "targetgroup/shop/73e2d6bc24d8a067"');
  expect(await thrown({ loadBalancerArnSuffix: balancer })).toContain('; write "app/edge/50dc6c495c0c9188"');
  const late = Promise.resolve(arn);
  expect(await thrown({ targetGroupArnSuffix: late })).toContain('targetGroupArnSuffix must start with "targetgroup/"');
});

/** What a program without types gives. */
const untyped = (change: object) => thrown(change);

test("routes that don't exist, and topics that are none, are refused", async () => {
  expect(await untyped({ routes: undefined })).toContain("routes: is missing: give AlarmTopics.routes");
  expect(await untyped({ routes: { pageTopicArn: topic } })).toContain("routes.ticketTopicArn: is missing");
  const queue = "arn:aws:sqs:eu-west-1:123456789012:page";
  const message = await thrown({ routes: { pageTopicArn: queue, ticketTopicArn: "ticket" } });
  expect(message).toContain(`routes.pageTopicArn: must be the ARN of an SNS topic`);
  expect(message).toContain(
    'routes.ticketTopicArn: must be the ARN of an SNS topic (arn:aws:sns:<region>:<account>:<name>), not "ticket"',
  );
});

test("a misspelt setting, and a choice that there isn't, are refused in overrides and levels", async () => {
  const message = await untyped({
    overrides: {
      lowHealthyHosts: { treshold: 3, severity: "high" },
      staleTargets: { levels: { late: { treshold: 3, missingData: "missing", levels: {} } } },
    },
  });
  for (const part of [
    "overrides.lowHealthyHosts.treshold: is not a setting of an alarm: use enabled, severity, threshold,",
    'overrides.lowHealthyHosts.severity: must be one of page, ticket, not "high"',
    "overrides.staleTargets.levels.late.treshold: is not a setting",
    'overrides.staleTargets.levels.late.missingData: must be one of breaching, notBreaching, ignore, not "missing"',
    "overrides.staleTargets.levels.late.levels: is not a setting",
  ])
    expect(message).toContain(part);
});

test("a load balancer of the other kind is refused, with the way out", async () => {
  expect(await thrown({ loadBalancerArnSuffix: "net/edge/1" })).toContain(
    "or set loadBalancerType: LoadBalancerType.Network",
  );
  const arn = "arn:aws:elasticloadbalancing:eu-west-1:123456789012:loadbalancer/net/edge/1";
  expect(await thrown({ loadBalancerArnSuffix: arn })).toContain(
    'write "net/edge/1"; and set loadBalancerType: LoadBalancerType.Network',
  );
  const network = { loadBalancerType: LoadBalancerType.Network, crossZone: true };
  expect(await thrown({ ...network, loadBalancerArnSuffix: "app/edge/1" })).toContain("or leave loadBalancerType out");
  expect(await thrown({ loadBalancerArnSuffix: "edge" })).not.toContain("loadBalancerType");
});

test("one replica can't be watched for fewer than two, and the error says both ways out", async () => {
  const message = await thrown({ minReplicas: 1 });
  expect(message).toContain("minReplicas: is 1, below the threshold 2 of lowHealthyHosts");
  expect(message).toContain("run at least 2 replicas, or set overrides.lowHealthyHosts.threshold to 1");
  expect(message).not.toContain("overrides.lowHealthyHosts.threshold: ");
  expect(await thrown({ minReplicas: undefined, fixedReplicas: 1 })).toContain("fixedReplicas: is 1, below");
  expect(await thrown({ minReplicas: 1, overrides: { lowHealthyHosts: { threshold: 1 } } })).toBe("");
  expect(await thrown({ minReplicas: 1, overrides: { lowHealthyHosts: { enabled: false } } })).toBe("");
});

test.each<[keyof TargetHealthAlarmsArgs, number]>([
  ["minReplicas", 2.5],
  ["minReplicas", 0],
  ["fixedReplicas", -1],
])("%s of %d is refused, once", async (argument, value) => {
  const message = await thrown({ minReplicas: undefined, [argument]: value });
  expect(message.match(/\n {2}- /g)).toHaveLength(1);
  expect(message).toContain(`${argument}: must be a whole number of at least 1, not ${value}`);
});

test("the metric of the ready pods must be named, and have no more dimensions than CloudWatch takes", async () => {
  const dimensions = Object.fromEntries(Array.from({ length: 31 }, (_, at) => [`d${at}`, "x"]));
  const message = await thrown({ readyPods: { namespace: "", metricName: " ", dimensions } });
  for (const part of [
    "readyPods.namespace: is empty",
    "readyPods.metricName: is empty",
    "readyPods.dimensions: has 31",
  ])
    expect(message).toContain(part);
  expect(await thrown({ readyPods: { ...readyPods, dimensions: {} } })).toContain("readyPods.dimensions: is empty");
  expect(await thrown({ readyPods })).toBe("");
});

describe("names", () => {
  const named = async (namePrefix: string, name: string) =>
    (await make({ namePrefix }, name)).outputs?.names["staleTargets"];

  test("carry the prefix once", async () => {
    expect(await named("prod", "shop")).toBe("prod-shop-stale-targets");
    expect(await named("prod", "prod-shop")).toBe("prod-shop-stale-targets");
  });

  // PutMetricAlarm: 255 characters. "-shop-below-declared-minimum" has 28.
  test("are ASCII, without quotation marks, and of 255 characters", async () => {
    expect(await thrown({ namePrefix: "x".repeat(227) })).toBe("");
    expect(await thrown({ namePrefix: "x".repeat(228) })).toContain("of 256 characters");
    expect(await thrown({ namePrefix: "pröd" })).toContain("must be ASCII");
    expect(await thrown({ namePrefix: 'the "shop"' })).toContain("without quotation marks");
    expect(await thrown({ overrides: { staleTargets: { alarmName: "" } } })).toContain(
      "overrides.staleTargets.alarmName: makes the alarm name",
    );
  });
});
