import * as pulumi from "@pulumi/pulumi";
import { AlarmEndpointProtocol, AlarmTopics } from "../../../../components/alarms";
import { find } from "../../../support/graph";
import { run, secretSignature, type Registration } from "../../../support/harness";

describe("AlarmTopics", () => {
  const pageEndpoints = {
    pagerduty: { protocol: AlarmEndpointProtocol.Https, address: pulumi.secret("https://events.example/key") },
  };
  const topics = (preview = false) =>
    run(
      () => {
        const made = new AlarmTopics("alarms", {
          pageEndpoints,
          ticketEndpoints: { team: { protocol: AlarmEndpointProtocol.Email, address: "team@example.com" } },
        });
        return { routes: made.routes, key: made.keyArn };
      },
      { preview, state: (args) => ({ arn: `arn:${args.name}` }) },
    );
  const policyOf = (resources: readonly Registration[], type: string, name: string) =>
    JSON.parse(find(resources, type, name).inputs.policy as string) as { Statement: Record<string, unknown>[] };

  test("CloudWatch and EventBridge may use the key, which rotates", async () => {
    const { resources, errors } = await topics();
    expect(errors).toEqual([]);
    expect(find(resources, "aws:kms/key:Key").inputs).toMatchObject({
      enableKeyRotation: true,
      deletionWindowInDays: 30,
    });
    expect(policyOf(resources, "aws:kms/key:Key", "alarms-key").Statement).toEqual([
      {
        Sid: "AccountAdministersKey",
        Effect: "Allow",
        Principal: { AWS: "arn:aws:iam::123456789012:root" },
        Action: "kms:*",
        Resource: "*",
      },
      {
        Sid: "AlarmsAndEventsEncrypt",
        Effect: "Allow",
        Principal: { Service: ["cloudwatch.amazonaws.com", "events.amazonaws.com"] },
        Action: ["kms:Decrypt", "kms:GenerateDataKey*"],
        Resource: "*",
      },
    ]);
    for (const name of ["alarms-page", "alarms-ticket"])
      expect(find(resources, "aws:sns/topic:Topic", name).inputs.kmsMasterKeyId).toBe("arn:alarms-key");
  });

  test("only alarms of this account and region publish, and EventBridge without a condition it would never meet", async () => {
    const { resources } = await topics();
    for (const kind of ["page", "ticket"])
      expect(policyOf(resources, "aws:sns/topicPolicy:TopicPolicy", `alarms-${kind}-policy`).Statement).toEqual([
        {
          Sid: "AlarmsOfThisAccountPublish",
          Effect: "Allow",
          Principal: { Service: "cloudwatch.amazonaws.com" },
          Action: "sns:Publish",
          Resource: `arn:alarms-${kind}`,
          Condition: {
            StringEquals: { "aws:SourceAccount": "123456789012" },
            ArnLike: { "aws:SourceArn": "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:*" },
          },
        },
        {
          Sid: "EventRulesPublish",
          Effect: "Allow",
          Principal: { Service: "events.amazonaws.com" },
          Action: "sns:Publish",
          Resource: `arn:alarms-${kind}`,
        },
      ]);
  });

  test("endpoints are subscribed under their names, and a secret address stays one", async () => {
    const { resources, outputs } = await topics();
    const subscription = "aws:sns/topicSubscription:TopicSubscription";
    expect(find(resources, subscription, "alarms-page-pagerduty").inputs).toEqual({
      topic: "arn:alarms-page",
      protocol: "https",
      endpoint: { ...secretSignature, value: "https://events.example/key" },
      endpointAutoConfirms: true,
      confirmationTimeoutInMinutes: 5,
    });
    expect(find(resources, subscription, "alarms-ticket-team").inputs).toEqual({
      topic: "arn:alarms-ticket",
      protocol: "email",
      endpoint: "team@example.com",
    });
    expect(outputs?.routes).toEqual({ pageTopicArn: "arn:alarms-page", ticketTopicArn: "arn:alarms-ticket" });
  });

  test("previews", async () => {
    const { resources, errors } = await topics(true);
    expect(errors).toEqual([]);
    expect(resources.filter((r) => r.type === "aws:sns/topic:Topic")).toHaveLength(2);
  });

  test("topics that reach nobody are refused, unless somebody says so", async () => {
    const empty = (subscribedElsewhere?: boolean) =>
      run(() => void new AlarmTopics("alarms", { pageEndpoints: {}, subscribedElsewhere }));
    expect((await empty()).errors[0]?.message).toContain("pageEndpoints: is empty, so alarms would reach nobody");
    expect((await empty(true)).errors).toEqual([]);
  });

  test("an address of the wrong kind is refused without repeating it", async () => {
    const { errors } = await run(
      () =>
        void new AlarmTopics("alarms", {
          pageEndpoints: { hook: { protocol: AlarmEndpointProtocol.Https, address: "http://events.example/key" } },
          ticketEndpoints: { team: { protocol: AlarmEndpointProtocol.Email, address: "team" } },
        }),
    );
    const message = errors.map((e) => e.message).join("\n");
    expect(message).toContain("pageEndpoints.hook.address must start with https://");
    expect(message).not.toContain("events.example");
  });

  test("an encrypted address, which the offline preview can't open, passes", async () => {
    const { errors, resources } = await run(
      () =>
        void new AlarmTopics("alarms", {
          pageEndpoints: { hook: { protocol: AlarmEndpointProtocol.Https, address: pulumi.secret("[secret]") } },
        }),
      { preview: true },
    );
    expect(errors).toEqual([]);
    expect(find(resources, "aws:sns/topicSubscription:TopicSubscription").inputs.endpoint).toMatchObject({
      value: "[secret]",
    });
  });
});
