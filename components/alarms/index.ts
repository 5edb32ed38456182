export { AlarmSeverity, type AlarmRoutes } from "./routes";
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
export { AlarmTopics } from "./alarm-topics";
export { AlarmEndpointProtocol, type AlarmEndpoint, type AlarmTopicsArgs } from "./topics-args";
