import type * as pulumi from "@pulumi/pulumi";
import { keyArnProblem } from "../../internal/formats";
import { imageProblem, requireKubernetesProvider } from "../../internal/kubernetes";
import { checkedLabelsInput } from "../../internal/labels";
import { retentionProblem } from "../../internal/log-retention";
import { requireNameFits } from "../../internal/names";
import { namespaceProblem } from "../../internal/object-names";
import { systemNodeLabels } from "../../internal/system-nodes";
import { oneOf, type Problems } from "../../internal/validate";
import { alarmNameOf, asciiProblem, requireAlarmName } from "../alarm-parts";
import { AlarmSeverity, routesProblems } from "../routes";
import { metricsClusterProblem } from "./alarm-set";
import { DiscoveryScope, type ClusterMetricsArgs, type HeartbeatArgs } from "./cluster-metrics-args";
import { quarterOfAnHour, type ScrapedAlarm } from "./scraped-alarm";
import { heartbeatProblem, targetProblems } from "./target-checks";
import { heartbeatGauge, MetricsPreset, presetTargets, type MetricsTargets } from "./targets";

/** The newest that AWS's own chart has installed (aws-observability/helm-charts, amazon-cloudwatch-observability 6.4.0, values.yaml). */
const defaultImage = "public.ecr.aws/cloudwatch-agent/cloudwatch-agent:1.300070.0b1586";

/** Namespace of the agent when none is named: that of the controllers it scrapes. */
const defaultNamespace = "kube-system";

const smallestMemoryMiB = 128;

/** A component's arguments with their defaults, checked. */
export interface ClusterMetricsPlan {
  readonly targets: MetricsTargets;
  readonly namespace: string;
  readonly image: pulumi.Input<string>;
  readonly memoryMiB: number;
  readonly region: pulumi.Input<string>;
  readonly nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>>;
  readonly logKeyArn: pulumi.Input<string> | undefined;
  readonly logGroupName: string;
  readonly logRetentionInDays: pulumi.Input<number>;
  readonly heartbeat: ScrapedAlarm;
  readonly alarmName: string;
  readonly runbookUrl: pulumi.Input<string> | undefined;
}

/** Applies defaults; adds to `problems` whatever is wrong. */
export function planClusterMetrics(
  component: pulumi.ComponentResource,
  name: string,
  args: ClusterMetricsArgs,
  problems: Problems,
): ClusterMetricsPlan {
  requireKubernetesProvider(component, problems);
  requireNameFits(problems, "IAM role", `${name}-role`);
  requireNameFits(problems, "Kubernetes object", `${name}-prometheus`);
  metricsClusterProblem(problems, args.cluster);

  routesProblems(problems, args.routes);
  const targets = tableOf(args, problems);
  const heartbeat = heartbeatOf(args, targets, problems);
  const alarmName = alarmNameOf(args.namePrefix, name, heartbeat.suffix);
  requireAlarmName(problems, alarmName);

  problems.add("discovery", oneOf(DiscoveryScope, args.discovery));
  const namespace = args.namespace ?? defaultNamespace;
  problems.add("namespace", namespaceProblem(namespace));
  const memoryMiB = args.memoryMiB ?? 512;
  problems.unless(
    Number.isInteger(memoryMiB) && memoryMiB >= smallestMemoryMiB,
    "memoryMiB",
    `must be a whole number of at least ${smallestMemoryMiB}, not ${memoryMiB}`,
  );
  return {
    targets,
    namespace,
    image: problems.input(args.image ?? defaultImage, "image", imageProblem),
    memoryMiB,
    region: problems.input(args.region, "region", regionProblem),
    nodeSelector: checkedLabelsInput(problems, "nodeSelector", args.nodeSelector ?? systemNodeLabels),
    logKeyArn: problems.input<string>(args.logKeyArn, "logKeyArn", keyArnProblem),
    // Plain, because the agent's configuration names it. The component's name keeps two of them apart.
    logGroupName: `/moorings/${args.cluster.name}/${name}`,
    logRetentionInDays: problems.input(args.logRetentionInDays ?? 7, "logRetentionInDays", retentionProblem),
    heartbeat,
    alarmName,
    runbookUrl: problems.input<string>(args.runbookUrl, "runbookUrl", asciiProblem),
  };
}

/** The agent would ask a host that isn't there, and say so in its log only. */
function regionProblem(region: string): string | undefined {
  return /^[a-z]+(-[a-z]+)+-\d+$/.test(region)
    ? undefined
    : `must be a region of AWS, such as eu-west-1, not "${region}"`;
}

function tableOf(args: ClusterMetricsArgs, problems: Problems): MetricsTargets {
  const known = Object.values(MetricsPreset);
  const given = args.presets ?? known;
  given.forEach((preset, index) => problems.add(`presets[${index}]`, oneOf(MetricsPreset, preset)));
  const presets = given.filter((preset) => known.includes(preset));
  const further = args.targets ?? {};
  for (const preset of presets)
    problems.unless(
      !Object.hasOwn(further, preset),
      `targets.${preset}`,
      `is the name of a preset: leave the preset out of presets, or choose another name`,
    );
  targetProblems(problems, "targets", further);
  const targets = { ...Object.fromEntries(presets.map((preset) => [preset, presetTargets[preset]])), ...further };
  problems.unless(
    given.length > 0 || Object.keys(further).length > 0,
    "targets",
    "is empty, and so is presets: name something whose metrics are read",
  );
  return targets;
}

/**
 * The alarm on the pipeline itself. Without it a dead agent looks like a healthy cluster, because alarms on errors take silence for none. It
 * listens to the target that is there first and stays: Karpenter's pods run on the system nodes, two of them, before anything else.
 */
function heartbeatOf(args: ClusterMetricsArgs, targets: MetricsTargets, problems: Problems): ScrapedAlarm {
  const names = Object.keys(targets);
  const first = names.includes(MetricsPreset.Karpenter) ? MetricsPreset.Karpenter : (names[0] ?? "");
  const given: HeartbeatArgs = args.heartbeat ?? { target: first };
  const { target, metric = heartbeatGauge } = given;
  if (names.length > 0) problems.add("heartbeat", heartbeatProblem(targets, target, metric));
  return {
    suffix: "pipeline-silent",
    severity: AlarmSeverity.Page,
    target,
    metric,
    // How often it arrived, whatever it says.
    statistic: "SampleCount",
    ...quarterOfAnHour,
    comparison: "LessThanThreshold",
    threshold: 1,
    missingData: "breaching",
    warmsUp: true,
    happened:
      `No metrics of ${target} for 15 minutes: the agent in ${args.cluster.name} is dead, can't write, or can't reach its targets. ` +
      "Until it is back, alarms on what it brings (controllers, Kafka) stay green whatever happens. Visitors see nothing of it.",
  };
}
