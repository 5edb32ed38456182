import { AlarmSeverity, type PlannedWorkArgs } from "../../../../components/alarms";
import { find } from "../../../support/graph";
import { alarm, compositeType, make, muteType, readyPods, routes, thrown } from "./setup";

const sundays: PlannedWorkArgs = { schedule: "cron(0 2 * * SUN)", durationMinutes: 150, timezone: "Europe/Vienna" };

describe("planned work", () => {
  test("mutes what says fewer, and never what says down", async () => {
    const { resources, errors } = await make({ readyPods, plannedWork: { patching: sundays } });
    expect(errors).toEqual([]);
    const { rule, muteTargets } = find(resources, muteType, "shop-patching").inputs;
    expect(rule).toEqual({
      schedule: { expression: "cron(0 2 * * SUN)", duration: "PT2H30M", timezone: "Europe/Vienna" },
    });
    expect(muteTargets).toEqual({
      alarmNames: [
        "shop-low-healthy-hosts",
        "shop-below-declared-minimum",
        "shop-host-decay-24h",
        "shop-ready-not-registered",
      ],
    });
  });

  // Duration as ISO 8601 (API reference, Schedule: P2DT12H, PT4H, P7D; PT1M to P15D).
  test.each([
    [1, "PT1M"],
    [240, "PT4H"],
    [3600, "P2DT12H"],
    [10_080, "P7D"],
    [21_600, "P15D"],
    [1441, "P1DT1M"],
  ])("%d minutes are %s", async (durationMinutes, duration) => {
    const { resources } = await make({ plannedWork: { work: { ...sundays, durationMinutes } } });
    expect(find(resources, muteType).inputs).toMatchObject({ rule: { schedule: { duration } } });
  });

  test.each(["at(2026-12-31T22:00)", "cron(0 2 * * *)", "cron(*/15 0-6 1,15 JAN-MAR mon-fri)", "cron(30 23 28 * 7)"])(
    "%s is a schedule",
    async (schedule) => {
      expect(await thrown({ plannedWork: { work: { ...sundays, schedule } } })).toBe("");
    },
  );

  test.each([
    ["at(2026-12-31T22:00:00)", "a moment without seconds"],
    ["at(2026-02-30T22:00)", "must be at("],
    ["at(tomorrow)", "must be at("],
    ["rate(1 day)", "must be at("],
    ["0 2 * * SUN", "must be at("],
    ["cron(0 2 ? * SUN *)", "it has 6 fields and not 5"],
    ["cron(60 24 0 13 SUNDAY)", "its minute and hour and day of the month and month and day of the week can't be read"],
    ["cron(0 2 ? * SUN)", "its day of the month can't be read"],
    ["cron(*/0 2 * * *)", "its minute can't be read"],
    ["cron()", "it has 1 fields and not 5"],
  ])("%s isn't", async (schedule, message) => {
    const found = await thrown({ plannedWork: { work: { ...sundays, schedule } } });
    expect(found).toContain("plannedWork.work.schedule: must be");
    expect(found).toContain(message);
  });

  test("all that is wrong is said at once", async () => {
    const message = await thrown({
      plannedWork: {
        "a b": sundays,
        long: { ...sundays, durationMinutes: 21_601 },
        short: { ...sundays, durationMinutes: 0.5 },
        far: { ...sundays, timezone: "Europe/Atlantis" },
        said: { ...sundays, description: "Pätsche" },
      },
    });
    for (const part of [
      "plannedWork.a b: must have a name of letters, digits and hyphens",
      "plannedWork.long.durationMinutes: must be a whole number from 1 to 21600 (15 days), not 21601",
      "plannedWork.short.durationMinutes: must be a whole number from 1 to 21600 (15 days), not 0.5",
      'plannedWork.far.timezone: must be a time zone of the IANA database such as Europe/Vienna, not "Europe/Atlantis"',
      "plannedWork.said.description: must be ASCII",
    ])
      expect(message).toContain(part);
  });

  test("nothing to mute, and more than a rule takes, are refused", async () => {
    const off = { enabled: false };
    const overrides = { lowHealthyHosts: off, belowDeclaredMinimum: off, hostDecay24h: off };
    expect(await thrown({ plannedWork: { work: sundays }, overrides })).toContain("plannedWork: has nothing to mute");
    // 100 alarms (API reference, MuteTargets): 99 levels and two others are one too many.
    const levels = (count: number) => ({
      lowHealthyHosts: { levels: Object.fromEntries(Array.from({ length: count }, (_, at) => [`l${at}`, {}])) },
    });
    expect(await thrown({ plannedWork: { work: sundays }, overrides: levels(99) })).toContain("more than 100 alarms");
    expect(await thrown({ plannedWork: { work: sundays }, overrides: levels(98) })).toBe("");
  });
});

