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
  /** For lists of objects: where they are. The other paths are then relative to each of them. */
  readonly items?: string;
}

const attachment: TargetFields = { carrier: Carrier.Attachment, targets: [["targetId"]], group: ["targetGroupArn"] };
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
const upboundAttachment: TargetFields = {
  carrier: Carrier.Attachment,
  targets: [
    ["spec", "forProvider", "targetId"],
    ["spec", "initProvider", "targetId"],
  ],
  group: ["spec", "forProvider", "targetGroupArn"],
};

/**
 * Every type that can register an address directly, in the form of {@link typeOf}. Sources: the SDKs' type tokens with
 * their aliases; the custom resource definitions of elbv2-controller (ACK), provider-upjet-aws and provider-aws (Crossplane).
 */
const fieldsByType: Readonly<Record<string, TargetFields>> = {
  "aws:lb/targetGroupAttachment:TargetGroupAttachment": attachment,
  "aws:elasticloadbalancingv2/targetGroupAttachment:TargetGroupAttachment": attachment,
  "aws:alb/targetGroupAttachment:TargetGroupAttachment": attachment,
  "aws:applicationloadbalancing/targetGroupAttachment:TargetGroupAttachment": attachment,
  // Meant for an instance, but it passes on whatever it is given.
  "awsx:lb:TargetGroupAttachment": { ...attachment, targets: [["instanceId"]] },
  "aws-native:elasticloadbalancingv2:TargetGroup": {
    carrier: Carrier.Attachment,
    targets: [["targets", each, "id"]],
  },
  "aws:vpclattice/targetGroupAttachment:TargetGroupAttachment": {
    carrier: Carrier.Attachment,
    targets: [["target", "id"]],
    group: ["targetGroupIdentifier"],
  },
  "aws-native:vpclattice:TargetGroup": { carrier: Carrier.Attachment, targets: [["targets", each, "id"]] },
  "kubernetes:core:Endpoints": endpoints,
  "kubernetes:core:EndpointsList": { ...endpoints, items: "items" },
  "kubernetes:discovery.k8s.io:EndpointSlice": endpointSlice,
  "kubernetes:discovery.k8s.io:EndpointSliceList": { ...endpointSlice, items: "items" },
  "kubernetes:elbv2.services.k8s.aws:TargetGroup": {
    carrier: Carrier.Attachment,
    targets: [["spec", "targets", each, "id"]],
  },
  "kubernetes:elbv2.aws.upbound.io:LBTargetGroupAttachment": upboundAttachment,
  "kubernetes:elbv2.aws.m.upbound.io:LBTargetGroupAttachment": upboundAttachment,
  // This one takes anything but a Lambda function from the annotation.
  "kubernetes:elbv2.aws.crossplane.io:Target": {
    carrier: Carrier.Attachment,
    targets: [
      ["metadata", "annotations", "crossplane.io/external-name"],
      ["spec", "forProvider", "lambdaArn"],
    ],
    group: ["spec", "forProvider", "targetGroupArn"],
  },
};

/** Where resources of this type name their targets; undefined if the type registers none. */
export function targetFields(token: string): TargetFields | undefined {
  return fieldsByType[typeOf(token)];
}
