import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, known } from "../../lib/known";
import { combine, exact, partOf, type Part } from "../../lib/parts";
import { networkKey } from "../../lib/networks";
import { isSecurityGroup } from "./groups";

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

/** IANA numbers and names that EC2 takes for the same protocol. */
const protocolNames: Readonly<Record<string, string>> = {
  all: "-1",
  "6": "tcp",
  "17": "udp",
  "1": "icmp",
  "58": "icmpv6",
};

/** What EC2 tells a permission from others by. */
export interface Permission {
  readonly direction: Part;
  /** The group that it is a rule of. */
  readonly group: Part;
  readonly protocol: Part;
  /** First and last port; none with "all protocols", where EC2 takes no notice of them. */
  readonly ports: readonly Part[];
  /** A network, a prefix list or a group. */
  readonly source: Part;
}

/**
 * The permissions that a rule resource makes: the description and the tags don't count. None for other resources; inline rules aren't
 * resources.
 */
export function permissionsOf(resource: PolicyResource): Permission[] {
  const type = ruleTypes[resource.type];
  if (type === undefined) return [];
  const part = (property: string) =>
    partOf(
      resource,
      property,
      known(() => resource.props[property] as unknown),
      isSecurityGroup,
    );

  const direction = type.direction === undefined ? part("type") : exact(type.direction);
  const group = part(type.group);
  const named = part(type.protocol);
  const protocol = named.doubt === undefined ? exact(protocolKey(named.key)) : named;
  const ports = protocol.key === "-1" ? [] : [part("fromPort"), part("toPort")];
  return sourcesOf(resource, type, group).map((source) => ({ direction, group, protocol, ports, source }));
}

/** The same, each as one part that stands for the whole permission. */
export function tuplesOf(resource: PolicyResource): Part[] {
  return permissionsOf(resource).map(({ direction, group, protocol, ports, source }) =>
    combine([direction, group, protocol, ...ports, source]),
  );
}

/** What stands for a protocol, whether it is named or numbered. */
export function protocolKey(protocol: string): string {
  return protocolNames[protocol.toLowerCase()] ?? protocol.toLowerCase();
}

function sourcesOf(resource: PolicyResource, type: RuleType, group: Part): Part[] {
  const sources = type.sources.flatMap((property) => {
    const source = (value: unknown) =>
      partOf(resource, property, typeof value === "string" ? networkKey(value) : value, isSecurityGroup);
    const value = known(() => resource.props[property] as unknown);
    if (value === undefined || value === null || value === "") return [];
    if (isUnknown(value) || !Array.isArray(value)) return [source(value)];
    return Array.from({ length: value.length }, (_, i) => source(known(() => value[i] as unknown)));
  });
  return known(() => resource.props["self"] as unknown) === true ? [...sources, group] : sources;
}
