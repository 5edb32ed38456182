import { each, type Path } from "../../lib/paths";
import { typeOf } from "../../lib/tokens";

/** What kind of thing carries the address, which decides what to write instead. */
export enum Carrier {
  /** A registration in a target group. */
  Attachment,
  /** A Kubernetes endpoint: the controller registers what stands there, so writing it is registering one level up. */
  Endpoints,
}

/** Where a resource type says which targets it registers. */
export interface TargetFields {
  readonly carrier: Carrier;
  /** Paths of the targets. */
  readonly targets: readonly Path[];
  /** Path of the target group's ARN, if the resource has one. */
  readonly group?: Path;
}

const attachment: TargetFields = { carrier: Carrier.Attachment, targets: [["targetId"]], group: ["targetGroupArn"] };
const ownTargets: TargetFields = { carrier: Carrier.Attachment, targets: [["targets", each, "id"]] };
const latticeAttachment: TargetFields = {
  carrier: Carrier.Attachment,
  targets: [["target", "id"]],
  group: ["targetGroupIdentifier"],
};
const endpoints: TargetFields = {
  carrier: Carrier.Endpoints,
  targets: [
    ["subsets", each, "addresses", each, "ip"],
    ["subsets", each, "notReadyAddresses", each, "ip"],
  ],
};
const endpointSlice: TargetFields = {
  carrier: Carrier.Endpoints,
  targets: [["endpoints", each, "addresses", each]],
};
/** Crossplane's form of the two attachments: cluster-scoped, and namespaced under either of two groups. */
const upbound = (fields: TargetFields): TargetFields => ({
  carrier: Carrier.Attachment,
  targets: ["forProvider", "initProvider"].flatMap((part) => fields.targets.map((path) => ["spec", part, ...path])),
  group: ["spec", "forProvider", ...fields.group!],
});

/**
 * Every type that can register an address directly, in the form of {@link typeOf}. Sources: the SDKs' type tokens with
 * their aliases; the custom resource definitions of elbv2-controller (ACK), provider-upjet-aws and provider-aws (Crossplane).
 */
const fieldsByType: ReadonlyMap<string, TargetFields> = new Map(
  Object.entries({
    "aws:lb/targetGroupAttachment:TargetGroupAttachment": attachment,
    "aws:elasticloadbalancingv2/targetGroupAttachment:TargetGroupAttachment": attachment,
    "aws:alb/targetGroupAttachment:TargetGroupAttachment": attachment,
    "aws:applicationloadbalancing/targetGroupAttachment:TargetGroupAttachment": attachment,
    // Meant for instances and functions, but it passes on whatever it is given.
    "awsx:lb:TargetGroupAttachment": {
      ...attachment,
      targets: [["instanceId"], ["instance", "id"], ["lambdaArn"]],
    },
    "aws-native:elasticloadbalancingv2:TargetGroup": ownTargets,
    "aws:vpclattice/targetGroupAttachment:TargetGroupAttachment": latticeAttachment,
    "aws-native:vpclattice:TargetGroup": ownTargets,
    "kubernetes:core:Endpoints": endpoints,
    "kubernetes:discovery.k8s.io:EndpointSlice": endpointSlice,
    "kubernetes:elbv2.services.k8s.aws:TargetGroup": { ...ownTargets, targets: [["spec", "targets", each, "id"]] },
    ...Object.fromEntries(
      ["aws.upbound.io", "aws.m.upbound.io", "m.aws.upbound.io"].flatMap((domain) => [
        [`kubernetes:elbv2.${domain}:LBTargetGroupAttachment`, upbound(attachment)],
        [`kubernetes:vpclattice.${domain}:TargetGroupAttachment`, upbound(latticeAttachment)],
      ]),
    ),
    // This one takes anything but a Lambda function from the annotation.
    "kubernetes:elbv2.aws.crossplane.io:Target": {
      carrier: Carrier.Attachment,
      targets: [
        ["metadata", "annotations", "crossplane.io/external-name"],
        ["spec", "forProvider", "lambdaArn"],
      ],
      group: ["spec", "forProvider", "targetGroupArn"],
    },
  }),
);

/**
 * The same resources under the names that other packages give them: a Terraform provider bridged by whoever uses it
 * (`aws:index/lbTargetGroupAttachment:LbTargetGroupAttachment`, `awscc:index/...`), a resource in a Terraform module
 * (`shop:tf:aws_lb_target_group_attachment`), a fork, a component that carries the name on.
 */
const attachmentName = /target_?group_?attachment$/i;
const targetGroupName = /target_?group$/i;
const anyAttachment: TargetFields = {
  carrier: Carrier.Attachment,
  targets: [
    ["targetId"],
    ["target_id"],
    ["target", "id"],
    ["targets", each, "id"],
    ["instanceId"],
    ["ip"],
    ["ips", each],
    ["ipAddress"],
    ["ipAddresses", each],
  ],
  group: ["targetGroupArn"],
};

/** Where resources of this type name their targets; undefined if the type registers none. */
export function targetFields(token: string): TargetFields | undefined {
  const listed = fieldsByType.get(typeOf(token));
  if (listed !== undefined || token.startsWith("kubernetes:")) return listed;
  const name = token.slice(token.lastIndexOf(":") + 1);
  if (attachmentName.test(name)) return anyAttachment;
  return targetGroupName.test(name) ? ownTargets : undefined;
}

/** Whether a target is named by something else than an address: an instance, or the ARN of a function or a load balancer. */
export function isNamed(target: string): boolean {
  return /^(i-|arn:)/.test(target.trim());
}
