import { ClusterMetrics, type ClusterMetricsArgs } from "../../../../components/alarms";
import { shopProd } from "../../../support/clusters";
import { find } from "../../../support/graph";
import type { Registration, RunOptions } from "../../../support/harness";
import { withCluster } from "../../load-balancing/setup";

export const types = {
  account: "kubernetes:core/v1:ServiceAccount",
  alarm: "aws:cloudwatch/metricAlarm:MetricAlarm",
  attachment: "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
  config: "kubernetes:core/v1:ConfigMap",
  deployment: "kubernetes:apps/v1:Deployment",
  logs: "aws:cloudwatch/logGroup:LogGroup",
  policy: "aws:iam/policy:Policy",
  role: "aws:iam/role:Role",
};

export const routes = {
  pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
  ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
};

/** Answers of the providers; ARNs as AWS writes them. */
const state: NonNullable<RunOptions["state"]> = ({ type, name, inputs }) => {
  const given = inputs as { name?: string; metadata?: { name?: string } };
  if (type === types.logs) return { arn: `arn:aws:logs:eu-west-1:123456789012:log-group:${given.name ?? name}` };
  if (type.startsWith("aws:")) return { arn: `arn:aws:${name}` };
  return type.startsWith("kubernetes:")
    ? { metadata: { ...given.metadata, name: given.metadata?.name ?? `${name}-1a2b3c4d` } }
    : {};
};

export const make = (change: Partial<ClusterMetricsArgs> = {}, options: RunOptions = {}, name = "metrics") =>
  withCluster(
    (opts) => {
      const made = new ClusterMetrics(name, { cluster: shopProd, region: "eu-west-1", routes, ...change }, opts);
      return {
        namespace: made.namespace,
        customMetrics: made.customMetrics,
        podLabels: made.podLabels,
        logGroupName: made.logGroupName,
        alarmName: made.alarmName,
      };
    },
    { state, ...options },
  );

const fileOf = (resources: readonly Registration[], name: string, file: string) =>
  JSON.parse((find(resources, types.config, name).inputs["data"] as Record<string, string>)[file]!) as unknown;
export const agentFile = (resources: readonly Registration[]) =>
  fileOf(resources, "metrics-agent", "cwagentconfig.json");
export const prometheusFile = (resources: readonly Registration[]) =>
  fileOf(resources, "metrics-prometheus", "prometheus.yaml");
