import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, known, type Unknown } from "../../lib/known";

/** One permission as EC2 tells it from others: the description and the tags don't count. */
export interface Tuple {
  /** Equal for equal permissions. */
  readonly key: string;
  /** The first part that is unknown and could differ although it comes from the same resource; undefined if none. */
  readonly doubt: Unknown | undefined;
}

interface RuleType {
  /** Direction; undefined where the resource says it in `type`. */
  readonly direction?: "ingress" | "egress";
  readonly group: string;
  readonly protocol: string;
  /** Properties that each name a source (of an egress rule, a destination), or a list of them. */
  readonly sources: readonly string[];
}

const vpcRule = {
  group: "securityGroupId",
  protocol: "ipProtocol",
  sources: ["cidrIpv4", "cidrIpv6", "prefixListId", "referencedSecurityGroupId"],
};

const ruleTypes: Readonly<Record<string, RuleType>> = {
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule": { ...vpcRule, direction: "ingress" },
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule": { ...vpcRule, direction: "egress" },
  "aws:ec2/securityGroupRule:SecurityGroupRule": {
    group: "securityGroupId",
    protocol: "protocol",
    sources: ["cidrBlocks", "ipv6CidrBlocks", "prefixListIds", "sourceSecurityGroupId"],
  },
  "aws-native:ec2:SecurityGroupIngress": {
    direction: "ingress",
    group: "groupId",
    protocol: "ipProtocol",
    sources: ["cidrIp", "cidrIpv6", "sourcePrefixListId", "sourceSecurityGroupId"],
  },
  "aws-native:ec2:SecurityGroupEgress": {
    direction: "egress",
    group: "groupId",
    protocol: "ipProtocol",
    sources: ["cidrIp", "cidrIpv6", "destinationPrefixListId", "destinationSecurityGroupId"],
  },
};

/** Resources with one security group to give: an unknown that came from one alone is that group's id. */
const groupTypes = new Set(["aws:ec2/securityGroup:SecurityGroup", "aws-native:ec2:SecurityGroup"]);

/** IANA numbers and names that EC2 takes for the same protocol. */
const protocolNames: Readonly<Record<string, string>> = {
  all: "-1",
  "6": "tcp",
  "17": "udp",
  "1": "icmp",
  "58": "icmpv6",
};

/** The permissions that a rule resource makes; none for other resources. Inline rules aren't resources. */
export function tuplesOf(resource: PolicyResource): Tuple[] {
  const type = ruleTypes[resource.type];
  if (type === undefined) return [];
  const part = (property: string) =>
    partOf(
      resource,
      property,
      known(() => resource.props[property] as unknown),
    );

  const direction = type.direction === undefined ? part("type") : exact(type.direction);
  const group = part(type.group);
  const named = part(type.protocol);
  const protocol =
    named.doubt === undefined ? exact(protocolNames[named.key.toLowerCase()] ?? named.key.toLowerCase()) : named;
  // With "all protocols" EC2 takes no notice of ports.
  const ports = protocol.key === "-1" ? [] : [part("fromPort"), part("toPort")];
  return sourcesOf(resource, type, group).map((source) => combine([direction, group, protocol, ...ports, source]));
}

function sourcesOf(resource: PolicyResource, type: RuleType, group: Tuple): Tuple[] {
  const sources = type.sources.flatMap((property) => {
    const value = known(() => resource.props[property] as unknown);
    if (value === undefined || value === null || value === "") return [];
    if (isUnknown(value) || !Array.isArray(value)) return [partOf(resource, property, value)];
    return Array.from({ length: value.length }, (_, i) =>
      partOf(
        resource,
        property,
        known(() => value[i] as unknown),
      ),
    );
  });
  return known(() => resource.props["self"] as unknown) === true ? [...sources, group] : sources;
}

/**
 * What stands for a value in a comparison. An unknown is stood for by what it came from: equal origins mean an equal value if
 * the origin is one security group; else (a cluster, say, which has several groups) they only may.
 */
function partOf(resource: PolicyResource, property: string, value: unknown): Tuple {
  if (!isUnknown(value)) return exact(value === undefined || value === null ? "" : String(value as string | number));
  const origins = resource.propertyDependencies[property] ?? [];
  const oneGroup = origins.length === 1 && groupTypes.has(origins[0]!.type);
  const key = `from ${origins
    .map((r) => r.urn)
    .sort()
    .join(" ")}`;
  return { key, doubt: oneGroup ? undefined : value };
}

function exact(key: string): Tuple {
  return { key, doubt: undefined };
}

function combine(parts: Tuple[]): Tuple {
  return { key: JSON.stringify(parts.map((p) => p.key)), doubt: parts.find((p) => p.doubt !== undefined)?.doubt };
}
