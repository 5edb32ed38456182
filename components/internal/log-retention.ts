/** Retention times of CloudWatch Logs in days (PutRetentionPolicy); 0 is "never expires". */
const retentions = [
  0, 1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
];

/** What is wrong with a retention time, or undefined. CloudWatch refuses others, but only in the middle of an update. */
export function retentionProblem(days: number): string | undefined {
  return retentions.includes(days) ? undefined : `must be one of ${retentions.join(", ")}, not ${days}`;
}
