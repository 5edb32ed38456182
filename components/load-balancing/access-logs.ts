import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { locationOf, policyDocument } from "../internal/iam";
import { tagsFor, type Tags } from "../internal/tags";

/** First part of the keys of connection logs: their names differ from access logs' only in the file's, and queries go by folder. */
const connectionsPrefix = "connections";

/** Prefix of the connection logs beside access logs of this prefix. */
export function connectionsPrefixIn(prefix: pulumi.Input<string> | undefined): pulumi.Input<string> {
  return prefix === undefined ? connectionsPrefix : pulumi.interpolate`${prefix}/${connectionsPrefix}`;
}

/** A bucket that Elastic Load Balancing may deliver to. */
export interface LogBucket {
  readonly bucket: pulumi.Output<string>;
  /** What the load balancer must wait for: AWS writes a test object when logs are switched on, and refuses if it can't. */
  readonly ready: pulumi.Resource[];
}

/** What a log bucket is made from. */
export interface LogBucketSettings {
  readonly retentionDays: number;
  readonly forceDestroy: boolean;
  readonly tags: pulumi.Input<Tags> | undefined;
}

/** Makes a private bucket for access and connection logs: encrypted, closed to the public, emptied by age. */
export function logBucket(name: string, settings: LogBucketSettings, parent: pulumi.Resource): LogBucket {
  const child = { parent };
  const bucket = new aws.s3.Bucket(
    name,
    { forceDestroy: settings.forceDestroy, tags: tagsFor(settings.tags, name) },
    child,
  );
  const closed = new aws.s3.BucketPublicAccessBlock(
    `${name}-private`,
    {
      bucket: bucket.bucket,
      blockPublicAcls: true,
      blockPublicPolicy: true,
      ignorePublicAcls: true,
      restrictPublicBuckets: true,
    },
    child,
  );
  new aws.s3.BucketServerSideEncryptionConfiguration(
    `${name}-encryption`,
    {
      bucket: bucket.bucket,
      // SSE-S3 is the only encryption that access logs can be delivered with (ELB user guide, "Enable access logs").
      rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } }],
    },
    child,
  );
  new aws.s3.BucketLifecycleConfiguration(
    `${name}-expiry`,
    {
      bucket: bucket.bucket,
      rules: [
        {
          id: "expire",
          status: "Enabled",
          filter: { prefix: "" },
          expiration: { days: settings.retentionDays },
          abortIncompleteMultipartUpload: { daysAfterInitiation: 7 },
        },
      ],
    },
    child,
  );
  const { accountId } = locationOf(parent);
  const policy = new aws.s3.BucketPolicy(
    `${name}-policy`,
    {
      bucket: bucket.bucket,
      policy: policyDocument([
        {
          Sid: "DeliverLogs",
          Effect: "Allow",
          // The same name in every partition and region, those older than August 2022 too, where AWS asked for an account of its own before
          // (ELB user guide, "Enable access logs" and "Enable connection logs", bucket policy). The account in the key is the load
          // balancer's, so no foreign one can write here.
          Principal: { Service: "logdelivery.elasticloadbalancing.amazonaws.com" },
          Action: "s3:PutObject",
          Resource: ["", `${connectionsPrefix}/`].map(
            (prefix) => pulumi.interpolate`${bucket.arn}/${prefix}AWSLogs/${accountId}/*`,
          ),
        },
        {
          Sid: "RequireTls",
          Effect: "Deny",
          Principal: "*",
          Action: "s3:*",
          Resource: [bucket.arn, pulumi.interpolate`${bucket.arn}/*`],
          Condition: { Bool: { "aws:SecureTransport": "false" } },
        },
      ]),
    },
    // S3 refuses two changes of a bucket's access at one moment ("a conflicting conditional operation").
    { parent, dependsOn: [closed] },
  );
  return { bucket: bucket.bucket, ready: [policy] };
}
