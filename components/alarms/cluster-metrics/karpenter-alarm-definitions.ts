import { AlarmSeverity } from "../routes";
import type { KarpenterAlarmOverrides } from "./karpenter-alarms-args";
import { quarterOfAnHour, type ScrapedAlarm, type WatchedSeries } from "./scraped-alarm";
import { MetricsPreset } from "./targets";

/** The alarms on Karpenter, by the key that overrides, ARNs and names are given under. */
export type KarpenterAlarmKey = keyof KarpenterAlarmOverrides;

/**
 * An alarm on Karpenter's queue. SQS' user guide, "Available CloudWatch metrics for Amazon SQS": one dimension, QueueName; a value each minute
 * while the queue is in use, which Karpenter's reading makes it.
 */
export type QueueAlarm = WatchedSeries & { readonly of: "queue" };

const ofKarpenter = { target: MetricsPreset.Karpenter, ...quarterOfAnHour };

/** Something that must not stay. Without it there is no series, or one of another label. */
const atLeast = {
  comparison: "GreaterThanOrEqualToThreshold",
  missingData: "notBreaching",
  warmsUp: false,
} as const;

const pods = "kubectl get pods --namespace kube-system --selector app.kubernetes.io/name=karpenter";

/** What first to type. */
export const firstKarpenterCommands: Readonly<Record<KarpenterAlarmKey, string>> = {
  karpenterSilent: pods,
  interruptionsUnread: pods,
  interruptionBacklog: logsWith("interruption"),
  podsUnschedulable:
    "kubectl get pods --all-namespaces --field-selector status.phase=Pending --sort-by .metadata.creationTimestamp",
  nodePoolNotReady: "kubectl get nodepools,ec2nodeclasses",
  nodesNotRegistering: "kubectl get nodeclaims --sort-by .metadata.creationTimestamp",
  launchErrors: logsWith('"launching nodeclaim"'),
  karpenterDenied: logsWith("-e UnauthorizedOperation -e AccessDenied"),
  karpenterErrors: logsWith('"Reconciler error"'),
};

function logsWith(words: string): string {
  return `kubectl logs --namespace kube-system --selector app.kubernetes.io/name=karpenter --tail 1000 | grep ${words}`;
}

/**
 * What each alarm measures. Pages are for what takes nodes away without anybody moving their pods first: no Karpenter, and notices that nobody
 * reads. The rest keeps nodes from coming; where that leaves a service with too few pods, the alarms on its targets page.
 */
