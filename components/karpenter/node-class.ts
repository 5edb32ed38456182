import * as pulumi from "@pulumi/pulumi";
import type { Problems } from "../internal/validate";
import { bottlerocketProblem, kubeletProblems, kubeletSpec } from "./kubelet";
import type { KarpenterNodeClassArgs, NodeConnectionTracking, NodeSettings } from "./node-class-args";
import { nodeTagProblem, nodeTagValueProblem } from "./node-labels";
import type { KarpenterNodePoolArgs } from "./node-pool-args";
import { classStandIns, nodeSettings } from "./node-shapes";
import { blockDeviceMappings, isBottlerocket } from "./node-volumes";

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
  if (typeof alias !== "string") return `must be text: ${write}`;
  if (alias.endsWith("@latest")) return `is "${alias}", which replaces every node on the day of a release: ${write}`;
  const [family = "", version, ...rest] = alias.split("@");
  const form = versions.get(family);
  if (form === undefined || version === undefined)
    return `must name an image of al2023 or bottlerocket, not "${alias}": ${write}`;
  return form.pattern.test(version) && rest.length === 0
    ? undefined
    : `is "${alias}", but versions of ${family} are ${form.words}: Karpenter would find no image, and the pool never be ready`;
}

/** What is wrong with a list of ids that begin like this, or undefined. */
function idsProblem(ids: string[], prefix: string): string | undefined {
  if (!Array.isArray(ids)) return `must be a list of ids (${prefix}...)`;
  const strangers = ids.filter((id) => typeof id !== "string" || !id.startsWith(prefix));
  if (ids.length === 0 || ids.length > 30) return `must have 1 to 30 ids, not ${ids.length}`;
  return strangers.length === 0 ? undefined : `must be ids (${prefix}...), not ${strangers.join(", ")}`;
}

/** What is wrong with a name in IAM, or undefined. EC2NodeClass takes any text but an empty one, and its nodes never come. */
function iamNameProblem(name: string, longest: number): string | undefined {
  return /^[\w+=,.@-]+$/.test(name) && name.length <= longest
    ? undefined
    : `must be a name (at most ${longest} letters, digits and + = , . @ _ -) without ARN or path, not "${name}"`;
}

/** What is wrong with a timeout of connection tracking, or undefined. */
function timeoutProblem(seconds: number, least: number, most: number): string | undefined {
  return Number.isInteger(seconds) && seconds >= least && seconds <= most
    ? undefined
    : `must be a whole number of seconds from ${least} to ${most}, not ${seconds}`;
}

/** Checks timeouts, and returns what the definition has for them. Without one of them the object would be refused. */
function connectionTrackingSpec(problems: Problems, given: NodeConnectionTracking) {
  const timeout = (field: keyof NodeConnectionTracking, least: number, most: number) =>
    problems.input(given[field], `connectionTracking.${field}`, (seconds: number) =>
      timeoutProblem(seconds, least, most),
    );
  problems.unless(
    Object.values(given).some((value) => value !== undefined),
    "connectionTracking",
    "is empty: write tcpEstablishedTimeout, udpStreamTimeout or udpTimeout, or leave it out",
  );
  return {
    tcpEstablishedTimeout: timeout("tcpEstablishedTimeout", 60, 432_000),
    udpStreamTimeout: timeout("udpStreamTimeout", 60, 180),
    udpTimeout: timeout("udpTimeout", 30, 60),
  };
}

/** The policy for disks inside of the instances. One that is known to be off isn't written at all. */
function instanceStorePolicy({ instanceStoreRaid0 }: NodeSettings): pulumi.Output<string | undefined> | undefined {
  if (instanceStoreRaid0 === undefined || instanceStoreRaid0 === false) return undefined;
  return pulumi.output(instanceStoreRaid0).apply((on) => (on ? "RAID0" : undefined));
}

/** What is wrong with disks inside of the instances as RAID, for an image, or undefined. */
function instanceStoreProblem(alias: string): string | undefined {
  const [, major, minor] = /^bottlerocket@v?([0-9]+)\.([0-9]+)\./.exec(alias) ?? [];
  return major !== undefined && (Number(major) < 1 || (Number(major) === 1 && Number(minor) < 22))
    ? `needs Bottlerocket 1.22.0 or later, not ${alias}: take a newer image, or leave it out`
    : undefined;
}

/**
 * The spec of the EC2NodeClass: what an instance is made from. Things are named by id, not found by tags: exact, safe between clusters,
 * and there when the id is.
 */