describe("pages together", () => {
  test("are two composite alarms, and STALE alone", async () => {
    const { resources, outputs, errors } = await make({ combinePages: true, readyPods });
    expect(errors).toEqual([]);
    const short = find(resources, compositeType, "shop-short-of-hosts").inputs;
    expect(short).toMatchObject({
      alarmName: "shop-short-of-hosts",
      alarmRule:
        'ALARM("shop-low-healthy-hosts") OR ALARM("shop-below-declared-minimum") OR ALARM("shop-host-decay-24h") OR ALARM("shop-ready-not-registered")',
      alarmActions: [routes.pageTopicArn],
      okActions: [routes.pageTopicArn],
      insufficientDataActions: [routes.ticketTopicArn],
    });
    expect(find(resources, compositeType, "shop-no-service").inputs["alarmRule"]).toBe(
      'ALARM("shop-no-healthy-hosts") OR ALARM("shop-all-targets-unhealthy")',
    );
    for (const { inputs } of resources.filter((r) => r.type === compositeType))
      expect(inputs).not.toHaveProperty("actionsSuppressor");
    for (const suffix of ["low-healthy-hosts", "no-healthy-hosts", "all-targets-unhealthy"])
      expect(alarm(resources, `shop-${suffix}`)).toMatchObject({ alarmActions: [], okActions: [] });
    expect(alarm(resources, "shop-stale-targets")["alarmActions"]).toEqual([routes.pageTopicArn]);
    expect(Object.keys(outputs?.combined ?? {}).sort()).toEqual(["noService", "shortOfHosts"]);
  });

  test("planned work mutes the one, and never the other", async () => {
    const { resources } = await make({ combinePages: true, plannedWork: { patching: sundays } });
    expect(find(resources, muteType).inputs["muteTargets"]).toEqual({
      alarmNames: [
        "shop-low-healthy-hosts",
        "shop-below-declared-minimum",
        "shop-host-decay-24h",
        "shop-short-of-hosts",
      ],
    });
  });

  test("tickets and alarms with actions of their own stay single, and so does what would be alone", async () => {
    const { resources } = await make({
      combinePages: true,
      overrides: {
        lowHealthyHosts: { severity: AlarmSeverity.Ticket },
        belowDeclaredMinimum: { alarmActions: [routes.ticketTopicArn] },
        allTargetsUnhealthy: { enabled: false },
      },
    });
    expect(resources.filter((r) => r.type === compositeType)).toEqual([]);
    expect(alarm(resources, "shop-host-decay-24h")["alarmActions"]).toEqual([routes.pageTopicArn]);
    expect(alarm(resources, "shop-low-healthy-hosts")["alarmActions"]).toEqual([routes.ticketTopicArn]);
    expect(alarm(resources, "shop-below-declared-minimum")["alarmActions"]).toEqual([routes.ticketTopicArn]);
  });

  test("the text says which are in it, and how to see which is on", async () => {
    const { resources } = await make({ combinePages: true, namePrefix: "prod", owner: "platform team" });
    const text = find(resources, compositeType, "shop-no-service").inputs["alarmDescription"];
    expect(text).toContain("At least one of these alarms is on: no-healthy-hosts, all-targets-unhealthy.");
    expect(text).toContain(
      'First: aws cloudwatch describe-alarms --region eu-west-1 --state-value ALARM --alarm-name-prefix "prod-shop-"',
    );
    expect(text).toContain("Owner: platform team");
    expect(text).toContain("runbooks/no-service.md");
  });

  // PutCompositeAlarm: AlarmRule of 10,240 characters.
  test("more than a rule holds is refused", async () => {
    const levels = Object.fromEntries(Array.from({ length: 45 }, (_, at) => [`l${at}`, {}]));
    const message = await thrown({
      combinePages: true,
      namePrefix: "p".repeat(220),
      overrides: { lowHealthyHosts: { levels }, belowDeclaredMinimum: { enabled: false } },
    });
    expect(message).toContain("combinePages: would put 46 alarms");
  });
});
