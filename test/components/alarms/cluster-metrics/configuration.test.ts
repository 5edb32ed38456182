import { z } from "zod";
import { MetricKind, MetricsPreset, type ClusterMetricsArgs } from "../../../../components/alarms";
import { exposedBy } from "../../../support/agent";
import { agentFile, make, prometheusFile } from "./setup";

/**
 * What the agent takes, by hand from translator/config/schema.json of amazon-cloudwatch-agent 1.300071 (commit ab55b8d): the keys of each object
 * on the way to the declarations, which allow no others, and their types. `source_labels`, `metric_selectors`: without them
 * translator/translate/otel/exporter/awsemf/prometheus.go leaves a declaration out. `cluster_name` is mandatory in a container.
 */
const agentSchema = z.strictObject({
  agent: z.strictObject({ region: z.string().min(1).max(64) }),
  logs: z.strictObject({
    metrics_collected: z.strictObject({
      prometheus: z.strictObject({
        cluster_name: z.string().min(1),
        log_group_name: z.string().min(1),
        prometheus_config_path: z.string().min(1),
        emf_processor: z.strictObject({
          metric_declaration_dedup: z.boolean(),
          metric_namespace: z.string(),
          metric_declaration: z.array(
            z.strictObject({
              source_labels: z.array(z.string()).min(1),
              label_matcher: z.string(),
              metric_selectors: z.array(z.string()).min(1),
              dimensions: z.array(z.array(z.string()).max(10)).min(1),
            }),
          ),
        }),
      }),
    }),
  }),
});

/** What Prometheus takes, by hand from its documentation ("Configuration": scrape_config, kubernetes_sd_config, relabel_config). */
const relabel = z.array(
  z.strictObject({
    source_labels: z.array(z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/)),
    regex: z.string(),
    action: z.enum(["keep", "drop"]),
  }),
);
const prometheusSchema = z.strictObject({
  global: z.strictObject({
    scrape_interval: z.string().regex(/^\d+[sm]$/),
    scrape_timeout: z.string().regex(/^\d+[sm]$/),
  }),
  scrape_configs: z.array(
    z.strictObject({
      job_name: z.string().min(1),
      metrics_path: z.string().startsWith("/"),
      sample_limit: z.int().positive(),
      kubernetes_sd_configs: z.array(
        z.strictObject({
          role: z.literal("pod"),
          namespaces: z.strictObject({ names: z.array(z.string()).min(1) }),
          selectors: z.array(z.strictObject({ role: z.literal("pod"), label: z.string().min(1) })),
        }),
      ),
      relabel_configs: relabel,
      metric_relabel_configs: relabel,
    }),
  ),
});

const kafka: NonNullable<ClusterMetricsArgs["targets"]> = {
  kafka: {
    namespace: "kafka",
    podLabels: { "app.kubernetes.io/name": "kafka", "app.kubernetes.io/component": "broker" },
    port: 9404,
    path: "/",
    series: [
      { metrics: ["kafka_under_min_isr", "jvm_threads"], kind: MetricKind.Gauge },
      {
        metrics: ["kafka_requests_total"],
        kind: MetricKind.Counter,
        only: { request: ["Produce", "Fetch.Consumer"], listener: ["CLIENT"] },
        dimensions: [{}, { request: 2 }, { request: 2, error: 3 }],
      },
    ],
  },
};

describe("the agent's configuration", () => {
  test("has the keys that the agent's schema allows, and no others", async () => {
    const { resources, errors } = await make({ targets: kafka });
    expect(errors).toEqual([]);
    expect(agentSchema.safeParse(agentFile(resources)).error).toBeUndefined();
    expect(agentFile(resources)).toMatchObject({
      agent: { region: "eu-west-1" },
      logs: {
        metrics_collected: {
          prometheus: {
            cluster_name: "shop-prod",
            log_group_name: "/moorings/shop-prod/metrics",
            prometheus_config_path: "/etc/prometheusconfig/prometheus.yaml",
            emf_processor: { metric_namespace: "Moorings/shop-prod" },
          },
        },
      },
    });
  });

  test("declares a target of one's own: its filters, selectors and dimensions", async () => {
    const { resources } = await make({
      presets: [],
      targets: kafka,
      heartbeat: { target: "kafka", metric: "jvm_threads" },
    });
    const { emf_processor: processor } = agentSchema.parse(agentFile(resources)).logs.metrics_collected.prometheus;
    expect(processor.metric_declaration).toEqual([
      {
        source_labels: ["job"],
        label_matcher: "^kafka$",
        metric_selectors: ["^kafka_under_min_isr$", "^jvm_threads$"],
        dimensions: [["job"]],
      },
      {
        source_labels: ["job", "request", "listener"],
        label_matcher: "^kafka;(Produce|Fetch\\.Consumer);CLIENT$",
        metric_selectors: ["^kafka_requests_total$"],
        dimensions: [["job"], ["job", "request"], ["job", "request", "error"]],
      },
    ]);
  });
});

