import type { TamperDetectionArgs } from "../../../components/guards";
import { trailProblem, type TrailState } from "../../../components/guards/tampering/trail";
import { find, reaches } from "../../support/graph";
import type { Registration } from "../../support/harness";
import { event, make, routes, rulesOf, type Call, type Identity } from "../../support/recorded-calls";

const type = {
  alarm: "aws:cloudwatch/metricAlarm:MetricAlarm",
  bucketPolicy: "aws:s3/bucketPolicy:BucketPolicy",
  role: "aws:iam/role:Role",
  rolePolicy: "aws:iam/rolePolicy:RolePolicy",
  rule: "aws:cloudwatch/eventRule:EventRule",
  target: "aws:cloudwatch/eventTarget:EventTarget",
  trail: "aws:cloudtrail/trail:Trail",
};
const trailArn = "arn:aws:cloudtrail:eu-west-1:123456789012:trail/audit";
const messageOf = async (given: Partial<TamperDetectionArgs>) =>
  (await make(given)).errors.map((e) => e.message).join("\n");
const named = (resources: readonly Registration[]) => resources.map((r) => `${r.type.split(":").at(-1)} ${r.name}`);

/** What EventBridge makes of an event for a target: variables by their paths, nothing where the event has nothing. */
function message(resources: readonly Registration[], name: string, call: Call, who: Identity): Record<string, string> {
  const { inputPaths, inputTemplate } = find(resources, type.target, name).inputs["inputTransformer"] as {
    inputPaths: Record<string, string>;
    inputTemplate: string;
  };
  const at = (path: string) =>
    path
      .split(".")
      .slice(1)
      .reduce<unknown>(
        (value, step) => (value as Record<string, unknown> | null | undefined)?.[step],
        event(call, who),
      );
  const text = inputTemplate.replace(/<([a-z]+)>/g, (_, variable: string) => {
    const path = inputPaths[variable];
    if (path === undefined) throw new Error(`<${variable}> has no path`);
    const value = at(path);
    return typeof value === "string" ? value : "";
  });
  return JSON.parse(text) as Record<string, string>;
}

