import * as pulumi from "@pulumi/pulumi";
import { AlarmSeverity, KarpenterAlarms, type KarpenterAlarmsArgs } from "../../../../components/alarms";
import { shopProd } from "../../../support/clusters";
import { find } from "../../../support/graph";
import { run } from "../../../support/harness";
import { messages } from "../../load-balancing/setup";
import { routes, types } from "./setup";

const queueName = "karpenter-interruptions-1a2b3c4";
const make = (change: Partial<KarpenterAlarmsArgs> = {}) =>
  run(
    () => {
      const made = new KarpenterAlarms("karpenter", { cluster: shopProd, queueName, routes, ...change });
      return { arns: made.alarmArns, names: made.alarmNames };
    },
    { state: ({ name }) => ({ arn: `arn:${name}` }) },
  );
const [page, ticket] = [[routes.pageTopicArn], [routes.ticketTopicArn]];
const atLeast = { comparisonOperator: "GreaterThanOrEqualToThreshold", treatMissingData: "notBreaching" };
const threeOfThree = { evaluationPeriods: 3, datapointsToAlarm: 3 };
const scraped = (dimensions: Record<string, string> = {}) => ({
  namespace: "Moorings/shop-prod",
  dimensions: { job: "karpenter", ...dimensions },
  period: 300,
});
const ofQueue = { namespace: "AWS/SQS", dimensions: { QueueName: queueName } };

/* Metric names, types and labels: test/fixtures/facts/scraped-metrics.json; of the queue: test/support/aws-metrics.ts. */
const set: [string, string[], object][] = [
  [
    "karpenter-silent",
    page,
    {
      ...scraped(),
      metricName: "leader_election_master_status",
      statistic: "Maximum",
      comparisonOperator: "LessThanThreshold",
      threshold: 1,
      treatMissingData: "breaching",
      warmUpConfiguration: { warmUpPeriodDurationInMinutes: 30, onlyStartEvaluatingAfterWarmUpPeriodEnds: true },
    },
  ],
  [
    "interruptions-unread",
    page,
    {
      ...ofQueue,
      metricName: "ApproximateAgeOfOldestMessage",
      statistic: "Maximum",
      period: 60,
      threshold: 60,
      ...atLeast,
    },
  ],
  [
    "interruption-backlog",
    ticket,
    {
      ...ofQueue,
      metricName: "ApproximateNumberOfMessagesVisible",
      statistic: "Minimum",
      period: 300,
      threshold: 100,
      ...atLeast,
    },
  ],
  [
    "pods-unschedulable",
    ticket,
    {
      ...scraped(),
      metricName: "karpenter_pods_unbound_time_seconds",
      statistic: "Maximum",
      threshold: 600,
      ...atLeast,
    },
  ],
  [
    "node-pool-not-ready",
    ticket,
    {
      ...scraped({ type: "Ready" }),
      metricName: "operator_nodepool_status_condition_count",
      statistic: "Maximum",
      threshold: 1,
      ...atLeast,
    },
  ],
  [
    "nodes-not-registering",
    ticket,
    {
      ...scraped({ type: "NodeRegistrationHealthy" }),
      metricName: "operator_nodepool_status_condition_count",
      statistic: "Maximum",
      threshold: 1,
      ...atLeast,
    },
  ],
  [
    "launch-errors",
    ticket,
    {
      ...scraped({ method: "Create" }),
      metricName: "karpenter_cloudprovider_errors_total",
      statistic: "Sum",
      threshold: 5,
      ...atLeast,
    },
  ],
  [
    "karpenter-denied",
    ticket,
    { ...scraped(), metricName: "aws_sdk_go_request_total", statistic: "Sum", threshold: 1, ...atLeast },
  ],
  [
    "karpenter-errors",
    ticket,
    {
      ...scraped(),
      metricName: "controller_runtime_reconcile_errors_total",
      statistic: "Sum",
      threshold: 1,
      ...atLeast,
    },
  ],
];

test("the set: what each listens to, whom it tells, what it says", async () => {
  const { resources, errors } = await make();
  expect(errors).toEqual([]);
  const made = resources.filter((r) => r.type === types.alarm).map((r) => r.name);
  expect(made.sort()).toEqual(set.map(([suffix]) => `karpenter-${suffix}`).sort());
  for (const [suffix, topics, expected] of set) {
    const { inputs } = find(resources, types.alarm, `karpenter-${suffix}`);
    expect(inputs).toMatchObject({ name: `karpenter-${suffix}`, ...threeOfThree, ...expected });
    expect([suffix, inputs["dimensions"]]).toEqual([suffix, (expected as { dimensions: object }).dimensions]);
    expect([inputs["alarmActions"], inputs["okActions"]]).toEqual([topics, topics]);
    expect(inputs["insufficientDataActions"]).toEqual(ticket);
    expect(inputs["tags"]).toMatchObject({ "alarm-severity": topics === page ? "page" : "ticket" });
    // What happened, what a visitor sees, what to type, where the rest is; what CloudWatch takes (PutMetricAlarm).
    const says = inputs["alarmDescription"];
    expect(says).toMatch(/\d+ minutes?[^]*isitors[^]*\nFirst: kubectl /);
    expect(says).toMatch(new RegExp(`\\nRunbook: https://\\S+/docs/runbooks/${suffix}\\.md$`));
    expect(says).toMatch(/^[\x20-\x7e\n]{1,1024}$/);
  }
});

/*
 * Without ClusterMetrics, or without its preset, nothing of Karpenter ever arrives. PutMetricAlarm: missing data that breach make a new alarm ring
 * once its warm-up is over; such that don't keep it green for ever.
 */
