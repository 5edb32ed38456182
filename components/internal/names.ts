import { isServiceName } from "./object-names";
import type { Problems } from "./validate";

/**
 * What Pulumi appends when it names a resource itself: a hyphen and seven hexadecimal characters for AWS, a hyphen and eight
 * for Kubernetes (pulumi-kubernetes, provider/pkg/metadata/naming.go: `NewUniqueName` with its default length).
 */
const autoNameSuffix = { aws: 8, kubernetes: 9 };

/**
 * The longest logical name that still leaves room for Pulumi's suffix within AWS's limit, by kind.
 * Sources: service quotas and API references of each service.
 */
const physicalLimits = {
  /** elasticloadbalancing CreateLoadBalancer: 32 characters. */
  "load balancer": 32,
  /** elasticloadbalancing CreateTargetGroup: 32 characters. */
  "target group": 32,
  /** iam CreateRole: 64 characters. */
  "IAM role": 64,
  /** iam CreatePolicy: 128 characters. */
  "IAM policy": 128,
  /** sqs CreateQueue: 80 characters. */
  "SQS queue": 80,
  /** firehose CreateDeliveryStream: 64 characters. */
  "delivery stream": 64,
  /** s3 CreateBucket: 63 characters. */
  bucket: 63,
  /** events PutRule: 64 characters. */
  "EventBridge rule": 64,
  /** Kubernetes object names used as label values: 63 characters. */
  "Kubernetes object": 63,
  /** batch CronJob: 52 characters, because its jobs' names have eleven more. */
  CronJob: 52,
} as const;

/** Kinds that Kubernetes names. */
const inKubernetes: ReadonlySet<string> = new Set<keyof typeof physicalLimits>(["Kubernetes object", "CronJob"]);

/** Something whose physical name AWS or Kubernetes limits. */
export type NamedKind = keyof typeof physicalLimits;

const hyphenated = { letters: /^[A-Za-z0-9-]+$/, words: "letters, digits and hyphens" };
const word = { letters: /^[A-Za-z0-9_-]+$/, words: "letters, digits, hyphens and underscores" };
const dotted = { letters: /^[A-Za-z0-9._-]+$/, words: "letters, digits, hyphens, underscores and dots" };
const inIam = { letters: /^[A-Za-z0-9_+=,.@-]+$/, words: "letters, digits and + = , . @ _ -" };

/** Letters that AWS takes in names of a kind (the same API references). */
const spelling: Readonly<Record<string, typeof word>> = {
  "load balancer": hyphenated,
  "target group": hyphenated,
  "IAM role": inIam,
  "IAM policy": inIam,
  "SQS queue": word,
  "delivery stream": dotted,
  // Pulumi makes capitals small in a name that it gives to a bucket (pulumi-aws, provider/resources.go).
  bucket: { letters: /^[A-Za-z0-9][A-Za-z0-9.-]*$/, words: "letters, digits, hyphens and dots" },
  "EventBridge rule": dotted,
} satisfies Partial<Record<NamedKind, typeof word>>;

/** Longest logical name of a resource of this kind that Pulumi names. */
export function longestName(kind: NamedKind): number {
  return physicalLimits[kind] - (inKubernetes.has(kind) ? autoNameSuffix.kubernetes : autoNameSuffix.aws);
}

/**
 * Refuses a component name that would make a child's generated name too long or, in Kubernetes, no name at all. AWS and the API server
 * would refuse it too, but only in the middle of an update.
 *
 * @param child the child's logical name, which starts with the component's.
 */
export function requireNameFits(problems: Problems, kind: NamedKind, child: string): void {
  const longest = longestName(kind);
  problems.unless(
    child.length <= longest,
    "name",
    `makes the ${kind} "${child}" of ${child.length} characters; with Pulumi's suffix at most ${longest} fit: choose a shorter name`,
  );
  const spelt = spelling[kind];
  problems.unless(
    spelt?.letters.test(child) ?? true,
    "name",
    `makes the ${kind} "${child}"; AWS takes ${spelt?.words ?? "others"} in such a name: choose another`,
  );
  if (inKubernetes.has(kind))
    problems.unless(
      isServiceName(child),
      "name",
      `makes the ${kind} "${child}", which can't be named so: begin with a lower-case letter, and go on with those, digits and hyphens`,
    );
}

/** Whether EKS takes the name for a cluster (eks CreateCluster): then it also fits into IAM paths and tags. */
export function isClusterName(name: string): boolean {
  return /^[0-9A-Za-z][0-9A-Za-z_-]{0,99}$/.test(name);
}
