import facts from "../fixtures/facts/scraped-metrics.json";

/*
 * Which series CloudWatch gets from the two configurations of a CloudWatch agent, read as the agent and Prometheus read them. What the targets
 * expose is in fixtures/facts/scraped-metrics.json.
 *
 * Sources: Prometheus' documentation, "relabel_config" (regular expressions are anchored; labels are joined by ";"), and
 * exporter/awsemfexporter/metric_declaration.go of the OpenTelemetry collector (they aren't; a set of dimensions counts if the series has all).
 */

/** The agent's own configuration, as far as it decides what arrives. */
export interface AgentConfig {
  readonly logs: {
    readonly metrics_collected: {
      readonly prometheus: {
        readonly emf_processor: {
          readonly metric_namespace: string;
          readonly metric_declaration: readonly {
            readonly source_labels: readonly string[];
            readonly label_matcher: string;
            readonly metric_selectors: readonly string[];
            readonly dimensions: readonly (readonly string[])[];
          }[];
        };
      };
    };
  };
}

interface Relabel {
  readonly source_labels: readonly string[];
  readonly regex?: string;
  readonly action?: string;
  readonly target_label?: string;
}
export interface PrometheusConfig {
  readonly scrape_configs: readonly {
    readonly job_name: string;
    readonly kubernetes_sd_configs: readonly {
      readonly namespaces: { readonly names: readonly string[] };
      readonly selectors: readonly { readonly label: string }[];
    }[];
    readonly relabel_configs: readonly Relabel[];
    readonly metric_relabel_configs: readonly Relabel[];
  }[];
}

/** What an alarm listens to. */
export interface Series {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: string;
}

interface Exposed {
  readonly type: string;
  readonly labels: Readonly<Record<string, readonly string[]>>;
}
interface Target {
  readonly namespace: string;
  readonly podLabels: Readonly<Record<string, string>>;
  readonly ports: readonly number[];
  readonly metrics: Readonly<Record<string, Exposed>>;
}
type Labels = Readonly<Record<string, string>>;

/** What targets expose, by the name of the job. */
export const exposedBy: Readonly<Record<string, Target>> = facts.targets;

/** Statistics that say something of a metric: a counter's differences are added up, a gauge's values aren't. */
const statistics: Readonly<Record<string, readonly string[]>> = {
  counter: ["Sum", "SampleCount"],
  gauge: ["Maximum", "Minimum", "Average", "SampleCount"],
  // Gauges of parts, which add up to the whole in each scrape.
  parts: ["Sum", "SampleCount"],
};

/** Why the agent brings no such series, or undefined. */
export function whyAbsent(agent: AgentConfig, prometheus: PrometheusConfig, series: Series): string | undefined {
  const { metric_namespace: namespace, metric_declaration: declarations } =
    agent.logs.metrics_collected.prometheus.emf_processor;
  if (series.namespace !== namespace) return `namespace ${series.namespace} is neither AWS's nor ${namespace}`;
  const { job = "", ...own } = series.dimensions;
  const scraped = prometheus.scrape_configs.find((s) => s.job_name === job);
  if (scraped === undefined) return `nothing scrapes job "${job}"`;
  const target = exposedBy[job];
  const exposed = target?.metrics[series.metricName];
  if (target === undefined || exposed === undefined) return `${job} exposes no ${series.metricName}`;
  const pods = whyNotFound(scraped, target);
  if (pods !== undefined) return pods;
  const fitting = statistics[exposed.type];
  if (fitting === undefined) return `${series.metricName} is a ${exposed.type}, which the agent drops`;
  if (!fitting.includes(series.statistic)) return `${series.statistic} of the ${exposed.type} ${series.metricName}`;
  // Labels that Prometheus adds: what is in `target_label` comes from the pod, and is a label of every sample.
  const added = scraped.relabel_configs.flatMap(({ target_label: label }) => (label === undefined ? [] : [label]));
  const strange = Object.keys(own).filter((label) => exposed.labels[label] === undefined && !added.includes(label));
  if (strange.length > 0) return `${series.metricName} has no label ${strange.join(", ")}`;

  const samples = combinations({
    ...exposed.labels,
    ...Object.fromEntries(Object.entries(own).map(([k, v]) => [k, [v]])),
  });
  const wanted = Object.keys(series.dimensions).sort().join();
  const arrives = samples.some((sample) => {
    const labels: Labels = { ...sample, job, __name__: series.metricName };
    const kept = scraped.metric_relabel_configs.every((r) => new RegExp(`^(?:${r.regex})$`).test(joined(labels, r)));
    return (
      kept &&
      declarations.some(
        (d) =>
          new RegExp(d.label_matcher).test(joined(labels, d)) &&
          d.metric_selectors.some((selector) => new RegExp(selector).test(series.metricName)) &&
          d.dimensions.some((set) => [...set].sort().join() === wanted),
      )
    );
  });
  return arrives ? undefined : `no declaration has ${series.metricName} of ${job} with the dimensions ${wanted}`;
}

function whyNotFound(scraped: PrometheusConfig["scrape_configs"][number], target: Target): string | undefined {
  const found = scraped.kubernetes_sd_configs.some(
    ({ namespaces, selectors }) =>
      namespaces.names.includes(target.namespace) &&
      selectors.every(({ label }) =>
        label.split(",").every((term) => target.podLabels[term.split("=")[0]!] === term.split("=")[1]),
      ),
  );
  if (!found) return `no pods of ${scraped.job_name} are found`;
  const ports = target.ports.filter((port) => {
    const labels: Labels = {
      __meta_kubernetes_pod_phase: "Running",
      __meta_kubernetes_pod_container_init: "false",
      __meta_kubernetes_pod_container_port_number: String(port),
    };
    return scraped.relabel_configs.every(
      (r) =>
        r.target_label !== undefined ||
        new RegExp(`^(?:${r.regex})$`).test(joined(labels, r)) === (r.action === "keep"),
    );
  });
  return ports.length === 1 ? undefined : `${ports.length} ports of ${scraped.job_name} are scraped, not one`;
}

function joined(labels: Labels, { source_labels: names }: { source_labels: readonly string[] }): string {
  return names.map((name) => labels[name] ?? "").join(";");
}

/** Every combination of the labels' values. */
function combinations(labels: Readonly<Record<string, readonly string[]>>): Labels[] {
  return Object.entries(labels).reduce<Labels[]>(
    (all, [label, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [label]: value }))),
    [{}],
  );
}
