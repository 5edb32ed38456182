import * as pulumi from "@pulumi/pulumi";
import { iops, throughput } from "../internal/gp3";
import type { Problems } from "../internal/validate";
import type { NodeSettings, NodeVolume } from "./node-class-args";

/* The volumes of nodes: all gp3, all encrypted. */

/** What Karpenter's definition takes in Gi. */
const size = { least: 1, most: 59_000 };

/** The images themselves have 20 GiB. */
const leastDisk = 20;
const defaultDisk = 50;

/** The devices that images have by themselves (Karpenter's documentation, spec.blockDeviceMappings). */
const imageDevices = { al2023: ["a"], bottlerocket: ["a", "b"] };

/** What is wrong with the key of volumes, or undefined. EC2 takes the four spellings of KMS. */
function keyProblem(key: string): string | undefined {
  const id = "(mrk-[0-9a-f]{32}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})";
  const alias = "alias/[\\w/-]{1,250}";
  const arn = `arn:aws[a-z-]*:kms:[a-z0-9-]+:[0-9]{12}:(key/${id}|${alias})`;
  return typeof key === "string" && new RegExp(`^(${id}|${alias}|${arn})$`).test(key)
    ? undefined
    : `must be a key of KMS: its id, its ARN, or an alias such as "alias/nodes", not "${key}"`;
}

function numberProblem(value: number, least: number, most: number, unit: string): string | undefined {
  return Number.isInteger(value) && value >= least && value <= most
    ? undefined
    : `must be a whole number of ${unit} from ${least} to ${most}, not ${value}`;
}

const sizeProblem = (least: number) => (gib: number) => numberProblem(gib, least, size.most, "GiB");
const operationsProblem = (value: number) => numberProblem(value, iops.least, iops.most, "operations a second");
const mibProblem = (value: number) => numberProblem(value, throughput.least, throughput.most, "MiB a second");

/** What is wrong with operations in a second for a volume of this size, or undefined. What is wrong by itself says so by itself. */
function iopsProblem([operations, gib]: [number, number]): string | undefined {
  // Small volumes have the first 3,000 all the same.
  const most = Math.max(gib * iops.perGiB, iops.least);
  const judged = [operationsProblem(operations), sizeProblem(size.least)(gib)].every((p) => p === undefined);
  return judged && operations > most
    ? `is ${operations}, but a volume of ${gib} GiB takes at most ${most}: EC2 would refuse every node`
    : undefined;
}

/** What is wrong with a throughput for a volume of these operations, or undefined. */
function throughputProblem([mib, operations]: [number, number]): string | undefined {
  const most = Math.floor(operations * throughput.perOperation);
  const judged = [mibProblem(mib), operationsProblem(operations)].every((p) => p === undefined);
  return judged && mib > most
    ? `is ${mib}, but ${operations} operations a second carry at most ${most} MiB: EC2 would refuse every node`
    : undefined;
}

/** Arguments of one volume, by the names that they have for the caller. */
interface VolumeArgs {
  readonly size: [string, pulumi.Input<number>];
  readonly iops: [string, pulumi.Input<number> | undefined];
  readonly throughput: [string, pulumi.Input<number> | undefined];
  readonly least: number;
}

/** Checks one volume, and returns what a mapping says of it. */
function performance(problems: Problems, volume: VolumeArgs) {
  const gib = problems.input(volume.size[1], volume.size[0], sizeProblem(volume.least));
  const operations = problems.input(volume.iops[1], volume.iops[0], operationsProblem);
  const mib = problems.input(volume.throughput[1], volume.throughput[0], mibProblem);
  return {
    volumeType: "gp3",
    volumeSize: pulumi.interpolate`${gib}Gi`,
    iops: operations && besides(problems, volume.iops[0], operations, gib, iopsProblem),
    throughput: mib && besides(problems, volume.throughput[0], mib, operations ?? iops.least, throughputProblem),
    encrypted: true,
    deleteOnTermination: true,
  };
}

/** Checks an argument beside another one, and returns it. Either may only be known later. */
function besides(
  problems: Problems,
  argument: string,
  value: pulumi.Input<number>,
  other: pulumi.Input<number>,
  check: (both: [number, number]) => string | undefined,
): pulumi.Output<number> {
  const both: [pulumi.Input<number>, pulumi.Input<number>] = [value, other];
  return pulumi.output(problems.input(both, argument, check)).apply(([known]) => known);
}

/** What is wrong with the name of a device, or undefined. Instances of the Xen generation see the same device under both spellings. */
function deviceProblems(problems: Problems, volumes: readonly NodeVolume[], taken: readonly string[]): void {
  const seen = new Map(taken.map((letter) => [letter, "the image"]));
  volumes.forEach(({ deviceName }, index) => {
    const where = `volumes[${index}].deviceName`;
    const letter = /^\/dev\/(?:sd|xvd)([a-z])$/.exec(deviceName)?.[1];
    if (letter === undefined) problems.add(where, `must be a device such as "/dev/xvdf", not "${deviceName}"`);
    else {
      const other = seen.get(letter);
      problems.unless(
        other === undefined,
        where,
        `is ${deviceName}, which is that of ${other ?? ""}: take another letter`,
      );
      seen.set(letter, where);
    }
  });
}

/** The volumes of nodes. Bottlerocket keeps its system on one of its own; what pods use is the second. */
export function blockDeviceMappings(problems: Problems, args: NodeSettings, alias: pulumi.Input<string>) {
  const kmsKeyID = problems.input(args.kmsKeyId, "kmsKeyId", keyProblem);
  const disk = performance(problems, {
    size: ["diskSizeInGiB", args.diskSizeInGiB ?? defaultDisk],
    iops: ["diskIops", args.diskIops],
    throughput: ["diskThroughput", args.diskThroughput],
    least: leastDisk,
  });
  const given = args.volumes ?? [];
  const further = given.map((volume, index) => ({
    deviceName: volume.deviceName,
    ebs: {
      ...performance(problems, {
        size: [`volumes[${index}].sizeInGiB`, volume.sizeInGiB],
        iops: [`volumes[${index}].iops`, volume.iops],
        throughput: [`volumes[${index}].throughput`, volume.throughput],
        least: size.least,
      }),
      kmsKeyID,
    },
  }));
  const family = typeof alias === "string" && isBottlerocket(alias) ? "bottlerocket" : "al2023";
  deviceProblems(problems, given, imageDevices[family]);

  const system = { volumeType: "gp3", volumeSize: "4Gi", encrypted: true, deleteOnTermination: true, kmsKeyID };
  return pulumi.output(alias).apply((image) => [
    ...(isBottlerocket(image)
      ? [
          { deviceName: "/dev/xvda", ebs: system },
          { deviceName: "/dev/xvdb", ebs: { ...disk, kmsKeyID } },
        ]
      : [{ deviceName: "/dev/xvda", ebs: { ...disk, kmsKeyID } }]),
    ...further,
  ]);
}

/** Whether an image is of Bottlerocket. */
export function isBottlerocket(alias: string): boolean {
  return alias.startsWith("bottlerocket@");
}
