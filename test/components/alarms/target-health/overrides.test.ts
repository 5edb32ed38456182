import { AlarmSeverity, MissingData, type TargetHealthAlarmsArgs } from "../../../../components/alarms";
import { alarm, blueGreen, make, routes, strict, thrown, zonal } from "./setup";

const own = "arn:aws:sns:eu-west-1:123456789012:own";
type Overrides = NonNullable<TargetHealthAlarmsArgs["overrides"]>;

describe("how quick LOW may be", () => {
  const low = async (change: Partial<TargetHealthAlarmsArgs>) => {
    const { datapointsToAlarm, evaluationPeriods, alarmDescription } = alarm(
      (await make(change)).resources,
      "shop-low-healthy-hosts",
    );
    return { mOfN: [datapointsToAlarm, evaluationPeriods], text: alarmDescription };
  };

  // Decision 3 of the research: with two replicas 2 of 3 pages on every unprotected deploy, 32 times in 14 days; 5 of 5 never.
  test("with two replicas it pages after five minutes only, and says why", async () => {
    expect(await low({ minReplicas: 2 })).toEqual({
      mOfN: [5, 5],
      text: expect.stringContaining("Slow because with 2 replicas every deploy is fewer than 2.") as string,
    });
    expect((await low({ minReplicas: undefined, fixedReplicas: 2 })).mOfN).toEqual([5, 5]);
    const three = await low({ minReplicas: 3 });
    expect(three.mOfN).toEqual([2, 3]);
    expect(three.text).not.toContain("Slow");
  });

  test("likewise when nobody says how many there are", async () => {
    const unknown = await low({ minReplicas: undefined });
    expect(unknown.mOfN).toEqual([5, 5]);
    expect(unknown.text).toContain("no number of replicas is declared");
  });

  test("as a ticket, or overridden, it stays quick", async () => {
    const ticket = { lowHealthyHosts: { severity: AlarmSeverity.Ticket } };
    expect((await low({ minReplicas: 2, overrides: ticket })).mOfN).toEqual([2, 3]);
    const numbers = { lowHealthyHosts: { datapointsToAlarm: 3, evaluationPeriods: 4 } };
    const given = await low({ minReplicas: 2, overrides: numbers });
    expect(given.mOfN).toEqual([3, 4]);
    expect(given.text).not.toContain("Slow");
  });

  test("it depends on the threshold: whether a deploy of one replica is too few", async () => {
    const threshold = (value: number) => ({ lowHealthyHosts: { threshold: value } });
    expect((await low({ minReplicas: 3, overrides: threshold(3) })).mOfN).toEqual([5, 5]);
    expect((await low({ minReplicas: 4, overrides: threshold(3) })).mOfN).toEqual([2, 3]);
    expect((await low({ minReplicas: 2, overrides: threshold(1) })).mOfN).toEqual([2, 3]);
  });

  test("two replicas in three zones wait for five minutes, and not for four", async () => {
    expect((await low({ ...zonal, minReplicas: 2 })).mOfN).toEqual([5, 5]);
  });
});

describe("overrides", () => {
  test("everything of an alarm can be another", async () => {
    const { resources, errors } = await make({
      overrides: {
        staleTargets: {
          severity: AlarmSeverity.Ticket,
          threshold: 2,
          periodSeconds: 600,
          datapointsToAlarm: 4,
          evaluationPeriods: 6,
          missingData: MissingData.Ignore,
          warmUpMinutes: 120,
          alarmName: "edge team: stale-targets",
          alarmActions: [own, routes.ticketTopicArn],
          okActions: [],
          insufficientDataActions: [own],
        },
      },
    });
    expect(errors).toEqual([]);
    expect(alarm(resources, "shop-stale-targets")).toMatchObject({
      name: "edge team: stale-targets",
      threshold: 2,
      period: 600,
      datapointsToAlarm: 4,
      evaluationPeriods: 6,
      treatMissingData: "ignore",
      warmUpConfiguration: { ...strict, warmUpPeriodDurationInMinutes: 120 },
      alarmActions: [own, routes.ticketTopicArn],
      okActions: [],
      insufficientDataActions: [own],
      tags: { "alarm-severity": "ticket", Name: "edge team: stale-targets" },
    });
  });

  test("a ticket goes to the ticket topic, and its end as well", async () => {
    const { resources } = await make({ overrides: { hostDecay24h: { severity: AlarmSeverity.Ticket } } });
    expect(alarm(resources, "shop-host-decay-24h")).toMatchObject({
      alarmActions: [routes.ticketTopicArn],
      okActions: [routes.ticketTopicArn],
      insufficientDataActions: [routes.ticketTopicArn],
    });
  });

  test.each<keyof Overrides>([
    "lowHealthyHosts",
    "noHealthyHosts",
    "allTargetsUnhealthy",
    "staleTargets",
    "belowDeclaredMinimum",
    "hostDecay24h",
  ])("%s can be left out", async (key) => {
    const { outputs } = await make({ overrides: { [key]: { enabled: false } } });
    expect(Object.keys(outputs?.names ?? {})).toHaveLength(5);
    expect(outputs?.names).not.toHaveProperty(key);
  });

  test("a period counts in metric math, too", async () => {
    const { resources } = await make({ overrides: { hostDecay24h: { periodSeconds: 604_800 } } });
    expect(alarm(resources, "shop-host-decay-24h")["metricQueries"]).toMatchObject([
      { metric: { period: 604_800 } },
      { metric: { period: 604_800 } },
      { id: "result" },
    ]);
  });
});

