import * as pulumi from "@pulumi/pulumi";
import type { Problems } from "../internal/validate";
import type { KarpenterNodePoolArgs } from "./node-pool-args";

/** Versions by family, as Karpenter puts them into the names of AWS' parameters (pkg/providers/amifamily, al2023.go and bottlerocket.go). */
const versions = new Map([
  [
    "al2023",
    {
      pattern: /^v20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])$/,
      words: 'a v and a date of eight digits, such as "al2023@v20260903"',
    },
  ],
  [
    "bottlerocket",
    { pattern: /^v?[0-9]{1,3}(\.[0-9]{1,3}){2}$/, words: 'three numbers, such as "bottlerocket@v1.46.0"' },
  ],
]);

/** What is wrong with an image alias, or undefined. */
function amiAliasProblem(alias: string): string | undefined {
  const write = 'write the family and a version, such as "al2023@v20260903" or "bottlerocket@v1.46.0"';
  if (alias.endsWith("@latest")) return `is "${alias}", which replaces every node on the day of a release: ${write}`;
  const [family = "", version, ...rest] = alias.split("@");
  const form = versions.get(family);
  if (form === undefined || version === undefined)
    return `must name an image of al2023 or bottlerocket, not "${alias}": ${write}`;
  return form.pattern.test(version) && rest.length === 0
    ? undefined
    : `is "${alias}", but versions of ${family} are ${form.words}: Karpenter would find no image, and the pool never be ready`;
}

/** What is wrong with the size of a node's volume, or undefined. The images themselves have 20 GiB. */
function diskSizeProblem(size: number): string | undefined {
  return Number.isInteger(size) && size >= 20 && size <= 59_000
    ? undefined
    : `must be a whole number of GiB from 20 to 59000, not ${size}`;
}

/** What is wrong with a list of ids that begin like this, or undefined. */
function idsProblem(ids: string[], prefix: string): string | undefined {
  const strangers = ids.filter((id) => !id.startsWith(prefix));
  if (ids.length === 0 || ids.length > 30) return `must have 1 to 30 ids, not ${ids.length}`;
  return strangers.length === 0 ? undefined : `must be ids (${prefix}...), not ${strangers.join(", ")}`;
}

/** What is wrong with a name in IAM, or undefined. EC2NodeClass takes any text but an empty one, and its nodes never come. */
function iamNameProblem(name: string, longest: number): string | undefined {
  return /^[\w+=,.@-]+$/.test(name) && name.length <= longest
    ? undefined
    : `must be a name (at most ${longest} letters, digits and + = , . @ _ -) without ARN or path, not "${name}"`;
}

/**
 * The spec of the EC2NodeClass: what an instance is made from. Things are named by id, not found by tags: exact, safe between clusters,
 * and there when the id is.
 */
export function nodeClassSpec(problems: Problems, args: KarpenterNodePoolArgs) {
  const iamName = (argument: "nodeRoleName" | "instanceProfileName", longest: number) =>
    problems.input(args[argument], argument, (name: string) => iamNameProblem(name, longest));
  const terms = (ids: pulumi.Input<pulumi.Input<string>[]>, argument: string, prefix: string) =>
    pulumi
      .output(problems.input(ids, argument, (known) => idsProblem(known, prefix)))
      .apply((known) => known.map((id) => ({ id })));
  const alias = problems.input(args.amiAlias, "amiAlias", amiAliasProblem);
  const size = problems.input(args.diskSizeInGiB ?? 50, "diskSizeInGiB", diskSizeProblem);
  return {
    role: iamName("nodeRoleName", 64),
    instanceProfile: iamName("instanceProfileName", 128),
    amiSelectorTerms: [{ alias }],
    subnetSelectorTerms: terms(args.subnetIds, "subnetIds", "subnet-"),
    securityGroupSelectorTerms: terms(
      args.securityGroupIds ?? [args.cluster.securityGroupId],
      "securityGroupIds",
      "sg-",
    ),
    capacityReservationSelectorTerms:
      args.capacityReservationIds && terms(args.capacityReservationIds, "capacityReservationIds", "cr-"),
    // A pod is one hop further away than the node: with one hop it can't take the node's role.
    metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
    blockDeviceMappings: pulumi.all([alias, size]).apply(([image, gib]) => volumes(image, gib)),
    kubelet: args.kubelet,
    userData: args.userData,
    tags: args.nodeTags,
  };
}

/** The volumes of an image. Bottlerocket keeps its system on one of its own; what pods use is the second. */
function volumes(alias: string, size: number) {
  const volume = (deviceName: string, gib: number) => ({
    deviceName,
    ebs: { volumeType: "gp3", volumeSize: `${gib}Gi`, encrypted: true, deleteOnTermination: true },
  });
  return alias.startsWith("bottlerocket@")
    ? [volume("/dev/xvda", 4), volume("/dev/xvdb", size)]
    : [volume("/dev/xvda", size)];
}
