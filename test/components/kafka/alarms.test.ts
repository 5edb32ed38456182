import {
  KafkaAlarms,
  KafkaClientAlarms,
  kafkaMetricsTargets,
  kafkaStallTarget,
  type KafkaAlarmsArgs,
  type KafkaClientAlarmsArgs,
  type KafkaWatched,
} from "../../../components/kafka";
import { certificateProbeScript } from "../../../components/kafka/certificate-probe-script";
import { metricsRules } from "../../../components/kafka/metrics-rules";
import { MetricKind, type MetricsTarget } from "../../../components/alarms";
import { customMetricCount } from "../../../components/alarms/cluster-metrics/agent-config";
import { shopProd } from "../../support/clusters";
import { run, type Registration } from "../../support/harness";
import { messages } from "../load-balancing/setup";

const routes = {
  pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
  ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
};
const kafka: KafkaWatched = { kafkaName: "kafka", brokerIds: [100, 101], controllers: 3, brokerStorageGiB: 100 };
const alarmType = "aws:cloudwatch/metricAlarm:MetricAlarm";
const state = ({ name }: { name: string }) => ({ arn: `arn:${name}` });
const make = (change: Partial<KafkaAlarmsArgs> = {}) =>
  run(
    () => {
      const made = new KafkaAlarms("events", { cluster: shopProd, kafka, routes, ...change });
      return { arns: made.alarmArns, names: made.alarmNames };
    },
    { state },
  );
const makeClient = (change: Partial<KafkaClientAlarmsArgs> = {}) =>
  run(
    () => {
      new KafkaClientAlarms("shop", { cluster: shopProd, target: "shop-kafka", routes, ...change });
    },
    { state },
  );
const alarmsIn = (resources: readonly Registration[]) =>
  Object.fromEntries(resources.filter((r) => r.type === alarmType).map((r) => [r.name, r.inputs]));

/**
 * Name, topic, job, metric, statistic, comparison and threshold, period, M of N, missing data. Names of metrics: the contract of the exporter's rules
 * and of the stall detector; reasons for numbers: docs/kafka-alarms.md.
 */
const set = `
events-partitions-offline           page   kafka-controller   kafka_offline_partitions             Maximum     >= 1       60  3/5   notBreaching
events-partitions-under-min-isr     page   kafka-broker       kafka_under_min_isr_partitions       Maximum     >= 1       60  3/5   notBreaching
events-no-active-controller         page   kafka-controller   kafka_active_controllers             Maximum     < 1        300 3/3   breaching
events-several-active-controllers   page   kafka-controller   kafka_active_controllers             Average     >= 0.583   300 2/2   notBreaching
events-unclean-election             page   kafka-controller   kafka_unclean_leader_elections_total Sum         >= 1       300 1/1   notBreaching
events-brokers-fenced               page   kafka-controller   kafka_fenced_brokers                 Minimum     >= 1       300 3/3   notBreaching
events-partitions-under-replicated  ticket kafka-broker       kafka_under_replicated_partitions    Maximum     >= 1       300 12/12 notBreaching
events-log-directory-offline        ticket kafka-broker       kafka_offline_log_directories        Maximum     >= 1       60  2/5   notBreaching
events-certificate-expiring         ticket kafka-certificates kafka_certificate_remaining_seconds  Minimum     < 1209600  300 3/3   notBreaching
events-certificate-nearly-expired   page   kafka-certificates kafka_certificate_remaining_seconds  Minimum     < 259200   300 3/3   notBreaching
events-certificates-unread          ticket kafka-certificates kafka_certificate_listeners_read     Maximum     < 7        300 3/3   breaching
events-100-broker-silent            ticket kafka-broker       jvm_threads_current                  SampleCount < 1        300 3/3   breaching
events-101-broker-silent            ticket kafka-broker       jvm_threads_current                  SampleCount < 1        300 3/3   breaching
shop-client-broker-stalled          page   shop-kafka         kafka_client_broker_stalled          Maximum     >= 1       60  2/3   notBreaching
shop-client-queue-half-full         page   shop-kafka         kafka_client_queue_ratio             Maximum     >= 0.5     60  2/3   notBreaching
shop-client-delivery-stalled        page   shop-kafka         kafka_client_delivery_stalled        Maximum     >= 1       60  2/3   notBreaching
shop-client-request-timeouts        ticket shop-kafka         kafka_client_request_timeouts_total  Sum         >= 1       300 3/3   notBreaching
shop-client-statistics-missing      page   shop-kafka         kafka_client_statistics_age_seconds  Maximum     >= 60      60  3/5   notBreaching
shop-stall-detector-silent          page   shop-kafka         kafka_stall_detector_up              SampleCount < 1        300 3/3   breaching
`;
const operators = { ">=": "GreaterThanOrEqualToThreshold", "<": "LessThanThreshold" };

