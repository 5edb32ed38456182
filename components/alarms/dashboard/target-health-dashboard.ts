import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { locationOf } from "../../internal/iam";
import { checked, Problems } from "../../internal/validate";
import type { DashboardEdge, TargetHealthDashboardArgs } from "./dashboard-args";
import { dashboardBody, limitProblem } from "./dashboard-body";
import { checkedEdges, groupsOf, plainFacts } from "./dashboard-checks";
import { targetHealthDashboardUrl } from "./dashboard-url";
import type { DashboardBody, EdgeFacts } from "./widgets";

/**
 * A CloudWatch dashboard of the health of targets: all alarms, and for each edge the healthy hosts, the unhealthy and registered ones, those
 * of each zone, and what was sent to unhealthy hosts. Lines are where alarms fire and how many replicas the workload declares.
 *
 * Give its address to the alarms, so that whoever is paged has it at hand: {@link targetHealthDashboardUrl} with the same name.
 *
 *     const name = "prod-edge";
 *     const alarms = new TargetHealthAlarms("web", { ..., dashboardUrl: targetHealthDashboardUrl(name, "eu-west-1") });
 *     new TargetHealthDashboard(name, { edges: { web: { ..., alarmArns: alarms.alarmArns } } });
 */
export class TargetHealthDashboard extends pulumi.ComponentResource {
  /** Name of the dashboard. */
  public readonly dashboardName: pulumi.Output<string>;
  /** Address of the dashboard in the console. */
  public readonly dashboardUrl: pulumi.Output<string>;

  constructor(name: string, args: TargetHealthDashboardArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:TargetHealthDashboard", name, args, opts);
    const dashboardName = args.dashboardName ?? name;
    const problems = new Problems("TargetHealthDashboard", name);
    const edges = checkedEdges(problems, dashboardName, args);
    problems.throwIfAny();

    const { region } = locationOf(this);
    const body = pulumi
      .all([region, pulumi.all(Object.entries(edges).map(edgeFacts))])
      .apply(([known, facts]) => bodyOf(args, known, facts));
    const dashboard = new aws.cloudwatch.Dashboard(
      `${name}-dashboard`,
      {
        dashboardName,
        // Alarms are counted here: how many there are is known late.
        dashboardBody: checked(body, "edges", limitProblem).apply((known) => JSON.stringify(known)),
      },
      { parent: this },
    );

    this.dashboardName = dashboard.dashboardName;
    this.dashboardUrl = targetHealthDashboardUrl(dashboardName, region);
    this.registerOutputs({ dashboardName: this.dashboardName, dashboardUrl: this.dashboardUrl });
  }
}

type Known = EdgeFacts & { readonly alarmArns: readonly string[] };

function bodyOf(args: TargetHealthDashboardArgs, region: string, edges: readonly Known[]): DashboardBody {
  return dashboardBody({
    region,
    hours: args.hours ?? 24,
    edges,
    alarmArns: edges.flatMap(({ alarmArns }) => alarmArns),
  });
}

function edgeFacts([title, edge]: [string, DashboardEdge]): pulumi.Output<Known> {
  return pulumi
    .all([
      pulumi.output(edge.loadBalancerArnSuffix),
      pulumi.output(groupsOf(edge)),
      pulumi.output(edge.alarmArns ?? {}),
    ])
    .apply(([loadBalancer, targetGroups, alarmArns]) => ({
      title,
      ...plainFacts(edge),
      loadBalancer,
      targetGroups,
      alarmArns: Object.values(alarmArns),
    }));
}
