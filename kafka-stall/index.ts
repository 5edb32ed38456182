export { StallDetector, type BrokerState, type DetectorMetrics } from "./detector";
export type { Change, Finding, FindingKind, Severity } from "./findings";
export type { StallDetectorOptions } from "./options";
export { prometheusText } from "./prometheus";
