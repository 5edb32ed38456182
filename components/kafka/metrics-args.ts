import type * as pulumi from "@pulumi/pulumi";

/** How brokers and controllers show what they measure, as Prometheus reads it. */
export interface KafkaMetricsArgs {
  /** Whether they do. Without it nobody learns of partitions that are offline or short of copies. Defaults to true. */
  enabled?: boolean;
  /**
   * Image that has the JMX exporter's agent, pinned by its digest (`...@sha256:...`), with a shell, `cp` and the jar readable by everybody. The
   * Kafka image has none, so each pod copies it when it starts: mirror both images in your own registry. Defaults to Strimzi's image of Kafka
   * 4.3.1, of which nothing else is used; it is large, and one of your own with the jar alone starts sooner.
   */
  image?: pulumi.Input<string>;
  /**
   * Path of the jar in that image: letters, digits, `/`, `.`, `_`, `-` and `*` for what may differ; one file must match. Defaults to
   * `/opt/prometheus-jmx-exporter/jmx_prometheus_javaagent-*.jar`.
   */
  jarPath?: string;
  /**
   * Image with `node` (22 or newer) for the pod that reads, every 15 minutes, the certificates that the servers show. Defaults to `node:24-alpine`.
   */
  probeImage?: pulumi.Input<string>;
  /** Namespaces whose pods may read the metrics. Defaults to `kube-system`, where `ClusterMetrics` runs its agent. */
  namespaces?: pulumi.Input<string>[];
}
