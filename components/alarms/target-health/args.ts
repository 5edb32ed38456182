import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes } from "../routes";
import type { TargetHealthAlarmOverrides } from "./override-args";
import type { PlannedWorkArgs } from "./planned-work";

/** Kind of the load balancer in front of the targets. */
export enum LoadBalancerType {
  /** An Application Load Balancer: metrics of `AWS/ApplicationELB`. */
  Application = "application",
  /** A Network Load Balancer: metrics of `AWS/NetworkELB`. */
  Network = "network",
}

/** What a target group registers. */
export enum TargetType {
  /** Addresses of pods. */
  Ip = "ip",
  /** Instances, reached at a node port. */
  Instance = "instance",
  /** An Application Load Balancer behind a Network Load Balancer. Refused: such hosts aren't counted. */
  Alb = "alb",
  /** A function. Refused: it has no hosts. */
  Lambda = "lambda",
}

/** The metric that counts the ready pods behind the load balancer, of Container Insights or kube-state-metrics for example. */
export interface ReadyPodsMetric {
  /** Namespace of the metric. */
  namespace: pulumi.Input<string>;
  /** Name of the metric: one data point a minute, of which the minimum is used. */
  metricName: pulumi.Input<string>;
  /** All its dimensions, 1 to 30. With one too many or too few CloudWatch finds nothing, and the alarm never fires. */
  dimensions: Record<string, pulumi.Input<string>>;
}

/** Arguments of {@link TargetHealthAlarms}. */
export interface TargetHealthAlarmsArgs {
  /** Where the alarms go: `AlarmTopics.routes`, or two topics of yours in the same region. */
  routes: AlarmRoutes;
  /**
   * Last part of the load balancer's ARN, its `arnSuffix`: `app/name/0123456789abcdef` or `net/...`. Anything else, the whole ARN
   * for example, is refused: CloudWatch would accept it and the alarm would watch a metric that doesn't exist.
   */
  loadBalancerArnSuffix: pulumi.Input<string>;
  /** Last part of the target group's ARN, its `arnSuffix`: `targetgroup/name/0123456789abcdef`. Either this or `targetGroupArnSuffixes`. */
  targetGroupArnSuffix?: pulumi.Input<string>;
  /**
   * Several target groups of one load balancer that serve together, each under a name of yours: `{ blue: ..., green: ... }`. Their hosts are added
   * up, so one of them may be empty, and rightly so; with alarms on each one, that would page. Either this or `targetGroupArnSuffix`.
   */
  targetGroupArnSuffixes?: Record<string, pulumi.Input<string>>;
  /** Kind of the load balancer. Defaults to `LoadBalancerType.Application`. */
  loadBalancerType?: LoadBalancerType;
  /** What the target groups register. Defaults to `TargetType.Ip`. */
  targetType?: TargetType;
  /**
   * Whether every node of the load balancer counts the targets of all zones. Defaults to true for an Application Load Balancer,
   * which is AWS's default. A Network Load Balancer must say it, because AWS's default there is off. With false each node counts its own zone
   * only, and the smallest unhealthy count stays 0 until every zone has rotted: the alarms then add up the `availabilityZones`.
   */
  crossZone?: boolean;
  /**
   * Names of the load balancer's zones, such as `eu-west-1a`, all of them. Only with `crossZone: false`, and mandatory there. An alarm takes 10
   * metrics (PutMetricAlarm), so zones times target groups are at most 10, and 5 for ALLBAD, and for DECAY24 unless `fixedReplicas` is given: these
   * measure two counts of each.
   */
  availabilityZones?: string[];
  /**
   * The least number of replicas that the workload declares: the `minReplicas` of its HPA. Plain, take it from the same variable. At least the
   * threshold of LOW (2). Below 3, an alarm LOW that pages waits for 5 of 5 minutes instead of 2 of 3: with two replicas every deploy and every
   * hiccup of a minute is "fewer than two", and pages that mean nothing train people to ignore the one that does. Without this and
   * `fixedReplicas` there is no FLOOR, DECAY24 asks for an unhealthy host too, and LOW waits as with two. Defaults to none.
   */
  minReplicas?: number;
  /**
   * The number of replicas of a workload that nothing scales, its `replicas`, in place of `minReplicas`. DECAY24 then needs the healthy hosts
   * only: fewer than that many, and fewer than the day before. Defaults to none.
   */
  fixedReplicas?: number;
  /** The metric that counts the ready pods. READY-GAP exists only with it. Defaults to none. */
  readyPods?: ReadyPodsMetric;
  /**
   * Who looks after the load balancer and its targets, in each description: `platform team, #platform-oncall`. A page that names nobody goes to
   * whoever owns what visitors complain about. ASCII. Defaults to none.
   */
  owner?: pulumi.Input<string>;
  /**
   * Address of the runbook; it becomes part of every description. `{alarm}` in it stands for the last part of the alarm's name, so that each links
   * its own page: `https://wiki.example.com/alarms/{alarm}`. Defaults to this library's pages, `docs/runbooks/{alarm}.md`.
   */
  runbookUrl?: pulumi.Input<string>;
  /** Address of the dashboard, in each description. Defaults to none. */
  dashboardUrl?: pulumi.Input<string>;
  /**
   * First part of the physical alarm names, which are `<namePrefix>-<name>-<alarm>`. Give the environment where two stacks share
   * an account and region: alarms of one name silently overwrite each other. ASCII. Defaults to none.
   */
  namePrefix?: string;
  /** What to change of single alarms. Defaults to nothing. */
  overrides?: TargetHealthAlarmOverrides;
  /**
   * Minutes that new alarms LOW, NODATA, ALLBAD, FLOOR and READY-GAP wait for their first verdict, 1 to 2880. 0 is for regions whose CloudWatch doesn't know
   * the warm-up (it came in 2025; nobody has tried it in GovCloud and China): LOW may then page once when a target group is made. Defaults to 30, in
   * which a first deploy's image pulls, health checks and registrations fit.
   */
  warmUpMinutes?: number;
  /**
   * Whether the warm-up lasts its full time. Without it CloudWatch starts as soon as its window is full, and the zeros of a target group whose first
   * pod is starting page somebody. Defaults to true.
   */
  strictWarmUp?: boolean;
  /**
   * Whether alarms that say the same page together, by composite alarms: `short-of-hosts` for LOW, FLOOR, DECAY24 and READY-GAP, `no-service` for
   * NODATA and ALLBAD. STALE still pages alone, and tickets stay single. A composite alarm that is on already pages nobody when one more of its alarms
   * comes: that is why the two are apart, and an outage is heard after weeks of decay. Nothing suppresses them. Defaults to false: each alarm pages.
   */
  combinePages?: boolean;
  /**
   * Times of planned work, each under a name of yours, in which LOW, FLOOR, DECAY24 and READY-GAP do nothing. NODATA, ALLBAD and STALE are never muted:
   * the first outage was two weeks of "nothing is wrong". Neither are LOW and FLOOR with a threshold of 1, which say what NODATA says. Defaults to none.
   */
  plannedWork?: Record<string, PlannedWorkArgs>;
  /** Added to every alarm. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