test("the sets: what each listens to, whom it tells, what it says", async () => {
  const results = [await make(), await makeClient()];
  expect(results.flatMap(({ errors }) => errors)).toEqual([]);
  const alarms = alarmsIn(results.flatMap(({ resources }) => [...resources]));
  const rows = set.trim().split("\n");
  const volumes = [100, 101].flatMap((id) => [`events-${id}-disk-filling`, `events-${id}-disk-nearly-full`]);
  expect(Object.keys(alarms).sort()).toEqual([...rows.map((row) => row.split(/ +/)[0]), ...volumes].sort());
  for (const row of rows) {
    const [name = "", topic = "", job, metric, statistic, operator, threshold, period, counts = "", missing] =
      row.split(/ +/);
    const [datapointsToAlarm, evaluationPeriods] = counts.split("/").map(Number);
    const id = /-(1\d\d)-/.exec(name)?.[1];
    expect([name, alarms[name]]).toEqual([
      name,
      expect.objectContaining({
        name,
        namespace: "Moorings/shop-prod",
        dimensions: { job, ...(id && { pod: `kafka-broker-${id}` }) },
        metricName: metric,
        statistic,
        comparisonOperator: operators[operator as keyof typeof operators],
        threshold: Number(threshold),
        period: Number(period),
        datapointsToAlarm,
        evaluationPeriods,
        treatMissingData: missing,
        alarmActions: [topic === "page" ? routes.pageTopicArn : routes.ticketTopicArn],
      }),
    ]);
    // Absence would otherwise be paged before the first scrape.
    expect([name, "warmUpConfiguration" in alarms[name]!]).toEqual([name, missing === "breaching"]);
  }
  for (const [name, { alarmDescription }] of Object.entries(alarms)) {
    const page = name.replace(/^(events-(10\d-)?|shop-)/, "");
    expect(alarmDescription).toMatch(/isitors [^]*\nFirst: kubectl /);
    expect(alarmDescription).toMatch(new RegExp(`\\nRunbook: https://\\S+/docs/runbooks/${page}\\.md$`));
    expect(alarmDescription).toMatch(/^[\x20-\x7e\n]{1,1024}$/);
  }
});

interface Query {
  id: string;
  expression?: string;
  returnData?: boolean;
  metric?: { metricName: string; stat: string; period: number; dimensions: object };
}

test("a volume: bytes of all partitions over the scrapes, against 100 GiB", async () => {
  const alarms = alarmsIn((await make()).resources);
  const dimensions = { job: "kafka-broker", pod: "kafka-broker-101" };
  for (const [page, period, expression, threshold] of [
    ["disk-nearly-full", 300, "100 * (m / scrapes) / 107374182400", 85],
    ["disk-filling", 21600, "100 * (m / scrapes + 4.5 * DIFF(m / scrapes)) / 107374182400", 90],
  ] as const) {
    const { metricQueries, ...rest } = alarms[`events-101-${page}`]!;
    expect(rest).toMatchObject({ threshold, treatMissingData: "notBreaching" });
    // CloudWatch refuses an alarm that has both.
    for (const key of ["metricName", "namespace", "dimensions", "period", "statistic"])
      expect(rest).not.toHaveProperty(key);
    const [bytes, scrapes, result] = metricQueries as Query[];
    expect(bytes).toMatchObject({
      id: "m",
      metric: { metricName: "kafka_log_bytes", stat: "Sum", period, dimensions },
    });
    expect(scrapes).toMatchObject({
      id: "scrapes",
      metric: { metricName: "jvm_threads_current", stat: "SampleCount", period, dimensions },
    });
    expect(result).toMatchObject({ id: "result", expression, returnData: true });
  }
});

/** By hand: 1 of 2 or 3 left against 2 of 3 or 5; a threshold between them tells one leader from two. */
test.each([
  [3, 1 / 2, 2 / 3],
  [5, 1 / 3, 2 / 5],
])("%i controllers: one leader of a majority isn't several, two of all are", async (controllers, one, two) => {
  const alarms = alarmsIn((await make({ kafka: { ...kafka, controllers } })).resources);
  const threshold = Number(alarms["events-several-active-controllers"]!["threshold"]);
  expect(threshold).toBeGreaterThan(one);
  expect(threshold).toBeLessThan(two);
});

test("brokers that are the controllers are one target", async () => {
  const { resources, errors } = await make({ kafka: { ...kafka, combined: true } });
  expect(errors).toEqual([]);
  expect(alarmsIn(resources)["events-brokers-fenced"]).toMatchObject({ dimensions: { job: "kafka-broker" } });
  const targets = kafkaMetricsTargets({ kafkaName: "kafka", namespace: "events", combined: true });
  expect(Object.keys(targets)).toEqual(["kafka-broker", "kafka-certificates"]);
  expect(namesIn(targets)).toContain("kafka_active_controllers");
});