export function nodeClassSpec(problems: Problems, args: KarpenterNodeClassArgs) {
  problems.unless(
    (args.nodeRoleName === undefined) !== (args.instanceProfileName === undefined),
    "nodeRoleName",
    args.nodeRoleName === undefined
      ? "is missing: give the name of the nodes' role (Karpenter.nodeRoleName), or an instance profile as instanceProfileName"
      : "can't be given together with instanceProfileName: write one of the two",
  );
  const tags = Object.entries(args.nodeTags ?? {}).map(([key, value]) => {
    const where = `nodeTags["${key}"]`;
    problems.add(where, nodeTagProblem(key));
    return [key, problems.input(value, where, nodeTagValueProblem)] as const;
  });

  const iamName = (argument: "nodeRoleName" | "instanceProfileName", longest: number) =>
    problems.input(args[argument], argument, (name: string) => iamNameProblem(name, longest));
  const terms = (ids: pulumi.Input<pulumi.Input<string>[]>, argument: string, prefix: string) =>
    pulumi
      .output(problems.input(ids, argument, (known) => idsProblem(known, prefix)))
      .apply((known) => known.map((id) => ({ id })));
  const alias = problems.input(args.amiAlias, "amiAlias", amiAliasProblem);
  const { kubelet } = args;
  const raid = instanceStorePolicy(args);
  if (kubelet !== undefined) kubeletProblems(problems, kubelet, args.chartVersion);
  return {
    role: iamName("nodeRoleName", 64),
    instanceProfile: iamName("instanceProfileName", 128),
    amiSelectorTerms: [{ alias }],
    subnetSelectorTerms: terms(args.subnetIds, "subnetIds", "subnet-"),
    securityGroupSelectorTerms:
      args.securityGroupIds === undefined
        ? terms([args.cluster.securityGroupId], "cluster.securityGroupId", "sg-")
        : terms(args.securityGroupIds, "securityGroupIds", "sg-"),
    capacityReservationSelectorTerms:
      args.capacityReservationIds && terms(args.capacityReservationIds, "capacityReservationIds", "cr-"),
    // A pod is one hop further away than the node: with one hop it can't take the node's role.
    metadataOptions: { httpEndpoint: "enabled", httpTokens: "required", httpPutResponseHopLimit: 1 },
    blockDeviceMappings: blockDeviceMappings(problems, args, alias),
    instanceStorePolicy: raid && forImage(problems, alias, "instanceStoreRaid0", raid, instanceStoreProblem),
    connectionTracking: args.connectionTracking && connectionTrackingSpec(problems, args.connectionTracking),
    detailedMonitoring: args.detailedMonitoring,
    kubelet:
      kubelet &&
      forImage(problems, alias, "kubelet", kubeletSpec(kubelet), (image) =>
        isBottlerocket(image) ? bottlerocketProblem(kubelet) : undefined,
      ),
    userData: args.userData,
    tags: args.nodeTags && Object.fromEntries(tags),
  };
}

/** The spec of a pool's own class; undefined where a shared one is named. */
export function ownClassSpec(problems: Problems, args: KarpenterNodePoolArgs) {
  if (args.nodeClassName !== undefined) {
    for (const setting of nodeSettings)
      problems.unless(
        args[setting] === undefined,
        setting,
        "can't be given together with nodeClassName: it belongs to that class (KarpenterNodeClass)",
      );
    return undefined;
  }
  const missing = (example: string) => `is missing: write ${example}, or name a shared class as nodeClassName`;
  const { subnetIds, amiAlias } = args;
  if (subnetIds === undefined) problems.add("subnetIds", missing('the private subnets, such as ["subnet-..."]'));
  if (amiAlias === undefined) problems.add("amiAlias", missing('an image, such as "al2023@v20260903"'));
  // What is missing was said: stand-ins let the other arguments be checked.
  return nodeClassSpec(problems, {
    ...args,
    subnetIds: subnetIds ?? classStandIns.subnetIds,
    amiAlias: amiAlias ?? classStandIns.amiAlias,
  });
}

/** Checks an argument that depends on the image, which may only be known later, and returns it. */
function forImage<T>(
  problems: Problems,
  alias: pulumi.Input<string>,
  argument: string,
  value: T,
  check: (alias: string) => string | undefined,
): pulumi.Output<pulumi.Unwrap<T>> {
  return pulumi.all([problems.input(alias, argument, check), value]).apply(([, known]) => known);
}
