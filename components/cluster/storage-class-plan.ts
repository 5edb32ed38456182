import * as pulumi from "@pulumi/pulumi";
import { keyArnProblem } from "../internal/formats";
import { iops, throughput } from "../internal/gp3";
import { objectNameProblem } from "../internal/object-names";
import { isLate, oneOf, type Problems } from "../internal/validate";
import { VolumeReclaimPolicy, type DefaultStorageClassArgs } from "./storage-class-args";

/** The class with its parameters as the EBS driver reads them (aws-ebs-csi-driver, docs/parameters.md). */
export interface StorageClassPlan {
  readonly className: string;
  readonly parameters: Record<string, pulumi.Input<string>>;
}

/** Applies defaults and checks. */
export function planStorageClass(name: string, args: DefaultStorageClassArgs, problems: Problems): StorageClassPlan {
  const className = args.className ?? name;
  problems.add(args.className === undefined ? "name" : "className", objectNameProblem(className));
  problems.add("reclaimPolicy", oneOf(VolumeReclaimPolicy, args.reclaimPolicy));
  const key = problems.input<string>(args.kmsKeyArn, "kmsKeyArn", keyArnProblem);
  const before = problems.count;
  const wanted = problems.input<number>(args.iops, "iops", (n) => numberProblem(n, iops));
  const speed = problems.input<number>(args.throughputMiB, "throughputMiB", (n) => numberProblem(n, throughput));
  if (problems.count === before) problems.add("throughputMiB", ratioProblem(args));
  const count = Object.keys(args.volumeTags ?? {}).length;
  problems.unless(
    count <= mostTags,
    "volumeTags",
    `has ${count} tags; EC2 takes 50 of a volume, and the driver adds ${50 - mostTags} of its own, and what its add-on has as extraVolumeTags: leave ${count - mostTags} out`,
  );
  const tags = Object.entries(args.volumeTags ?? {}).map(([tag, value], index): [string, string] => {
    problems.add(`volumeTags["${tag}"]`, tagProblem(tag, value));
    return [`tagSpecification_${index + 1}`, `${tag}=${value}`];
  });
  return {
    className,
    parameters: {
      type: "gp3",
      encrypted: "true",
      ...(key !== undefined && { kmsKeyId: key }),
      ...(wanted !== undefined && { iops: text(wanted) }),
      ...(speed !== undefined && { throughput: text(speed) }),
      ...Object.fromEntries(tags),
    },
  };
}

/** Parameters of a StorageClass are text. */
function text(value: pulumi.Input<number>): pulumi.Input<string> {
  return isLate(value) ? pulumi.output(value).apply(String) : String(value);
}

function numberProblem(value: number, { least, most }: { least: number; most: number }): string | undefined {
  return Number.isInteger(value) && value >= least && value <= most
    ? undefined
    : `must be a whole number between ${least} and ${most}, not ${value}`;
}

function ratioProblem({
  iops: given = iops.least,
  throughputMiB = throughput.least,
}: DefaultStorageClassArgs): string | undefined {
  if (isLate(given) || isLate(throughputMiB) || throughputMiB <= given * throughput.perOperation) return undefined;
  return `must be at most a quarter of iops (${given}), not ${throughputMiB}: give iops of at least ${throughputMiB / throughput.perOperation}`;
}

/**
 * EC2: 50 tags of a resource. The driver's own are eight: CSIVolumeName, ebs.csi.aws.com/cluster, the three of the claim (name, namespace, volume),
 * and where it knows the cluster's id kubernetes.io/cluster/<id>, Name and KubernetesCluster (aws-ebs-csi-driver, `CreateVolume` in
 * pkg/driver/controller.go, pkg/driver/constants.go).
 */
const mostTags = 42;

/** EC2's limits of tags; the driver splits at the first "=" (docs/tagging.md) and renders braces as templates. */
function tagProblem(tag: string, value: string): string | undefined {
  const letters = "letters, digits, spaces and . : / + - @ _";
  if (!/^[\p{L}\p{N}\p{Z}.:/+\-@_]{1,128}$/u.test(tag)) return `must have a key of 1 to 128 ${letters}`;
  if (/^(aws:|ebs\.csi\.aws\.com\/|kubernetes\.io|CSIVolume(Snapshot)?Name$)/.test(tag))
    return "has a key that AWS or the driver uses: choose another";
  return /^[\p{L}\p{N}\p{Z}.:/=+\-@_]{0,256}$/u.test(value)
    ? undefined
    : `must have a value of at most 256 ${letters} and =`;
}
