export { AlarmSeverity, type AlarmRoutes } from "./routes";
export { TargetHealthAlarms } from "./target-health-alarms";
export {
  LoadBalancerType,
  type TargetHealthAlarmOverride,
  type TargetHealthAlarmOverrides,
  type TargetHealthAlarmsArgs,
} from "./target-health-args";
export { AlarmTopics } from "./alarm-topics";
export { AlarmEndpointProtocol, type AlarmEndpoint, type AlarmTopicsArgs } from "./topics-args";
export { metricNamespaceOf } from "./cluster-metrics/agent-config";
export { ClusterMetrics } from "./cluster-metrics/cluster-metrics";
export { DiscoveryScope, type ClusterMetricsArgs, type HeartbeatArgs } from "./cluster-metrics/cluster-metrics-args";
export { LoadBalancerControllerAlarms } from "./cluster-metrics/controller-alarms";
export type {
  ControllerAlarmOverride,
  ControllerAlarmOverrides,
  LoadBalancerControllerAlarmsArgs,
} from "./cluster-metrics/controller-alarms-args";
export { MetricKind, MetricsPreset, type MetricsSeries, type MetricsTarget } from "./cluster-metrics/targets";
