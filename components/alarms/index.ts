export { alarmNameOf, asciiProblem, descriptionOf, requireAlarmName, runbookOf } from "./alarm-parts";
export { AlarmSeverity, routesProblems, type AlarmRoutes } from "./routes";
export { TargetHealthAlarms } from "./target-health/target-health-alarms";
export { LoadBalancerType, TargetType, type ReadyPodsMetric, type TargetHealthAlarmsArgs } from "./target-health/args";
export {
  MissingData,
  type TargetHealthAlarmLevel,
  type TargetHealthAlarmOverride,
  type TargetHealthAlarmOverrides,
} from "./target-health/override-args";
export { targetHealthProblems } from "./target-health/problems";
export type { PlannedWorkArgs } from "./target-health/planned-work";
export { AlarmTopics } from "./topics/alarm-topics";
export {
  AlarmEndpointProtocol,
  ChatService,
  type AlarmEndpoint,
  type AlarmOwner,
  type AlarmTopicsArgs,
  type ChatChannel,
} from "./topics/topics-args";
export { TargetHealthDashboard } from "./dashboard/target-health-dashboard";
export type { DashboardEdge, TargetHealthDashboardArgs } from "./dashboard/dashboard-args";
export { targetHealthDashboardUrl } from "./dashboard/dashboard-url";
export { MetricExport } from "./metric-export/metric-export";
export { MetricDestination, MetricFormat, type MetricExportArgs } from "./metric-export/export-args";
export {
  checkedRunbook,
  commonSettings,
  makeAlarmSet,
  metricsClusterProblem,
  planAlarmSet,
} from "./cluster-metrics/alarm-set";
export { makeScrapedAlarm, quarterOfAnHour, type ScrapedAlarm } from "./cluster-metrics/scraped-alarm";
export { metricNamespaceOf } from "./cluster-metrics/agent-config";
export { ClusterMetrics } from "./cluster-metrics/cluster-metrics";
export { DiscoveryScope, type ClusterMetricsArgs, type HeartbeatArgs } from "./cluster-metrics/cluster-metrics-args";
export { KarpenterAlarms } from "./cluster-metrics/karpenter-alarms";
export type {
  KarpenterAlarmOverride,
  KarpenterAlarmOverrides,
  KarpenterAlarmsArgs,
} from "./cluster-metrics/karpenter-alarms-args";
export { LoadBalancerControllerAlarms } from "./cluster-metrics/controller-alarms";
export type {
  ControllerAlarmOverride,
  ControllerAlarmOverrides,
  LoadBalancerControllerAlarmsArgs,
} from "./cluster-metrics/controller-alarms-args";
export { MetricKind, MetricsPreset, type MetricsSeries, type MetricsTarget } from "./cluster-metrics/targets";
