import { isDeepStrictEqual } from "node:util";
import type { Json, JsonObject } from "../../../cli/engine/values";
import type { Cloud, Living } from "./cloud";
import { kubernetesRefusesToCreate, kubernetesRefusesToDelete } from "./kubernetes-refusals";
import { refusesListenerRule } from "./listener-rules";
import { refusesLogs } from "./log-delivery";
import { text } from "./plain";
import { MAX_NAME_LENGTH, REPLACEMENTS } from "./replacements";

const rules = [
  "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule",
  "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
];
const target = [
  "securityGroupId",
  "ipProtocol",
  "fromPort",
  "toPort",
  "cidrIpv4",
  "cidrIpv6",
  "prefixListId",
  "referencedSecurityGroupId",
];

/** What AWS refuses to make, with its own error's name. */
export function refusesToCreate(cloud: Cloud, type: string, inputs: JsonObject): string | undefined {
  if (type.startsWith("kubernetes:")) return kubernetesRefusesToCreate(cloud, type, inputs);
  return nameRefused(cloud, type, inputs) ?? clusterMissing(cloud, type, inputs) ?? created[type]?.(cloud, inputs);
}

/** What AWS refuses to change: a description or a name can't be given anew to what has one for life. */
export function refusesToUpdate(type: string, before: JsonObject, after: JsonObject): string | undefined {
  const fixed = (REPLACEMENTS[type]?.properties ?? []).find(
    (path) => !path.includes(".") && !isDeepStrictEqual(before[path], after[path]),
  );
  return fixed === undefined ? undefined : `InvalidRequest: ${fixed} of ${type} can't be changed`;
}

/** What AWS refuses to delete. */
export function refusesToDelete(cloud: Cloud, thing: Living): string | undefined {
  if (thing.type.startsWith("kubernetes:")) return kubernetesRefusesToDelete(cloud, thing);
  if (thing.inputs["deletionProtection"] === true || thing.inputs["enableDeletionProtection"] === true) {
    return `OperationNotPermitted: ${thing.id} has deletion protection`;
  }
  const user = (usedBy[thing.type] ?? [])
    .flatMap((type) => cloud.ofType(type))
    .find((other) => mentions(other.inputs, thing));
  return user === undefined ? undefined : `DependencyViolation: ${thing.id} is used by ${user.type} ${user.id}`;
}

const created: Readonly<Record<string, (cloud: Cloud, inputs: JsonObject) => string | undefined>> = {
  ...Object.fromEntries(
    rules.map((type) => [type, (cloud: Cloud, inputs: JsonObject) => duplicateRule(cloud, type, inputs)]),
  ),
  "aws:lb/listener:Listener": (cloud, inputs) =>
    cloud
      .ofType("aws:lb/listener:Listener")
      .some(
        (other) =>
          other.inputs["loadBalancerArn"] === inputs["loadBalancerArn"] && other.inputs["port"] === inputs["port"],
      )
      ? `DuplicateListener: a listener already exists on ${text(inputs["port"])} of ${text(inputs["loadBalancerArn"])}`
      : undefined,
  "aws:lb/listenerRule:ListenerRule": refusesListenerRule,
  "aws:route53/record:Record": refusesRecord,
  "aws:lb/loadBalancer:LoadBalancer": refusesLogs,
  // AWS's add-on of this name needs nodes to run on (pulumi-eks issue 1819: DEGRADED until the time-out).
  "aws:eks/addon:Addon": (cloud, inputs) =>
    ["coredns", "metrics-server", "aws-ebs-csi-driver"].includes(text(inputs["addonName"])) &&
    !cloud.ofType("aws:eks/nodeGroup:NodeGroup").some((nodes) => nodes.inputs["clusterName"] === inputs["clusterName"])
      ? `unexpected state 'DEGRADED', wanted target 'ACTIVE': add-on ${text(inputs["addonName"])} has no nodes`
      : undefined,
  // Nodes join, and get Ready, only with a network (AWS: nodes without the VPC CNI stay NotReady: NodeCreationFailure).
  "aws:eks/nodeGroup:NodeGroup": (cloud, inputs) =>
    cloud
      .ofType("aws:eks/addon:Addon")
      .some((addon) => addon.inputs["addonName"] === "vpc-cni" && addon.inputs["clusterName"] === inputs["clusterName"])
      ? undefined
      : `NodeCreationFailure: instances of ${text(inputs["nodeGroupName"])} failed to join: no network add-on`,
};

