import * as aws from "@pulumi/aws";
import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../../internal/arguments";
import { sha256 } from "../../internal/checksum";
import { policyDocument, serviceAccountTrust } from "../../internal/iam";
import { tagsFor } from "../../internal/tags";
import { Problems } from "../../internal/validate";
import {
  agentConfig,
  agentConfigFile,
  customMetricCount,
  metricNamespaceOf,
  prometheusConfig,
  prometheusConfigFile,
} from "./agent-config";
import { agentPodSpec } from "./agent-pod";
import { commonSettings } from "./alarm-set";
import { DiscoveryScope, type ClusterMetricsArgs } from "./cluster-metrics-args";
import { allowDiscovery } from "./discovery";
import { planClusterMetrics } from "./plan";
import { makeScrapedAlarm } from "./scraped-alarm";
import { clusterMetricsArguments } from "./shapes";

/**
 * Brings what pods expose for Prometheus to CloudWatch, into the namespace `Moorings/<cluster>`, so that alarms on it can page: one CloudWatch
 * agent, which scrapes the targets of a table each minute. Only what the table names is kept; each name and each value of a dimension is a
 * custom metric that AWS bills (`customMetrics`).
 *
 * An alarm listens to the pipeline itself: without it every alarm on these metrics would be green for ever after the agent dies.
 *
 * One agent, because two would count everything twice. While it moves to another node a minute or two are missing, and what counters grew by
 * in that time; every alarm here looks at a quarter of an hour. A disruption budget for one pod would only block drains, so there is none.
 */
export class ClusterMetrics extends pulumi.ComponentResource {
  /** CloudWatch namespace of the metrics: `Moorings/<cluster>`. Plain. */
  public readonly namespace: pulumi.Output<string>;
  /** How many custom metrics AWS bills for the table, by the number of values that it expects of each dimension. */
  public readonly customMetrics: pulumi.Output<number>;
  /** Labels of the agent's pods, for network policies of what it scrapes. */
  public readonly podLabels: pulumi.Output<Record<string, string>>;
  /** Log group of the events that the metrics are made of. */
  public readonly logGroupName: pulumi.Output<string>;
  /** ARN of the agent's role. */
  public readonly roleArn: pulumi.Output<string>;
  /** ARN of the alarm on the pipeline. */
  public readonly alarmArn: pulumi.Output<string>;
  /** Physical name of the alarm on the pipeline. */
  public readonly alarmName: pulumi.Output<string>;

