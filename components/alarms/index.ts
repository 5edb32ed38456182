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