/** Which types keep AWS from deleting a thing while they name it. */
const usedBy: Readonly<Record<string, readonly string[]>> = {
  "aws:acm/certificate:Certificate": ["aws:lb/listener:Listener", "aws:lb/listenerCertificate:ListenerCertificate"],
  "aws:ec2/vpc:Vpc": [
    "aws:ec2/subnet:Subnet",
    "aws:ec2/internetGateway:InternetGateway",
    "aws:ec2/securityGroup:SecurityGroup",
    "aws:ec2/vpcEndpoint:VpcEndpoint",
    "aws:ec2/routeTable:RouteTable",
  ],
  "aws:ec2/subnet:Subnet": [
    "aws:ec2/natGateway:NatGateway",
    "aws:eks/cluster:Cluster",
    "aws:eks/nodeGroup:NodeGroup",
    "aws:lb/loadBalancer:LoadBalancer",
  ],
  "aws:ec2/eip:Eip": ["aws:ec2/natGateway:NatGateway"],
  "aws:ec2/internetGateway:InternetGateway": ["aws:ec2/natGateway:NatGateway"],
  "aws:ec2/routeTable:RouteTable": ["aws:ec2/routeTableAssociation:RouteTableAssociation"],
  "aws:ec2/securityGroup:SecurityGroup": ["aws:lb/loadBalancer:LoadBalancer", ...rules],
  "aws:ec2/launchTemplate:LaunchTemplate": ["aws:eks/nodeGroup:NodeGroup"],
  "aws:eks/cluster:Cluster": ["aws:eks/nodeGroup:NodeGroup"],
  "aws:iam/role:Role": ["aws:iam/rolePolicyAttachment:RolePolicyAttachment", "aws:iam/rolePolicy:RolePolicy"],
  "aws:iam/policy:Policy": ["aws:iam/rolePolicyAttachment:RolePolicyAttachment"],
  "aws:lb/targetGroup:TargetGroup": ["aws:lb/listener:Listener", "aws:lb/listenerRule:ListenerRule"],
  "aws:cloudwatch/eventRule:EventRule": ["aws:cloudwatch/eventTarget:EventTarget"],
};

/** A name has one plain record of a type, or several with identifiers (message: kubernetes-sigs/external-dns issue 3141). */
function refusesRecord(cloud: Cloud, inputs: JsonObject): string | undefined {
  const { setIdentifier: own } = inputs;
  const others = cloud
    .ofType("aws:route53/record:Record")
    .filter((other) => ["zoneId", "name", "type"].every((key) => other.inputs[key] === inputs[key]))
    .map((other) => other.inputs["setIdentifier"]);
  if (others.includes(own)) return `InvalidChangeBatch: ${text(inputs["name"])} already exists`;
  return others.length > 0 && [own, ...others].includes(undefined)
    ? "InvalidChangeBatch: RRSet cannot be created as a non-weighted set exists with the same name and type"
    : undefined;
}

function duplicateRule(cloud: Cloud, type: string, inputs: JsonObject): string | undefined {
  // Exactly one of the last four (terraform-provider-aws, vpc_security_group_ingress_rule.go, ConfigValidators).
  if (target.slice(-4).every((key) => inputs[key] === undefined)) return "MissingParameter: a rule needs a source";
  const same = cloud
    .ofType(type)
    .find((other) => target.every((key) => isDeepStrictEqual(other.inputs[key], inputs[key])));
  return same && `InvalidPermission.Duplicate: the specified rule already exists (${same.urn})`;
}

/** Node groups, add-ons and access entries are parts of a cluster. */
function clusterMissing(cloud: Cloud, type: string, inputs: JsonObject): string | undefined {
  const { clusterName } = inputs;
  if (!type.startsWith("aws:eks/") || typeof clusterName !== "string") return undefined;
  if (cloud.find("aws:eks/cluster:Cluster", clusterName) !== undefined) return undefined;
  return `ResourceNotFoundException: no cluster found for name: ${clusterName}`;
}

/** Names of AWS have a length, and within an account and region most are given once. */
function nameRefused(cloud: Cloud, type: string, inputs: JsonObject): string | undefined {
  const limit = MAX_NAME_LENGTH[type];
  const name = limit === undefined ? undefined : inputs[limit.property];
  if (limit === undefined || typeof name !== "string") return undefined;
  if (name.length > limit.max)
    return `ValidationError: ${limit.property} "${name}" is longer than ${limit.max} characters`;
  const taken = cloud
    .ofType(type)
    .find((other) => other.inputs[limit.property] === name && sameScope(other.inputs, inputs));
  return taken && `EntityAlreadyExists: ${type} ${name} already exists (${taken.urn})`;
}

/** Names of these are given once within what they belong to. */
function sameScope(one: JsonObject, other: JsonObject): boolean {
  return ["clusterName", "vpcId", "role"].every((key) => isDeepStrictEqual(one[key], other[key]));
}

/** Whether the inputs of something name this thing, by its id or its ARN. */
function mentions(value: Json, thing: Living): boolean {
  if (typeof value === "string") return value === thing.id || value === thing.arn;
  if (Array.isArray(value)) return value.some((element) => mentions(element, thing));
  return typeof value === "object" && value !== null && Object.values(value).some((inner) => mentions(inner, thing));
}
