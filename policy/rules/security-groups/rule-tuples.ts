import type { PolicyResource } from "@pulumi/policy";
import { isUnknown, known } from "../../lib/known";
import { combine, exact, partOf, type Part } from "../../lib/parts";
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

/**
 * The permissions that a rule resource makes, each as what EC2 tells it from others by: the description and the tags don't count. None
 * for other resources; inline rules aren't resources.
 */
export function tuplesOf(resource: PolicyResource): Part[] {
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
  const protocol =
    named.doubt === undefined ? exact(protocolNames[named.key.toLowerCase()] ?? named.key.toLowerCase()) : named;
  // With "all protocols" EC2 takes no notice of ports.
  const ports = protocol.key === "-1" ? [] : [part("fromPort"), part("toPort")];
  return sourcesOf(resource, type, group).map((source) => combine([direction, group, protocol, ...ports, source]));
}

function sourcesOf(resource: PolicyResource, type: RuleType, group: Part): Part[] {
  const sources = type.sources.flatMap((property) => {
    const value = known(() => resource.props[property] as unknown);
    if (value === undefined || value === null || value === "") return [];
    if (isUnknown(value) || !Array.isArray(value)) return [partOf(resource, property, value, isSecurityGroup)];
    return Array.from({ length: value.length }, (_, i) =>
      partOf(
        resource,
        property,
        known(() => value[i] as unknown),
        isSecurityGroup,
      ),
    );
  });
  return known(() => resource.props["self"] as unknown) === true ? [...sources, group] : sources;
}
