/** What is wrong with the ARN of a target group, or undefined. */
export function targetGroupArnProblem(arn: string): string | undefined {
  return /^arn:[^:]+:elasticloadbalancing:[^:]+:\d{12}:targetgroup\/[^/]+\/[^/]+$/.test(arn)
    ? undefined
    : `must be the ARN of a target group (arn:aws:elasticloadbalancing:<region>:<account>:targetgroup/<name>/<id>), not "${arn}"`;
}
