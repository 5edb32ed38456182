import { exposedBy, whyAbsent, type AgentConfig, type PrometheusConfig, type Series } from "../../support/agent";
import { isAwsNamespace, whyNotOfAws } from "../../support/aws-metrics";
import { edited } from "../../support/edited";
import { environments } from "../../support/environments";
import { find } from "../../support/graph";
import type { Registration } from "../../support/harness";
import { registeredBy } from "../../support/platform";

/*
 * An alarm on a series that nobody publishes is green for ever. Every alarm of every environment listens to one that AWS publishes, or that the
 * CloudWatch agent brings by the very configuration that this program gives it.
 */

const configMap = "kubernetes:core/v1:ConfigMap";
const metricAlarm = "aws:cloudwatch/metricAlarm:MetricAlarm";

interface MetricQuery {
  readonly metric?: Omit<Series, "statistic"> & { readonly stat: string };
}

/** What an alarm listens to: one metric, or those that its expressions are over. */
function seriesOf({ inputs, name }: Registration): Series[] {
  const queries = inputs["metricQueries"] as readonly MetricQuery[] | undefined;
  const all =
    queries === undefined
      ? [inputs as unknown as Series]
      : queries.flatMap(({ metric }) => (metric === undefined ? [] : [{ ...metric, statistic: metric.stat }]));
  if (all.length === 0) throw new Error(`${name} listens to nothing`);
  return all;
}

/** The two files that the agent's pod of these resources gets. */
function configurationOf(resources: readonly Registration[]): [AgentConfig, PrometheusConfig] {
  const fileOf = (name: string, file: string) =>
    JSON.parse((find(resources, configMap, name).inputs["data"] as Record<string, string>)[file]!) as unknown;
  return [
    fileOf("cluster-metrics-agent", "cwagentconfig.json") as AgentConfig,
    fileOf("cluster-metrics-prometheus", "prometheus.yaml") as PrometheusConfig,
  ];
}

/** Alarms that listen to something that nobody publishes, and why. */
function deaf(resources: readonly Registration[]): string[] {
  const [agent, prometheus] = configurationOf(resources);
  return resources
    .filter((r) => r.type === metricAlarm)
    .flatMap((alarm) =>
      seriesOf(alarm).flatMap((series) => {
        const { namespace, metricName, dimensions } = series;
        const why = isAwsNamespace(namespace)
          ? whyNotOfAws(namespace, metricName, Object.keys(dimensions))
          : whyAbsent(agent, prometheus, series);
        return why === undefined ? [] : [`${alarm.name}: ${why}`];
      }),
    );
}

