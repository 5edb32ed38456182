import { createHash } from "node:crypto";
import type { Json, JsonObject } from "../../../cli/engine/values";
import { text } from "./plain";
import { shapeOf } from "./shapes";

/** Where a provider works, as its configuration says. */
export interface Location {
  readonly region: string;
  readonly account: string;
}

export interface Made {
  readonly id: string;
  readonly outputs: JsonObject;
}

type Text = (key: string) => string;

/** The last part of each ARN, by type; the rest follows from the service (AWS service authorization reference, "Resource types"). */
const arns: Readonly<Record<string, (text: Text, unique: string) => string>> = {
  "aws:cloudtrail/trail:Trail": (text) => `cloudtrail:trail/${text("name")}`,
  "aws:cloudwatch/eventRule:EventRule": (text) => `events:rule/${text("name")}`,
  "aws:cloudwatch/logGroup:LogGroup": (text) => `logs:log-group:${text("name")}`,
  "aws:cloudwatch/metricAlarm:MetricAlarm": (text) => `cloudwatch:alarm:${text("name")}`,
  "aws:eks/cluster:Cluster": (text) => `eks:cluster/${text("name")}`,
  "aws:eks/nodeGroup:NodeGroup": (text, unique) =>
    `eks:nodegroup/${text("clusterName")}/${text("nodeGroupName")}/${unique}`,
  "aws:iam/openIdConnectProvider:OpenIdConnectProvider": (text) =>
    `iam:oidc-provider/${text("url").replace("https://", "")}`,
  "aws:iam/policy:Policy": (text) => `iam:policy${text("path") || "/"}${text("name")}`,
  "aws:iam/role:Role": (text) => `iam:role${text("path") || "/"}${text("name")}`,
  "aws:kms/key:Key": (_, unique) => `kms:key/${unique}`,
  "aws:lb/listener:Listener": (text, unique) =>
    `elasticloadbalancing:${text("loadBalancerArn").split(":").slice(5).join(":").replace("loadbalancer", "listener")}/${unique}`,
  "aws:lb/listenerRule:ListenerRule": (text, unique) =>
    `elasticloadbalancing:${text("listenerArn").split(":").slice(5).join(":").replace("listener", "listener-rule")}/${unique}`,
  "aws:lb/loadBalancer:LoadBalancer": (text, unique) =>
    `elasticloadbalancing:loadbalancer/app/${text("name")}/${unique}`,
  "aws:lb/targetGroup:TargetGroup": (text, unique) => `elasticloadbalancing:targetgroup/${text("name")}/${unique}`,
  "aws:s3/bucket:Bucket": (text) => `s3:${text("bucket")}`,
  "aws:sns/topic:Topic": (text) => `sns:${text("name")}`,
  // Topic, protocol and endpoint are its identity: subscribing twice gives the same one (seen by getmoto/moto pull request 1418).
  "aws:sns/topicSubscription:TopicSubscription": (text) =>
    `sns:${String(text("topic").split(":").pop())}:${digest(`${text("protocol")} ${text("endpoint")}`)}`,
  "aws:sqs/queue:Queue": (text) => `sqs:${text("name")}`,
};

/** Services whose ARNs name no region, and S3, whose ARNs name no account either. */
const global = new Set(["iam", "s3"]);

/** Types whose id is one of their own values (Terraform's documentation of each resource, "id"); all others have one from AWS. */
const idIs: Readonly<Record<string, string>> = {
  "aws:cloudtrail/trail:Trail": "arn",
  "aws:cloudwatch/dashboard:Dashboard": "dashboardName",
  "aws:cloudwatch/eventRule:EventRule": "name",
  "aws:cloudwatch/logGroup:LogGroup": "name",
  "aws:eks/cluster:Cluster": "name",
  "aws:iam/openIdConnectProvider:OpenIdConnectProvider": "arn",
  "aws:iam/policy:Policy": "arn",
  "aws:iam/role:Role": "name",
  "aws:lb/listener:Listener": "arn",
  "aws:lb/listenerRule:ListenerRule": "arn",
  "aws:lb/loadBalancer:LoadBalancer": "arn",
  "aws:lb/targetGroup:TargetGroup": "arn",
  "aws:s3/bucket:Bucket": "bucket",
  "aws:sns/topic:Topic": "arn",
  "aws:sns/topicSubscription:TopicSubscription": "arn",
  "aws:sqs/queue:Queue": "url",
};

/** Outputs whose form matters to somebody who takes them apart. */
const outputs: Readonly<
  Record<string, (text: Text, unique: string, where: Location, inputs: JsonObject) => JsonObject>
