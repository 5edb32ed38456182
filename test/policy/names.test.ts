import { noEqualPhysicalNames } from "../../policy/rules/names/no-equal-physical-names";
import { checkStack, unknown, type Given } from "../support/policy";
import { ok, refused } from "../support/verdicts";

const metricAlarm = "aws:cloudwatch/metricAlarm:MetricAlarm";

describe("no-equal-physical-names", () => {
  const check = (...given: Given[]) => checkStack(noEqualPhysicalNames, given);
  const resource = (type: string, name: string, props: object, over: Partial<Given> = {}): Given => ({
    type,
    name,
    props: { ...props },
    ...over,
  });
  const alarm = (name: string, physical: unknown, over: Partial<Given> = {}) =>
    resource(metricAlarm, name, { name: physical }, over);

  test("another name, none, and one that isn't known yet are fine", () => {
    expect(check(alarm("a", "shop-low"), alarm("b", "search-low"))).toEqual(ok);
    expect(check(alarm("a", undefined), alarm("b", undefined))).toEqual(ok);
    expect(check(alarm("a", unknown), alarm("b", unknown))).toEqual(ok);
    expect(check(alarm("a", ""), alarm("b", ""))).toEqual(ok);
    expect(check(resource("aws:s3/bucket:Bucket", "a", { name: "x" }), alarm("b", "x"))).toEqual(ok);
  });

  // PutMetricAlarm, PutCompositeAlarm, PutDashboard, PutRule, PutMetricFilter and PutAlarmMuteRule create or update.
  const elastic = (kind: string) =>
    ["lb", "elasticloadbalancingv2", "alb", "applicationloadbalancing"].map((module): [string, string] => [
      `aws:${module}/${kind[0]!.toLowerCase()}${kind.slice(1)}:${kind}`,
      "name",
    ]);
  test.each<[string, string]>([
    [metricAlarm, "name"],
    ["aws:cloudwatch/compositeAlarm:CompositeAlarm", "alarmName"],
    ["aws-native:cloudwatch:Alarm", "alarmName"],
    ["aws-native:cloudwatch:CompositeAlarm", "alarmName"],
    ["aws:cloudwatch/dashboard:Dashboard", "dashboardName"],
    ["aws-native:cloudwatch:Dashboard", "dashboardName"],
    ["aws:cloudwatch/alarmMuteRule:AlarmMuteRule", "name"],
    ["aws-native:cloudwatch:AlarmMuteRule", "name"],
    ["aws:cloudwatch/eventRule:EventRule", "name"],
    ["aws-native:events:Rule", "name"],
    ["aws:cloudwatch/logMetricFilter:LogMetricFilter", "name"],
    ["aws-native:logs:MetricFilter", "filterName"],
    ...elastic("TargetGroup"),
    ["aws-native:elasticloadbalancingv2:TargetGroup", "name"],
    ...elastic("LoadBalancer"),
    ["aws-native:elasticloadbalancingv2:LoadBalancer", "name"],
  ])("two of %s are refused", (type, property) => {
    const pair = ["a", "b"].map((name) => resource(type, name, { [property]: "low", description: name }));
    expect(check(...pair)).toEqual(refused(new RegExp(`^"b" and "a" are both the .* low: .*another ${property}`), "b"));
  });

  test("what happens is said: an alarm is overwritten, a target group refused", () => {
    expect(check(alarm("a", "low"), alarm("b", "low"))).toEqual(refused(/AWS makes one of the two/, "b"));
    const group = (name: string) => resource("aws:lb/targetGroup:TargetGroup", name, { name: "web" });
    expect(check(group("a"), group("b"))).toEqual(refused(/the second is refused in the middle of an update/, "b"));
  });

  test("one kind has its names together, whoever makes it; another kind has its own", () => {
    const composite = resource("aws:cloudwatch/compositeAlarm:CompositeAlarm", "b", { alarmName: "low" });
    const native = resource("aws-native:cloudwatch:Alarm", "c", { alarmName: "low" });
    expect(check(alarm("a", "low"), composite, native).violations.map((v) => v.name)).toEqual(["b", "c"]);
    const dashboard = resource("aws:cloudwatch/dashboard:Dashboard", "d", { dashboardName: "low" });
    expect(check(alarm("a", "low"), dashboard)).toEqual(ok);
  });

  test("two regions, or two providers of the program's own, have names of their own; default providers don't", () => {
    const twice = (first: Partial<Given>, second: Partial<Given>) =>
      check(alarm("a", "low", first), alarm("b", "low", second));
    const inRegion = (region: unknown) => ({ props: { name: "low", region } });
    expect(twice(inRegion("eu-west-1"), inRegion("us-east-1"))).toEqual(ok);
    expect(twice(inRegion("eu-west-1"), inRegion("eu-west-1")).violations).toHaveLength(1);
    expect(twice(inRegion(unknown), inRegion(unknown))).toEqual(ok);
    const by = (provider: string, region?: string) => ({
      provider,
      ...(region === undefined ? {} : { providerProps: { region } }),
    });
    expect(twice(by("europe"), by("america"))).toEqual(ok);
    expect(twice(by("europe"), by("europe")).violations).toHaveLength(1);
    expect(twice(by("default_7_48_0"), by("default")).violations).toHaveLength(1);
    expect(twice(by("default_7_48_0"), {}).violations).toHaveLength(1);
    expect(twice(by("default", "eu-west-1"), inRegion("eu-west-1")).violations).toHaveLength(1);
    expect(twice(by("default", "eu-west-1"), inRegion("us-east-1"))).toEqual(ok);
    expect(twice(by("default-of-a-team"), {})).toEqual(ok);
  });

  test("a rule belongs to its event bus, a metric filter to its log group", () => {
    const rule = (name: string, eventBusName?: unknown) =>
      resource("aws:cloudwatch/eventRule:EventRule", name, { name: "spot", eventBusName });
    expect(check(rule("a"), rule("b", "default")).violations).toHaveLength(1);
    expect(check(rule("a"), rule("b", "audit"))).toEqual(ok);
    expect(check(rule("a", unknown), rule("b", unknown))).toEqual(ok);
    const filter = (name: string, logGroupName: string) =>
      resource("aws:cloudwatch/logMetricFilter:LogMetricFilter", name, { name: "errors", logGroupName });
    expect(check(filter("a", "/shop"), filter("b", "/search"))).toEqual(ok);
    expect(check(filter("a", "/shop"), filter("b", "/shop")).violations).toHaveLength(1);
  });
});