export const karpenterAlarms: Readonly<Record<KarpenterAlarmKey, ScrapedAlarm | QueueAlarm>> = {
  karpenterSilent: {
    ...ofKarpenter,
    suffix: "karpenter-silent",
    severity: AlarmSeverity.Page,
    // Whether somebody works, and not whether a process is there, which the alarm on the pipeline listens to.
    metric: "leader_election_master_status",
    statistic: "Maximum",
    comparison: "LessThanThreshold",
    threshold: 1,
    missingData: "breaching",
    warmsUp: true,
    happened:
      "No pod of Karpenter has led for 15 minutes. Pods that need a node get none, and nobody moves pods off an instance that AWS takes away: " +
      "visitors see errors when that happens, or when load grows.",
  },
  interruptionsUnread: {
    of: "queue",
    suffix: "interruptions-unread",
    severity: AlarmSeverity.Page,
    metric: "ApproximateAgeOfOldestMessage",
    statistic: "Maximum",
    // A spot instance has two minutes, and the queue forgets after five: one notice that nobody reads is 60 seconds and older in four of its five
    // minutes. Three of them, because another pod of Karpenter needs up to a minute to take over.
    threshold: 60,
    ...quarterOfAnHour,
    period: 60,
    forgottenAfter: 300, // the queue's retention, of Karpenter's template
    ...atLeast,
    happened:
      "Nobody reads the queue of interruptions: a notice has waited for a minute or more, for 3 minutes. A spot instance has two from notice to end. " +
      "Its pods aren't moved first: visitors see errors when it goes.",
  },
  interruptionBacklog: {
    of: "queue",
    suffix: "interruption-backlog",
    severity: AlarmSeverity.Ticket,
    metric: "ApproximateNumberOfMessagesVisible",
    statistic: "Minimum",
    // Karpenter takes ten at a time (pkg/providers/sqs, MaxNumberOfMessages) and needs less than a second for them: ten readings' worth that don't
    // go away mean that it doesn't keep up.
    threshold: 100,
    ...quarterOfAnHour,
    ...atLeast,
    happened:
      "100 or more interruption notices have waited for 15 minutes. They come faster than Karpenter reads them, and SQS drops what is older than " +
      "five minutes: visitors may see errors when an instance goes whose notice was dropped.",
  },
  podsUnschedulable: {
    ...ofKarpenter,
    suffix: "pods-unschedulable",
    severity: AlarmSeverity.Ticket,
    metric: "karpenter_pods_unbound_time_seconds",
    statistic: "Maximum",
    // A node is there after one or two minutes, one with a GPU after about five.
    threshold: 600,
    ...atLeast,
    happened:
      "A pod has waited for a node for ten minutes or more, for 15 minutes. Its service runs with fewer pods than it should: " +
      "visitors may see slow answers, and errors if more of its pods go.",
  },
  nodePoolNotReady: {
    ...ofKarpenter,
    suffix: "node-pool-not-ready",
    severity: AlarmSeverity.Ticket,
    metric: "operator_nodepool_status_condition_count",
    dimensions: { type: "Ready" },
    statistic: "Maximum",
    threshold: 1,
    ...atLeast,
    happened:
      "A node pool, or its node class, hasn't been ready for 15 minutes: no node is made from it. " +
      "Visitors see nothing as long as its nodes stay.",
  },
  nodesNotRegistering: {
    ...ofKarpenter,
    suffix: "nodes-not-registering",
    severity: AlarmSeverity.Ticket,
    metric: "operator_nodepool_status_condition_count",
    dimensions: { type: "NodeRegistrationHealthy" },
    statistic: "Maximum",
    threshold: 1,
    ...atLeast,
    happened:
      "Instances of a node pool start, or fail to, and never become nodes: two or more of the last four, for 15 minutes. Each costs money and is taken " +
      "away after 15 minutes. Visitors see nothing as long as the pool's nodes stay.",
  },
  launchErrors: {
    ...ofKarpenter,
    suffix: "launch-errors",
    severity: AlarmSeverity.Ticket,
    metric: "karpenter_cloudprovider_errors_total",
    dimensions: { method: "Create" },
    statistic: "Sum",
    // What is broken for good fails more than ten times in five minutes, as Karpenter tries again at growing intervals and then anew. A type
    // without capacity fails once and isn't asked for again for three minutes (pkg/cache, UnavailableOfferingsTTL).
    threshold: 5,
    ...atLeast,
    happened:
      "Karpenter fails to make instances again and again, for 15 minutes. Pods that need a node wait: " +
      "visitors may see slow answers while load grows.",
  },
  karpenterDenied: {
    ...ofKarpenter,
    suffix: "karpenter-denied",
    severity: AlarmSeverity.Ticket,
    metric: "aws_sdk_go_request_total",
    statistic: "Sum",
    threshold: 1,
    ...atLeast,
    happened:
      "AWS has refused calls of Karpenter for 15 minutes: a policy, a boundary or the organization is in the way. Nodes may not come or go. " +
      "Visitors see nothing as long as the nodes stay.",
  },
  karpenterErrors: {
    ...ofKarpenter,
    suffix: "karpenter-errors",
    severity: AlarmSeverity.Ticket,
    metric: "controller_runtime_reconcile_errors_total",
    statistic: "Sum",
    threshold: 1,
    ...atLeast,
    happened:
      "Karpenter has failed at the same work again and again for 15 minutes: making nodes, taking them away, or reading interruptions. " +
      "Visitors see nothing as long as the nodes stay.",
  },
};
