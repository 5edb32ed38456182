import type * as pulumi from "@pulumi/pulumi";
import type { Problems } from "../../internal/validate";
import { LoadBalancerType } from "../target-health/args";
import type { DashboardEdge, TargetHealthDashboardArgs } from "./dashboard-args";
import { dashboardBody, limitProblem } from "./dashboard-body";
import { crossZoneProblem } from "../target-health/edge";
import { loadBalancerSuffixProblem, targetGroupSuffixProblem } from "../target-health/suffixes";
import type { EdgeFacts } from "./widgets";

/** The target groups of an edge by the names that graphs show; the only one needs none. */
export function groupsOf(edge: DashboardEdge): Record<string, pulumi.Input<string>> {
  return edge.targetGroupArnSuffix === undefined
    ? (edge.targetGroupArnSuffixes ?? {})
    : { "": edge.targetGroupArnSuffix };
}

/** What of an edge is known from the beginning. */
export function plainFacts(edge: DashboardEdge): Omit<EdgeFacts, "title" | "loadBalancer" | "targetGroups"> {
  return {
    network: edge.loadBalancerType === LoadBalancerType.Network,
    zones: edge.availabilityZones,
    crossZone: edge.crossZone ?? true,
    minReplicas: edge.minReplicas,
    lowThreshold: edge.lowThreshold ?? 2,
  };
}

/** Records what is wrong with the arguments, and returns the edges to use in place of the given ones: with suffixes that are checked when known. */
export function checkedEdges(
  problems: Problems,
  dashboardName: string,
  args: TargetHealthDashboardArgs,
): Record<string, DashboardEdge> {
  problems.unless(
    /^[A-Za-z0-9_-]{1,255}$/.test(dashboardName),
    "dashboardName",
    `must be letters, digits, hyphens and underscores, at most 255 (CloudWatch, PutDashboard), not "${dashboardName}"`,
  );
  const hours = args.hours ?? 24;
  problems.unless(
    Number.isInteger(hours) && hours >= 1 && hours <= 360,
    "hours",
    `must be a whole number from 1 to 360, not ${hours}: CloudWatch keeps single minutes for 15 days`,
  );
  const edges = Object.entries(args.edges);
  problems.unless(edges.length > 0, "edges", "is empty: name what the dashboard is to show");
  for (const [title, edge] of edges) edgeProblems(problems, `edges.${title}`, edge);
  problems.add("edges", limitProblem(skeleton(args)));
  return Object.fromEntries(edges.map(([title, edge]) => [title, withSuffixes(problems, `edges.${title}`, edge)]));
}

function withSuffixes(problems: Problems, at: string, edge: DashboardEdge): DashboardEdge {
  const group = (suffix: pulumi.Input<string>, argument: string) =>
    problems.input(suffix, `${at}.${argument}`, targetGroupSuffixProblem);
  const { targetGroupArnSuffix: one, targetGroupArnSuffixes: several } = edge;
  return {
    ...edge,
    loadBalancerArnSuffix: problems.input(
      edge.loadBalancerArnSuffix,
      `${at}.loadBalancerArnSuffix`,
      loadBalancerSuffixProblem(edge.loadBalancerType),
    ),
    targetGroupArnSuffix: one === undefined ? undefined : group(one, "targetGroupArnSuffix"),
    targetGroupArnSuffixes:
      several &&
      Object.fromEntries(
        Object.entries(several).map(([name, suffix]) => [name, group(suffix, `targetGroupArnSuffixes.${name}`)]),
      ),
  };
}

function edgeProblems(problems: Problems, at: string, edge: DashboardEdge): void {
  const { targetGroupArnSuffix, targetGroupArnSuffixes, availabilityZones } = edge;
  problems.unless(
    (targetGroupArnSuffix === undefined) !== (targetGroupArnSuffixes === undefined),
    `${at}.targetGroupArnSuffix`,
    "give this for one target group, or targetGroupArnSuffixes for several, and not both",
  );
  problems.unless(
    targetGroupArnSuffixes === undefined || Object.keys(targetGroupArnSuffixes).length > 0,
    `${at}.targetGroupArnSuffixes`,
    "is empty: name a target group",
  );
  problems.add(`${at}.crossZone`, crossZoneProblem(edge));
  problems.unless(availabilityZones?.length !== 0, `${at}.availabilityZones`, "is empty: leave it out to show all");
  problems.unless(
    edge.crossZone !== false || availabilityZones !== undefined,
    `${at}.availabilityZones`,
    "is missing: without cross-zone load balancing the graphs add up the zones, so name them",
  );
  for (const key of ["minReplicas", "lowThreshold"] as const) {
    const value = edge[key] ?? 1;
    problems.unless(
      Number.isInteger(value) && value >= 1,
      `${at}.${key}`,
      `must be a whole number of at least 1, not ${value}`,
    );
  }
}

/** The dashboard without what is known late, to count its parts. */
function skeleton(args: TargetHealthDashboardArgs): ReturnType<typeof dashboardBody> {
  return dashboardBody({
    region: "",
    hours: 1,
    alarmArns: [],
    edges: Object.entries(args.edges).map(([title, edge]) => ({
      title,
      ...plainFacts(edge),
      loadBalancer: "",
      targetGroups: Object.fromEntries(Object.keys(groupsOf(edge)).map((name) => [name, ""])),
    })),
  });
}