const seriesIn = (targets: Record<string, MetricsTarget>) => Object.values(targets).flatMap(({ series }) => series);
const namesIn = (targets: Record<string, MetricsTarget>) => seriesIn(targets).flatMap(({ metrics }) => metrics);

test("every metric of an alarm is in a series of its target, by its dimensions, and somebody exposes it", async () => {
  const targets: Record<string, MetricsTarget> = {
    ...kafkaMetricsTargets({ kafkaName: "kafka", namespace: "events", brokers: 2 }),
    "shop-kafka": kafkaStallTarget({ namespace: "shop", podLabels: { app: "shop" }, port: 9405 }),
  };
  const alarms = alarmsIn([...(await make()).resources, ...(await makeClient()).resources]);
  for (const [name, inputs] of Object.entries(alarms)) {
    const queries = (inputs["metricQueries"] ?? [{ metric: inputs }]) as Query[];
    for (const { metric } of queries) {
      if (metric === undefined) continue;
      const { job, ...labels } = metric.dimensions as Record<string, string>;
      const found = targets[job!]?.series.find(({ metrics }) => metrics.includes(metric.metricName));
      const wanted = Object.keys(labels).join();
      const sets = (found?.dimensions ?? [{}]).map((dimensions) => Object.keys(dimensions).join());
      expect([name, metric.metricName, sets]).toEqual([name, metric.metricName, expect.arrayContaining([wanted])]);
      if (job?.startsWith("kafka-") && metric.metricName.startsWith("kafka_")) {
        const kind = found?.kind === MetricKind.Counter ? "COUNTER" : "GAUGE";
        const exposed = job === "kafka-certificates" ? certificateProbeScript : metricsRules;
        expect(exposed).toMatch(
          job === "kafka-certificates"
            ? `# TYPE ${metric.metricName} gauge`
            : new RegExp(`name: ${metric.metricName}\\n    type: ${kind}`),
        );
      }
    }
  }
});

/** By hand, with two brokers: 3 gauges, 4 counters, used heap, and 2 metrics of each broker; 3 gauges, a counter and used heap; 2 of certificates. */
test("what the targets cost", () => {
  const targets = kafkaMetricsTargets({ kafkaName: "kafka", namespace: "events", brokers: 2 });
  expect(Object.values(targets).map((target) => customMetricCount({ target }))).toEqual([12, 5, 2]);
  const stall = kafkaStallTarget({ namespace: "shop", podLabels: { app: "shop" }, port: 9405 });
  expect(customMetricCount({ stall })).toBe(6);
});

test("overrides are for one alarm, or for that of every broker", async () => {
  const { resources, outputs, errors } = await make({
    namePrefix: "prod",
    strictWarmUp: false,
    overrides: {
      diskFilling: { enabled: false },
      diskNearlyFull: { threshold: 70 },
      brokersFenced: { enabled: false },
    },
  });
  expect(errors).toEqual([]);
  const alarms = alarmsIn(resources);
  for (const id of [100, 101]) {
    expect(alarms).not.toHaveProperty(`events-${id}-disk-filling`);
    expect(alarms[`events-${id}-disk-nearly-full`]).toMatchObject({ threshold: 70 });
  }
  expect(outputs?.names).toMatchObject({ "brokerSilent-101": "prod-events-101-broker-silent" });
  expect(outputs?.arns["uncleanElection"]).toBe("arn:events-unclean-election");
  expect(Object.keys(outputs!.names)).toHaveLength(14);
});

test("refuses all that is wrong at once", async () => {
  const { errors } = await make({
    cluster: { ...shopProd, name: "shop/prod" },
    kafka: { kafkaName: "Kafka", brokerIds: [100, 100], controllers: 4, brokerStorageGiB: 0 },
    ...({ routes: undefined, overrides: { silent: {}, diskFilling: { period: 60 } } } as object),
  });
  for (const part of [
    "cluster.name: must be the name of a cluster",
    "kafka.kafkaName: must be the name",
    "kafka.brokerIds: must be the brokers' ids, each once",
    "kafka.controllers: must be 3 or 5, not 4",
    "kafka.brokerStorageGiB: must be the size",
    "routes: is missing",
    "overrides.silent: is not an alarm of the set: use partitionsOffline,",
    "overrides.diskFilling.period: is not a setting of an alarm",
  ])
    expect(messages(errors)).toContain(`\n  - ${part}`);
  expect(messages((await makeClient({ target: "Shop" })).errors)).toContain("target: must be the name of a target");
});
