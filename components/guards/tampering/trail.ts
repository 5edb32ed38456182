import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Location, PolicyStatement } from "../../internal/iam";
import { privateBucket } from "../../internal/private-bucket";
import { tagsFor, type Tags } from "../../internal/tags";
import { checked } from "../../internal/validate";
import type { TamperTrailArgs } from "./tamper-args";

/** What of a trail decides whether EventBridge hears of changes. */
export type TrailState = Pick<
  pulumi.UnwrappedObject<{
    enableLogging: boolean | undefined;
    isMultiRegionTrail: boolean | undefined;
    includeGlobalServiceEvents: boolean | undefined;
    eventSelectors: { includeManagementEvents?: boolean; readWriteType?: string }[] | undefined;
    advancedEventSelectors: { fieldSelectors: { field: string; equals?: string[] }[] }[] | undefined;
  }>,
  "enableLogging" | "isMultiRegionTrail" | "includeGlobalServiceEvents" | "eventSelectors" | "advancedEventSelectors"
>;

/** What is wrong with a trail, or undefined. What isn't known of it (a preview without AWS) isn't judged. */
export function trailProblem(trail: TrailState): string | undefined {
  if (trail.enableLogging === false) return "is of a trail that logs nothing: aws cloudtrail start-logging";
  if (trail.isMultiRegionTrail === false)
    return "is of a trail of one region; changes of IAM are recorded in another one: make it one of all regions";
  if (trail.includeGlobalServiceEvents === false)
    return "is of a trail without IAM's calls: set its includeGlobalServiceEvents";
  return recordsChanges(trail)
    ? undefined
    : "is of a trail without write management events: EventBridge hears of no change then";
}

function recordsChanges({ eventSelectors, advancedEventSelectors }: TrailState): boolean {
  const plain = eventSelectors ?? [];
  const advanced = advancedEventSelectors ?? [];
  if (plain.length + advanced.length === 0) return true; // all management events, by default
  return (
    plain.some((s) => s.includeManagementEvents !== false && s.readWriteType !== "ReadOnly") ||
    advanced.some(({ fieldSelectors }) => {
      const equals = (field: string) => fieldSelectors.find((s) => s.field === field)?.equals ?? [];
      return equals("eventCategory").includes("Management") && !equals("readOnly").includes("true");
    })
  );
}

/** Makes a trail, or reads the one that is there. The result is the ARN, once the trail is known to serve. */
export function trail(
  name: string,
  args: TamperTrailArgs,
  location: Location,
  tags: pulumi.Input<Tags> | undefined,
  parent: pulumi.Resource,
): pulumi.Output<string> {
  if (args.existingArn !== undefined)
    return args.verify === false ? pulumi.output(args.existingArn) : read(name, args.existingArn, parent);

  const { bucket, ready } = privateBucket(
    name,
    {
      retentionDays: args.retentionDays ?? 90,
      forceDestroy: args.forceDestroy ?? false,
      tags,
      statements: (bucketArn) => trailStatements(bucketArn, location),
    },
    parent,
  );
  return new aws.cloudtrail.Trail(
    name,
    {
      s3BucketName: bucket.bucket,
      isMultiRegionTrail: true,
      includeGlobalServiceEvents: true,
      enableLogFileValidation: true,
      // Changes only: nothing here asks who read what.
      eventSelectors: [{ includeManagementEvents: true, readWriteType: "WriteOnly" }],
      tags: tagsFor(tags, name),
    },
    { parent, dependsOn: ready }, // CloudTrail tries to write when the trail is made
  ).arn;
}

function read(name: string, arn: string, parent: pulumi.Resource): pulumi.Output<string> {
  const found = aws.cloudtrail.Trail.get(name, arn, {}, { parent });
  const { enableLogging, isMultiRegionTrail, includeGlobalServiceEvents, eventSelectors, advancedEventSelectors } =
    found;
  const state = {
    enableLogging,
    isMultiRegionTrail,
    includeGlobalServiceEvents,
    eventSelectors,
    advancedEventSelectors,
  };
  return checked<TrailState>(pulumi.output(state), "trail.existingArn", trailProblem).apply(() => arn);
}

/** CloudTrail user guide, "Amazon S3 bucket policy for CloudTrail". The trail's name is Pulumi's, so any trail of this account and region. */
function trailStatements(
  bucketArn: pulumi.Output<string>,
  { partition, region, accountId }: Location,
): PolicyStatement[] {
  const Principal = { Service: "cloudtrail.amazonaws.com" };
  const trails = pulumi.interpolate`arn:${partition}:cloudtrail:${region}:${accountId}:trail/*`;
  return [
    {
      Sid: "TrailReadsAcl",
      Effect: "Allow",
      Principal,
      Action: "s3:GetBucketAcl",
      Resource: bucketArn,
      Condition: { ArnLike: { "aws:SourceArn": trails } },
    },
    {
      Sid: "TrailWrites",
      Effect: "Allow",
      Principal,
      Action: "s3:PutObject",
      Resource: pulumi.interpolate`${bucketArn}/AWSLogs/${accountId}/*`,
      Condition: {
        StringEquals: { "s3:x-amz-acl": "bucket-owner-full-control" },
        ArnLike: { "aws:SourceArn": trails },
      },
    },
  ];
}
