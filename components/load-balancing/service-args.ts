import type * as pulumi from "@pulumi/pulumi";
import type { AlarmRoutes, TargetHealthAlarmOverrides } from "../alarms";
import type { ClusterRef } from "../cluster";
import type { LoadBalancerRef, SafetyNetRef } from "./refs";

/** Arguments of {@link LoadBalancedService}. */
export interface LoadBalancedServiceArgs {
  /** Cluster that the pods run in; its controller registers them. */
  cluster: ClusterRef;
  /** Load balancer that the service is added to: `ApplicationLoadBalancer.ref`, or one made elsewhere. */
  loadBalancer: LoadBalancerRef;
  /** The open way from the load balancer to the pods: `SafetyNetRules.ref`. */
  safetyNet: SafetyNetRef;
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
   * needed, and at most five together.
   */
  paths?: pulumi.Input<string>[];
  /**
   * Place of the service's rule among those of the listener, 1 (first) to 50000. Give it where hosts and paths of two services
   * overlap. Defaults to the next free one, chosen by AWS when the rule is made and kept from then on.
   */
  priority?: number;
  /** Path that the load balancer asks for health, such as `/healthz`. It must answer 200 when the pod can serve. */
  healthCheckPath: pulumi.Input<string>;
  /** Seconds between two health checks of a target, 5 to 300. Defaults to 10. */
  healthCheckIntervalSeconds?: number;
  /**
   * Seconds that a leaving pod may finish its requests, 0 to 3600. At most the pod's grace period: longer waits for a pod that is
   * gone. Defaults to 30; AWS's own default of 300 keeps every rollout waiting.
   */
  deregistrationDelaySeconds?: number;
  /**
   * The least number of ready pods that the service works with; alarms take it as their floor. Declare it here once and hand
   * `minReplicas` of this component to `DrainSafeDeployment`. At least 2.
   */
  minReplicas: number;
  /** Where the alarms go: `AlarmTopics.routes`. */
  alarmRoutes: AlarmRoutes;
  /** What to change of single alarms. Defaults to nothing. */
  alarms?: TargetHealthAlarmOverrides;
  /** First part of the alarms' names. Give the environment where two stacks share an account and region. Defaults to none. */
  alarmNamePrefix?: string;
  /** Address of the runbook that the alarms name. Defaults to none. */
  runbookUrl?: pulumi.Input<string>;
  /**
   * Whether Pulumi refuses to delete or replace the target group: another VPC or another name of this component then fails in the
   * preview, instead of pointing the rule at a new, empty group. Alarms, rule and binding stay changeable. Defaults to false;
   * production should set it.
   */
  protectTargetGroup?: boolean;
  /** Added to every resource that takes tags. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
