import * as fc from "fast-check";
import { NodeArchitecture } from "../../../../components/cluster";
import type { KarpenterNodePoolArgs } from "../../../../components/karpenter";
import { DurationForm, durationProblem, secondsOf } from "../../../../components/karpenter/durations";
import { instanceLabels } from "../../../../components/karpenter/node-labels";
import { scheduleProblem } from "../../../../components/karpenter/schedules";
import nodeClassFacts from "../../../fixtures/facts/karpenter-ec2nodeclasses-v1.json";
import nodePoolFacts from "../../../fixtures/facts/karpenter-nodepools-v1.json";
import { find } from "../../../support/graph";
import { violations } from "./definitions";
import { classOf, full, make, poolOf, stateful, types, type PoolSpec } from "./setup";

describe("KarpenterNodePool: against the definitions of 1.15.2", () => {
  test.each<[string, Partial<KarpenterNodePoolArgs>]>([
    ["stateless by default", {}],
    ["stateful by default", stateful],
    ["everything at once", full],
    [
      "an instance profile, types and Bottlerocket",
      {
        nodeRoleName: undefined,
        instanceProfileName: "nodes",
        instanceTypes: ["m7g.large"],
        architectures: [NodeArchitecture.Arm64],
        amiAlias: "bottlerocket@v1.20.4",
      },
    ],
  ])("%s is accepted, every word of it", async (_, change) => {
    const { resources, errors } = await make(change);
    expect(errors).toEqual([]);
    expect(violations("pool", poolOf(resources))).toEqual([]);
    expect(violations("nodeClass", classOf(resources))).toEqual([]);
    expect(find(resources, types.pool).inputs).toMatchObject({
      apiVersion: "karpenter.sh/v1",
      kind: nodePoolFacts.kind,
    });
    expect(find(resources, types.nodeClass).inputs).toMatchObject({
      apiVersion: "karpenter.k8s.aws/v1",
      kind: nodeClassFacts.kind,
    });
  });

  test("the check can fail: a published component still writes expireAfter beside the budgets", async () => {
    const { resources } = await make();
    const spec = structuredClone(poolOf(resources)) as PoolSpec & { disruption: { expireAfter?: string } };
    spec.disruption.expireAfter = "720h";
    expect(violations("pool", spec).join()).toMatch(/^\/disruption .*"additionalProperty":"expireAfter"/);
    spec.disruption = { ...poolOf(resources).disruption, consolidationPolicy: "WhenUnderutilized" };
    expect(violations("pool", spec).join()).toMatch(/^\/disruption\/consolidationPolicy /);
    const nodeClass = { ...classOf(resources), subnetSelector: {}, metadataOptions: { httpTokens: "maybe" } };
    expect(violations("nodeClass", nodeClass)).toHaveLength(2);
  });

  test("Karpenter's labels are those of the definition's rule", () => {
    const rules = JSON.stringify(nodePoolFacts.spec.properties.template.properties.spec);
    const named = new Set([...rules.matchAll(/karpenter\.k8s\.aws\/[a-z0-9-]+/g)].map(([label]) => label));
    expect([...instanceLabels].sort()).toEqual([...named].sort());
  });
});

describe("times and schedules", () => {
  const budgets = nodePoolFacts.spec.properties.disruption.properties.budgets.items.properties;
  const template = nodePoolFacts.spec.properties.template.properties.spec.properties;
  const patterns: [DurationForm, RegExp][] = [
    [DurationForm.Plain, new RegExp(template.terminationGracePeriod.pattern)],
    [DurationForm.OrNever, new RegExp(template.expireAfter.pattern)],
    [DurationForm.Budget, new RegExp(budgets.duration.pattern)],
  ];
  const piece = fc.oneof(fc.nat(200).map(String), fc.constantFrom("h", "m", "s", "d", "Never", " ", "-", "."));
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));

  test("a duration is accepted exactly where the definition accepts it", () => {
    fc.assert(
      fc.property(text, (duration) => {
        for (const [form, pattern] of patterns)
          expect(durationProblem(duration, form) === undefined).toBe(pattern.test(duration));
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ["90s", 90],
    ["5m", 300],
    ["1h30m", 5400],
    ["1h1h", 7200],
    ["8h0s", 28_800],
    ["Never", Infinity],
  ])("%s are %d seconds", (duration, seconds) => expect(secondsOf(duration)).toBe(seconds));

  test("a schedule that is accepted is one that the definition accepts, too", () => {
    const field = fc.oneof(
      fc.nat(60).map(String),
      fc.constantFrom("*", "1-5", "*/15", "mon-fri", "JAN,jul", "0/2", "5-1", "x", ""),
    );
    const schedules = fc.oneof(
      fc.array(field, { minLength: 4, maxLength: 6 }).map((fields) => fields.join(" ")),
      fc.constantFrom("@daily", "@hourly", "@every 1h", "@reboot"),
    );
    const pattern = new RegExp(budgets.schedule.pattern);
    fc.assert(
      fc.property(schedules, (schedule) => {
        if (scheduleProblem(schedule) === undefined) expect(schedule).toMatch(pattern);
      }),
      { numRuns: 500 },
    );
  });

  // robfig/cron v3, ParseStandard: what it can't parse makes a budget of 0, and the pool is frozen in silence.
  test.each([
    ["0 8 * * mon-fri", true],
    ["0 8 * * MON,wed", true],
    ["*/15 0-6,22-23 1 jan-mar ?", true],
    ["5/10 * * * *", true],
    ["59 23 31 12 6", true],
    ["@weekly", true],
    ["60 * * * *", false],
    ["* 24 * * *", false],
    ["* * 0 * *", false],
    ["* * * 13 *", false],
    ["* * * * 7", false],
    ["0 0 8 * * *", false],
    ["0  8 * * mon", true],
    ["0 8 * *", false],
    ["0 8 * * mon-", false],
    ["0 8 * * fri-mon", false],
    ["*/0 * * * *", false],
    ["1/2/3 * * * *", false],
    ["every day at eight am", false],
    ["@every 1h", false],
    ["TZ=UTC 0 8 * * *", false],
  ])("%s: %s", (schedule, fine) => expect(scheduleProblem(schedule) === undefined).toBe(fine));
});
