import * as pulumi from "@pulumi/pulumi";
import { locationOf } from "../internal/iam";
import { privateBucket } from "../internal/private-bucket";
import type { Tags } from "../internal/tags";

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
  const { accountId } = locationOf(parent);
  const { bucket, ready } = privateBucket(
    name,
    {
      ...settings,
      statements: (bucketArn) => [
        {
          Sid: "DeliverLogs",
          Effect: "Allow",
          // The same name in every partition and region, those older than August 2022 too, where AWS asked for an account of its own before
          // (ELB user guide, "Enable access logs" and "Enable connection logs", bucket policy). The account in the key is the load
          // balancer's, so no foreign one can write here.
          Principal: { Service: "logdelivery.elasticloadbalancing.amazonaws.com" },
          Action: "s3:PutObject",
          Resource: ["", `${connectionsPrefix}/`].map(
            (prefix) => pulumi.interpolate`${bucketArn}/${prefix}AWSLogs/${accountId}/*`,
          ),
        },
      ],
    },
    parent,
  );
  return { bucket: bucket.bucket, ready };
}
