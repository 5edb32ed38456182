import * as pulumi from "@pulumi/pulumi";
import {
  AlarmSeverity,
  LoadBalancerControllerAlarms,
  type LoadBalancerControllerAlarmsArgs,
} from "../../../../components/alarms";
import { shopProd } from "../../../support/clusters";
import { find } from "../../../support/graph";
import { run, type Registration } from "../../../support/harness";
import { messages } from "../../load-balancing/setup";
import { routes, types } from "./setup";

const make = (change: Partial<LoadBalancerControllerAlarmsArgs> = {}) =>
  run(
    () => {
      const made = new LoadBalancerControllerAlarms("lbc", { cluster: shopProd, routes, ...change });
      return { arns: made.alarmArns, names: made.alarmNames };
    },
    { state: ({ name }) => ({ arn: `arn:${name}` }) },
  );
const [page, ticket] = [[routes.pageTopicArn], [routes.ticketTopicArn]];
const quarterOfAnHour = { period: 300, evaluationPeriods: 3, datapointsToAlarm: 3 };
const errors = {
  statistic: "Sum",
  comparisonOperator: "GreaterThanOrEqualToThreshold",
  threshold: 1,
  treatMissingData: "notBreaching",
};

/* Metric names and labels: test/fixtures/facts/scraped-metrics.json. The last three are issues 2341 and 4235 of the controller. */
test.each([
  [
    "lbc-controller-silent",
    page,
    {
      metricName: "go_goroutines",
      dimensions: { job: "load-balancer-controller" },
      statistic: "SampleCount",
      comparisonOperator: "LessThanThreshold",
      threshold: 1,
      treatMissingData: "breaching",
      warmUpConfiguration: { warmUpPeriodDurationInMinutes: 30, onlyStartEvaluatingAfterWarmUpPeriodEnds: true },
    },
  ],
  [
    "lbc-registration-denied",
    page,
    {
      metricName: "aws_api_call_permission_errors_total",
      dimensions: { job: "load-balancer-controller", operation: "RegisterTargets" },
      ...errors,
    },
  ],
  [
    "lbc-target-group-missing",
    ticket,
    {
      metricName: "aws_api_calls_total",
      dimensions: { job: "load-balancer-controller", error_code: "TargetGroupNotFound" },
      ...errors,
    },
  ],
  [
    "lbc-binding-errors",
    ticket,
    {
      metricName: "controller_runtime_reconcile_errors_total",
      dimensions: { job: "load-balancer-controller", controller: "targetGroupBinding" },
      ...errors,
    },
  ],
])("%s", async (name, topics, expected) => {
  const { resources, errors: failures } = await make();
  expect(failures).toEqual([]);
  const { inputs } = find(resources, types.alarm, name);
  expect(inputs).toMatchObject({ name, namespace: "Moorings/shop-prod", ...quarterOfAnHour, ...expected });
  expect([inputs["alarmActions"], inputs["okActions"]]).toEqual([topics, topics]);
  // What happened, what a visitor sees, what to type; what CloudWatch takes (PutMetricAlarm).
  expect(inputs["alarmDescription"]).toMatch(/15 minutes[^]*isitors[^]*\nFirst: kubectl /);
  expect(inputs["alarmDescription"]).toMatch(/^[\x20-\x7e\n]{1,1024}$/);
});

// As in karpenter-alarms.test.ts.
test("one alarm pages where ClusterMetrics isn't there", async () => {
  const alarms = (await make()).resources.filter((r) => r.type === types.alarm).map((r) => r.inputs);
  const byMissing = alarms.filter((inputs) => inputs["treatMissingData"] === "breaching");
  expect(byMissing.map((inputs) => [inputs["name"], inputs["alarmActions"]])).toEqual([
    ["lbc-controller-silent", page],
  ]);
});

test("each links its page, or the one that is given", async () => {
  const text = (resources: readonly Registration[]) =>
    find(resources, types.alarm, "lbc-binding-errors").inputs["alarmDescription"];
  expect(text((await make()).resources)).toMatch(
    /\nRunbook: https:\/\/github\.com\/moorings\/moorings\/blob\/main\/docs\/runbooks\/binding-errors\.md$/,
  );
  const given = await make({ runbookUrl: "https://wiki.example/{alarm}" });
  expect(text(given.resources)).toMatch(/\nRunbook: https:\/\/wiki\.example\/binding-errors$/);
  const long = await make({ runbookUrl: `https://wiki.example/${"x".repeat(900)}` });
  expect(messages(long.errors)).toMatch(
    /runbookUrl: makes an alarm description of \d+ characters; CloudWatch takes 1024/,
  );
  const late = await make({ runbookUrl: pulumi.output(`https://wiki.example/${"x".repeat(900)}`) });
  expect(messages(late.errors)).toMatch(/runbookUrl makes an alarm description of \d+ characters/);
});

test("refuses routes that don't exist, and an umlaut in the address", async () => {
  expect(messages((await make({ ...({ routes: undefined } as object) })).errors)).toContain("routes: is missing");
  expect(messages((await make({ runbookUrl: "https://wiki/b\u00fcro" })).errors)).toContain(
    "runbookUrl: must be ASCII",
  );
});

test("each can be left out, sent elsewhere, and made slower", async () => {
  const { resources, outputs } = await make({
    namePrefix: "prod",
    strictWarmUp: false,
    overrides: {
      controllerSilent: { severity: AlarmSeverity.Ticket },
      registrationDenied: { enabled: false },
      bindingErrors: { datapointsToAlarm: 6, evaluationPeriods: 12 },
    },
  });
  expect(outputs?.names).toEqual({
    controllerSilent: "prod-lbc-controller-silent",
    targetGroupMissing: "prod-lbc-target-group-missing",
    bindingErrors: "prod-lbc-binding-errors",
  });
  expect(find(resources, types.alarm, "lbc-controller-silent").inputs).toMatchObject({
    alarmActions: ticket,
    warmUpConfiguration: { onlyStartEvaluatingAfterWarmUpPeriodEnds: false },
    tags: { "alarm-severity": "ticket" },
  });
  expect(find(resources, types.alarm, "lbc-binding-errors").inputs).toMatchObject({
    datapointsToAlarm: 6,
    evaluationPeriods: 12,
  });
});

test.each<[string, object, RegExp]>([
  [
    "an alarm that isn't of the set",
    { silent: {} },
    /overrides\.silent: is not an alarm of the set: use controllerSilent/,
  ],
  [
    "more data points than are looked at",
    { bindingErrors: { datapointsToAlarm: 4 } },
    /from 1 to the 3 periods looked at, not 4/,
  ],
  [
    "a setting that isn't one",
    { bindingErrors: { threshold: 4 } },
    /overrides\.bindingErrors\.threshold: is not a setting/,
  ],
  [
    "a severity that isn't one",
    { bindingErrors: { severity: "high" } },
    /severity: must be one of page, ticket, not "high"/,
  ],
  ["more than a day", { bindingErrors: { evaluationPeriods: 289 } }, /from 1 to 288, not 289/],
  ["no data point", { bindingErrors: { datapointsToAlarm: 0 } }, /datapointsToAlarm: must be a whole number from 1/],
])("refuses %s", async (_, overrides, expected) => {
  expect(messages((await make({ overrides })).errors)).toMatch(expected);
});
