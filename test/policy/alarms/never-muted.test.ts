import { outageAlarmsAreNeverMuted } from "../../../policy/rules/alarms/outage-alarms-are-never-muted";
import { checkStack, exempt, unknown, type Given } from "../../support/policy";
import { ok, refused } from "../../support/verdicts";

const check = (given: Given[], config?: object) => checkStack(outageAlarmsAreNeverMuted, given, config);

/** An alarm on one metric. */
const alarm = (name: string, metricName: string, less: boolean, threshold: unknown, props: object = {}): Given => ({
  type: "aws:cloudwatch/metricAlarm:MetricAlarm",
  name,
  props: {
    name: `prod-${name}`,
    metricName,
    comparisonOperator: less ? "LessThanThreshold" : "GreaterThanOrEqualToThreshold",
    threshold,
    ...props,
  },
});
const ids: Readonly<Record<string, string>> = { HealthyHostCount: "h", UnHealthyHostCount: "u", pods: "ready" };
/** An alarm on metric math over both counts. */
const math = (name: string, expression: unknown, metrics: string[], less = false, threshold = 1): Given =>
  alarm(name, "", less, threshold, {
    metricName: undefined,
    metricQueries: [
      ...metrics.map((metricName) => ({ id: ids[metricName], metric: { metricName } })),
      { id: "result", expression, returnData: true },
    ],
  });
const both = ["HealthyHostCount", "UnHealthyHostCount"];

const few = alarm("few", "HealthyHostCount", true, 2);
const none = math("none", "FILL(h, 0)", ["HealthyHostCount"], true);
const bad = math("bad", "IF((h < 1) AND (u >= 1), 1, 0)", both);
const stays = alarm("stays", "UnHealthyHostCount", false, 1);
const decay = math("decay", "IF((DIFF(h) < 0) AND ((h < 3) OR (u >= 1)), 1, 0)", both);
const gap = math("gap", "ready - h", ["HealthyHostCount", "pods"]);
/** What it judges is the count; the rate is only looked up. */
const unusedRate = alarm("x", "", false, 1, {
  metricName: undefined,
  metricQueries: [
    { id: "u", metric: { metricName: "UnHealthyHostCount" }, returnData: true },
    { id: "rate", expression: "RATE(u)" },
  ],
});
const all = [few, none, bad, stays, decay, gap];

const mute = (alarmNames: unknown, from?: string[]): Given => ({
  type: "aws:cloudwatch/alarmMuteRule:AlarmMuteRule",
  name: "night",
  props: { rule: { schedule: { expression: "cron(0 2 * * *)", duration: "PT2H" } }, muteTargets: { alarmNames } },
  ...(from === undefined ? {} : { propertyDependencies: { muteTargets: from } }),
});
const suppressed = (alarmRule: unknown, from?: string[], over: object = {}): Given => ({
  type: "aws:cloudwatch/compositeAlarm:CompositeAlarm",
  name: "edge",
  props: {
    alarmName: "edge",
    alarmRule,
    actionsSuppressor: { alarm: "deploying", waitPeriod: 60, extensionPeriod: 60 },
    ...over,
  },
  ...(from === undefined ? {} : { propertyDependencies: { alarmRule: from } }),
});

