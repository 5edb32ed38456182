import type * as pulumi from "@pulumi/pulumi";
import type { Problems } from "../../internal/validate";
import { LoadBalancerType, type ReadyPodsMetric, type TargetHealthAlarmsArgs } from "./args";
import { mostDimensions } from "./checks";
import type { HostSeries } from "./queries";
import { loadBalancerSuffixProblem, targetGroupSuffixProblem } from "./suffixes";

/** What is watched, with the values checked that CloudWatch would take for metrics that don't exist. */
export interface CheckedSeries {
  readonly loadBalancer: pulumi.Input<string>;
  readonly targetGroups: readonly pulumi.Input<string>[];
  /** One for each target group and zone. */
  readonly series: readonly HostSeries[];
  readonly readyPods: ReadyPodsMetric | undefined;
}

export function checkedSeries(args: TargetHealthAlarmsArgs, problems: Problems): CheckedSeries {
  const network = args.loadBalancerType === LoadBalancerType.Network;
  const loadBalancer = problems.input(
    args.loadBalancerArnSuffix,
    "loadBalancerArnSuffix",
    loadBalancerSuffixProblem(args.loadBalancerType),
  );
  const groups = groupsOf(args).map(({ label, argument, suffix }) => ({
    label,
    suffix: problems.input(suffix, argument, targetGroupSuffixProblem),
  }));
  const zones = args.crossZone === false ? (args.availabilityZones ?? []) : [undefined];
  const namespace = network ? "AWS/NetworkELB" : "AWS/ApplicationELB";
  return {
    loadBalancer,
    targetGroups: groups.map(({ suffix }) => suffix),
    series: groups.flatMap(({ label, suffix }) =>
      zones.map((zone) => ({
        label: [label, zone].filter((part) => part !== undefined).join(" "),
        namespace,
        dimensions: {
          LoadBalancer: loadBalancer,
          TargetGroup: suffix,
          ...(zone === undefined ? {} : { AvailabilityZone: zone }),
        },
      })),
    ),
    readyPods: args.readyPods && checkedReadyPods(args.readyPods, problems),
  };
}

function groupsOf(args: TargetHealthAlarmsArgs) {
  const one = args.targetGroupArnSuffix;
  return [
    ...(one === undefined ? [] : [{ label: undefined, argument: "targetGroupArnSuffix", suffix: one }]),
    ...Object.entries(args.targetGroupArnSuffixes ?? {}).map(([label, suffix]) => ({
      label,
      argument: `targetGroupArnSuffixes.${label}`,
      suffix,
    })),
  ];
}

function checkedReadyPods(metric: ReadyPodsMetric, problems: Problems): ReadyPodsMetric {
  const given = (what: "namespace" | "metricName") =>
    problems.input(metric[what], `readyPods.${what}`, (text) =>
      text.trim() === "" ? "is empty: write the metric's own" : undefined,
    );
  const count = Object.keys(metric.dimensions).length;
  problems.unless(
    count > 0,
    "readyPods.dimensions",
    "is empty, and the pods of one service are no metric without dimensions: write all that the metric has, or CloudWatch finds nothing",
  );
  problems.unless(
    count <= mostDimensions,
    "readyPods.dimensions",
    `has ${count} dimensions, and CloudWatch takes ${mostDimensions}`,
  );
  return { namespace: given("namespace"), metricName: given("metricName"), dimensions: metric.dimensions };
}
