import * as pulumi from "@pulumi/pulumi";
import { NodeArchitecture } from "../../../../components/cluster";
import {
  CapacityType,
  ConsolidationPolicy,
  DisruptionReason,
  KarpenterNodePool,
  NodePoolProfile,
  type KarpenterNodePoolArgs,
  type NodePoolLimits,
} from "../../../../components/karpenter";
import { run } from "../../../support/harness";
import { shopProd } from "../../../support/clusters";
import { args, make, refusal, stateful } from "./setup";

describe("KarpenterNodePool: refusals", () => {
  test("all problems at once, each with its argument", async () => {
    const { errors } = await run(
      () =>
        void new KarpenterNodePool("Web", {
          ...args,
          nodeRoleName: "",
          zones: ["eu west"],
          labels: { "a b": "x" },
          amiAlias: "al2023@latest",
          limits: { cpu: "200 cores", memory: "800GB", nodes: 0 },
          expireAfter: "30d",
          budgets: [],
          weight: 0,
        }),
    );
    const text = errors[0]!.message;
    for (const argument of [
      "opts.providers",
      "poolName",
      "nodeRoleName",
      "zones[0]",
      'labels["a b"]',
      "amiAlias",
      "limits.cpu",
      "limits.memory",
      "limits.nodes",
      "expireAfter",
      "budgets",
      "weight",
    ])
      expect(text).toContain(`\n  - ${argument}: `);
  });

  const budget = (more: object) => ({ budgets: [{ nodes: "10%" }, { nodes: "1", ...more }] });
  const cases: [string, Partial<KarpenterNodePoolArgs>, RegExp][] = [
    // Where nodes come from.
    ["no role", { nodeRoleName: undefined }, /- nodeRoleName: is missing/],
    ["no name of a role", { nodeRoleName: "" }, /- nodeRoleName: must be a name .* without ARN or path, not ""/],
    [
      "a role's ARN",
      { nodeRoleName: "arn:aws:iam::123456789012:role/nodes" },
      /- nodeRoleName: must be a name .* not "arn:aws:iam::123456789012:role\/nodes"/,
    ],
    ["a role's path", { nodeRoleName: "moorings/nodes" }, /- nodeRoleName: must be a name/],
    ["a role of 65 characters", { nodeRoleName: "r".repeat(65) }, /- nodeRoleName: must be a name \(at most 64/],
    ["a late role", { nodeRoleName: pulumi.output("") }, /nodeRoleName must be a name/],
    [
      "a profile's ARN",
      { nodeRoleName: undefined, instanceProfileName: "arn:aws:iam::123456789012:instance-profile/nodes" },
      /- instanceProfileName: must be a name \(at most 128/,
    ],
    ["role and profile", { instanceProfileName: "p" }, /- nodeRoleName: can't be given together/],
    ["no subnets", { subnetIds: [] }, /- subnetIds: must have 1 to 30 ids, not 0/],
    ["names for subnets", { subnetIds: ["private-a"] }, /- subnetIds: must be ids \(subnet-\.\.\.\), not private-a/],
    ["no groups", { securityGroupIds: [] }, /- securityGroupIds: must have 1 to 30 ids/],
    ["newest image", { amiAlias: "al2023@latest" }, /- amiAlias: is "al2023@latest", which replaces every node/],
    ["old family", { amiAlias: "al2@v20240703" }, /- amiAlias: must name an image of al2023 or bottlerocket/],
    ["no version", { amiAlias: "al2023" }, /- amiAlias: must name an image/],
    ["empty image", { amiAlias: "" }, /- amiAlias: must name an image of al2023 or bottlerocket, not ""/],
    // Karpenter looks for the parameter of this name, finds none, and the pool is never ready.
    ...["20260903", "v2026", "v1.2", "v1.46.0", "v20261309", "v20260932", "v20260903@x", "vv20260903", "V20260903"].map(
      (version): [string, Partial<KarpenterNodePoolArgs>, RegExp] => [
        `al2023@${version}`,
        { amiAlias: `al2023@${version}` },
        /- amiAlias: is "al2023@.*", but versions of al2023 are a v and a date of eight digits, such as "al2023@v20260903"/,
      ],
    ),
    ...["v1.46", "1", "v20260903", "v1.46.0.1", "v1.46.0-rc1", "vv1.46.0", ""].map(
      (version): [string, Partial<KarpenterNodePoolArgs>, RegExp] => [
        `bottlerocket@${version}`,
        { amiAlias: `bottlerocket@${version}` },
        /- amiAlias: is "bottlerocket@.*", but versions of bottlerocket are three numbers, such as "bottlerocket@v1\.46\.0"/,
      ],
    ),
    ["late version", { amiAlias: pulumi.output("al2023@v1.2") }, /amiAlias is "al2023@v1\.2", but versions/],
    ["tiny disk", { diskSizeInGiB: 8 }, /- diskSizeInGiB: must be a whole number of GiB from 20 to 59000, not 8/],
    ["late newest image", { amiAlias: pulumi.output("al2023@latest") }, /amiAlias is "al2023@latest"/],
    ["late no subnets", { subnetIds: pulumi.output<string[]>([]) }, /subnetIds must have 1 to 30 ids/],
    ["late tiny disk", { diskSizeInGiB: pulumi.output(8) }, /diskSizeInGiB must be a whole number/],
    // How many.
    ["no limits", { limits: undefined as unknown as NodePoolLimits }, /- limits: is missing: write how much/],
    [
      "no memory",
      { limits: { cpu: "1" } as NodePoolLimits },
      /- limits\.memory: is missing: write a Kubernetes quantity/,
    ],
    ["a number", { limits: { cpu: 1 as unknown as string, memory: "1Gi" } }, /- limits\.cpu: .* in quotes/],
    ["nothing at all", { limits: { cpu: "0", memory: "1Gi" } }, /- limits\.cpu: .* above 0/],
    // The definition takes it, its controller doesn't.
    ["half an exponent", { limits: { cpu: "1e1.5", memory: "1Gi" } }, /- limits\.cpu: must be a Kubernetes quantity/],
    ["half a node", { limits: { ...args.limits, nodes: 0.5 } }, /- limits\.nodes: must be a whole number/],
    ["weight 101", { weight: 101 }, /- weight: must be a whole number from 1 to 100, not 101/],
    // Which instances.
    ["no processor", { architectures: [] }, /- architectures: must be some of x86_64, arm64, not none/],
    ["Kubernetes' word", { architectures: ["amd64" as NodeArchitecture] }, /- architectures: .* not amd64/],
    ["unknown capacity", { capacityTypes: ["cheap" as CapacityType] }, /- capacityTypes: must be some of spot/],
    [
      "spot brokers",
      { ...stateful, capacityTypes: [CapacityType.OnDemand, CapacityType.Spot] },
      /- capacityTypes: can't have spot/,
    ],
    ["reserved of what", { capacityTypes: [CapacityType.Reserved] }, /- capacityReservationIds: .* need each other/],
    ["reservation unused", { capacityReservationIds: ["cr-1"] }, /- capacityReservationIds: .* need each other/],
    ["no types", { instanceTypes: [] }, /- instanceTypes: is empty/],
    ["no zones", { zones: [] }, /- zones: is empty/],
    ["a zone without a name", { zones: ["eu-west-1a", ""] }, /- zones\[1\]: must be the name of a zone/],
    ["a zone with a space", { zones: ["eu west"] }, /- zones\[0\]: must be the name of a zone/],
    ["a family in place of a type", { instanceTypes: ["m7i"] }, /- instanceTypes\[0\]: must be an instance type/],
    ["a type with a space", { instanceTypes: ["m7i large"] }, /- instanceTypes\[0\]: must be an instance type/],
    [
      "types and families",
      { instanceTypes: ["m7i.large"], instanceCategories: ["m"] },
      /- instanceTypes: can't be given together/,
    ],
    [
      "Graviton for x86",
      { instanceTypes: ["m7i.large", "m7g.large"] },
      /- instanceTypes: has m7g\.large, which architectures \(x86_64\) exclude/,
    ],
    [
      "x86 for Graviton",
      { instanceTypes: ["m7i.large"], architectures: [NodeArchitecture.Arm64] },
      /- instanceTypes: has m7i\.large/,
    ],
    ["generation 0", { minInstanceGeneration: 0 }, /- minInstanceGeneration: must be a whole number/],
    // How carefully.
    ["old profile", { profile: "critical" as NodePoolProfile }, /- profile: must be one of stateless, stateful/],
    [
      "v1beta1's policy",
      { consolidationPolicy: "WhenUnderutilized" as ConsolidationPolicy },
      /- consolidationPolicy: must be one of WhenEmpty, WhenEmptyOrUnderutilized, Balanced/,
    ],
    [
      "moved brokers",
      { ...stateful, consolidationPolicy: ConsolidationPolicy.Balanced },
      /- consolidationPolicy: must be WhenEmpty with/,
    ],
    [
      "days",
      { expireAfter: "30d" },
      /- expireAfter: must be hours, minutes and seconds, .* or Never, not "30d": write 720h/,
    ],
    [
      "seconds as number",
      { consolidateAfter: 300 as unknown as string },
      /- consolidateAfter: must be text, in quotes, not 300/,
    ],
    ["expired at birth", { expireAfter: "0s" }, /- expireAfter: is 0/],
    [
      "expiry without grace",
      { terminationGracePeriod: "Never" },
      /- terminationGracePeriod: is Never, but nodes expire after 720h/,
    ],
    [
      "expiring brokers",
      { ...stateful, expireAfter: "720h" },
      /- terminationGracePeriod: is Never, but nodes expire after 720h/,
    ],
    [
      "grace too short",
      { terminationGracePeriod: "59s" },
      /- terminationGracePeriod: is 59s, but must be at least 60s/,
    ],
    [
      "grace for long pods",
      { longestPodGraceSeconds: 1801 },
      /- terminationGracePeriod: is 1h, but must be at least 3602s/,
    ],
    ["no number", { longestPodGraceSeconds: -1 }, /- longestPodGraceSeconds: must be a whole number/],
    // Budgets.
    ["no budgets", { budgets: [] }, /- budgets: is empty, which lets Karpenter take every node at once/],
    [
      "freeze windows only",
      { budgets: [{ nodes: "0", scheduleUtc: "@daily", duration: "8h" }] },
      /- budgets: has no budget without schedule for Underutilized, Drifted/,
    ],
    [
      "drift forgotten",
      { budgets: [{ nodes: "1", reasons: [DisruptionReason.Underutilized] }] },
      /- budgets: has no budget without schedule for Drifted/,
    ],
    ["budget for nothing", budget({ reasons: [] }), /- budgets\[1\]\.reasons: is empty/],
    ["unknown reason", budget({ reasons: ["Expired"] }), /- budgets\[1\]\.reasons: must be different ones of/],
    ["reason twice", budget({ reasons: ["Empty", "Empty"] }), /- budgets\[1\]\.reasons: must be different ones of/],
    ["101 %", { budgets: [{ nodes: "101%" }] }, /- budgets\[0\]\.nodes: must be a number or a percentage/],
    ["a bare number", { budgets: [{ nodes: 1 as unknown as string }] }, /- budgets\[0\]\.nodes: .* in quotes/],
    [
      "schedule only",
      budget({ scheduleUtc: "@daily" }),
      /- budgets\[1\]\.duration: is missing: write hours and minutes/,
    ],
    ["duration only", budget({ duration: "8h" }), /- budgets\[1\]\.scheduleUtc: is missing: write a cron expression/],
    [
      "seconds",
      budget({ scheduleUtc: "@daily", duration: "90s" }),
      /- budgets\[1\]\.duration: must be hours and minutes/,
    ],
    ["no time", budget({ scheduleUtc: "@daily", duration: "0h" }), /- budgets\[1\]\.duration: is 0/],
    [
      "window of days",
      { freezeWindows: [{ scheduleUtc: "@monthly", duration: "2d" }] },
      /- freezeWindows\[0\]\.duration: .* not "2d": write 48h/,
    ],
    [
      "a time zone",
      { freezeWindows: [{ scheduleUtc: "TZ=Europe/Berlin 0 8 * * *", duration: "1h" }] },
      /- freezeWindows\[0\]\.scheduleUtc: .* there are no time zones/,
    ],
    [
      "fifty-one",
      { freezeWindows: Array.from({ length: 49 }, () => ({ scheduleUtc: "@daily", duration: "1h" })) },
      /- budgets: and freezeWindows are more than 50/,
    ],
  ];
  // As programs without types write them.
  const untyped: [string, Record<string, unknown>, RegExp][] = [
    [
      "the objects' own block",
      { disruption: { expireAfter: "720h" } },
      /- disruption: isn't an argument: write .*expireAfter/,
    ],
    ["a tag of everything", { tags: { team: "web" } }, /- tags: isn't an argument: write nodeTags/],
    ["a word nobody knows", { replicas: 3 }, /- replicas: isn't an argument/],
    [
      "the objects' own schedule",
      budget({ schedule: "@daily" }),
      /- budgets\[1\]\.schedule: isn't one of nodes, reasons,/,
    ],
    ["null", { limits: null }, /- limits: must be an object with named fields, not null$/],
    ["a list of nothing", { taints: [undefined] }, /- taints\[0\]: must be an object with named fields, not undefined/],
    ["a label without value", { labels: { a: undefined } }, /- labels\["a"\]: must be text, not undefined/],
    ["text for a list", { zones: "eu-west-1a" }, /- zones: must be a list, not the text "eu-west-1a"/],
    ["text for a number", { weight: "10" }, /- weight: must be a number, not the text "10"/],
    ["text for a flag", { protect: "false" }, /- protect: must be true or false, not the text/],
    ["what must be known", { poolName: pulumi.output("web") }, /- poolName: must be text, not an output: it decides/],
    [
      "a cluster's security group that is none",
      { cluster: { ...shopProd, securityGroupId: "shop" } },
      /- cluster\.securityGroupId: must be/,
    ],
    ["no cluster", { cluster: undefined }, /- cluster: is missing: write the cluster/],
    ["a release nobody knows", { chartVersion: "1.9.0" }, /- chartVersion: must be one of 1\.14\.1, 1\.15\.2/],
    [
      "a reason of 1.15",
      { chartVersion: "1.14.1", ...budget({ reasons: ["Unhealthy"] }) },
      /- budgets\[1\]\.reasons: has Unhealthy, which Karpenter 1\.14\.1 refuses/,
    ],
  ];
  test.each(untyped)("%s", async (_, change, expected) => {
    const message = await refusal(change);
    expect(message).toMatch(expected);
    // What takes a wrong one's place isn't complained about.
    expect(message.match(/^ {2}- /gm)).toHaveLength(1);
  });

  test.each([
    { nodeRoleName: "r".repeat(64) },
    { nodeRoleName: "A_b+=,.@-1" },
    { nodeRoleName: undefined, instanceProfileName: "p".repeat(128) },
    { zones: ["us-west-2-lax-1a", "us-east-1-wl1-bos-wlz-1"] },
  ])("takes %j", async (change) => expect((await make(change)).errors).toEqual([]));

  test.each(["al2023@v20240703", "bottlerocket@v1.20.4", "bottlerocket@1.46.0"])("%s is an image", async (amiAlias) => {
    expect((await make({ amiAlias })).errors).toEqual([]);
  });

  test.each(cases)("%s", async (_, change, expected) => expect(await refusal(change)).toMatch(expected));
});
