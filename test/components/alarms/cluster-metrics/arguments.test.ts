import {
  DiscoveryScope,
  MetricKind,
  MetricsPreset,
  type ClusterMetricsArgs,
  type MetricsTarget,
} from "../../../../components/alarms";
import { shopProd } from "../../../support/clusters";
import { messages } from "../../load-balancing/setup";
import { make, routes } from "./setup";

const kafka: MetricsTarget = {
  namespace: "kafka",
  podLabels: { app: "kafka" },
  port: 9404,
  series: [{ metrics: ["jvm_threads"], kind: MetricKind.Gauge }],
};
const target = (change: Partial<MetricsTarget>) => ({ targets: { kafka: { ...kafka, ...change } } });
const counter = (metrics: string[], more: object = {}) =>
  target({ series: [{ metrics, kind: MetricKind.Counter, ...more }] });
const gauge = (metrics: string[]) => target({ series: [{ metrics, kind: MetricKind.Gauge }] });

test.each<[string, Partial<ClusterMetricsArgs>, RegExp]>([
  [
    "a bucket of a histogram",
    counter(["latency_seconds_bucket"]),
    /targets\.kafka\.series\[0\]\.metrics: .*part of a histogram/,
  ],
  ["a bucket that is called a gauge", gauge(["latency_seconds_bucket"]), /part of a histogram/],
  ["a histogram's sum", counter(["latency_seconds_sum"]), /part of a histogram/],
  ["a histogram's count", counter(["latency_seconds_count"]), /part of a histogram/],
  ["Prometheus' own sign of life", gauge(["up"]), /can't have up: the agent drops/],
  ["what Prometheus says of a scrape", gauge(["scrape_duration_seconds"]), /the agent drops/],
  ["a pattern", counter(["kafka_.*"]), /without patterns, not "kafka_\.\*"/],
  ["no metric", counter([]), /series\[0\]\.metrics: must name a metric/],
  ["a metric twice", counter(["a_total", "a_total"]), /names a_total twice/],
  ["no series", target({ series: [] }), /targets\.kafka\.series: must name what is kept/],
  [
    "a filter without values",
    counter(["a_total"], { only: { code: [] } }),
    /only\.code: must be a label and the values/,
  ],
  ["a filter with a separator", counter(["a_total"], { only: { code: ["a;b"] } }), /only\.code: .* without ;/],
  [
    "a label that can't be one",
    counter(["a_total"], { dimensions: [{ "a-b": 1 }] }),
    /dimensions\[0\]\.a-b: must be a label/,
  ],
  ["the target's own label", counter(["a_total"], { dimensions: [{ job: 1 }] }), /job is always there/],
  ["no values", counter(["a_total"], { dimensions: [{ code: 0 }] }), /number of values .* not 0/],
  ["no set of dimensions", counter(["a_total"], { dimensions: [] }), /dimensions: must have a set, such as \{\}/],
  [
    "more dimensions than the agent takes",
    counter(["a_total"], { dimensions: [Object.fromEntries([..."abcdefghij"].map((label) => [label, 1]))] }),
    /has 10 labels; with job the agent takes 10/,
  ],
  ["a target in upper case", { targets: { Kafka: kafka } }, /targets\.Kafka: must have a name of lower-case/],
  ["a target of a preset's name", { targets: { karpenter: kafka } }, /targets\.karpenter: is the name of a preset/],
  ["pods without a label", target({ podLabels: {} }), /podLabels: must name a label/],
  [
    "a kind that is none",
    counter(["a_total"], { kind: "histogram" }),
    /series\[0\]\.kind: must be one of gauge, counter/,
  ],
  ["a preset that is none", { presets: ["kafka" as MetricsPreset] }, /presets\[0\]: must be one of karpenter, load-/],
  [
    "a preset of a name that every object has",
    { presets: [MetricsPreset.Karpenter, "constructor" as MetricsPreset] },
    /presets\[1\]: must be one of karpenter, load-/,
  ],
  ["a heartbeat of such a name", { heartbeat: { target: "constructor" } }, /heartbeat: must name a target/],
  [
    "a place to look that is none",
    { discovery: "everywhere" as DiscoveryScope },
    /discovery: must be one of namespaces/,
  ],
  ["no region", { region: "" }, /region: must be a region of AWS, such as eu-west-1, not ""/],
  ["a zone", { region: "eu-west-1a" }, /region: must be a region of AWS/],
  ["a node's label with a space", { nodeSelector: { "a b": "c" } }, /nodeSelector\["a b"\]: must be a key such as/],
  ["a key's alias", { logKeyArn: "alias/logs" }, /logKeyArn: must be the ARN of a KMS key/],
  ["a label's value with a space", target({ podLabels: { app: "a b" } }), /podLabels\["app"\]: must be at most 63/],
  [
    "a namespace in upper case",
    target({ namespace: "Kafka" }),
    /targets\.kafka\.namespace: must be the name of a namespace/,
  ],
  ["a port beyond all", target({ port: 70000 }), /targets\.kafka\.port: must be a whole number/],
  ["a relative path", target({ path: "metrics" }), /targets\.kafka\.path: must begin with \//],
  ["nothing to scrape", { presets: [] }, /targets: is empty, and so is presets/],
  [
    "a heartbeat of nobody",
    { heartbeat: { target: "kafka" } },
    /heartbeat: .* there is no go_goroutines of kafka among karpenter/,
  ],
  [
    "a heartbeat that is a counter",
    { heartbeat: { target: "karpenter", metric: "karpenter_cloudprovider_errors_total" } },
    /heartbeat: must be a gauge with the dimensions \{\}/,
  ],
  [
    "a heartbeat by node pool",
    { heartbeat: { target: "karpenter", metric: "karpenter_nodepools_allowed_disruptions" } },
    /heartbeat: must be a gauge with the dimensions \{\}/,
  ],
  ["a retention that AWS doesn't have", { logRetentionInDays: 8 }, /logRetentionInDays: must be one of/],
  ["too little memory", { memoryMiB: 64 }, /memoryMiB: must be a whole number of at least 128/],
  ["an image with a space", { image: "a b" }, /image: must be the name of an image/],
  ["a namespace for the agent in upper case", { namespace: "Kube" }, /namespace: must be the name of a namespace/],
  [
    "a topic that is none",
    { routes: { ...routes, pageTopicArn: "page" } },
    /routes\.pageTopicArn: must be the ARN of an SNS topic/,
  ],
  ["an umlaut in an address", { runbookUrl: "https://wiki/b\u00fcro" }, /runbookUrl: must be ASCII/],
  ["a cluster without a name", { cluster: { ...shopProd, name: "" } }, /cluster\.name: must be the name of a cluster/],
  ["a name that CloudWatch refuses late", { namePrefix: "b\u00fcro" }, /name: makes the alarm name .* must be ASCII/],
])("refuses %s", async (_, args, expected) => {
  expect(messages((await make(args)).errors)).toMatch(expected);
});

test.each(["eu-west-1", "ap-southeast-2", "us-gov-west-1", "cn-northwest-1"])("takes the region %s", async (region) => {
  expect((await make({ region })).errors).toEqual([]);
});

test("a gauge may be called a count, as Karpenter's is", async () => {
  expect((await make(gauge(["karpenter_scheduler_unschedulable_pods_count"]))).errors).toEqual([]);
});

// A program without types, or a key of ownerRoutes that isn't there.
test("refuses no routes at all", async () => {
  expect(messages((await make({ ...({ routes: undefined } as object) })).errors)).toMatch(/routes: is missing/);
});

test("all is reported at once", async () => {
  const { errors } = await make({ ...counter(["a_sum", "up"]), memoryMiB: 1, presets: [MetricsPreset.Karpenter] });
  expect(messages(errors).match(/\n {2}- /g)).toHaveLength(3);
});

// A role's name: 64 characters, of which "-role" and Pulumi's suffix take 13; a Kubernetes object's: 63, "-prometheus" and the suffix take 20.
test("refuses a name that is too long for what it makes", async () => {
  expect((await make({}, {}, "m".repeat(43))).errors).toEqual([]);
  expect(messages((await make({}, {}, "m".repeat(44))).errors)).toMatch(/name: makes the Kubernetes object/);
});
