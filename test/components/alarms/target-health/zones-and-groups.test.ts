import { LoadBalancerType, TargetHealthAlarms } from "../../../../components/alarms";
import { run } from "../../../support/harness";
import { alarm, blueGreen, edge, make, measured, readyPods, thrown, zonal } from "./setup";

const network = { loadBalancerType: LoadBalancerType.Network, loadBalancerArnSuffix: "net/edge/50dc6c495c0c9188" };
const zones = (count: number) => Array.from({ length: count }, (_, at) => `eu-west-1${"abcdefghijk".charAt(at)}`);
const groups = (count: number) => ({
  targetGroupArnSuffix: undefined,
  targetGroupArnSuffixes: Object.fromEntries(zones(count).map((zone, at) => [zone, `targetgroup/g/${at}`])),
});

// Section 3, "Zonal form": h and u are sums over the AvailabilityZone series, LOW 4 of 5.
describe("where each node counts its own zone", () => {
  test("LOW adds up the zones, and waits for 4 of 5 because their reports come one by one", async () => {
    const { metrics, expressions, returned, mOfN, inputs } = await measured(
      { ...network, ...zonal },
      "low-healthy-hosts",
    );
    const series = "net/edge/50dc6c495c0c9188 targetgroup/shop/73e2d6bc24d8a067";
    expect(metrics).toEqual({
      h1: `Minimum HealthyHostCount 60 eu-west-1a ${series}`,
      h2: `Minimum HealthyHostCount 60 eu-west-1b ${series}`,
      h3: `Minimum HealthyHostCount 60 eu-west-1c ${series}`,
    });
    expect(expressions).toEqual({ result: "h1 + h2 + h3" });
    expect(returned).toEqual(["result"]);
    expect(mOfN).toEqual([4, 5]);
    expect(inputs).toMatchObject({ threshold: 2, treatMissingData: "breaching" });
  });

  test.each([
    ["no-healthy-hosts", { result: "FILL(h1, 0) + FILL(h2, 0) + FILL(h3, 0)" }, [5, 5]],
    // 4 of 5: with two zones bad, the third one's late report makes a sum of none. Two newest minutes can be such a sum (replays/silent-decay).
    [
      "all-targets-unhealthy",
      { h: "h1 + h2 + h3", u: "u1 + u2 + u3", result: "IF((h < 1) AND (u >= 1), 1, 0)" },
      [4, 5],
    ],
    ["stale-targets", { result: "u1 + u2 + u3" }, [12, 12]],
    ["below-declared-minimum", { result: "h1 + h2 + h3" }, [6, 6]],
    [
      "host-decay-24h",
      { h: "h1 + h2 + h3", u: "u1 + u2 + u3", result: "IF((DIFF(h) < 0) AND ((h < 3) OR (u >= 1)), 1, 0)" },
      [1, 1],
    ],
    ["ready-not-registered", { h: "h1 + h2 + h3", result: "ready - h" }, [15, 20]],
  ])("%s", async (suffix, expected, mOfN) => {
    const found = await measured({ ...zonal, readyPods }, suffix);
    expect(found.expressions).toEqual(expected);
    expect(found.returned).toEqual(["result"]);
    expect(found.mOfN).toEqual(mOfN);
  });

  test("one zone is a single series of its own", async () => {
    const { resources } = await make({ crossZone: false, availabilityZones: ["eu-west-1a"] });
    const low = alarm(resources, "shop-low-healthy-hosts");
    expect(low).toMatchObject({ dimensions: { AvailabilityZone: "eu-west-1a" }, datapointsToAlarm: 2 });
  });

  // PutMetricAlarm: 10 metrics. LOW, NODATA, STALE, FLOOR one for each zone, ALLBAD and DECAY24 two, READY-GAP one more.
  test("ten metrics are five zones for ALLBAD and DECAY24, and ten for the others", async () => {
    expect(await thrown({ ...zonal, availabilityZones: zones(5) })).toBe("");
    const six = await thrown({ ...zonal, availabilityZones: zones(6), readyPods });
    expect(six.match(/overrides\.\w+: would need \d+ metrics/g)).toEqual([
      "overrides.allTargetsUnhealthy: would need 12 metrics",
      "overrides.hostDecay24h: would need 12 metrics",
    ]);
    expect(six).toContain("leave this alarm out with enabled: false");
    // DECAY24 needs one count only where the number of replicas is fixed; ALLBAD always needs two.
    expect(six.match(/or give fixedReplicas in place of minReplicas/g)).toHaveLength(1);
    const fixed = { minReplicas: undefined, fixedReplicas: 3 };
    const sixFixed = await thrown({ ...zonal, ...fixed, availabilityZones: zones(6) });
    expect(sixFixed).not.toContain("hostDecay24h");
    expect(sixFixed).not.toContain("or give fixedReplicas");
    const overrides = { allTargetsUnhealthy: { enabled: false }, hostDecay24h: { enabled: false } };
    expect(await thrown({ ...zonal, availabilityZones: zones(10), overrides })).toBe("");
    expect(await thrown({ ...zonal, availabilityZones: zones(10), overrides, readyPods })).toContain(
      "overrides.readyNotRegistered: would need 11 metrics (target groups: 1, zones: 10, counts of each: 1, and the ready pods)",
    );
    expect(await thrown({ ...zonal, availabilityZones: zones(11), overrides })).toContain(
      "overrides.lowHealthyHosts: would need 11 metrics",
    );
  });

  test("with fixed replicas DECAY24 takes ten zones", async () => {
    const message = await thrown({
      ...zonal,
      availabilityZones: zones(10),
      minReplicas: undefined,
      fixedReplicas: 12,
      overrides: { allTargetsUnhealthy: { enabled: false } },
    });
    expect(message).toBe("");
  });

  test.each([
    ["an NLB that doesn't say", { ...network }, "crossZone: is missing: say whether the Network Load Balancer"],
    ["no zones", { crossZone: false }, "availabilityZones: is missing"],
    ["no zone", { crossZone: false, availabilityZones: [] }, "availabilityZones: is missing"],
    ["ids of zones", { ...zonal, availabilityZones: ["euw1-az1"] }, "must hold names of zones such as eu-west-1a"],
    ["a zone twice", { ...zonal, availabilityZones: ["eu-west-1a", "eu-west-1a"] }, "names a zone twice"],
    ["zones without need", { availabilityZones: ["eu-west-1a"] }, "has no effect without crossZone: false"],
  ])("%s is refused", async (_, change, message) => {
    expect(await thrown(change)).toContain(message);
  });

  // EC2 user guide, "Local Zones" and "Wavelength Zones"; the European Sovereign Cloud.
  test("zones of all kinds have names", async () => {
    const kinds = ["us-west-2-lax-1a", "us-gov-west-1b", "us-east-1-wl1-bos-wlz-1", "eusc-de-east-1a"];
    expect(await thrown({ ...zonal, availabilityZones: kinds })).toBe("");
  });
});

