import { MetricKind, type MetricsSeries, type MetricsTarget } from "../alarms";
import { probePort } from "./certificate-probe";
import { metricsPort } from "./metrics-agent";
import { heartbeat, logBytes, seriesOf } from "./metrics-rules";
import { KafkaRole, podLabels, probeLabels, roleName } from "./names";

/** What targets follow from. All values are plain, so that `ClusterMetrics` of another stack, made before Kafka, can have them too. */
export interface KafkaMetricsTargetsArgs {
  /** Name of the Kafka cluster: `KafkaClusterArgs.kafkaName`. */
  kafkaName: string;
  /** Namespace of its pods. */
  namespace: string;
  /** Number of brokers: each is a value of the dimension `pod`, which counts in `ClusterMetrics.customMetrics`. Defaults to 3. */
  brokers?: number;
  /** Whether the brokers are the controllers. Defaults to false. */
  combined?: boolean;
}

/** Where the stall detector of a client is read. */
export interface KafkaStallTargetArgs {
  /** Namespace of the client's pods. */
  namespace: string;
  /** Labels that all of the client's pods have, and no others in the namespace. */
  podLabels: Record<string, string>;
  /** Port on which the detector serves its metrics. A container of the pod must declare it. */
  port: number;
  /** Path of the metrics. Defaults to `/metrics`. */
  path?: string;
}

/** Names of a Kafka cluster's targets, which are the dimension `job` of its metrics. */
export function targetNames({ kafkaName, combined = false }: { kafkaName: string; combined?: boolean }) {
  const brokers = roleName(kafkaName, KafkaRole.Broker);
  return {
    brokers,
    controllers: combined ? brokers : roleName(kafkaName, KafkaRole.Controller),
    certificates: `${kafkaName}-certificates`,
  };
}

/** Used heap is for whoever looks; the rest is what alarms listen to, and traffic. */
const heap: MetricsSeries = {
  metrics: ["jvm_memory_used_bytes"],
  kind: MetricKind.Gauge,
  only: { area: ["heap"] },
};

/**
 * What `ClusterMetrics` reads of a Kafka cluster, for its `targets`: brokers, controllers, and how long the certificates are valid that they serve.
 * `KafkaAlarms` listens to it.
 *
 *     new ClusterMetrics("metrics", { ..., targets: kafkaMetricsTargets({ kafkaName: "kafka", namespace: "kafka" }) });
 */
export function kafkaMetricsTargets(args: KafkaMetricsTargetsArgs): Record<string, MetricsTarget> {
  const { kafkaName, namespace, brokers = 3, combined = false } = args;
  const names = targetNames(args);
  const target = (role: KafkaRole, series: MetricsSeries[]): MetricsTarget => ({
    namespace,
    podLabels: podLabels(kafkaName, role),
    port: metricsPort,
    series,
  });
  const roles = combined ? [KafkaRole.Broker, KafkaRole.Controller] : [KafkaRole.Broker];
  const ofBrokers = target(KafkaRole.Broker, [
    ...seriesOf(roles),
    // A sample for each partition: they add up to what a broker holds.
    { metrics: [logBytes], kind: MetricKind.Gauge, dimensions: [{ pod: brokers }] },
    { metrics: [heartbeat], kind: MetricKind.Gauge, dimensions: [{ pod: brokers }] },
    heap,
  ]);
  return {
    [names.brokers]: ofBrokers,
    ...(combined
      ? {}
      : { [names.controllers]: target(KafkaRole.Controller, [...seriesOf([KafkaRole.Controller]), heap]) }),
    [names.certificates]: {
      namespace,
      podLabels: probeLabels(kafkaName),
      port: probePort,
      series: [
        {
          metrics: ["kafka_certificate_remaining_seconds", "kafka_certificate_listeners_read"],
          kind: MetricKind.Gauge,
        },
      ],
    },
  };
}

/**
 * What `ClusterMetrics` reads of a client's stall detector, for its `targets`, under a name of the client. `KafkaClientAlarms` listens to it.
 *
 *     new ClusterMetrics("metrics", { ..., targets: { "shop-kafka": kafkaStallTarget({ namespace: "shop", podLabels: { app: "shop" }, port: 9405 }) } });
 */
export function kafkaStallTarget(args: KafkaStallTargetArgs): MetricsTarget {
  const { namespace, podLabels, port, path } = args;
  return {
    namespace,
    podLabels,
    port,
    path,
    series: [
      {
        metrics: [
          "kafka_stall_detector_up",
          "kafka_client_broker_stalled",
          "kafka_client_queue_ratio",
          "kafka_client_delivery_stalled",
          "kafka_client_statistics_age_seconds",
        ],
        kind: MetricKind.Gauge,
      },
      { metrics: ["kafka_client_request_timeouts_total"], kind: MetricKind.Counter },
    ],
  };
}
