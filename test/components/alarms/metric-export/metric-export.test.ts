import * as pulumi from "@pulumi/pulumi";
import {
  AlarmSeverity,
  MetricDestination,
  MetricExport,
  MetricFormat,
  type MetricExportArgs,
} from "../../../../components/alarms";
import { find, reaches } from "../../../support/graph";
import { run, type Registration } from "../../../support/harness";
import { providerState } from "../../../support/provider-state";

const secretArn = "arn:aws:secretsmanager:eu-west-1:123456789012:secret:new-relic-AbCdEf";
const routes = {
  pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
  ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
};
const type = {
  alarm: "aws:cloudwatch/metricAlarm:MetricAlarm",
  bucket: "aws:s3/bucket:Bucket",
  delivery: "aws:kinesis/firehoseDeliveryStream:FirehoseDeliveryStream",
  logs: "aws:cloudwatch/logGroup:LogGroup",
  role: "aws:iam/role:Role",
  rolePolicy: "aws:iam/rolePolicy:RolePolicy",
  stream: "aws:cloudwatch/metricStream:MetricStream",
};

const make = (args: Partial<MetricExportArgs> = {}, name = "outside", preview = false) =>
  run(
    () => {
      const { streamName, deliveryStreamName, backupBucketName, alarmNames } = new MetricExport(name, {
        destination: MetricDestination.NewRelicEu,
        accessKeySecretArn: secretArn,
        routes,
        ...args,
      });
      return { streamName, deliveryStreamName, backupBucketName, alarmNames };
    },
    { preview, state: preview ? undefined : providerState },
  );
const message = async (args: Partial<MetricExportArgs>, name?: string) =>
  (await make(args, name)).errors.map((e) => e.message).join("\n");
const endpoint = (resources: readonly Registration[]) =>
  find(resources, type.delivery).inputs["httpEndpointConfiguration"] as Record<string, unknown>;
const statements = (resources: readonly Registration[], kind: string, name: string, key = "policy") =>
  (JSON.parse(find(resources, kind, name).inputs[key] as string) as { Statement: Record<string, unknown>[] }).Statement;

