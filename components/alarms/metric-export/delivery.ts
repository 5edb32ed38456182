import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { policyDocument, type Location, type PolicyStatement } from "../../internal/iam";
import { privateBucket } from "../../internal/private-bucket";
import { tagsFor, type Tags } from "../../internal/tags";
import type { Destination } from "./destinations";

/** What a delivery is made from; everything is checked. */
export interface DeliverySettings {
  readonly destination: Destination;
  readonly url: pulumi.Input<string>;
  readonly secretArn: pulumi.Input<string>;
  readonly secretKeyArn: pulumi.Input<string> | undefined;
  readonly backupRetentionDays: number;
  readonly forceDestroy: boolean;
  readonly logRetentionDays: number;
  readonly location: Location;
  readonly tags: pulumi.Input<Tags> | undefined;
}

/** The delivery stream and what it keeps of what it couldn't deliver. */
export interface Delivery {
  readonly stream: aws.kinesis.FirehoseDeliveryStream;
  readonly bucketName: pulumi.Output<string>;
}

/** Makes a Firehose delivery stream to an HTTPS endpoint, with the bucket and the log for what the endpoint didn't take. */
export function delivery(name: string, settings: DeliverySettings, parent: pulumi.Resource): Delivery {
  const child = { parent };
  const { destination, location, tags } = settings;
  const { bucket, ready } = privateBucket(
    `${name}-backup`,
    { retentionDays: settings.backupRetentionDays, forceDestroy: settings.forceDestroy, tags, statements: () => [] },
    parent,
  );
  const logs = new aws.cloudwatch.LogGroup(
    `${name}-delivery-log`,
    { retentionInDays: settings.logRetentionDays, tags: tagsFor(tags, `${name}-delivery-log`) },
    child,
  );
  const logStream = (what: string) =>
    new aws.cloudwatch.LogStream(`${name}-${what}`, { logGroupName: logs.name }, child);
  const [toEndpoint, toBucket] = [logStream("to-endpoint"), logStream("to-bucket")] as const;

  const role = new aws.iam.Role(
    `${name}-delivery`,
    {
      assumeRolePolicy: policyDocument([
        {
          Effect: "Allow",
          Principal: { Service: "firehose.amazonaws.com" },
          Action: "sts:AssumeRole",
          // Only streams of this account (Amazon Data Firehose developer guide, "Allow Firehose to assume an IAM role").
          Condition: { StringEquals: { "sts:ExternalId": location.accountId } },
        },
      ]),
      tags: tagsFor(tags, `${name}-delivery`),
    },
    child,
  );
  const policy = new aws.iam.RolePolicy(
    `${name}-delivery-policy`,
    { role: role.name, policy: policyDocument(deliveryStatements(bucket.arn, logs.arn, settings)) },
    child,
  );

  const logging = (stream: aws.cloudwatch.LogStream) => ({
    enabled: true,
    logGroupName: logs.name,
    logStreamName: stream.name,
  });
  const stream = new aws.kinesis.FirehoseDeliveryStream(
    `${name}-delivery`,
    {
      destination: "http_endpoint",
      serverSideEncryption: { enabled: true, keyType: "AWS_OWNED_CMK" },
      httpEndpointConfiguration: {
        name: destination.service,
        url: settings.url,
        roleArn: role.arn,
        secretsManagerConfiguration: { enabled: true, secretArn: settings.secretArn, roleArn: role.arn },
        bufferingSize: destination.buffer.mebibytes,
        bufferingInterval: destination.buffer.seconds,
        // Metrics of an hour ago help nobody on a graph of now: give up soon, and keep them in the bucket.
        retryDuration: 60,
        s3BackupMode: "FailedDataOnly",
        requestConfiguration: { contentEncoding: "GZIP" },
        cloudwatchLoggingOptions: logging(toEndpoint),
        s3Configuration: {
          roleArn: role.arn,
          bucketArn: bucket.arn,
          compressionFormat: "GZIP",
          cloudwatchLoggingOptions: logging(toBucket),
        },
      },
      tags: tagsFor(tags, `${name}-delivery`),
    },
    // It is checked for its permissions when it is made, and still delivers while it is deleted.
    { parent, dependsOn: [policy, ...ready] },
  );
  return { stream, bucketName: bucket.bucket };
}

function deliveryStatements(
  bucketArn: pulumi.Output<string>,
  logGroupArn: pulumi.Output<string>,
  { secretArn, secretKeyArn, location }: DeliverySettings,
): PolicyStatement[] {
  const statements: PolicyStatement[] = [
    {
      Sid: "KeepWhatFailed",
      Effect: "Allow",
      // Amazon Data Firehose developer guide, "Grant Firehose access to an Amazon S3 destination".
      Action: [
        "s3:AbortMultipartUpload",
        "s3:GetBucketLocation",
        "s3:GetObject",
        "s3:ListBucket",
        "s3:ListBucketMultipartUploads",
        "s3:PutObject",
      ],
      Resource: [bucketArn, pulumi.interpolate`${bucketArn}/*`],
    },
    {
      Sid: "SayWhatFailed",
      Effect: "Allow",
      Action: "logs:PutLogEvents",
      Resource: pulumi.interpolate`${logGroupArn}:log-stream:*`,
    },
    { Sid: "ReadAccessKey", Effect: "Allow", Action: "secretsmanager:GetSecretValue", Resource: secretArn },
  ];
  if (secretKeyArn !== undefined)
    statements.push({
      Sid: "DecryptAccessKey",
      Effect: "Allow",
      Action: "kms:Decrypt",
      Resource: secretKeyArn,
      Condition: {
        StringEquals: {
          "kms:ViaService": pulumi.interpolate`secretsmanager.${location.region}.${location.dnsSuffix}`,
        },
      },
    });
  return statements;
}