> = {
  // One record proves a name, and the same one its wildcard (AWS Certificate Manager user guide, "DNS validation").
  "aws:acm/certificate:Certificate": (text, unique, _, inputs) => ({
    domainValidationOptions: [
      ...new Set([text("domainName"), ...((inputs["subjectAlternativeNames"] ?? []) as string[])]),
    ].map((domainName) => ({
      domainName,
      resourceRecordName: `_${unique}.${domainName.replace("*.", "")}.`,
      resourceRecordType: "CNAME",
      resourceRecordValue: `_${unique}.acm-validations.aws.`,
    })),
  }),
  "aws:ec2/launchTemplate:LaunchTemplate": () => ({ latestVersion: 1, defaultVersion: 1 }),
  "aws:eks/cluster:Cluster": (_, unique, { region }, inputs) => ({
    vpcConfig: withClusterGroup(inputs, `sg-${unique}`),
    endpoint: `https://${unique}.gr7.${region}.eks.amazonaws.com`,
    certificateAuthority: { data: "Q0EtT0YtVEhFLUNMVVNURVI=" },
    identities: [{ oidcs: [{ issuer: `https://oidc.eks.${region}.amazonaws.com/id/${unique.toUpperCase()}` }] }],
    status: "ACTIVE",
  }),
  "aws:lb/loadBalancer:LoadBalancer": (text, unique, { region }) => ({
    arnSuffix: `app/${text("name")}/${unique}`,
    dnsName: `${text("name")}-1234567890.${region}.elb.amazonaws.com`,
    zoneId: "Z32O12XQLNTSW2",
  }),
  "aws:lb/targetGroup:TargetGroup": (text, unique) => ({ arnSuffix: `targetgroup/${text("name")}/${unique}` }),
  "aws:sqs/queue:Queue": (text, _, { region, account }) => ({
    url: `https://sqs.${region}.amazonaws.com/${account}/${text("name")}`,
  }),
};

/** What a resource has that nobody gave it: stable, and another for each time that it is made. */
export function make(type: string, name: string, serial: number, inputs: JsonObject, where: Location): Made {
  const unique = digest(`${type} ${name} ${serial}`);
  if (type.startsWith("kubernetes:")) return kubernetesObject(type, unique, inputs);

  const given: Text = (key) => (typeof inputs[key] === "string" ? inputs[key] : "");
  const made: JsonObject = {};
  for (const [key, declared] of shapeOf(type).computed) {
    const value = plausible(declared, `${key}-${unique}`);
    if (inputs[key] === undefined && value !== undefined) made[key] = value;
  }
  const arn = arns[type];
  if (arn !== undefined) made["arn"] = fullArn(arn(given, unique), where);
  Object.assign(made, outputs[type]?.(given, unique, where, inputs));

  const all = { ...inputs, ...made };
  const own = all[idIs[type] ?? ""];
  return { id: typeof own === "string" ? own : `${shortName(type)}-${unique}`, outputs: made };
}

/** EKS adds its own security group to the network configuration that it was given. */
export function withClusterGroup(inputs: JsonObject, clusterSecurityGroupId: Json): JsonObject {
  return { ...(inputs["vpcConfig"] as JsonObject), clusterSecurityGroupId };
}

function kubernetesObject(type: string, unique: string, inputs: JsonObject): Made {
  const metadata = (inputs["metadata"] ?? {}) as JsonObject;
  const name = text(metadata["name"] ?? inputs["name"] ?? unique);
  const namespace = text(metadata["namespace"] ?? inputs["namespace"] ?? "default");
  if (type.endsWith(":Release")) {
    return { id: `${namespace}/${name}`, outputs: { status: { name, namespace, revision: 1, status: "deployed" } } };
  }
  return { id: `${namespace}/${name}`, outputs: { metadata: { ...metadata, namespace, uid: unique } } };
}

function fullArn(rest: string, { region, account }: Location): string {
  const [service, ...resource] = rest.split(":");
  const place = service === "s3" ? ":" : `${global.has(String(service)) ? "" : region}:${account}`;
  return `arn:aws:${String(service)}:${place}:${resource.join(":")}`;
}

function shortName(type: string): string {
  return (type.split(":").pop() ?? type).toLowerCase();
}

/** A value of a declared type. Of optional and structured ones nothing is known. */
function plausible(declared: string, text: string): Json | undefined {
  if (declared === "string") return text;
  if (declared === "number") return 1;
  if (declared === "boolean") return false;
  return declared.endsWith("[]") ? [] : undefined;
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