describe.each(environments)("%s", (environment) => {
  let resources: readonly Registration[];
  beforeAll(async () => {
    resources = await registeredBy(environment);
  });

  test("every alarm listens to a series that somebody publishes", () => {
    expect(deaf(resources)).toEqual([]);
    const alarms = resources.filter((r) => r.type === metricAlarm).map((r) => r.name);
    expect(alarms).toEqual(
      expect.arrayContaining([
        "cluster-metrics-pipeline-silent",
        "karpenter-alarms-karpenter-silent",
        "karpenter-alarms-interruptions-unread",
        "karpenter-alarms-interruption-backlog",
        "karpenter-alarms-pods-unschedulable",
        "karpenter-alarms-node-pool-not-ready",
        "karpenter-alarms-nodes-not-registering",
        "karpenter-alarms-launch-errors",
        "karpenter-alarms-karpenter-denied",
        "karpenter-alarms-karpenter-errors",
        "lbc-alarms-controller-silent",
        "lbc-alarms-registration-denied",
        "lbc-alarms-target-group-missing",
        "lbc-alarms-binding-errors",
        "web-health-no-healthy-hosts",
        "kafka-alarms-no-active-controller",
        "kafka-alarms-certificate-expiring",
        "kafka-alarms-102-broker-silent",
        "kafka-alarms-102-disk-filling",
      ]),
    );
  });

  test("the agent's metrics are in a namespace of the cluster", () => {
    const [agent] = configurationOf(resources);
    const { emf_processor: processor } = agent.logs.metrics_collected.prometheus;
    expect(processor.metric_namespace).toBe(`Moorings/moorings-${environment}`);
  });

  test("what is scraped is what is installed: releases of these names, with their charts' ports", () => {
    for (const [job, release] of [
      ["karpenter", "karpenter-release"],
      ["load-balancer-controller", "lbc-release"],
    ] as const) {
      const { inputs } = find(resources, "kubernetes:helm.sh/v3:Release", release);
      const { namespace, podLabels } = exposedBy[job]!;
      expect([inputs["name"], inputs["namespace"]]).toEqual([podLabels["app.kubernetes.io/instance"], namespace]);
      expect(JSON.stringify(inputs["values"])).not.toMatch(/metricsBindAddr|"metrics":|nameOverride/);
    }
  });

  /** The resources with another input of one alarm. */
  const withAlarm = (name: string, path: (string | number)[], value: unknown) =>
    resources.map((r) => (r.type === metricAlarm && r.name === name ? edited(r, ["inputs", ...path], value) : r));

  test.each<[string, string, (string | number)[], unknown, string]>([
    [
      "a misspelt metric",
      "lbc-alarms-binding-errors",
      ["metricName"],
      "controller_runtime_reconcile_error_total",
      "exposes no",
    ],
    ["a histogram", "lbc-alarms-binding-errors", ["metricName"], "aws_api_call_duration_seconds", "a histogram"],
    [
      "an exposed metric that nothing keeps",
      "cluster-metrics-pipeline-silent",
      ["metricName"],
      "karpenter_build_info",
      "no declaration",
    ],
    ["another namespace", "lbc-alarms-binding-errors", ["namespace"], "Moorings/other", "neither AWS's nor"],
    ["another target", "lbc-alarms-binding-errors", ["dimensions", "job"], "controller", "nothing scrapes"],
    [
      "a target without the metric",
      "lbc-alarms-target-group-missing",
      ["dimensions", "job"],
      "karpenter",
      "exposes no",
    ],
    ["a dimension too few", "lbc-alarms-binding-errors", ["dimensions", "controller"], undefined, "no declaration"],
    [
      "a dimension that isn't a label",
      "lbc-alarms-binding-errors",
      ["dimensions", "cluster"],
      "x",
      "has no label cluster",
    ],
    [
      "a value that is filtered out",
      "lbc-alarms-target-group-missing",
      ["dimensions", "error_code"],
      "Throttling",
      "no declaration",
    ],
    [
      "the highest of a counter's differences",
      "lbc-alarms-binding-errors",
      ["statistic"],
      "Maximum",
      "Maximum of the counter",
    ],
    [
      "a condition that isn't kept",
      "karpenter-alarms-node-pool-not-ready",
      ["dimensions", "status"],
      "True",
      "no declaration",
    ],
    ["the sum of a gauge", "karpenter-alarms-pods-unschedulable", ["statistic"], "Sum", "Sum of the gauge"],
    [
      "a queue by another dimension",
      "karpenter-alarms-interruptions-unread",
      ["dimensions"],
      { Queue: "karpenter-interruptions" },
      "no series",
    ],
    [
      "AWS's metric with a small letter h",
      "web-health-stale-targets",
      ["metricName"],
      "UnhealthyHostCount",
      "has no UnhealthyHostCount",
    ],
    ["a target group alone", "web-health-stale-targets", ["dimensions", "LoadBalancer"], undefined, "no series"],
    [
      "an expression's metric",
      "web-health-no-healthy-hosts",
      ["metricQueries", 0, "metric", "metricName"],
      "HostCount",
      "has no HostCount",
    ],
  ])("%s is found out", (_, alarm, path, value, why) => {
    expect(deaf(withAlarm(alarm, path, value))).toEqual([expect.stringContaining(`${alarm}: `)]);
    expect(deaf(withAlarm(alarm, path, value))[0]).toContain(why);
  });

  // The pipeline's own alarm, and the seven on what Karpenter exposes if none of it arrives.
  test.each<[string, string, string, (config: string) => string, string, number]>([
    [
      "a declaration less",
      "agent",
      "cwagentconfig.json",
      (c) => c.replace('"^go_goroutines$"', '"^go_threads$"'),
      "no declaration",
      1,
    ],
    [
      "a scrape that drops it",
      "prometheus",
      "prometheus.yaml",
      (c) => c.replace("go_goroutines", "go_threads"),
      "no declaration",
      1,
    ],
    [
      "pods of another name",
      "prometheus",
      "prometheus.yaml",
      (c) => c.replace("name=karpenter", "name=carpenter"),
      "no pods",
      8,
    ],
    ["another port", "prometheus", "prometheus.yaml", (c) => c.replace('"8080"', '"8000"'), "0 ports", 8],
  ])("%s in the agent's configuration is found out", (_, which, file, change, why, alarms) => {
    const name = `cluster-metrics-${which}`;
    const changed = resources.map((r) =>
      r.type === configMap && r.name === name
        ? edited(r, ["inputs", "data", file], change((r.inputs["data"] as Record<string, string>)[file]!))
        : r,
    );
    const found = deaf(changed);
    expect(found).toHaveLength(alarms);
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^cluster-metrics-pipeline-silent: .*${why}`)));
    for (const other of found) expect(other).toMatch(/^(cluster-metrics-pipeline-silent|karpenter-alarms-[a-z-]+): /);
  });
});