// Section 2, "Blue/green": FILL(h1,0)+FILL(h2,0), 5 of 5, because one group is empty and rightly so.
describe("several target groups as one edge", () => {
  test.each([
    ["low-healthy-hosts", { result: "FILL(h1, 0) + FILL(h2, 0)" }, [5, 5]],
    ["no-healthy-hosts", { result: "FILL(h1, 0) + FILL(h2, 0)" }, [5, 5]],
    // 4 of 5: a bad group in reserve is alone in the sum while the good one's report is late.
    ["all-targets-unhealthy", { h: "h1 + h2", u: "u1 + u2", result: "IF((h < 1) AND (u >= 1), 1, 0)" }, [4, 5]],
    ["stale-targets", { result: "u1 + u2" }, [12, 12]],
    ["below-declared-minimum", { result: "h1 + h2" }, [6, 6]],
    [
      "host-decay-24h",
      { h: "h1 + h2", u: "u1 + u2", result: "IF((DIFF(h) < 0) AND ((h < 3) OR (u >= 1)), 1, 0)" },
      [1, 1],
    ],
    // Never filled: at the newest minutes, when nothing has arrived, 0 less 0 would be no gap.
    ["ready-not-registered", { h: "h1 + h2", result: "ready - h" }, [15, 20]],
  ])("%s", async (suffix, expected, mOfN) => {
    const found = await measured({ ...blueGreen, readyPods }, suffix);
    expect(found.expressions).toEqual(expected);
    expect(found.mOfN).toEqual(mOfN);
  });

  test("each has its own series, named after it", async () => {
    const { metrics, inputs } = await measured(blueGreen, "no-healthy-hosts");
    expect(metrics).toEqual({
      h1: "Maximum HealthyHostCount 60 app/edge/50dc6c495c0c9188 targetgroup/blue/0000000000000001",
      h2: "Maximum HealthyHostCount 60 app/edge/50dc6c495c0c9188 targetgroup/green/0000000000000002",
    });
    expect(inputs).toMatchObject({ metricQueries: [{ label: "healthy blue" }, { label: "healthy green" }, {}] });
  });

  test("zones multiply them", async () => {
    const { metrics } = await measured(
      { ...blueGreen, ...zonal, availabilityZones: zones(2), readyPods },
      "ready-not-registered",
    );
    expect(Object.keys(metrics)).toEqual(["ready", "h1", "h2", "h3", "h4"]);
    const message = await thrown({ ...blueGreen, ...zonal });
    expect(message).toContain(
      "overrides.hostDecay24h: would need 12 metrics (target groups: 2, zones: 3, counts of each: 2)",
    );
  });

  test.each([
    ["neither", { targetGroupArnSuffix: undefined }, "targetGroupArnSuffix: is missing"],
    ["both", { ...blueGreen, targetGroupArnSuffix: edge.targetGroupArnSuffix }, "can't be given together"],
    [
      "none",
      { targetGroupArnSuffix: undefined, targetGroupArnSuffixes: {} },
      "targetGroupArnSuffixes: is empty, so nothing would be watched",
    ],
    [
      "one twice",
      { targetGroupArnSuffix: undefined, targetGroupArnSuffixes: { a: "targetgroup/x/1", b: "targetgroup/x/1" } },
      "names a target group twice",
    ],
    [
      "an ARN",
      { targetGroupArnSuffix: undefined, targetGroupArnSuffixes: { a: "arn:aws:x:targetgroup/x/1" } },
      'targetGroupArnSuffixes.a: must start with "targetgroup/"',
    ],
    ["eleven", groups(11), "overrides.lowHealthyHosts: would need 11 metrics"],
  ])("%s is refused", async (_, change, message) => {
    expect(await thrown(change)).toContain(message);
  });

  test("ten fit, without the alarms that count both", async () => {
    const overrides = { allTargetsUnhealthy: { enabled: false }, hostDecay24h: { enabled: false } };
    expect(await thrown({ ...groups(10), overrides })).toBe("");
  });

  test("groups that don't exist yet are watched as soon as they do", async () => {
    const { errors, resources } = await run(
      () =>
        void new TargetHealthAlarms("shop", {
          ...edge,
          targetGroupArnSuffix: undefined,
          targetGroupArnSuffixes: { blue: Promise.resolve("targetgroup/blue/1"), green: "targetgroup/green/2" },
        }),
      { preview: true },
    );
    expect(errors).toEqual([]);
    expect(JSON.stringify(alarm(resources, "shop-stale-targets"))).toContain("targetgroup/blue/1");
  });
});
