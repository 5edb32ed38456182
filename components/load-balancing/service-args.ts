import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes, PlannedWorkArgs, ReadyPodsMetric, TargetHealthAlarmOverrides } from "../alarms";
import type { ClusterRef } from "../cluster";
import type { AnyLoadBalancerRef, SafetyNetRef, TargetGroupRef } from "./refs";
import type { TargetGroupProtocol } from "./binding-args";

/** What the load balancer speaks with the pods. */
export enum TargetProtocolVersion {
  /** HTTP/1.1, whatever the client speaks. */
  Http1 = "HTTP1",
  /** HTTP/2 without TLS (h2c). Clients that speak HTTP/1.1 get an error. */
  Http2 = "HTTP2",
  /** gRPC. `paths` are packages, services and methods (`/shop.Cart/*`), `healthCheckPath` is a method. */
  Grpc = "GRPC",
}

/** How the load balancer chooses a pod. */
export enum LoadBalancingAlgorithm {
  /** One after the other. */
  RoundRobin = "round_robin",
  /** The one with the fewest requests in hand: where they differ much in cost. */
  LeastOutstandingRequests = "least_outstanding_requests",
  /** At random. */
  WeightedRandom = "weighted_random",
}

/** That a client stays with its pod, by a cookie. Rollouts and drains end it: keep what must last elsewhere. */
export interface StickinessArgs {
  /** Seconds that it lasts, 1 to 604800. */
  durationSeconds: number;
  /**
   * Name of a cookie that the application sets itself; the client stays with its pod when it sends it back. Not one that begins with AWSALB.
   * Defaults to none: the load balancer sets a cookie of its own on each first answer.
   */
  cookieName?: string;
}

