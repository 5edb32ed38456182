import { AlarmSeverity } from "../routes";
import type { ControllerAlarmOverrides } from "./controller-alarms-args";
import { quarterOfAnHour, type ScrapedAlarm } from "./scraped-alarm";
import { heartbeatGauge, MetricsPreset } from "./targets";

/** The alarms on the load balancer controller, by the key that overrides, ARNs and names are given under. */
export type ControllerAlarmKey = keyof ControllerAlarmOverrides;

const ofController = { target: MetricsPreset.LoadBalancerController, ...quarterOfAnHour };

/** Errors that stay. The controller tries again at least once a minute, so what is broken shows in every five minutes. */
const errors = {
  ...ofController,
  statistic: "Sum",
  comparison: "GreaterThanOrEqualToThreshold",
  threshold: 1,
  // A counter with labels isn't there before its first error.
  missingData: "notBreaching",
  warmsUp: false,
} as const;

/** What first to type where the controller's own words say which binding it is. */
export const firstCommands: Readonly<Record<ControllerAlarmKey, string>> = {
  controllerSilent:
    "kubectl get pods --namespace kube-system --selector app.kubernetes.io/name=aws-load-balancer-controller",
  registrationDenied: logsWith("AccessDenied"),
  targetGroupMissing: logsWith("TargetGroupNotFound"),
  bindingErrors: logsWith("targetGroupBinding"),
};

function logsWith(words: string): string {
  return `kubectl logs --namespace kube-system --selector app.kubernetes.io/name=aws-load-balancer-controller --tail 1000 | grep ${words}`;
}

/**
 * What each alarm measures. Pages are for what takes registration away from every service: target groups then rot with each pod that moves. What
 * one binding has is a ticket; if it takes targets away, the alarms on its target group page.
 */
export const controllerAlarms: Readonly<Record<ControllerAlarmKey, ScrapedAlarm>> = {
  controllerSilent: {
    ...ofController,
    suffix: "controller-silent",
    severity: AlarmSeverity.Page,
    metric: heartbeatGauge,
    statistic: "SampleCount",
    comparison: "LessThanThreshold",
    threshold: 1,
    missingData: "breaching",
    warmsUp: true,
    happened:
      "The load balancer controller has said nothing for 15 minutes. While it is away no pod is registered and none is taken out: " +
      "visitors see errors as soon as pods move.",
  },
  registrationDenied: {
    ...errors,
    suffix: "registration-denied",
    severity: AlarmSeverity.Page,
    metric: "aws_api_call_permission_errors_total",
    dimensions: { operation: "RegisterTargets" },
    happened:
      "AWS refuses to let the load balancer controller register targets, for 15 minutes. New pods get no traffic: " +
      "visitors see errors as soon as the old ones are gone.",
  },
  targetGroupMissing: {
    ...errors,
    suffix: "target-group-missing",
    severity: AlarmSeverity.Ticket,
    metric: "aws_api_calls_total",
    dimensions: { error_code: "TargetGroupNotFound" },
    happened:
      "A binding names a target group that doesn't exist, for 15 minutes: its pods are registered nowhere. " +
      "Visitors of that service see errors, unless another binding serves it.",
  },
  bindingErrors: {
    ...errors,
    suffix: "binding-errors",
    severity: AlarmSeverity.Ticket,
    metric: "controller_runtime_reconcile_errors_total",
    dimensions: { controller: "targetGroupBinding" },
    happened:
      "The load balancer controller fails on a binding again and again, for 15 minutes. Targets of that service may be out of date: " +
      "visitors see errors if its pods move meanwhile.",
  },
};
