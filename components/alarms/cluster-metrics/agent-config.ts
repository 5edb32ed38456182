import type { MetricsSeries, MetricsTarget, MetricsTargets } from "./targets";

/*
 * The agent's two configurations, from the table of targets. It scrapes with Prometheus' own code, turns counters into differences, and writes
 * each set of labels as an event of the embedded metric format into a log group, of which CloudWatch makes metrics.
 *
 * Sources: amazon-cloudwatch-agent 1.300071, translator/config/schema.json and translator/translate/otel/exporter/awsemf/prometheus.go (keys, and
 * that a declaration without source_labels counts for nothing), plugins/inputs/prometheus (differences, dropped types); the collector's
 * exporter/awsemfexporter, metric_declaration.go (selectors are regular expressions that match anywhere in a name; a set of dimensions is used
 * if the series has all of them, and dropped beyond ten).
 */

/** Most dimensions of a set; awsemfexporter drops a longer one with a warning in its log. */
export const mostDimensions = 10;

/** The label that says which target a metric is of: Prometheus puts it on, and the agent names its log streams by it. */
export const targetLabel = "job";

/** The label that says which pod a metric is of, for targets with a dimension of that name. */
export const podLabel = "pod";

/**
 * Most samples of one scrape of a pod that are kept. Beyond it Prometheus drops the whole scrape, and the target falls silent, rather than let
 * a label with thousands of values run up a bill unseen.
 */
const sampleLimit = 2000;

/** Where the pod has the two configurations. The first folder is fixed in the agent (tool/paths, `CONFIG_DIR_IN_CONTAINER`). */
export const agentConfigFolder = "/etc/cwagentconfig";
export const prometheusConfigFolder = "/etc/prometheusconfig";
export const agentConfigFile = "cwagentconfig.json";
export const prometheusConfigFile = "prometheus.yaml";

/** CloudWatch namespace of what a cluster's pods expose: `Moorings/<cluster>`. */
export function metricNamespaceOf(clusterName: string): string {
  return `Moorings/${clusterName}`;
}

/** What the agent's own configuration depends on. */
export interface AgentSettings<Text> {
  readonly clusterName: string;
  readonly region: Text;
  readonly logGroupName: string;
}

/** The agent's own configuration. */
export function agentConfig<Text>(targets: MetricsTargets, settings: AgentSettings<Text>) {
  return {
    // Pods can't ask the instance metadata service for it.
    agent: { region: settings.region },
    logs: {
      metrics_collected: {
        prometheus: {
          cluster_name: settings.clusterName,
          log_group_name: settings.logGroupName,
          prometheus_config_path: `${prometheusConfigFolder}/${prometheusConfigFile}`,
          emf_processor: {
            metric_declaration_dedup: true,
            metric_namespace: metricNamespaceOf(settings.clusterName),
            metric_declaration: Object.entries(targets).flatMap(([job, { series }]) =>
              series.map((one) => declaration(job, one)),
            ),
          },
        },
      },
    },
  };
}

/** Which of a target's series become which metrics. */
function declaration(job: string, series: MetricsSeries) {
  const only = Object.entries(series.only ?? {});
  return {
    source_labels: [targetLabel, ...only.map(([label]) => label)],
    label_matcher: `^${[job, ...only.map(([, values]) => anyOf(values))].join(";")}$`,
    metric_selectors: series.metrics.map((name) => `^${name}$`),
    dimensions: dimensionsOf(series).map((labels) => [targetLabel, ...Object.keys(labels)]),
  };
}

function dimensionsOf(series: MetricsSeries): readonly Record<string, number>[] {
  return series.dimensions ?? [{}];
}

/** What Prometheus scrapes. JSON is YAML. */
export function prometheusConfig(targets: MetricsTargets) {
  return {
    // CloudWatch keeps minutes; alarms here look at five of them.
    global: { scrape_interval: "1m", scrape_timeout: "10s" },
    scrape_configs: Object.entries(targets).map(([job, target]) => scrape(job, target)),
  };
}

function scrape(job: string, target: MetricsTarget) {
  const label = Object.entries(target.podLabels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  return {
    job_name: job,
    metrics_path: target.path ?? "/metrics",
    sample_limit: sampleLimit,
    // The API server selects, so the agent never sees another pod.
    kubernetes_sd_configs: [
      { role: "pod", namespaces: { names: [target.namespace] }, selectors: [{ role: "pod", label }] },
    ],
    // Each declared port is a target of its own: only one may be left, or counters would be counted twice. Nothing rewrites the address,
    // because the agent looks a metric's type up by it.
    relabel_configs: [
      { source_labels: ["__meta_kubernetes_pod_phase"], regex: "Running", action: "keep" },
      { source_labels: ["__meta_kubernetes_pod_container_init"], regex: "true", action: "drop" },
      { source_labels: ["__meta_kubernetes_pod_container_port_number"], regex: String(target.port), action: "keep" },
      ...(namesPods(target) ? [{ source_labels: ["__meta_kubernetes_pod_name"], target_label: podLabel }] : []),
    ],
    // What no declaration wants would still be written to the log. Labels stay: without `instance` the agent would take two pods' counters
    // for one that jumps.
    metric_relabel_configs: [keep(target.series)],
  };
}

/** Whether a metric of the target is told apart by pods, whose names don't change then. */
function namesPods(target: MetricsTarget): boolean {
  return target.series.some((series) => dimensionsOf(series).some((labels) => podLabel in labels));
}

/** Keeps the named series and no others. Prometheus matches regular expressions against the whole of the joined labels. */
function keep(series: readonly MetricsSeries[]) {
  const labels = [...new Set(series.flatMap(({ only = {} }) => Object.keys(only)))];
  const wanted = series.map(({ metrics, only = {} }) =>
    [anyOf(metrics), ...labels.map((label) => (only[label] === undefined ? "[^;]*" : anyOf(only[label])))].join(";"),
  );
  return { source_labels: ["__name__", ...labels], regex: wanted.join("|"), action: "keep" };
}

/** A regular expression for one of these texts. */
function anyOf(texts: readonly string[]): string {
  const escaped = texts.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return escaped.length === 1 ? escaped[0]! : `(${escaped.join("|")})`;
}

/**
 * How many custom metrics CloudWatch bills for these targets: for each name, the values of each set of dimensions. The number of pods doesn't
 * matter, but where a dimension is the pod.
 */
export function customMetricCount(targets: MetricsTargets): number {
  const counts = Object.values(targets).flatMap(({ series }) =>
    series.map(
      (one) =>
        one.metrics.length *
        dimensionsOf(one).reduce(
          (sum, labels) => sum + Object.values(labels).reduce((product, values) => product * values, 1),
          0,
        ),
    ),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
