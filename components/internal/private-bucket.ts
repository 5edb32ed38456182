import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { policyDocument, type PolicyStatement } from "./iam";
import { tagsFor, type Tags } from "./tags";

/** A bucket that only its writers and the account get at. */
export interface PrivateBucket {
  readonly bucket: aws.s3.Bucket;
  /** What its writers must wait for. */
  readonly ready: pulumi.Resource[];
}

/** What a private bucket is made from. */
export interface PrivateBucketSettings {
  readonly retentionDays: number;
  readonly forceDestroy: boolean;
  readonly tags: pulumi.Input<Tags> | undefined;
  /** Who may write, by the bucket's own policy. */
  readonly statements: (bucketArn: pulumi.Output<string>) => PolicyStatement[];
}

/** Makes a bucket for logs and the like: encrypted, closed to the public, reached by TLS only, emptied by age. */
export function privateBucket(name: string, settings: PrivateBucketSettings, parent: pulumi.Resource): PrivateBucket {
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
  const policy = new aws.s3.BucketPolicy(
    `${name}-policy`,
    {
      bucket: bucket.bucket,
      policy: policyDocument([
        ...settings.statements(bucket.arn),
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
  return { bucket, ready: [policy] };
}