test("one alarm pages where ClusterMetrics isn't there, and only the queue's could else say anything", async () => {
  const { resources } = await make();
  const alarms = resources.filter((r) => r.type === types.alarm).map((r) => r.inputs);
  const byMissing = alarms.filter((inputs) => inputs["treatMissingData"] === "breaching");
  expect(byMissing.map((inputs) => [inputs["name"], inputs["namespace"], inputs["alarmActions"]])).toEqual([
    ["karpenter-karpenter-silent", "Moorings/shop-prod", page],
  ]);
  // Then it judges.
  expect(byMissing[0]).toMatchObject({ warmUpConfiguration: { warmUpPeriodDurationInMinutes: 30 } });
  expect(alarms.filter((inputs) => inputs["namespace"] === "AWS/SQS")).toHaveLength(2);
});

/**
 * One notice that nobody reads, in a queue that forgets after 300 seconds, looked at once a minute beginning at any second: its age must breach in
 * three values one after another, or nobody hears of it.
 */
test("a single notice that nobody reads is enough, and a minute's pause of reading isn't", async () => {
  const { inputs } = find((await make()).resources, types.alarm, "karpenter-interruptions-unread");
  const breaching = (lasts: number, second: number) =>
    [0, 1, 2, 3, 4]
      .map((minute) => minute * 60 + second)
      .filter((age) => age <= lasts && age >= Number(inputs["threshold"])).length;
  for (let second = 0; second < 60; second++) {
    expect(breaching(300, second)).toBeGreaterThanOrEqual(Number(inputs["evaluationPeriods"]));
    expect(breaching(75, second)).toBeLessThan(Number(inputs["evaluationPeriods"]));
  }
});

test("each can be left out, sent elsewhere, made slower, and given another threshold", async () => {
  const { resources, outputs, errors } = await make({
    namePrefix: "prod",
    strictWarmUp: false,
    queueName: pulumi.output("q"),
    overrides: {
      karpenterSilent: { severity: AlarmSeverity.Ticket },
      interruptionsUnread: { threshold: 120 },
      interruptionBacklog: { enabled: false },
      podsUnschedulable: { severity: AlarmSeverity.Page, threshold: 1200 },
      karpenterErrors: { datapointsToAlarm: 6, evaluationPeriods: 12 },
    },
  });
  expect(errors).toEqual([]);
  expect(Object.keys(outputs!.names)).toHaveLength(8);
  expect(outputs?.names).toMatchObject({
    karpenterSilent: "prod-karpenter-karpenter-silent",
    podsUnschedulable: "prod-karpenter-pods-unschedulable",
  });
  expect(outputs?.arns["podsUnschedulable"]).toBe("arn:karpenter-pods-unschedulable");
  expect(outputs?.names).not.toHaveProperty("interruptionBacklog");
  const inputs = (suffix: string) => find(resources, types.alarm, `karpenter-${suffix}`).inputs;
  expect(inputs("karpenter-silent")).toMatchObject({
    alarmActions: ticket,
    warmUpConfiguration: { onlyStartEvaluatingAfterWarmUpPeriodEnds: false },
  });
  expect(inputs("interruptions-unread")).toMatchObject({ threshold: 120, dimensions: { QueueName: "q" } });
  expect(inputs("pods-unschedulable")).toMatchObject({ alarmActions: page, threshold: 1200 });
  expect(inputs("karpenter-errors")).toMatchObject({ datapointsToAlarm: 6, evaluationPeriods: 12 });
});

test("refuses all that is wrong at once, and a queue that only shows late", async () => {
  const { errors, resources } = await make({
    cluster: { ...shopProd, name: "shop/prod" },
    queueName: "arn:aws:sqs:eu-west-1:123456789012:queue",
    runbookUrl: "https://wiki/b\u00fcro",
    namePrefix: "b\u00fcro",
    ...({ routes: undefined, overrides: { silent: {}, karpenterErrors: { period: 60 } } } as object),
  });
  for (const part of [
    "cluster.name: must be the name of a cluster",
    "queueName: must be the name of a queue",
    "runbookUrl: must be ASCII",
    'name: makes the alarm name "b',
    "routes: is missing",
    "overrides.silent: is not an alarm of the set: use karpenterSilent, interruptionsUnread,",
    "overrides.karpenterErrors.period: is not a setting of an alarm: use enabled, severity, threshold,",
  ])
    expect(messages(errors)).toContain(`\n  - ${part}`);
  expect(resources.filter((r) => r.custom)).toEqual([]);
  const late = await make({ queueName: pulumi.output("https://sqs.eu-west-1.amazonaws.com/123456789012/q") });
  expect(messages(late.errors)).toContain("queueName must be the name of a queue");
});

test.each<[object, RegExp]>([
  [{ podsUnschedulable: { threshold: 0 } }, /podsUnschedulable\.threshold: must be a number above 0, not 0/],
  [{ podsUnschedulable: { threshold: Number.NaN } }, /podsUnschedulable\.threshold: must be a number above 0, not NaN/],
  [{ karpenterErrors: { evaluationPeriods: 289 } }, /from 1 to 288, not 289/],
  [{ karpenterErrors: { datapointsToAlarm: 4 } }, /from 1 to the 3 periods looked at, not 4/],
  // The queue keeps messages for 300 seconds (Karpenter's template): three points of a minute at 180 or more don't fit.
  [{ interruptionsUnread: { threshold: 121 } }, /interruptionsUnread\.threshold: must be at most 120 seconds/],
  [{ interruptionsUnread: { threshold: 241, datapointsToAlarm: 1 } }, /must be at most 240 seconds/],
  [{ karpenterErrors: { severity: "high" } }, /severity: must be one of page, ticket, not "high"/],
])("refuses %j", async (overrides, expected) => {
  expect(messages((await make({ overrides })).errors)).toMatch(expected);
});