describe("reports", () => {
  test("pages for what was done, and a ticket for what was refused", async () => {
    const { resources, errors, outputs } = await make();
    expect(errors).toEqual([]);
    const topics = resources.flatMap((r) => (r.type === type.target ? [[r.name, r.inputs["arn"]]] : []));
    expect(Object.fromEntries(topics)).toEqual({
      "tampering-hand-registration": routes.pageTopicArn,
      "tampering-registration-refused": routes.ticketTopicArn,
      "tampering-rules-revoked": routes.pageTopicArn,
      "tampering-guard-changed": routes.pageTopicArn,
      "tampering-identity": "arn:aws:events:eu-west-1:123456789012:event-bus/default",
    });
    expect(Object.keys(outputs!.ruleArns).sort()).toEqual([
      "guard-changed",
      "hand-registration",
      "registration-refused",
      "rules-revoked",
    ]);
  });

  test("say who, what, when, where and what to type first, as an alarm would", async () => {
    const { resources } = await make({ namePrefix: "shop" });
    expect(message(resources, "tampering-hand-registration", "register", "the break-glass role at 23:42")).toEqual({
      AlarmName: "shop-tampering-hand-registration",
      AlarmDescription:
        "Somebody else than the load balancer controller changed the targets of a group. Targets that nobody keeps decay. " +
        "First: aws cloudtrail lookup-events --region eu-west-1 --lookup-attributes AttributeKey=EventId,AttributeValue=2f1b0c9a-7d6e-4f5a-8b3c-1d2e3f4a5b6c " +
        "Runbook: https://github.com/moorings/moorings/blob/main/docs/runbooks/hand-registration.md",
      AWSAccountId: "123456789012",
      Region: "eu-west-1",
      NewStateValue: "ALARM",
      OldStateValue: "OK",
      NewStateReason:
        "RegisterTargets by AssumedRole arn:aws:sts::123456789012:assumed-role/breakglass-night/jane  from 203.0.113.7 at 2026-11-30T23:42:00Z. " +
        "On: arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/73e2d6bc24d8a067. Error: . Event: 2f1b0c9a-7d6e-4f5a-8b3c-1d2e3f4a5b6c.",
      StateChangeTime: "2026-11-30T23:42:00Z",
      Trigger: { Namespace: "CloudTrail", MetricName: "RegisterTargets", Dimensions: [] },
    });
  });

  test("never repeat what the caller writes, which could make them no JSON", async () => {
    const { resources } = await make();
    const targets = resources.filter((r) => r.type === type.target && r.inputs["inputTransformer"] !== undefined);
    expect(targets).toHaveLength(4);
    expect(JSON.stringify(targets.map((r) => r.inputs))).not.toMatch(/userAgent|requestParameters"/);
  });

  test("that can't be delivered are an alarm, which tells both topics", async () => {
    const { resources, outputs } = await make();
    const alarm = find(resources, type.alarm).inputs;
    expect(outputs!.alarmName).toBe("tampering-tamper-report-failing");
    expect(alarm).toMatchObject({
      alarmActions: [routes.pageTopicArn, routes.ticketTopicArn],
      comparisonOperator: "GreaterThanThreshold",
      threshold: 0,
      treatMissingData: "notBreaching",
    });
    const queries = alarm["metricQueries"] as {
      expression?: string;
      metric?: { dimensions: Record<string, string> };
    }[];
    expect(queries[0]!.expression).toBe("FILL(rule0, 0) + FILL(rule1, 0) + FILL(rule2, 0) + FILL(rule3, 0)");
    expect(queries.slice(1).map((q) => q.metric!.dimensions["RuleName"])).toEqual([
      "tampering-hand-registration-1a2b3c4",
      "tampering-registration-refused-1a2b3c4",
      "tampering-rules-revoked-1a2b3c4",
      "tampering-guard-changed-1a2b3c4",
    ]);
  });
});

describe("IAM's calls", () => {
  test("are sent here from the region that has them", async () => {
    const { resources } = await make();
    expect(find(resources, type.rule, "tampering-identity").inputs["region"]).toBe("us-east-1");
    expect(find(resources, type.target, "tampering-identity").inputs["region"]).toBe("us-east-1");
    expect(JSON.parse(find(resources, type.rolePolicy).inputs["policy"] as string)).toMatchObject({
      Statement: [{ Action: "events:PutEvents", Resource: "arn:aws:events:eu-west-1:123456789012:event-bus/default" }],
    });
  });

  test.each(["us-east-1", "cn-north-1", "us-gov-west-1", "eusc-de-east-1"])(
    "are here already in %s",
    async (region) => {
      const { resources, errors } = await make({ region });
      expect(errors).toEqual([]);
      expect(rulesOf(resources)).toHaveLength(4);
      expect(named(resources)).not.toContain("role:Role tampering-identity");
    },
  );
});

describe("the trail", () => {
  test("is made: of all regions, changes only, in a bucket of its own that it may write to", async () => {
    const { resources, outputs } = await make();
    expect(find(resources, type.trail).inputs).toMatchObject({
      isMultiRegionTrail: true,
      includeGlobalServiceEvents: true,
      enableLogFileValidation: true,
      eventSelectors: [{ includeManagementEvents: true, readWriteType: "WriteOnly" }],
    });
    const policy = JSON.parse(find(resources, type.bucketPolicy).inputs["policy"] as string) as { Statement: object[] };
    expect(policy.Statement).toContainEqual({
      Sid: "TrailWrites",
      Effect: "Allow",
      Principal: { Service: "cloudtrail.amazonaws.com" },
      Action: "s3:PutObject",
      Resource: "arn:aws:s3:::tampering-trail-1a2b3c4/AWSLogs/123456789012/*",
      Condition: {
        StringEquals: { "s3:x-amz-acl": "bucket-owner-full-control" },
        ArnLike: { "aws:SourceArn": "arn:aws:cloudtrail:eu-west-1:123456789012:trail/*" },
      },
    });
    expect(reaches(resources, find(resources, type.trail), find(resources, type.bucketPolicy))).toBe(true);
    expect(outputs!.trailArn).toMatch(/:trail\/tampering-trail-/);
  });

  const serves: TrailState = {
    enableLogging: true,
    isMultiRegionTrail: true,
    includeGlobalServiceEvents: true,
    eventSelectors: [],
    advancedEventSelectors: [],
  };
  const existing = (state: Partial<TrailState>) =>
    make(
      { trail: { existingArn: trailArn } },
      {
        state: ({ type: of, name }) =>
          of === type.trail ? { ...serves, ...state } : { name: `${name}-1a2b3c4`, arn: "arn:aws:x" },
      },
    );

  test("that is there is read, and no other is made", async () => {
    const { resources, errors, outputs } = await existing({});
    expect(errors).toEqual([]);
    expect(outputs!.trailArn).toBe(trailArn);
    expect(named(resources).filter((name) => /trail/.test(name))).toEqual([]); // what is read isn't registered
  });

  test("that is there and logs nothing is refused, before any rule is made", async () => {
    const { resources, errors } = await existing({ enableLogging: false });
    expect(errors.map((e) => e.message).join()).toContain("trail.existingArn is of a trail that logs nothing");
    expect(rulesOf(resources)).toEqual([]);
  });

  test("of the organization isn't read", async () => {
    const { outputs, errors } = await make({ trail: { existingArn: trailArn, verify: false } });
    expect(errors).toEqual([]);
    expect(outputs!.trailArn).toBe(trailArn);
  });

  const management = { field: "eventCategory", equals: ["Management"] };
  test.each<[string, Partial<TrailState>, string | undefined]>([
    ["with AWS's own selectors", {}, undefined],
    ["before anything is known of it", { enableLogging: undefined, eventSelectors: undefined }, undefined],
    ["that logs nothing", { enableLogging: false }, "logs nothing"],
    ["of one region", { isMultiRegionTrail: false }, "of one region"],
    ["without global services", { includeGlobalServiceEvents: false }, "without IAM's calls"],
    ["of reads only", { eventSelectors: [{ readWriteType: "ReadOnly" }] }, "without write management events"],
    ["of data only", { eventSelectors: [{ includeManagementEvents: false }] }, "without write management events"],
    ["of writes only", { eventSelectors: [{ readWriteType: "WriteOnly" }] }, undefined],
    [
      "with an advanced selector of data",
      { advancedEventSelectors: [{ fieldSelectors: [{ field: "eventCategory", equals: ["Data"] }] }] },
      "without write management events",
    ],
    [
      "with an advanced selector of reads",
      { advancedEventSelectors: [{ fieldSelectors: [management, { field: "readOnly", equals: ["true"] }] }] },
      "without write management events",
    ],
    [
      "with an advanced selector of management",
      { advancedEventSelectors: [{ fieldSelectors: [management] }] },
      undefined,
    ],
  ])("%s", (_, state, problem) => {
    const found = trailProblem({ ...serves, ...state });
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });
});

describe("arguments", () => {
  test("are refused all at once, each with what to write instead", async () => {
    const text = await messageOf({
      clusterName: "shop/prod",
      region: "eu-west-1a",
      targetGroupArns: ["web"],
      securityGroupIds: [],
      controllerRoleArn: "lbc-role",
      deployRoles: ["arn:aws:iam::123456789012:role/deployer"],
      runbookUrl: "https://runbooks.acme.io/<alarm>",
      trail: { retentionDays: 0 },
    });
    for (const part of [
      'clusterName: must be the name of a cluster (letters, digits, - and _), not "shop/prod"',
      'region: must be a region such as eu-west-1, not "eu-west-1a"',
      'targetGroupArns[0]: must be the ARN of a target group (arn:aws:elasticloadbalancing:<region>:<account>:targetgroup/<name>/<id>), not "web"',
      "securityGroupIds: names no security group",
      'controllerRoleArn: must be the ARN of a role, not "lbc-role"',
      "deployRoles[0]: must be a role's path and name alone",
      "runbookUrl: must have no <, >",
      "trail.retentionDays: must be a whole number from 1 to 3650, not 0",
    ])
      expect(text).toContain(part);
  });

  test("of a trail fit together", async () => {
    expect(await messageOf({ trail: { existingArn: "audit", forceDestroy: true } })).toMatch(
      /trail\.existingArn: must be the ARN of a trail[^]*trail\.forceDestroy: is for a trail made here/,
    );
    expect(await messageOf({ trail: { verify: false } })).toContain("trail.verify: is for a trail that is there");
  });

  // EventBridge quotas: 2048 characters.
  test("that make a pattern too long are refused", async () => {
    const targetGroupArns = Array.from(
      { length: 20 },
      (_, i) => `arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/service-${i}/73e2d6bc24d8a067`,
    );
    expect(await messageOf({ targetGroupArns })).toMatch(
      /targetGroupArns makes an event pattern of \d+ characters; EventBridge takes 2048: give the rest to another TamperDetection/,
    );
  });
});