  constructor(name: string, args: ClusterMetricsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:ClusterMetrics", name, args, opts);
    const problems = new Problems("ClusterMetrics", name);
    const given = corrected(problems, args, clusterMetricsArguments);
    const plan = planClusterMetrics(this, name, given, problems);
    problems.throwIfAny();
    const { targets, namespace } = plan;
    const child = { parent: this };

    const logGroup = new aws.cloudwatch.LogGroup(
      `${name}-logs`,
      {
        name: plan.logGroupName,
        retentionInDays: plan.logRetentionInDays,
        kmsKeyId: plan.logKeyArn,
        tags: tagsFor(given.tags, `${name}-logs`),
      },
      child,
    );
    const role = new aws.iam.Role(
      `${name}-role`,
      {
        description: `Writes metrics of ${given.cluster.name} (CloudWatch agent)`,
        assumeRolePolicy: serviceAccountTrust(given.cluster, namespace, name),
        tags: tagsFor(given.tags, `${name}-role`),
      },
      child,
    );
    // The two calls that the agent makes (awsemfexporter, internal/aws/cwlogs/cwlog_client.go). Were the group missing it would make one without
    // an expiry; it may not.
    const policy = new aws.iam.Policy(
      `${name}-policy`,
      {
        description: `Metrics of ${given.cluster.name}: the agent's own log group`,
        policy: policyDocument([
          {
            Sid: "WriteOwnLogGroup",
            Effect: "Allow",
            Action: ["logs:CreateLogStream", "logs:PutLogEvents"],
            Resource: pulumi.interpolate`${logGroup.arn}:*`,
          },
        ]),
        tags: tagsFor(given.tags, `${name}-policy`),
      },
      child,
    );
    const attachment = new aws.iam.RolePolicyAttachment(
      `${name}-attachment`,
      { role: role.name, policyArn: policy.arn },
      child,
    );

    const account = new k8s.core.v1.ServiceAccount(
      `${name}-account`,
      {
        // The role trusts this name.
        metadata: { name, namespace, annotations: { "eks.amazonaws.com/role-arn": role.arn } },
        automountServiceAccountToken: false,
      },
      child,
    );
    const subject = { kind: "ServiceAccount", name: account.metadata.name, namespace };
    const discovery = allowDiscovery(this, name, given.discovery ?? DiscoveryScope.Namespaces, targets, subject);

    const settings = { clusterName: given.cluster.name, region: plan.region, logGroupName: plan.logGroupName };
    const agentText = pulumi.jsonStringify(agentConfig(targets, settings), undefined, 2);
    const prometheusText = JSON.stringify(prometheusConfig(targets), undefined, 2);
    const config = (key: string, file: string, text: pulumi.Input<string>) =>
      new k8s.core.v1.ConfigMap(`${name}-${key}`, { metadata: { namespace }, data: { [file]: text } }, child);
    const agentConfigMap = config("agent", agentConfigFile, agentText);
    const prometheusConfigMap = config("prometheus", prometheusConfigFile, prometheusText);

    const podLabels: Record<string, string> = {
      "app.kubernetes.io/name": "cloudwatch-agent",
      "app.kubernetes.io/instance": name,
    };
    const deployment = new k8s.apps.v1.Deployment(
      `${name}-agent`,
      {
        metadata: { namespace, labels: podLabels },
        spec: {
          replicas: 1,
          // Never two at a time: both would count.
          strategy: { type: "Recreate" },
          selector: { matchLabels: podLabels },
          template: {
            metadata: {
              labels: podLabels,
              annotations: {
                // The agent reads its configuration once, and pods get their credentials when they start.
                "moorings.dev/configuration-checksum": sha256(pulumi.interpolate`${agentText}${prometheusText}`),
                "moorings.dev/role-arn": role.arn,
              },
            },
            spec: agentPodSpec({
              serviceAccountName: account.metadata.name,
              image: plan.image,
              memoryMiB: plan.memoryMiB,
              nodeSelector: plan.nodeSelector,
              agentConfigName: agentConfigMap.metadata.name,
              prometheusConfigName: prometheusConfigMap.metadata.name,
            }),
          },
        },
      },
      // The log group is only named in the configuration.
      { parent: this, dependsOn: [logGroup, attachment, ...discovery] },
    );

    const alarm = makeScrapedAlarm(
      this,
      `${name}-${plan.heartbeat.suffix}`,
      plan.alarmName,
      plan.heartbeat,
      `kubectl logs --namespace ${namespace} --selector app.kubernetes.io/instance=${name} --tail 50`,
      { ...commonSettings(given, plan.runbookUrl), dependsOn: [deployment] },
    );

    this.namespace = pulumi.output(metricNamespaceOf(given.cluster.name));
    this.customMetrics = pulumi.output(customMetricCount(targets));
    this.podLabels = pulumi.output(podLabels);
    this.logGroupName = logGroup.name;
    this.roleArn = role.arn;
    this.alarmArn = alarm.arn;
    this.alarmName = alarm.name;
    this.registerOutputs({
      namespace: this.namespace,
      customMetrics: this.customMetrics,
      podLabels: this.podLabels,
      logGroupName: this.logGroupName,
      roleArn: this.roleArn,
      alarmArn: this.alarmArn,
      alarmName: this.alarmName,
    });
  }
}