describe("Prometheus' configuration", () => {
  test("has keys that Prometheus takes", async () => {
    const { resources } = await make({ targets: kafka });
    expect(prometheusSchema.safeParse(prometheusFile(resources)).error).toBeUndefined();
    const { scrape_configs: scrapes } = prometheusSchema.parse(prometheusFile(resources));
    expect(scrapes.map((s) => s.job_name)).toEqual(["karpenter", "load-balancer-controller", "kafka"]);
  });

  test("finds the pods by labels and one declared port, and keeps only what is named", async () => {
    const { resources } = await make({ targets: kafka });
    const scrape = prometheusSchema.parse(prometheusFile(resources)).scrape_configs.at(-1)!;
    expect(scrape).toEqual({
      job_name: "kafka",
      metrics_path: "/",
      sample_limit: 2000,
      kubernetes_sd_configs: [
        {
          role: "pod",
          namespaces: { names: ["kafka"] },
          selectors: [{ role: "pod", label: "app.kubernetes.io/name=kafka,app.kubernetes.io/component=broker" }],
        },
      ],
      relabel_configs: [
        { source_labels: ["__meta_kubernetes_pod_phase"], regex: "Running", action: "keep" },
        { source_labels: ["__meta_kubernetes_pod_container_init"], regex: "true", action: "drop" },
        { source_labels: ["__meta_kubernetes_pod_container_port_number"], regex: "9404", action: "keep" },
      ],
      metric_relabel_configs: [
        {
          source_labels: ["__name__", "request", "listener"],
          regex: "(kafka_under_min_isr|jvm_threads);[^;]*;[^;]*|kafka_requests_total;(Produce|Fetch\\.Consumer);CLIENT",
          action: "keep",
        },
      ],
    });
  });
});

describe.each([MetricsPreset.Karpenter, MetricsPreset.LoadBalancerController])("the preset %s", (preset) => {
  const exposed = exposedBy[preset]!;

  test("names pods, a port, metrics and labels that there are", async () => {
    const { resources } = await make({ presets: [preset], heartbeat: { target: preset } });
    const [scrape] = prometheusSchema.parse(prometheusFile(resources)).scrape_configs;
    const [discovery] = scrape!.kubernetes_sd_configs;
    expect(discovery!.namespaces.names).toEqual([exposed.namespace]);
    const [key, value] = discovery!.selectors[0]!.label.split("=") as [string, string];
    expect(exposed.podLabels[key]).toBe(value);
    expect(exposed.ports).toContain(Number(scrape!.relabel_configs[2]!.regex));

    const { emf_processor: processor } = agentSchema.parse(agentFile(resources)).logs.metrics_collected.prometheus;
    for (const { metric_selectors, dimensions, source_labels } of processor.metric_declaration)
      for (const selector of metric_selectors) {
        const metric = exposed.metrics[selector.slice(1, -1)];
        expect(metric?.type).toMatch(/^(gauge|counter)$/);
        const labels = ["job", ...Object.keys(metric!.labels)];
        for (const label of [...dimensions.flat(), ...source_labels]) expect(labels).toContain(label);
      }
  });
});

test("Karpenter's has what the report on Karpenter wants to alarm on", async () => {
  const { resources } = await make();
  // Research report on Karpenter, 4.4: "metrics worth alarming".
  const kept = JSON.stringify(agentFile(resources));
  for (const name of [
    "karpenter_nodeclaims_disrupted_total",
    "karpenter_voluntary_disruption_decisions_total",
    "karpenter_nodepools_allowed_disruptions",
    "karpenter_pods_eviction_requests_total",
    "karpenter_interruption_received_messages_total",
    "karpenter_cloudprovider_errors_total",
    // Issue 9: controller errors, pods that can't be scheduled, and what else its alarms listen to.
    "controller_runtime_reconcile_errors_total",
    "karpenter_pods_unbound_time_seconds",
    "operator_nodepool_status_condition_count",
    "leader_election_master_status",
    "aws_sdk_go_request_total",
  ])
    expect(kept).toContain(`"^${name}$"`);
  // Pools that aren't ready, calls that were refused, and the controllers without which nodes don't come, move or go.
  for (const matcher of [
    "^karpenter;(Ready|NodeRegistrationHealthy);False$",
    "^karpenter;403$",
    "^karpenter;(provisioner|nodeclaim\\\\.lifecycle|nodeclass|disruption|disruption\\\\.queue|node\\\\.termination|interruption)$",
  ])
    expect(kept).toContain(`"label_matcher":"${matcher}"`);
});

describe("the number of custom metrics", () => {
  const countOf = async (args: Partial<ClusterMetricsArgs>) => (await make(args)).outputs?.customMetrics;

  test("is names times values, for each set of dimensions", async () => {
    const only = { presets: [], heartbeat: { target: "kafka", metric: "jvm_threads" } };
    // 2 gauges; one counter as a whole (1), by request (2), by request and error (2 x 3).
    expect(await countOf({ ...only, targets: kafka })).toBe(2 + 1 + 2 + 6);
  });

  test("of the presets is what docs/cluster-metrics.md says", async () => {
    // Karpenter: 1 + 2 x (1 + 4) + 2 + (1 + 3) + (1 + 6) + (1 + 3 + 4), and for its alarms 1 + 1 + 2 + 1 + 1. The controller: 1 + 3 + 1 + 2.
    expect(await countOf({ presets: [MetricsPreset.Karpenter] })).toBe(38);
    expect(await countOf({})).toBe(45);
  });
});