describe("the stream", () => {
  test("carries host counts and fail-open counts, and nothing that nobody asked for", async () => {
    const { resources, errors } = await make();
    expect(errors).toEqual([]);
    expect(find(resources, type.stream).inputs).toMatchObject({
      outputFormat: "opentelemetry1.0",
      includeFilters: [
        {
          namespace: "AWS/ApplicationELB",
          metricNames: ["HealthyHostCount", "UnHealthyHostCount", "UnhealthyRoutingRequestCount"],
        },
        {
          namespace: "AWS/NetworkELB",
          metricNames: ["HealthyHostCount", "UnHealthyHostCount", "UnhealthyRoutingFlowCount"],
        },
      ],
    });
  });

  test("carries further metrics, beside those that it always carries", async () => {
    const metrics = {
      "Moorings/shop": [],
      "AWS/NetworkELB": ["HealthyHostCount", "ProcessedBytes"],
      "AWS/ApplicationELB": [],
    };
    const { resources } = await make({ metrics, format: MetricFormat.Json });
    const { includeFilters, outputFormat } = find(resources, type.stream).inputs;
    expect(includeFilters).toEqual([
      { namespace: "AWS/ApplicationELB", metricNames: [] }, // all
      {
        namespace: "AWS/NetworkELB",
        metricNames: ["HealthyHostCount", "UnHealthyHostCount", "UnhealthyRoutingFlowCount", "ProcessedBytes"],
      },
      { namespace: "Moorings/shop", metricNames: [] },
    ]);
    expect(outputFormat).toBe("json");
  });

  test.each([
    ["ApplicationELB", "AWS/ApplicationELB"],
    ["aws/networkelb", "AWS/NetworkELB"],
    ["EC2", "AWS/EC2"],
  ])("is refused with %s, which CloudWatch doesn't have", async (wrong, right) => {
    expect(await message({ metrics: { [wrong]: [] } })).toContain(`metrics: has the namespace "${wrong}"`);
    expect(await message({ metrics: { [wrong]: [] } })).toContain(`write "${right}"`);
    expect(await message({ metrics: { [right]: [] } })).toBe("");
  });

  // API reference, MetricStreamFilter: "up to 1000 total names", the sum of namespace names and metric names. Eight are always there.
  test("is refused with more than 1000 namespaces and names together", async () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`);
    expect(await message({ metrics: { "Moorings/shop": names(991) } })).toBe("");
    expect(await message({ metrics: { "Moorings/shop": names(992) } })).toContain(
      "metrics: makes 1001 namespaces and names",
    );
    expect(await message({ metrics: { "": [] } })).toContain('metrics: has the namespace ""');
    expect(await message({ metrics: { "AWS/EC2": [""] } })).toContain(
      "metrics: has a metric without a name in AWS/EC2",
    );
  });
});

describe("the delivery", () => {
  // Addresses: docs.newrelic.com (manual setup of metric streams); AWS CDK, DatadogEndpoint.METRICS_*.
  test.each([
    [MetricDestination.NewRelicUs, "https://aws-api.newrelic.com/cloudwatch-metrics/v1", "New Relic", 1],
    [MetricDestination.NewRelicEu, "https://aws-api.eu01.nr-data.net/cloudwatch-metrics/v1", "New Relic", 1],
    [MetricDestination.DatadogUs1, "https://awsmetrics-intake.datadoghq.com/v1/input", "Datadog", 4],
    [
      MetricDestination.DatadogUs5,
      "https://event-platform-intake.us5.datadoghq.com/api/v2/awsmetrics?dd-protocol=aws-kinesis-firehose",
      "Datadog",
      4,
    ],
    [MetricDestination.DatadogEu1, "https://awsmetrics-intake.datadoghq.eu/v1/input", "Datadog", 4],
    [
      MetricDestination.DatadogAp1,
      "https://event-platform-intake.ap1.datadoghq.com/api/v2/awsmetrics?dd-protocol=aws-kinesis-firehose",
      "Datadog",
      4,
    ],
  ])("to %s goes to its address, in its portions", async (destination, url, name, bufferingSize) => {
    const { resources } = await make({ destination });
    expect(endpoint(resources)).toMatchObject({ url, name, bufferingSize, bufferingInterval: 60 });
  });

  test("goes to an address of yours, and there must be one", async () => {
    const url = "https://metrics.acme.io/firehose";
    const { resources } = await make({ destination: MetricDestination.Generic, url });
    expect(endpoint(resources)["url"]).toBe(url);
    expect(endpoint((await make({ url })).resources)["url"]).toBe(url);
    expect(await message({ destination: MetricDestination.Generic })).toContain("url: is missing");
    const plain = await message({ url: "http://metrics.acme.io/key" });
    expect(plain).toContain("url: must start with https://");
    expect(plain).not.toContain("metrics.acme.io");
  });

  test("goes nowhere that isn't known", async () => {
    const text = await message({ ...({ destination: "newrelic" } as object) });
    expect(text).toContain("destination: must be one of new-relic-us, new-relic-eu,");
    expect(text).toContain('not "newrelic"');
    expect(text).not.toContain("url: is missing");
    expect(await message({ ...({ destination: undefined } as object) })).toContain("destination: must be one of");
    expect(await message({ ...({ severity: "high" } as object) })).toContain("severity: must be one of page, ticket");
  });

  test("takes the key from Secrets Manager: it is nowhere in the state, not even as a secret", async () => {
    const { resources } = await make();
    expect(endpoint(resources)).toMatchObject({ secretsManagerConfiguration: { enabled: true, secretArn } });
    expect(endpoint(resources)).not.toHaveProperty("accessKey");
    const key = await message({ accessKeySecretArn: "NRAK-0123456789" });
    expect(key).toContain("accessKeySecretArn: must be the ARN of a secret in Secrets Manager, never the key itself");
    expect(key).not.toContain("NRAK");
  });

  test("keeps what the service didn't take, for a while, and logs why", async () => {
    const { resources } = await make({ backupRetentionDays: 30, logRetentionDays: 7 });
    const log = (logStreamName: string) => ({ enabled: true, logStreamName });
    expect(endpoint(resources)).toMatchObject({
      s3BackupMode: "FailedDataOnly",
      s3Configuration: { bucketArn: "arn:aws:s3:::outside-backup-1a2b3c4", compressionFormat: "GZIP" },
      cloudwatchLoggingOptions: log("outside-to-endpoint-1a2b3c4"),
    });
    expect(find(resources, type.logs).inputs["retentionInDays"]).toBe(7);
    expect(
      find(resources, "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration").inputs["rules"],
    ).toMatchObject([{ status: "Enabled", expiration: { days: 30 } }]);
  });

  test("may do what it needs on its own bucket, log and secret, and streams of other accounts can't use its role", async () => {
    const { resources } = await make();
    expect(statements(resources, type.role, "outside-delivery", "assumeRolePolicy")).toEqual([
      {
        Effect: "Allow",
        Principal: { Service: "firehose.amazonaws.com" },
        Action: "sts:AssumeRole",
        Condition: { StringEquals: { "sts:ExternalId": "123456789012" } },
      },
    ]);
    const bucket = "arn:aws:s3:::outside-backup-1a2b3c4";
    const own = statements(resources, type.rolePolicy, "outside-delivery-policy");
    expect(own.map(({ Sid, Resource }) => [Sid, Resource])).toEqual([
      ["KeepWhatFailed", [bucket, `${bucket}/*`]],
      ["SayWhatFailed", "arn:aws:test:eu-west-1:123456789012:outside-delivery-log:log-stream:*"],
      ["ReadAccessKey", secretArn],
    ]);
    expect(own[2]).toMatchObject({ Action: "secretsmanager:GetSecretValue" });
  });

  test("decrypts a secret with a customer key, through Secrets Manager only", async () => {
    const accessKeySecretKmsKeyArn = "arn:aws:kms:eu-west-1:123456789012:key/0a1b";
    const { resources } = await make({ accessKeySecretKmsKeyArn });
    expect(statements(resources, type.rolePolicy, "outside-delivery-policy").at(-1)).toEqual({
      Sid: "DecryptAccessKey",
      Effect: "Allow",
      Action: "kms:Decrypt",
      Resource: accessKeySecretKmsKeyArn,
      Condition: { StringEquals: { "kms:ViaService": "secretsmanager.eu-west-1.amazonaws.com" } },
    });
  });
});

test("CloudWatch may put metrics into this delivery stream and no other", async () => {
  const { resources } = await make();
  expect(statements(resources, type.role, "outside-stream", "assumeRolePolicy")).toEqual([
    // As in the CloudWatch user guide, "Trust between CloudWatch and Firehose": no condition is documented.
    { Effect: "Allow", Principal: { Service: "streams.metrics.cloudwatch.amazonaws.com" }, Action: "sts:AssumeRole" },
  ]);
  expect(statements(resources, type.rolePolicy, "outside-stream-policy")).toEqual([
    {
      Sid: "PutMetrics",
      Effect: "Allow",
      Action: ["firehose:PutRecord", "firehose:PutRecordBatch"],
      Resource: "arn:aws:test:eu-west-1:123456789012:outside-delivery",
    },
  ]);
});

test("the backup is nobody else's: private, encrypted, by TLS only; and kept when the export goes, unless somebody says otherwise", async () => {
  const { resources } = await make();
  expect(find(resources, "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock").inputs).toMatchObject({
    blockPublicAcls: true,
    blockPublicPolicy: true,
    ignorePublicAcls: true,
    restrictPublicBuckets: true,
  });
  expect(
    JSON.stringify(
      find(resources, "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration").inputs,
    ),
  ).toContain('"sseAlgorithm":"AES256"');
  expect(statements(resources, "aws:s3/bucketPolicy:BucketPolicy", "outside-backup-policy")).toEqual([
    expect.objectContaining({
      Effect: "Deny",
      Principal: "*",
      Condition: { Bool: { "aws:SecureTransport": "false" } },
    }),
  ]);
  expect(find(resources, type.bucket).inputs["forceDestroy"]).toBe(false);
  expect(find((await make({ forceDestroy: true })).resources, type.bucket).inputs["forceDestroy"]).toBe(true);
});

// Deletion is the reverse: the stream ends first, and what is under way still finds role, log and bucket.
test.each([
  [type.stream, "outside-stream", type.delivery, "outside-delivery"],
  [type.stream, "outside-stream", type.rolePolicy, "outside-stream-policy"],
  [type.delivery, "outside-delivery", type.rolePolicy, "outside-delivery-policy"],
  [type.delivery, "outside-delivery", "aws:s3/bucketPolicy:BucketPolicy", "outside-backup-policy"],
  [type.delivery, "outside-delivery", type.bucket, "outside-backup"],
  [type.delivery, "outside-delivery", "aws:cloudwatch/logStream:LogStream", "outside-to-endpoint"],
])("%s %s goes before %s %s", async (laterType, later, earlierType, earlier) => {
  const { resources } = await make();
  expect(reaches(resources, find(resources, laterType, later), find(resources, earlierType, earlier))).toBe(true);
});

describe("the export itself is watched: a dead stream looks like a quiet night", () => {
  const alarm = async (suffix: string, args: Partial<MetricExportArgs> = {}) =>
    find((await make(args)).resources, type.alarm, `outside-${suffix}`).inputs;

  // CloudWatch user guide, "Monitoring your metric streams with CloudWatch metrics": MetricUpdate "is not emitted" when nothing is streamed.
  test("nothing streamed is missed, though there is no metric then", async () => {
    expect(await alarm("metric-stream-silent")).toMatchObject({
      namespace: "AWS/CloudWatch/MetricStreams",
      metricName: "MetricUpdate",
      dimensions: { MetricStreamName: "outside-stream-1a2b3c4" },
      statistic: "Sum",
      period: 300,
      datapointsToAlarm: 3,
      evaluationPeriods: 3,
      comparisonOperator: "LessThanThreshold",
      threshold: 1,
      treatMissingData: "breaching",
      warmUpConfiguration: { warmUpPeriodDurationInMinutes: 30, onlyStartEvaluatingAfterWarmUpPeriodEnds: true },
    });
  });

  test("any error of publishing", async () => {
    expect(await alarm("metric-publish-errors")).toMatchObject({
      namespace: "AWS/CloudWatch/MetricStreams",
      metricName: "PublishErrorRate",
      dimensions: { MetricStreamName: "outside-stream-1a2b3c4" },
      comparisonOperator: "GreaterThanThreshold",
      threshold: 0,
      treatMissingData: "notBreaching",
    });
  });

  // Firehose developer guide: Success is a share of attempts; DataFreshness is recommended to alarm above the longest buffering, 15 minutes.
  test("a service that refuses, and one that is behind", async () => {
    expect(await alarm("metric-delivery-failing")).toMatchObject({
      namespace: "AWS/Firehose",
      metricName: "DeliveryToHttpEndpoint.Success",
      dimensions: { DeliveryStreamName: "outside-delivery-1a2b3c4" },
      statistic: "Average",
      comparisonOperator: "LessThanThreshold",
      threshold: 0.5,
      treatMissingData: "notBreaching",
    });
    expect(await alarm("metric-delivery-late")).toMatchObject({
      namespace: "AWS/Firehose",
      metricName: "DeliveryToHttpEndpoint.DataFreshness",
      statistic: "Maximum",
      comparisonOperator: "GreaterThanThreshold",
      threshold: 900,
    });
  });

  test("tickets by default, because CloudWatch stays the pager; the end goes where the beginning goes", async () => {
    expect(await alarm("metric-stream-silent")).toMatchObject({
      alarmActions: [routes.ticketTopicArn],
      okActions: [routes.ticketTopicArn],
    });
    expect(await alarm("metric-stream-silent", { severity: AlarmSeverity.Page })).toMatchObject({
      alarmActions: [routes.pageTopicArn],
    });
  });

  test("names, texts and runbooks", async () => {
    const { name, alarmDescription } = await alarm("metric-stream-silent", {
      namePrefix: "prod",
      runbookUrl: "https://wiki.acme.io/metric-export",
    });
    expect(name).toBe("prod-outside-metric-stream-silent");
    expect(alarmDescription).toContain("The metric stream sends nothing");
    expect(alarmDescription).toContain("CloudWatch's own alarms still page.");
    expect(alarmDescription).toContain("First: aws cloudwatch get-metric-stream --name outside-stream-1a2b3c4");
    expect(alarmDescription).toContain("Runbook: https://wiki.acme.io/metric-export");
    expect(await message({ namePrefix: "pröd" })).toContain("must be ASCII");
    expect((await make()).outputs?.alarmNames).toEqual([
      "outside-metric-publish-errors",
      "outside-metric-stream-silent",
      "outside-metric-delivery-failing",
      "outside-metric-delivery-late",
    ]);
  });
});

test("links this library's pages, and refuses routes that don't exist and an umlaut in the address", async () => {
  const { alarmDescription } = find((await make()).resources, type.alarm, "outside-metric-delivery-late").inputs;
  expect(alarmDescription).toMatch(/\nRunbook: .*\/docs\/runbooks\/metric-delivery-late\.md$/);
  expect(await message({ ...({ routes: undefined } as object) })).toContain("routes: is missing");
  expect(await message({ runbookUrl: "https://wiki.acme.io/b\u00fcro" })).toContain("runbookUrl: must be ASCII");
});

test("previews, and with a secret that only its owner can read", async () => {
  const { errors, resources } = await make({ accessKeySecretArn: pulumi.secret("[secret]") }, "outside", true);
  expect(errors).toEqual([]);
  expect(resources.filter((r) => r.type === type.alarm)).toHaveLength(4);
});

test("all mistakes are reported at once", async () => {
  const text = await message({
    accessKeySecretKmsKeyArn: "alias/key",
    backupRetentionDays: 0,
    logRetentionDays: 8,
    metrics: { ":AWS": [] },
  });
  for (const part of [
    "accessKeySecretKmsKeyArn: must be the ARN of a KMS key",
    "backupRetentionDays: must be a whole number from 1 to 365, not 0",
    "logRetentionDays: must be one of 0, 1, 3, 5, 7, 14",
    'metrics: has the namespace ":AWS"',
  ])
    expect(text).toContain(part);
  // S3 takes no capitals, and would say so in the middle of an update.
  expect(await message({}, "Outside")).toContain("use lower-case letters");
  // Pulumi appends 8 characters: 56 are left of IAM's 64 for "<name>-delivery", and 55 of S3's 63 for "<name>-backup".
  expect(await message({}, "x".repeat(47))).toBe("");
  expect(await message({}, "x".repeat(48))).toContain('makes the IAM role "');
  expect(await message({}, "x".repeat(49))).toContain('makes the bucket "');
});
