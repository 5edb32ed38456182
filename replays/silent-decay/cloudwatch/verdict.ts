export type State = "OK" | "ALARM" | "INSUFFICIENT_DATA";
export const treatments = ["missing", "ignore", "breaching", "notBreaching"] as const;
export type Treatment = (typeof treatments)[number];

/** A data point as an alarm sees it. */
export type Point = "within" | "breaching" | "missing";

export interface Rule {
  /** M: how many data points must breach. */
  readonly datapointsToAlarm: number;
  /** N: of how many. */
  readonly evaluationPeriods: number;
  readonly treatMissingData: Treatment;
}

/**
 * The state that the data points of the evaluation range lead to, oldest first; undefined keeps the state as it is.
 * After "How alarm state is evaluated when data is missing" and "Avoiding premature transitions to alarm state" of the
 * CloudWatch guide: its tables are the test.
 */
export function verdict(range: readonly Point[], rule: Rule): State | undefined {
  const { datapointsToAlarm, evaluationPeriods, treatMissingData } = rule;
  let present = 0;
  let breaching = 0;
  let ageOfOldest = 0;
  // The newest real points decide, however old. With enough of them the treatment of missing ones isn't asked.
  for (let age = 1; age <= range.length && present < evaluationPeriods; age++) {
    const point = range[range.length - age];
    if (point === "missing") continue;
    present++;
    ageOfOldest = age;
    if (point === "breaching") breaching++;
  }
  const filled = treatMissingData === "breaching" ? evaluationPeriods - present : 0;
  if (breaching + filled >= datapointsToAlarm) return "ALARM";
  if (present === evaluationPeriods || treatMissingData === "breaching" || treatMissingData === "notBreaching")
    return "OK";

  const unknown = treatMissingData === "missing" ? "INSUFFICIENT_DATA" : undefined;
  if (present === 0) return unknown;
  // Nothing but breaching points, and the oldest is M periods old: had there been a good one, it would have come by now.
  if (breaching === present && ageOfOldest >= datapointsToAlarm)
    return treatMissingData === "missing" ? "ALARM" : undefined;
  return "OK";
}