describe("several thresholds of one alarm", () => {
  const levels = {
    lowHealthyHosts: {
      datapointsToAlarm: 3,
      levels: {
        Warning: { threshold: 3, severity: AlarmSeverity.Ticket },
        Critical: { threshold: 2, datapointsToAlarm: 2 },
        Off: { enabled: false },
      },
    },
  };

  test("are alarms of their own, which take from the alarm what they don't say", async () => {
    const { resources, outputs, errors } = await make({ overrides: levels });
    expect(errors).toEqual([]);
    expect(alarm(resources, "shop-low-healthy-hosts-Warning")).toMatchObject({
      name: "shop-low-healthy-hosts-Warning",
      threshold: 3,
      datapointsToAlarm: 3,
      evaluationPeriods: 3,
      alarmActions: [routes.ticketTopicArn],
    });
    expect(alarm(resources, "shop-low-healthy-hosts-Critical")).toMatchObject({
      threshold: 2,
      datapointsToAlarm: 2,
      alarmActions: [routes.pageTopicArn],
    });
    expect(outputs?.names).toMatchObject({
      "lowHealthyHosts.Warning": "shop-low-healthy-hosts-Warning",
      "lowHealthyHosts.Critical": "shop-low-healthy-hosts-Critical",
    });
    expect(Object.keys(outputs?.names ?? {})).toHaveLength(7);
  });

  test("only the level that pages is slow", async () => {
    const { resources } = await make({
      minReplicas: 2,
      overrides: { lowHealthyHosts: { levels: { ticket: { severity: AlarmSeverity.Ticket }, page: {} } } },
    });
    expect(alarm(resources, "shop-low-healthy-hosts-ticket")["datapointsToAlarm"]).toBe(2);
    expect(alarm(resources, "shop-low-healthy-hosts-page")["datapointsToAlarm"]).toBe(5);
  });

  test("are checked one by one", async () => {
    expect(await thrown({ overrides: { staleTargets: { levels: {} } } })).toContain(
      "overrides.staleTargets.levels: is empty, so there would be no alarm",
    );
    const message = await thrown({
      overrides: {
        staleTargets: {
          levels: { "too much": {}, many: { threshold: 1001 }, one: { alarmName: "x" }, two: { alarmName: "x" } },
        },
      },
    });
    for (const part of [
      "overrides.staleTargets.levels.too much: must have a name of letters, digits and hyphens",
      "overrides.staleTargets.levels.many.threshold: must be a whole number from 1 to 1000, not 1001",
      'overrides: give two alarms the name "x", and the second would overwrite the first',
    ])
      expect(message).toContain(part);
  });
});

describe("warm-up", () => {
  const warmUps = async (change: Partial<TargetHealthAlarmsArgs>) =>
    (await make(change)).resources.flatMap((r) => {
      const { warmUpConfiguration: found } = r.inputs as { warmUpConfiguration?: object };
      return found === undefined ? [] : [`${r.name} ${Object.values(found).map(String).sort().join(" ")}`];
    });

  test("is strict, and only where what a new target group says breaches", async () => {
    expect((await warmUps({})).sort()).toEqual([
      "shop-all-targets-unhealthy 30 true",
      "shop-below-declared-minimum 30 true",
      "shop-low-healthy-hosts 30 true",
      "shop-no-healthy-hosts 30 true",
    ]);
  });

  test("may end early, last longer, or be none where CloudWatch doesn't know it", async () => {
    expect(await warmUps({ strictWarmUp: false })).toContain("shop-low-healthy-hosts 30 false");
    expect(await warmUps({ warmUpMinutes: 60 })).toContain("shop-no-healthy-hosts 60 true");
    expect(await warmUps({ warmUpMinutes: 0 })).toEqual([]);
    const one = { lowHealthyHosts: { warmUpMinutes: 0 } };
    expect(await warmUps({ overrides: one })).not.toContain("shop-low-healthy-hosts 30 true");
  });
});

test("the quick LOW of several groups is refused: FILL makes zeros of the newest minutes", async () => {
  const numbers = { lowHealthyHosts: { datapointsToAlarm: 3, evaluationPeriods: 3 } };
  expect(await thrown({ ...blueGreen, overrides: numbers })).toContain(
    "overrides.lowHealthyHosts.datapointsToAlarm: must be a whole number of at least 4, not 3",
  );
  expect(await thrown({ overrides: numbers })).toBe("");
  // A period of five minutes has reports in it, however late they are.
  expect(
    await thrown({ ...blueGreen, overrides: { lowHealthyHosts: { ...numbers.lowHealthyHosts, periodSeconds: 300 } } }),
  ).toBe("");
});
