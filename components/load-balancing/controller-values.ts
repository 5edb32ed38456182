import type * as pulumi from "@pulumi/pulumi";
import { systemToleration } from "../internal/system-nodes";
import { controllerName, ControllerPermissions } from "./controller-versions";

/** What the values depend on. */
export interface ControllerSettings {
  readonly clusterName: string;
  readonly region: pulumi.Input<string>;
  readonly vpcId: pulumi.Input<string>;
  readonly roleArn: pulumi.Input<string>;
  readonly replicas: number;
  readonly permissions: ControllerPermissions;
  readonly nodeSelector: pulumi.Input<Record<string, pulumi.Input<string>>>;
  readonly backendSecurityGroupId: pulumi.Input<string> | undefined;
}

/**
 * Values of the chart, but for the webhooks' certificate. Each differs from the chart's default for the reason beside it. Those that
 * callers may not change are in controller-reserved-values.ts.
 */
export function controllerValues(settings: ControllerSettings) {
  const bindingOnly = settings.permissions === ControllerPermissions.BindingOnly;
  return {
    clusterName: settings.clusterName,
    // Without these two the controller asks the instance metadata service, which a hop limit of 1 keeps from pods.
    region: settings.region,
    vpcId: settings.vpcId,
    serviceAccount: {
      create: true,
      name: controllerName,
      annotations: { "eks.amazonaws.com/role-arn": settings.roleArn },
    },

    // One replica works, the others serve webhooks and take over: more than one, apart, and never taken away together.
    replicaCount: settings.replicas,
    podDisruptionBudget: { maxUnavailable: 1 },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    topologySpreadConstraints: [
      spread("kubernetes.io/hostname", "DoNotSchedule"),
      spread("topology.kubernetes.io/zone", "ScheduleAnyway"),
    ],
    // On nodes that nothing consolidates: the lease isn't released on shutdown, so each eviction stops registration for a while.
    nodeSelector: settings.nodeSelector,
    tolerations: [systemToleration],
    podAnnotations: {
      "karpenter.sh/do-not-disrupt": "true",
      // Pods get their credentials when they start: another role must start them anew.
      "moorings.dev/role-arn": settings.roleArn,
    },
    // No limit on CPU: throttling would delay registration. Memory as the controller's scaling guide has it.
    resources: { requests: { cpu: "100m", memory: "200Mi" }, limits: { memory: "500Mi" } },

    // This webhook sees every Service of the cluster and fails closed: it blocks a first installation and any outage of the controller.
    enableServiceMutatorWebhook: false,
    podMutatorWebhookConfig: { failurePolicy: "Ignore" },

    defaultTargetType: "ip",
    // The default backs off to 17 minutes: too long for a pod to wait after a throttled call.
    targetgroupbindingMaxExponentialBackoffDelay: "60s",
    // How often readiness gates look at target health, and how soon a failed rule update is tried again. Default 15 s.
    targetgroupbindingRequeueDuration: "5s",
    // Bounds how long a lost update stays lost. Default 10 h.
    syncPeriod: "30m",
    // The race of issue 4889 lives in the recomputed port range. Without the range a rule is lost only when no binding has a pod on the group
    // (docs/security-group-race.md).
    disableRestrictedSecurityGroupRules: true,
    // A group of its own making can't be deleted while a rule of ours names it, and its Ingress then stays for ever.
    ...(settings.backendSecurityGroupId !== undefined && { backendSecurityGroup: settings.backendSecurityGroupId }),
    controllerConfig: {
      // Gateway definitions that are only partly installed have crashed the controller; nothing here uses them.
      featureGates: {
        ALBGatewayAPI: false,
        NLBGatewayAPI: false,
        GatewayListenerSet: false,
        EnableServiceController: !bindingOnly,
      },
    },
    // Without the permissions an Ingress of this class could only fail, and its webhook would refuse those of other controllers.
    createIngressClassResource: !bindingOnly,
    ingressClassParams: { create: !bindingOnly },
    webhookConfig: { disableIngressValidation: bindingOnly },
  };
}

function spread(topologyKey: string, whenUnsatisfiable: string) {
  return {
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable,
    labelSelector: { matchLabels: { "app.kubernetes.io/name": controllerName } },
    // Count each rollout for itself, or the old pods decide where the new ones end up.
    matchLabelKeys: ["pod-template-hash"],
  };
}