describe("outage-alarms-are-never-muted", () => {
  test("too few hosts, decay and ready pods may be muted", () => {
    expect(check([...all, mute(["prod-few", "prod-decay", "prod-gap"])])).toEqual(ok);
    expect(check([...all, suppressed('ALARM("prod-few") OR ALARM(prod-decay)')])).toEqual(ok);
  });

  test.each([
    ["prod-none", /^"night" mutes "none", which says that no healthy target is left\. Take it out/],
    ["prod-bad", /"bad", which says that every target is unhealthy/],
    ["prod-stays", /"stays", which says that a target stays unhealthy/],
  ])("%s may not", (name, message) => {
    expect(check([...all, mute(["prod-few", name])])).toEqual(refused(message, "night"));
  });

  test("a suppressor is a mute, too", () => {
    expect(check([...all, suppressed('ALARM("prod-few") OR ALARM("prod-none")')])).toEqual(
      refused(/^"edge" suppresses "none"/, "edge"),
    );
    const byArn = 'ALARM("arn:aws:cloudwatch:eu-west-1:123456789012:alarm:prod-stays")';
    expect(check([...all, suppressed(byArn)])).toEqual(refused(/"stays"/, "edge"));
  });

  test("a composite alarm without a suppressor is none", () => {
    expect(check([...all, suppressed('ALARM("prod-none")', undefined, { actionsSuppressor: undefined })])).toEqual(ok);
  });

  test("muting a composite alarm mutes what is in it", () => {
    const inner = suppressed('ALARM("prod-none")', undefined, { actionsSuppressor: undefined });
    expect(check([...all, inner, mute(["edge"])])).toEqual(refused(/^"night" mutes "edge", which/, "night"));
    const outer = { ...suppressed("ALARM(edge)", undefined, { alarmName: "outer" }), name: "outer" };
    expect(check([...all, inner, outer])).toEqual(refused(/^"outer" suppresses "edge"/, "outer"));
    const harmless = suppressed('ALARM("prod-few")', undefined, { actionsSuppressor: undefined });
    expect(check([...all, harmless, mute(["edge"])])).toEqual(ok);
  });

  test("a suppressor written by hand is one, where the alarm tells nobody itself", () => {
    const byHand = (alarmRule: string) => suppressed(alarmRule, undefined, { actionsSuppressor: undefined });
    for (const alarmRule of ['ALARM("prod-none") AND NOT ALARM("deploying")', "ALARM(prod-none) AND OK(deploying)"])
      expect(check([...all, byHand(alarmRule)])).toEqual(refused(/^"edge" suppresses "none"/, "edge"));
    const heard = { ...none, props: { ...none.props, alarmActions: ["arn:aws:sns:eu-west-1:123456789012:page"] } };
    expect(check([heard, byHand('ALARM("prod-none") AND NOT ALARM("deploying")')])).toEqual(ok);
    expect(check([...all, byHand('ALARM("prod-few") AND NOT ALARM("deploying")')])).toEqual(ok);
    expect(check([...all, byHand('ALARM("NOT AND OK") OR ALARM("prod-none")')])).toEqual(ok);
  });

  test("actions that are switched off are a mute for ever", () => {
    const off = (given: Given): Given => ({ ...given, props: { ...given.props, actionsEnabled: false } });
    expect(check([off(none)])).toEqual(
      refused(/^"none" says that no healthy target is left, and tells nobody/, "none"),
    );
    expect(check([off(few)])).toEqual(ok);
  });

  test("composite alarms in a circle end", () => {
    const one = suppressed("ALARM(two)", undefined, { alarmName: "one" });
    const two = suppressed("ALARM(one)", undefined, { alarmName: "two", actionsSuppressor: undefined });
    expect(
      check([
        { ...one, name: "one" },
        { ...two, name: "two" },
      ]),
    ).toEqual(ok);
  });

  // Names as TargetHealthAlarms makes them: docs/runbooks.
  test.each([
    "prod-shop-no-healthy-hosts",
    "prod-shop-no-healthy-hosts-critical",
    "shop-all-targets-unhealthy",
    "stale-targets",
    "shop-no-service",
  ])("%s of another stack is known by its name", (name) => {
    expect(check([mute([name])])).toEqual(refused(new RegExp(`mutes "${name}"`), "night"));
    expect(check([suppressed(`ALARM("${name}")`)])).toEqual(refused(new RegExp(`suppresses "${name}"`), "edge"));
  });

  test.each(["prod-shop-low-healthy-hosts", "shop-short-of-hosts", "shop-ready-not-registered", "unknown-alarm"])(
    "%s of another stack may be muted",
    (name) => {
      expect(check([mute([name])])).toEqual(ok);
    },
  );

  test("an alarm of the stack is known by its name as well", () => {
    const named = alarm("own", "Errors", false, 1, { name: "shop-stale-targets" });
    expect(check([named, mute(["shop-stale-targets"])])).toEqual(refused(/"own"/, "night"));
  });

  test.each([
    ["fewer than one", alarm("x", "HealthyHostCount", true, 1), false],
    [
      "none or less",
      alarm("x", "HealthyHostCount", true, 0, { comparisonOperator: "LessThanOrEqualToThreshold" }),
      false,
    ],
    [
      "one or less",
      alarm("x", "HealthyHostCount", true, 1, { comparisonOperator: "LessThanOrEqualToThreshold" }),
      true,
    ],
    ["fewer than three, filled", math("x", "FILL(h, 0) + 0", ["HealthyHostCount"], true, 3), true],
    ["fewer than one, the other way round", math("x", "IF(FILL(h, 0) < 1, 1, 0)", ["HealthyHostCount"]), false],
    ["fewer than two, the other way round", math("x", "IF(FILL(h, 0) < 2, 1, 0)", ["HealthyHostCount"]), true],
    ["fewer than ten, the other way round", math("x", "IF(FILL(h, 0) < 10, 1, 0)", ["HealthyHostCount"]), true],
    ["unhealthy ones beside an unused rate", unusedRate, false],
    ["more than three", alarm("x", "HealthyHostCount", false, 3), true],
    ["a rate of unhealthy ones", math("x", "RATE(u)", ["UnHealthyHostCount"]), true],
    ["something else", alarm("x", "TargetResponseTime", false, 1), true],
  ])("%s", (_, given, fine) => {
    expect(check([given, mute(["prod-x"])]).violations).toHaveLength(fine ? 0 : 1);
  });

  test("with names unknown, the dependencies give it away", () => {
    const late = (given: Given): Given => ({ ...given, props: { ...given.props, name: unknown } });
    expect(check([late(none), mute([unknown], ["none"])])).toEqual(refused(/"none"/, "night"));
    expect(check([late(few), mute([unknown], ["few"])])).toEqual(ok);
    expect(check([late(few), late(none), mute([unknown, unknown], ["few", "none"])])).toEqual(
      refused(/"none"/, "night"),
    );
    expect(check([late(few), late(none), suppressed(unknown, ["few", "none"])])).toEqual(refused(/"none"/, "edge"));
    expect(check([late(few), suppressed(unknown, ["few"])])).toEqual(ok);
  });

  test("one unknown name out of several alarms is advisory, unless it is bad in each case", () => {
    const found = check([few, none, mute([unknown], ["few", "none"])]);
    expect(found).toEqual({ ...ok, undecided: expect.stringMatching(/^night: .*muteTargets\.alarmNames/) as string });
    expect(check([none, stays, mute([unknown], ["none", "stays"])])).toEqual(refused(/"none".*"stays"/, "night"));
    expect(check([few, decay, mute([unknown], ["few", "decay"])])).toEqual(ok);
    expect(check([few, mute([unknown, "shop-no-healthy-hosts"], ["few"])])).toEqual(refused(/"shop-no-/, "night"));
  });

  test("what an alarm measures may be unknown", () => {
    const found = check([alarm("x", "HealthyHostCount", true, unknown), mute(["prod-x"])]);
    expect(found).toEqual({ ...ok, undecided: expect.stringMatching(/^night: .*threshold/) as string });
  });

  test("aws-native has the same rules", () => {
    const native = { ...mute(["prod-none"]), type: "aws-native:cloudwatch:AlarmMuteRule" };
    expect(check([none, native])).toEqual(refused(/"none"/, "night"));
    const composite = { ...suppressed("ALARM(prod-none)"), type: "aws-native:cloudwatch:CompositeAlarm" };
    expect(check([none, composite])).toEqual(refused(/"none"/, "edge"));
  });

  test("an exemption exempts the rule that mutes", () => {
    expect(check([none, mute(["prod-none"])], { exemptions: [exempt("night")] })).toEqual(ok);
  });
});
