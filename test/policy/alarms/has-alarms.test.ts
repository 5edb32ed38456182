import { ipTargetGroupHasAlarms } from "../../../policy/rules/alarms/ip-target-group-has-alarms";
import { checkStack, exempt, unknown, type Given } from "../../support/policy";
import { ok, refused } from "../../support/verdicts";

const suffix = "targetgroup/web/0123456789abcdef";
const arn = `arn:aws:elasticloadbalancing:eu-west-1:123456789012:${suffix}`;
const topic = "arn:aws:sns:eu-west-1:123456789012:page";

const check = (given: Given[], config?: object) => checkStack(ipTargetGroupHasAlarms, given, config);
const group = (over: Partial<Given> = {}): Given => ({
  type: "aws:lb/targetGroup:TargetGroup",
  name: "web",
  ...over,
  props: { targetType: "ip", arn: unknown, arnSuffix: unknown, tags: { Name: "web" }, ...over.props },
});
const rule = (over: Partial<Given> = {}): Given => ({
  type: "aws:lb/listenerRule:ListenerRule",
  name: "rule",
  props: { actions: [{ type: "forward", targetGroupArn: unknown }] },
  propertyDependencies: { actions: ["web"] },
  ...over,
});
/** An alarm on one metric, as LOW is. */
const low = (props: object = {}, over: Partial<Given> = {}): Given => ({
  type: "aws:cloudwatch/metricAlarm:MetricAlarm",
  name: "low",
  propertyDependencies: { dimensions: ["web"] },
  ...over,
  props: {
    name: "low",
    metricName: "HealthyHostCount",
    dimensions: { LoadBalancer: unknown, TargetGroup: unknown },
    comparisonOperator: "LessThanThreshold",
    threshold: 2,
    treatMissingData: "breaching",
    alarmActions: [topic],
    ...props,
  },
});
const metric = (metricName: string, target: unknown = unknown) => ({
  metricName,
  stat: "Maximum",
  period: 60,
  dimensions: { LoadBalancer: unknown, TargetGroup: target },
});
/** An alarm on metric math, as NODATA is. */
const math = (expression: string, props: object = {}, over: Partial<Given> = {}): Given => ({
  type: "aws:cloudwatch/metricAlarm:MetricAlarm",
  name: "math",
  propertyDependencies: { metricQueries: ["web"] },
  ...over,
  props: {
    name: "math",
    metricQueries: [
      { id: "h", metric: metric("HealthyHostCount") },
      { id: "h1", metric: metric("HealthyHostCount") },
      { id: "h2", metric: metric("HealthyHostCount") },
      { id: "u", metric: metric("UnHealthyHostCount") },
      { id: "result", expression, returnData: true },
    ],
    comparisonOperator: "LessThanThreshold",
    threshold: 1,
    alarmActions: [topic],
    ...props,
  },
});
const composite = (props: object = {}, over: Partial<Given> = {}): Given => ({
  type: "aws:cloudwatch/compositeAlarm:CompositeAlarm",
  name: "composite",
  props: { alarmName: "composite", alarmRule: 'ALARM("low")', alarmActions: [topic], ...props },
  ...over,
});

/** What it judges is the unhealthy hosts; the healthy ones are only looked up. */
const unused = math("FILL(u, 0)");

