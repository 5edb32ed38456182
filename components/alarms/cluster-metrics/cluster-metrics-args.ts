import type * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../../cluster";
import type { AlarmRoutes } from "../routes";
import type { MetricsPreset, MetricsTarget } from "./targets";

/** Where the agent may look for pods. */
export enum DiscoveryScope {
  /** In the namespaces of the targets, which must exist: a Role in each. */
  Namespaces = "namespaces",
  /** In all namespaces: a ClusterRole. For targets in namespaces that are made later, by another stack for example. */
  Cluster = "cluster",
}

/** A gauge whose silence means that nothing arrives any more. */
export interface HeartbeatArgs {
  /** Name of the target: a preset's or a key of `targets`. */
  target: string;
  /** A gauge of it that is always there, in a series with the dimensions `{}`. Defaults to `go_goroutines`, which every Go program has. */
  metric?: string;
}

/** Arguments of {@link ClusterMetrics}. */
export interface ClusterMetricsArgs {
  /** Cluster whose pods are scraped. Its name is part of the namespace of the metrics. */
  cluster: ClusterRef;
  /** Region of the cluster. Given, because pods can't ask the instance metadata service. */
  region: pulumi.Input<string>;
  /** Where the alarm goes: `AlarmTopics.routes`, or two topics of yours in the same region. */
  routes: AlarmRoutes;
  /** Targets that come with this library. Defaults to all: Karpenter and the load balancer controller. */
  presets?: MetricsPreset[];
  /** Further targets, by names that become the dimension `job`, such as `kafka`. Defaults to none. */
  targets?: Record<string, MetricsTarget>;
  /** Where the agent may look for pods. Defaults to `DiscoveryScope.Namespaces`. */
  discovery?: DiscoveryScope;
  /**
   * The gauge that the alarm on the pipeline itself listens to. Choose a target that runs before this component and never goes away. Defaults to
   * `go_goroutines` of Karpenter, or of the first target without that preset.
   */
  heartbeat?: HeartbeatArgs;
  /** Namespace of the agent; it may enforce the "restricted" Pod Security Standard. Plain, the role's trust names it. Defaults to `kube-system`. */
  namespace?: string;
  /**
   * Labels of the nodes that the agent runs on. Defaults to the system nodes that `EksCluster` makes (`moorings.dev/node-role: system`);
   * for a cluster made elsewhere name its own, and on Fargate write `{}`.
   */
  nodeSelector?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Image of the CloudWatch agent, for a mirror or another version. Defaults to
   * `public.ecr.aws/cloudwatch-agent/cloudwatch-agent:1.300070.0b1586`, which AWS's own chart installs since June 2026.
   */
  image?: pulumi.Input<string>;
  /** Memory of the agent in MiB, asked for and never exceeded. Defaults to 512, the limit of AWS's own chart. */
  memoryMiB?: number;
  /**
   * Days that the log events are kept that CloudWatch makes the metrics of: one of the values that CloudWatch Logs takes. The metrics stay for
   * 15 months whatever it is. Defaults to 7.
   */
  logRetentionInDays?: pulumi.Input<number>;
  /** ARN of a KMS key that encrypts the log group; its policy must let `logs.<region>.amazonaws.com` use it. Defaults to AWS's own key. */
  logKeyArn?: pulumi.Input<string>;
  /**
   * Address of the runbook; it becomes part of the alarm's description. `{alarm}` in it stands for the
   * last part of the alarm's name. ASCII. Defaults to this library's pages, `docs/runbooks/{alarm}.md`.
   */
  runbookUrl?: pulumi.Input<string>;
  /** First part of the alarm's physical name. Give the environment where two stacks share an account and region. ASCII. Defaults to none. */
  namePrefix?: string;
  /**
   * Whether the alarm waits the full 30 minutes before its first verdict. Without it, it pages before the agent's first scrape. Defaults to
   * true.
   */
  strictWarmUp?: boolean;
  /** Added to everything in AWS. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