/** Arguments of {@link LoadBalancedService}. */
export interface LoadBalancedServiceArgs {
  /** Cluster that the pods run in; its controller registers them. */
  cluster: ClusterRef;
  /**
   * Load balancer that the service is added to: `ApplicationLoadBalancer.ref`, or one made elsewhere. With `targetGroup`, the one that the
   * group belongs to.
   */
  loadBalancer: AnyLoadBalancerRef;
  /**
   * The open way from the load balancer to the pods: `SafetyNetRules.ref`. Where other rules open it, as behind a Network Load Balancer without
   * a security group, the ports that they open: `{ fromPort: 8080, toPort: 8080 }`.
   */
  safetyNet: SafetyNetRef;
  /**
   * A target group that exists already, of target type `ip`, to bind the pods to in place of one made here: of an Application or a Network
   * Load Balancer. Its settings stay where it is made, and so do the rules or listeners that send to it; with `hosts` or `paths` a rule is
   * added. It needs one by which requests arrive, or no pod gets ready behind `readinessGate`. What is registered in it by hand is taken out
   * at the first change of a pod. The controller needs permission for it: the tag `moorings-target-registration` with the cluster's name, or
   * `targetGroupArns` of `LoadBalancerController`. Defaults to a target group made here.
   */
  targetGroup?: TargetGroupRef;
  /**
   * Protocol of `targetGroup`: `TargetGroupProtocol.Tcp` for example, behind a Network Load Balancer. Only with `targetGroup`. Defaults to
   * that of the group, looked up by the controller.
   */
  targetGroupProtocol?: TargetGroupProtocol;
  /**
   * Whether others register in `targetGroup` as well, and the controller leaves alone what it didn't register. Don't change it later. Only
   * with `targetGroup`. Defaults to false.
   */
  multiCluster?: boolean;
  /** Namespace of the pods. */
  namespace: pulumi.Input<string>;
  /** Labels of the pods; a Service is made for them. Either this or `service`. */
  selector?: Record<string, pulumi.Input<string>>;
  /** Name of a Service that exists already. Either this or `selector`. */
  service?: pulumi.Input<string>;
  /** Port of that Service. Only with `service`. Defaults to `port`. */
  servicePort?: pulumi.Input<number>;
  /** Port that the containers listen on. The safety net must cover it. */
  port: number;
  /** Host names that the service answers to, such as `shop.example.com`; `*` and `?` are wildcards. Defaults to all. */
  hosts?: pulumi.Input<string>[];
  /**
   * Paths that the service answers to, such as `/api/*`; `*` and `?` are wildcards. Defaults to all. At least one host or path is
   * needed, but for a `targetGroup`, and at most five together.
   */
  paths?: pulumi.Input<string>[];
  /**
   * Place of the service's rule among those of the listener, 1 (first) to 50000. Give it where hosts and paths of two services
   * overlap. Defaults to the next free one, chosen by AWS when the rule is made and kept from then on.
   */
  priority?: number;
  /**
   * Path that the load balancer asks for health, such as `/healthz`. It must answer 200 when the pod can serve. With
   * `TargetProtocolVersion.Grpc` a method, `/grpc.health.v1.Health/Check` for example. Required, but for a `targetGroup`.
   */
  healthCheckPath?: pulumi.Input<string>;
  /**
   * Answers that count as healthy, as a list or a range: `200-299` or `200,204`. HTTP's from 200 to 499, gRPC's from 0 to 99. Defaults to `200`,
   * with gRPC to `0` (OK); AWS's own default there is 12, "unimplemented".
   */
  healthCheckMatcher?: pulumi.Input<string>;
  /** Seconds between two health checks of a target, 5 to 300. Defaults to 10. */
  healthCheckIntervalSeconds?: number;
  /** Seconds after which a health check has failed, 2 to 120, and fewer than the interval. Defaults to 4. */
  healthCheckTimeoutSeconds?: number;
  /** How many good health checks in a row make a target healthy, 2 to 10. A rollout waits for them pod by pod. Defaults to 2. */
  healthyThreshold?: number;
  /** How many bad health checks in a row make it unhealthy, 2 to 10. Defaults to 2. */
  unhealthyThreshold?: number;
  /**
   * Seconds that a leaving pod may finish its requests, 0 to 3600. At least the longest request, and at most the pod's grace period: longer waits
   * for a pod that is gone. Hand `deregistrationDelaySeconds` of this component to `DrainSafeDeployment`, which checks it against both.
   * Defaults to 30; AWS's own default of 300 keeps every rollout waiting.
   */
  deregistrationDelaySeconds?: number;
  /**
   * What the load balancer speaks with the pods. `Http2` and `Grpc` need a listener with TLS, which that of `ApplicationLoadBalancer` is. Another
   * one replaces the target group: see `protectTargetGroup`. Defaults to `TargetProtocolVersion.Http1`.
   */
  protocolVersion?: TargetProtocolVersion;
  /** How the load balancer chooses a pod. Changes in place. Defaults to `LoadBalancingAlgorithm.RoundRobin`, AWS's own default. */
  algorithm?: LoadBalancingAlgorithm;
  /**
   * Seconds over which a new pod's share of the requests grows to that of the others, 30 to 900. Only with `LoadBalancingAlgorithm.RoundRobin`.
   * Pods that come when none is past it get a full share at once. Defaults to 0: a full share from the start.
   */
  slowStartSeconds?: number;
  /** Whether clients stay with their pod. Not with `LoadBalancingAlgorithm.WeightedRandom`. Defaults to no. */
  stickiness?: StickinessArgs;
  /**
   * The least number of ready pods that the service works with; alarms take it as their floor. Declare it here once and hand
   * `minReplicas` of this component to `DrainSafeDeployment`. At least 2.
   */
  minReplicas: number;
  /** Where the alarms go: `AlarmTopics.routes`. Required, but for `alarmsElsewhere`. */
  alarmRoutes?: AlarmRoutes;
  /**
   * True makes no alarms, because the target group belongs to an edge whose alarms are made elsewhere: two services of which one is empty at times
   * (blue and green) share one `TargetHealthAlarms` with `targetGroupArnSuffixes`. Alarms of each one would page for the empty one. Defaults to false.
   */
  alarmsElsewhere?: boolean;
  /** What to change of single alarms. Defaults to nothing. */
  alarms?: TargetHealthAlarmOverrides;
  /** First part of the alarms' names. Give the environment where two stacks share an account and region. Defaults to none. */
  alarmNamePrefix?: string;
  /**
   * Whether requests go to the pods of all zones. False keeps them in the zone where they arrive, and then the alarms add up
   * `loadBalancer.availabilityZones`, which must be given. Of a target group that is made here; of a given one say it in `targetGroup.crossZone`.
   * Defaults to what the load balancer does.
   */
  crossZone?: boolean;
  /** The metric that counts the ready pods, for the alarm `readyNotRegistered`. Defaults to none. */
  readyPods?: ReadyPodsMetric;
  /** Who looks after the load balancer and its targets, in each alarm's description. ASCII. Defaults to none. */
  owner?: pulumi.Input<string>;
  /**
   * Address of the runbook that the alarms name; `{alarm}` in it stands for the last part of the alarm's name. Defaults to this library's pages.
   */
  runbookUrl?: pulumi.Input<string>;
  /** Address of the dashboard that the alarms name. Defaults to none. */
  dashboardUrl?: pulumi.Input<string>;
  /** Minutes that new alarms wait for their first verdict; 0 for regions whose CloudWatch doesn't know that. Defaults to 30. */
  alarmWarmUpMinutes?: number;
  /** Whether that warm-up lasts its full time. Defaults to true. */
  strictAlarmWarmUp?: boolean;
  /** Whether alarms that say the same page together, by composite alarms (`TargetHealthAlarms.combinePages`). Defaults to false. */
  combinePages?: boolean;
  /** Times of planned work, in which alarms on too few pods do nothing (`TargetHealthAlarms.plannedWork`). Defaults to none. */
  plannedWork?: Record<string, PlannedWorkArgs>;
  /**
   * Whether Pulumi refuses to delete or replace the target group: another VPC or another name of this component then fails in the
   * preview, instead of pointing the rule at a new, empty group. Alarms, rule and binding stay changeable. Defaults to false;
   * production should set it.
   */
  protectTargetGroup?: boolean;
  /** Added to every resource that takes tags. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
