import type * as pulumi from "@pulumi/pulumi";

/** How many pods run, by their load. */
export interface AutoscaleArgs {
  /** Fewest pods, at least 2: `LoadBalancedService.minReplicas`. */
  min: number;
  /** Most pods, at least `min`. */
  max: number;
  /** Average use of the requested CPU, in percent, above which pods are added: 1 to 100. Defaults to 60. */
  cpuPercent?: number;
}

/** How Kubernetes asks the container whether it is well. All by HTTP on `port`. */
export interface ProbesArgs {
  /** Path that answers 200 when the pod can serve. Usually the load balancer's `healthCheckPath`. */
  readinessPath: pulumi.Input<string>;
  /**
   * Path that answers 200 unless only a restart helps. It must not look at other systems, or their outage restarts every pod.
   * Defaults to no liveness probe.
   */
  livenessPath?: pulumi.Input<string>;
  /** Seconds that a container may take to start before it is restarted, at least 5. Only with `livenessPath`. Defaults to 120. */
  startupSeconds?: number;
}

/** What a container asks for. */
export interface ContainerResourcesArgs {
  /** CPU to reserve, such as `250m`. Autoscaling measures use against it. There is no limit: it would only throttle. */
  cpu: pulumi.Input<string>;
  /** Memory to reserve, such as `256Mi`. */
  memory: pulumi.Input<string>;
  /** Memory above which the container is killed, at least `memory`. Defaults to `memory`. */
  memoryLimit?: pulumi.Input<string>;
}

/** How strictly pods are spread over zones. */
export enum ZoneSpread {
  /** A pod waits rather than upset the balance. Consolidation then can't gather the pods in one zone. */
  Required = "required",
  /** Balance is sought, but not waited for. */
  Preferred = "preferred",
}

/** Arguments of {@link DrainSafeDeployment}. */
export interface DrainSafeDeploymentArgs {
  /** Namespace of the objects. */
  namespace: pulumi.Input<string>;
  /** Image of the container; pin it by digest or version. */
  image: pulumi.Input<string>;
  /** Port that the container listens on, 1 to 65535. */
  port: number;
  /**
   * Labels of the pods, by which their Service selects them. They can't change without replacing the Deployment, and neither
   * can `namespace`: with `autoscale` the new one begins with as many pods as the old one began with (Pulumi keeps what it ignores), whatever
   * the autoscaler had made of it. Under load put a second component beside it, and then remove the first.
   */
  podLabels: Record<string, pulumi.Input<string>>;
  /**
   * Number of pods, at least 2. Either this or `autoscale`. To go back to it from there: first `min` and `max` of this number, update, and wait
   * until so many run; then this. The first update afterwards that changes the number conflicts with the autoscaler, which set it last: run that
   * one with `PULUMI_K8S_ENABLE_PATCH_FORCE=true`.
   */
  replicas?: number;
  /**
   * Number of pods by load. Either this or `replicas`. The Deployment begins with `min` pods; from then on the number is the autoscaler's, and
   * no update touches it. Moving here from `replicas` keeps the pods that run until the autoscaler decides. (Left out of the Deployment instead,
   * the number would fall to Kubernetes' default of 1 with the move: Kubernetes documentation, "Horizontal Pod Autoscaling", migrating.)
   */
  autoscale?: AutoscaleArgs;
  /** How Kubernetes asks whether the container is well. */
  probes: ProbesArgs;
  /** What the container asks for. */
  resources: ContainerResourcesArgs;
  /**
   * Conditions that a pod waits for before it counts as ready: `LoadBalancedService.readinessGate`. Given, they make the workload
   * wait for the binding. Defaults to none: then the controller adds them to pods of namespaces with the label
   * `elbv2.k8s.aws/pod-readiness-gate-inject: enabled`, if the binding is there before the pod.
   */
  readinessGates?: pulumi.Input<string>[];
  /**
   * Seconds that a leaving pod goes on serving before it is told to stop: the load balancer needs them to take notice. Defaults to
   * 20: reports of lost requests behind an Application Load Balancer end between 15 and 25. Behind a Network Load Balancer write 120 (issues
   * 2366 and 1834 of the controller).
   */
  preStopSeconds?: number;
  /** Seconds that the longest request takes; a leaving pod may finish it. Defaults to 30. */
  longestRequestSeconds?: number;
  /**
   * Seconds after which the load balancer cuts what a leaving pod still has in hand: `LoadBalancedService.deregistrationDelaySeconds`, or that of
   * your target group. Only checked: at least `longestRequestSeconds`, at most `terminationGracePeriodSeconds`. Defaults to no check.
   */
  deregistrationDelaySeconds?: number;
  /**
   * Seconds after which a leaving pod is killed. Defaults to `preStopSeconds` + `longestRequestSeconds` + 10, and may not be less.
   */
  terminationGracePeriodSeconds?: number;
  /** How strictly pods are spread over zones. Over nodes they always are by preference. Defaults to `ZoneSpread.Required`. */
  zoneSpread?: ZoneSpread;
  /** How many pods a rollout may add at once, in percent of the replicas, 1 to 100. It never takes one away first. Defaults to 25. */
  maxSurgePercent?: number;
  /** Environment of the container. For secrets use `envFromSecrets`. Defaults to none. */
  env?: Record<string, pulumi.Input<string>>;
  /** Names of Secrets of the namespace whose keys become environment variables. Defaults to none. */
  envFromSecrets?: pulumi.Input<string>[];
  /** Service account of the pods. Defaults to the namespace's, without its token in the pod. */
  serviceAccountName?: pulumi.Input<string>;
  /**
   * Absolute paths that the container writes to, such as `/tmp`; each becomes an empty directory. Everything else is read-only.
   * Defaults to none.
   */
  writablePaths?: string[];
  /** User id that the container runs as, 1 to 2147483647. Defaults to that of the image, which must not be root. */
  runAsUser?: pulumi.Input<number>;
  /** Arguments of the container. Defaults to those of the image. */
  containerArgs?: pulumi.Input<string>[];
}
