/** What the value of a metric means. Histograms aren't here: the agent drops them. */
export enum MetricKind {
  /** Goes up and down. Alarms look at its Minimum or Maximum. */
  Gauge = "gauge",
  /**
   * Only grows. The agent reports by how much since its last scrape, so alarms look at the Sum. What a series shows the first time that it is
   * seen counts as nothing: of a counter that appears with its first error, the second error is the first to arrive.
   */
  Counter = "counter",
}

/** Targets that come with this library. */
export enum MetricsPreset {
  /** Karpenter, as `Karpenter` installs it: disruptions, refused evictions, interruptions, pods that wait, pools that can't make nodes, errors. */
  Karpenter = "karpenter",
  /** The load balancer controller, as `LoadBalancerController` installs it: errors of bindings, refused registrations. */
  LoadBalancerController = "load-balancer-controller",
}

/** Metrics of a target that go to CloudWatch in the same way. */
export interface MetricsSeries {
  /** Names as the target exposes them, with their `_total`. Histograms, their parts, `up` and `scrape_*` never arrive and are refused. */
  metrics: string[];
  /** What the values mean; the target's metrics page says it in its `# TYPE` lines. */
  kind: MetricKind;
  /** Only those with one of these values of a label, by label: `{ error_code: ["TargetGroupNotFound"] }`. Defaults to all. */
  only?: Record<string, string[]>;
  /**
   * Sets of labels that become dimensions of CloudWatch, beside `job`, which is the name of the target. For each label, the number of values
   * that you expect: it goes into `customMetrics` only, which is what they cost. `[{}, { reason: 3 }]` makes a metric over everything and one
   * for each reason. `pod` is the name of the pod, whatever the target says; only for pods whose names stay, as those of a StatefulSet do.
   * Defaults to `[{}]`.
   */
  dimensions?: Record<string, number>[];
}

/** Pods whose metrics are read, and which of their metrics are kept. */
export interface MetricsTarget {
  /** Namespace of the pods. */
  namespace: string;
  /** Labels that all of the pods have, and no others in the namespace. */
  podLabels: Record<string, string>;
  /** Port that serves the metrics over HTTP. A container of the pod must declare it, or the pod isn't found. */
  port: number;
  /** Path of the metrics. Defaults to `/metrics`. */
  path?: string;
  /** What is kept; everything else is dropped before it costs anything. */
  series: MetricsSeries[];
}

/** Targets by their names. */
export type MetricsTargets = Readonly<Record<string, MetricsTarget>>;

/**
 * A gauge that every Go program with controller-runtime has from its first moment: its registry gets client_golang's Go collector when the
 * package is loaded (controller-runtime, pkg/internal/controller/metrics/metrics.go, `init`), so it needs no leader, no work and no object.
 * Prometheus' own sign of life, `up`, doesn't get through: the agent drops it and all `scrape_*`, because they have no type (its
 * plugins/inputs/prometheus, `isInternalMetric` and `MetricsFilter`).
 */
export const heartbeatGauge = "go_goroutines";

/** Karpenter's controllers without which nodes don't come, move or go. It has about sixty, and each would be a line in the log each minute. */
const karpenterControllers = [
  "provisioner",
  "nodeclaim.lifecycle",
  "nodeclass",
  "disruption",
  "disruption.queue",
  "node.termination",
  "interruption",
];

/**
 * The presets. Sources of names, types and labels: metrics page of Karpenter's documentation, pkg/metrics, pkg/cloudprovider/metrics and
 * pkg/controllers of sigs.k8s.io/karpenter 1.14; awslabs/operatorpkg, status/metrics.go (the same in 1.14.1 and 1.15.2);
 * jonathan-innis/aws-sdk-go-prometheus 0.1.1; pkg/metrics/aws/instruments.go of the load balancer controller 3.5; controller-runtime 0.24.
 * Pods' labels and ports are those of both charts. How many values a label takes is an estimate of ours.
 */
export const presetTargets: Readonly<Record<MetricsPreset, MetricsTarget>> = {
  [MetricsPreset.Karpenter]: {
    namespace: "kube-system",
    podLabels: { "app.kubernetes.io/name": "karpenter" },
    port: 8080,
    series: [
      { metrics: [heartbeatGauge], kind: MetricKind.Gauge },
      {
        metrics: ["karpenter_nodeclaims_disrupted_total", "karpenter_voluntary_disruption_decisions_total"],
        kind: MetricKind.Counter,
        dimensions: [{}, { reason: 4 }],
      },
      {
        metrics: ["karpenter_nodepools_allowed_disruptions"],
        kind: MetricKind.Gauge,
        dimensions: [{ nodepool: 2 }],
      },
      {
        // 429 is an eviction that a disruption budget refused.
        metrics: ["karpenter_pods_eviction_requests_total"],
        kind: MetricKind.Counter,
        dimensions: [{}, { code: 3 }],
      },
      {
        metrics: ["karpenter_interruption_received_messages_total"],
        kind: MetricKind.Counter,
        dimensions: [{}, { message_type: 6 }],
      },
      {
        // Some errors are everyday ones, such as an instance that is gone already: hence by error, and by what was tried. Those that Karpenter
        // has no name for have an empty label, which Prometheus and CloudWatch take for none: they are in the others.
        metrics: ["karpenter_cloudprovider_errors_total"],
        kind: MetricKind.Counter,
        dimensions: [{}, { error: 3 }, { method: 4 }],
      },
      // 1 of the pod that works, 0 of those that wait to take over.
      { metrics: ["leader_election_master_status"], kind: MetricKind.Gauge },
      // One sample for each pod that waits, none without. Karpenter's count of them keeps its last value when the pods go (its issue 1993).
      { metrics: ["karpenter_pods_unbound_time_seconds"], kind: MetricKind.Gauge },
      {
        // One sample for each pool and condition. Ready waits for the node class, too.
        metrics: ["operator_nodepool_status_condition_count"],
        kind: MetricKind.Gauge,
        only: { type: ["Ready", "NodeRegistrationHealthy"], status: ["False"] },
        dimensions: [{ type: 2 }],
      },
      {
        metrics: ["controller_runtime_reconcile_errors_total"],
        kind: MetricKind.Counter,
        only: { controller: karpenterControllers },
      },
      {
        // Calls to AWS that were refused. A dry run that would have worked has another code.
        metrics: ["aws_sdk_go_request_total"],
        kind: MetricKind.Counter,
        only: { code: ["403"] },
      },
    ],
  },
  [MetricsPreset.LoadBalancerController]: {
    namespace: "kube-system",
    podLabels: { "app.kubernetes.io/name": "aws-load-balancer-controller" },
    port: 8080,
    series: [
      { metrics: [heartbeatGauge], kind: MetricKind.Gauge },
      {
        // Begins with 0 for every kind of object, so that even the first error arrives; the controller's own count by category doesn't.
        metrics: ["controller_runtime_reconcile_errors_total"],
        kind: MetricKind.Counter,
        dimensions: [{ controller: 3 }],
      },
      {
        metrics: ["aws_api_calls_total"],
        kind: MetricKind.Counter,
        only: { error_code: ["TargetGroupNotFound"] },
        dimensions: [{ error_code: 1 }],
      },
      {
        // The two calls that matter: others may be refused on purpose, because the controller doesn't need them.
        metrics: ["aws_api_call_permission_errors_total"],
        kind: MetricKind.Counter,
        only: { operation: ["RegisterTargets", "DeregisterTargets"] },
        dimensions: [{ operation: 2 }],
      },
    ],
  },
};