describe("ip-target-group-has-alarms", () => {
  test("a group that gets requests and has no alarm is refused, in words that say what is enough", () => {
    const found = check([group(), rule()]);
    expect(found).toEqual(
      refused(/^The ip target group "web" gets requests, and no alarm .* Make TargetHealthAlarms/, "web"),
    );
    expect(found.violations[0]!.message).toMatch(/What is enough: .*HealthyHostCount.*"breaching".*FILL.*alarmActions/);
    expect(found.violations[0]!.message).toContain('tag it "moorings-alarmed-elsewhere"');
  });

  test("with everything unknown, the dependencies of an alarm are enough", () => {
    expect(check([group(), rule(), low()])).toEqual(ok);
    expect(check([group(), rule(), math("FILL(h, 0)")])).toEqual(ok);
  });

  test("groups without a listener, of instances, or of somebody else aren't its business", () => {
    expect(check([group()])).toEqual(ok);
    expect(check([group({ props: { targetType: "instance" } }), rule()])).toEqual(ok);
    expect(check([group({ props: { targetType: undefined } }), rule()])).toEqual(ok);
    expect(check([group(), rule({ propertyDependencies: { conditions: ["web"] } })])).toEqual(ok);
  });

  test.each([
    ["aws:lb/listener:Listener", "defaultActions"],
    ["aws:alb/listener:Listener", "defaultActions"],
    ["aws-native:elasticloadbalancingv2:Listener", "defaultActions"],
    ["aws-native:elasticloadbalancingv2:ListenerRule", "actions"],
    ["awsx:lb:ApplicationLoadBalancer", "defaultTargetGroup"],
    ["awsx:lb:NetworkLoadBalancer", "listeners"],
  ])("%s sends requests by %s", (type, property) => {
    const given = rule({ type, props: { [property]: unknown }, propertyDependencies: { [property]: ["web"] } });
    expect(check([group(), given])).toEqual(refused(/gets requests/, "web"));
  });

  test.each([
    ["a forward to one", [{ type: "forward", targetGroupArn: arn }]],
    ["a weighted one", [{ type: "forward", forward: { targetGroups: [{ arn: `${arn}0` }, { arn, weight: 1 }] } }]],
    ["aws-native's", [{ type: "forward", forwardConfig: { targetGroups: [{ targetGroupArn: arn }] } }]],
  ])("known ARNs give it away: %s", (_, actions) => {
    const known = group({ props: { arn } });
    expect(check([known, rule({ props: { actions }, propertyDependencies: {} })])).toEqual(refused(/web/, "web"));
    const other = JSON.parse(JSON.stringify(actions).replaceAll(`${arn}"`, `${arn}1"`)) as unknown;
    expect(check([known, rule({ props: { actions: other }, propertyDependencies: {} })])).toEqual(ok);
  });

  test("known dimensions decide where there are any", () => {
    const known = group({ props: { arn, arnSuffix: suffix } });
    const watches = (target: string) => low({ dimensions: { TargetGroup: target } }, { propertyDependencies: {} });
    expect(check([known, rule(), watches(suffix)])).toEqual(ok);
    expect(check([known, rule(), watches(`${suffix}0`)])).toEqual(refused(/no alarm/, "web"));
    // From another value of the group, and of another group by what it is.
    const mistaken = low({ dimensions: { TargetGroup: `${suffix}0` } });
    expect(check([known, rule(), mistaken])).toEqual(refused(/no alarm/, "web"));
    const native = low(
      {
        dimensions: [
          { name: "LoadBalancer", value: "app/x/1" },
          { name: "TargetGroup", value: suffix },
        ],
      },
      { type: "aws-native:cloudwatch:Alarm", propertyDependencies: {} },
    );
    expect(check([group({ props: { arn } }), rule(), native])).toEqual(ok);
  });

  test("an edge of several groups has one alarm for all of them", () => {
    const green = { ...group(), name: "green" };
    const rules = [rule(), rule({ name: "other", propertyDependencies: { actions: ["green"] } })];
    const both = math("FILL(h1, 0) + FILL(h2, 0)", {}, { propertyDependencies: { metricQueries: ["web", "green"] } });
    expect(check([group(), green, ...rules, both])).toEqual(ok);
    expect(check([group(), green, ...rules, low()])).toEqual(refused(/"green"/, "green"));
  });

  // Decision 1 of the alarms research: with no target the metric disappears, so that an alarm on it must take silence for bad news.
  test.each<[string, Given, string]>([
    ["AWS's default for missing data", low({ treatMissingData: undefined }), '"low" takes silence for no news'],
    ["notBreaching", low({ treatMissingData: "notBreaching" }), '"low" takes silence for no news'],
    ["a comparison that silence doesn't breach", low({ comparisonOperator: "GreaterThanThreshold" }), "silence"],
    ["a decay that isn't filled", math("IF((DIFF(h) < 0) AND (u >= 1), 1, 0)"), '"math" takes silence for no news'],
    [
      "zeros that are waited for in vain",
      math("FILL(h, 0)", { comparisonOperator: "GreaterThanThreshold" }),
      "silence",
    ],
    ["filled with something else", math("FILL(h, REPEAT)"), "silence"],
    ["unhealthy hosts", low({ metricName: "UnHealthyHostCount" }), `"low" doesn't measure HealthyHostCount`],
    ["nobody told", low({ alarmActions: [] }), '"low" tells nobody'],
    ["no actions", low({ alarmActions: undefined }), '"low" tells nobody'],
    ["actions switched off", low({ actionsEnabled: false }), '"low" tells nobody'],
    ["fewer than none", math("FILL(h, 0)", { threshold: 0 }), '"math" waits for hosts fewer than none'],
    ["unhealthy hosts filled", math("FILL(u, 0) + h"), '"math" takes silence for no news'],
    ["how many reports there are", low({ statistic: "SampleCount" }), '"low" counts reports'],
    ["a classic load balancer's namespace", low({ namespace: "AWS/ELB" }), '"low" looks into AWS/ELB'],
    ["an unused query", unused, '"math" doesn\'t measure HealthyHostCount'],
  ])("%s isn't enough, and the message says why", (_, alarm, why) => {
    const found = check([group(), rule(), alarm]);
    expect(found).toEqual(refused(/no alarm in this stack/, "web"));
    expect(found.violations[0]!.message).toContain(why);
  });

  test.each([
    "FILL(h, 0)",
    "FILL(h1,0)+FILL(h2,0)",
    "FILL(h, 0.0)",
    "SUM(FILL(METRICS(), 0))",
    "IF(FILL(h, 0) < 1, 1, 0)",
  ])("%s hears silence", (expression) => {
    expect(check([group(), rule(), math(expression)])).toEqual(ok);
  });

  test("an expression may wait for few by itself", () => {
    const more = { comparisonOperator: "GreaterThanOrEqualToThreshold" };
    expect(check([group(), rule(), math("IF(FILL(h, 0) < 1, 1, 0)", more)])).toEqual(ok);
    expect(check([group(), rule(), math("IF(h < 1, 1, 0)", { ...more, treatMissingData: "breaching" })])).toEqual(ok);
  });

  test("one that is enough is enough beside others that aren't", () => {
    expect(check([group(), rule(), low({ alarmActions: [] }), math("FILL(h, 0)")])).toEqual(ok);
  });

  test("somebody told by a composite alarm is told", () => {
    const silent = low({ alarmActions: [] });
    expect(check([group(), rule(), silent, composite()])).toEqual(ok);
    expect(check([group(), rule(), silent, composite({ alarmRule: "ALARM(low)" })])).toEqual(ok);
    const byArn = `ALARM("arn:aws:cloudwatch:eu-west-1:123456789012:alarm:low")`;
    expect(check([group(), rule(), silent, composite({ alarmRule: byArn })])).toEqual(ok);
    const late = composite({ alarmRule: unknown }, { propertyDependencies: { alarmRule: ["low"] } });
    expect(check([group(), rule(), silent, late])).toEqual(ok);
    const outer = composite({ alarmName: "outer", alarmRule: "ALARM(composite)" }, { name: "outer" });
    expect(check([group(), rule(), silent, composite({ alarmActions: [] }), outer])).toEqual(ok);
  });

  test("but not by one of other alarms, or one that tells nobody", () => {
    const silent = low({ alarmActions: [] });
    // Only when something else is so, too, or when all is well.
    const rules = [
      "ALARM(other)",
      'ALARM("low") AND ALARM("x")',
      'OK("low")',
      'ALARM("low") AND NOT ALARM("deploying")',
    ];
    for (const other of [...rules.map((alarmRule) => composite({ alarmRule })), composite({ alarmActions: [] })])
      expect(check([group(), rule(), silent, other])).toEqual(refused(/tells nobody/, "web"));
    const circle = composite({ alarmActions: [], alarmRule: 'ALARM("low") OR ALARM("composite")' });
    expect(check([group(), rule(), silent, circle])).toEqual(refused(/tells nobody/, "web"));
  });

  test("aws-native's alarms count, too", () => {
    const query = { metric: { metricName: "HealthyHostCount", dimensions: [{ name: "TargetGroup", value: unknown }] } };
    const native: Given = {
      type: "aws-native:cloudwatch:Alarm",
      name: "native",
      props: {
        metrics: [
          { id: "h", metricStat: query },
          { id: "r", expression: "FILL(h, 0)" },
        ],
        comparisonOperator: "LessThanThreshold",
        alarmActions: [unknown],
      },
      propertyDependencies: { metrics: ["web"] },
    };
    expect(check([group(), rule(), native])).toEqual(ok);
  });

  test("what decides and isn't known yet is advisory", () => {
    const missing = check([group(), rule(), low({ treatMissingData: unknown })]);
    expect(missing).toEqual({ ...ok, undecided: expect.stringMatching(/^web: .*treatMissingData/) as string });
    const type = check([group({ props: { targetType: unknown } }), rule()]);
    expect(type).toEqual({ ...ok, undecided: expect.stringMatching(/^web: .*targetType/) as string });
    const name = check([group(), rule(), low({ metricName: unknown })]);
    expect(name).toEqual({ ...ok, undecided: expect.stringMatching(/^web: .*metricName/) as string });
  });

  test("tags and exemptions exempt", () => {
    const tagged = group({ props: { tags: { "moorings-alarmed-elsewhere": "New Relic" } } });
    expect(check([tagged, rule()])).toEqual(ok);
    expect(check([tagged, rule()], { exemptTags: ["other"] })).toEqual(refused(/web/, "web"));
    expect(check([group({ props: { tags: unknown } }), rule()])).toEqual(refused(/web/, "web"));
    expect(check([group(), rule()], { exemptions: [exempt("w*")] })).toEqual(ok);
  });
});
