import type { KnownArguments } from "../../internal/arguments";
import { clusterShape, standInCluster } from "../../internal/cluster-shape";
import {
  fields,
  flag,
  late,
  lateText,
  lateTextMap,
  listOf,
  mapOf,
  number,
  required,
  text,
  type Shape,
} from "../../internal/shapes";
import type { AlarmRoutes } from "../routes";
import type { ClusterMetricsArgs, HeartbeatArgs } from "./cluster-metrics-args";
import type {
  ControllerAlarmOverride,
  ControllerAlarmOverrides,
  LoadBalancerControllerAlarmsArgs,
} from "./controller-alarms-args";
import type { KarpenterAlarmOverride, KarpenterAlarmOverrides, KarpenterAlarmsArgs } from "./karpenter-alarms-args";
import type { MetricsSeries, MetricsTarget } from "./targets";

/*
 * What the arguments of this folder's components are. Records of all fields, so that the compiler misses none.
 */

const tags = lateTextMap;
/** Topics that are missing are named by `routesProblems`, with what to write. */
const routes: Record<keyof AlarmRoutes, Shape> = { pageTopicArn: lateText, ticketTopicArn: lateText };
const noCluster = "is missing: write the cluster whose metrics these are, such as EksCluster.ref";
const standIns = {
  cluster: standInCluster,
  routes: {
    pageTopicArn: "arn:aws:sns:eu-west-1:000000000000:missing",
    ticketTopicArn: "arn:aws:sns:eu-west-1:000000000000:missing",
  },
};

/** Of every set of alarms. */
const ofSet = {
  cluster: clusterShape,
  routes: fields(routes),
  runbookUrl: lateText,
  namePrefix: text,
  strictWarmUp: flag,
  tags,
};

/** Fields of overrides, whose other names the set itself refuses: it knows what they are names of. */
const overriding = (of: Readonly<Record<string, Shape>>): Shape => ({ ...fields(of), open: true });

const controllerOverride: Record<keyof ControllerAlarmOverride, Shape> = {
  enabled: flag,
  severity: text,
  datapointsToAlarm: number,
  evaluationPeriods: number,
};
const ofController = overriding(controllerOverride);
const controllerOverrides: Record<keyof ControllerAlarmOverrides, Shape> = {
  controllerSilent: ofController,
  registrationDenied: ofController,
  targetGroupMissing: ofController,
  bindingErrors: ofController,
};

const karpenterOverride: Record<keyof KarpenterAlarmOverride, Shape> = { ...controllerOverride, threshold: number };
const ofKarpenter = overriding(karpenterOverride);
const karpenterOverrides: Record<keyof KarpenterAlarmOverrides, Shape> = {
  karpenterSilent: ofKarpenter,
  interruptionsUnread: ofKarpenter,
  interruptionBacklog: ofKarpenter,
  podsUnschedulable: ofKarpenter,
  nodePoolNotReady: ofKarpenter,
  nodesNotRegistering: ofKarpenter,
  launchErrors: ofKarpenter,
  karpenterDenied: ofKarpenter,
  karpenterErrors: ofKarpenter,
};

/** Arguments of `KarpenterAlarms`. */
export const karpenterAlarmsArguments: KnownArguments<KarpenterAlarmsArgs> = {
  shapes: { ...ofSet, queueName: lateText, overrides: overriding(karpenterOverrides) },
  missing: {
    cluster: noCluster,
    queueName: "is missing: write the name of the queue that announces interruptions, Karpenter.queueName",
  },
  standIns: { ...standIns, queueName: "missing" },
};

/** Arguments of `LoadBalancerControllerAlarms`. */
export const controllerAlarmsArguments: KnownArguments<LoadBalancerControllerAlarmsArgs> = {
  shapes: { ...ofSet, overrides: overriding(controllerOverrides) },
  missing: { cluster: noCluster },
  standIns,
};

const series: Record<keyof MetricsSeries, Shape> = {
  metrics: required(listOf(text)),
  kind: required(text),
  only: mapOf(listOf(text)),
  dimensions: listOf(mapOf(number)),
};
const target: Record<keyof MetricsTarget, Shape> = {
  namespace: required(text),
  podLabels: required(mapOf(text)),
  port: required(number),
  path: text,
  series: required(listOf(fields(series))),
};
const heartbeat: Record<keyof HeartbeatArgs, Shape> = { target: required(text), metric: text };

/** Arguments of `ClusterMetrics`. */
export const clusterMetricsArguments: KnownArguments<ClusterMetricsArgs> = {
  shapes: {
    cluster: clusterShape,
    region: lateText,
    routes: fields(routes),
    presets: listOf(text),
    targets: mapOf(fields(target)),
    discovery: text,
    heartbeat: fields(heartbeat),
    namespace: text,
    nodeSelector: lateTextMap,
    image: lateText,
    memoryMiB: number,
    logRetentionInDays: late(number),
    logKeyArn: lateText,
    runbookUrl: lateText,
    namePrefix: text,
    strictWarmUp: flag,
    tags,
  },
  missing: {
    cluster: noCluster,
    region: 'is missing: write the region of the cluster, such as "eu-west-1"',
  },
  standIns: { ...standIns, region: "eu-west-1" },
};
