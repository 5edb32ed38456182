import * as moorings from "../../../components";
import { cluster, routes, sample, tags, type Sample } from "./sample";

/** Samples of how metrics of pods get to CloudWatch, and of alarms on them. */
export const metricsSamples: Record<string, Sample> = {
  ClusterMetrics: sample(
    moorings.ClusterMetrics,
    { cluster, region: "eu-west-1", routes },
    {
      presets: [moorings.MetricsPreset.Karpenter],
      targets: {
        kafka: {
          namespace: "kafka",
          podLabels: { app: "kafka" },
          port: 9404,
          path: "/",
          series: [
            { metrics: ["jvm_threads"], kind: moorings.MetricKind.Gauge },
            {
              metrics: ["kafka_requests_total"],
              kind: moorings.MetricKind.Counter,
              only: { listener: ["CLIENT"] },
              dimensions: [{}, { request: 2 }],
            },
          ],
        },
      },
      discovery: moorings.DiscoveryScope.Cluster,
      heartbeat: { target: "kafka", metric: "jvm_threads" },
      namespace: "web",
      nodeSelector: { pool: "system" },
      image: "registry.acme.io/cloudwatch-agent:1.300070.0b1586",
      memoryMiB: 256,
      logRetentionInDays: 30,
      logKeyArn: "arn:aws:kms:eu-west-1:123456789012:key/0123",
      runbookUrl: "https://runbooks.acme.io/metrics",
      namePrefix: "shop",
      strictWarmUp: false,
      tags,
    },
    { args: { memoryMiB: 1, presets: [] }, messages: ["memoryMiB", "targets"] },
    { kubernetes: true },
  ),
  KarpenterAlarms: sample(
    moorings.KarpenterAlarms,
    { cluster, queueName: "karpenter-interruptions-1a2b3c4", routes },
    {
      overrides: { launchErrors: { enabled: false }, podsUnschedulable: { severity: moorings.AlarmSeverity.Page } },
      runbookUrl: "https://runbooks.acme.io/karpenter",
      namePrefix: "shop",
      strictWarmUp: false,
      tags,
    },
    {
      args: { overrides: { launchErrors: { threshold: 0 } }, queueName: "arn:aws:sqs:eu-west-1:123456789012:queue" },
      messages: ["overrides.launchErrors.threshold", "queueName"],
    },
  ),
  LoadBalancerControllerAlarms: sample(
    moorings.LoadBalancerControllerAlarms,
    { cluster, routes },
    {
      overrides: { bindingErrors: { enabled: false }, controllerSilent: { severity: moorings.AlarmSeverity.Ticket } },
      runbookUrl: "https://runbooks.acme.io/controller",
      namePrefix: "shop",
      strictWarmUp: false,
      tags,
    },
    {
      args: { overrides: { bindingErrors: { datapointsToAlarm: 9 } }, namePrefix: "b\u00fcro" },
      messages: ["overrides.bindingErrors.datapointsToAlarm", "name"],
    },
  ),
};
