/** What a managed policy's ARN looks like, AWS's own or a customer's. */
export function policyArnProblem(arn: string): string | undefined {
  return /^arn:[^:]+:iam::(aws|\d{12}):policy\/.+$/.test(arn)
    ? undefined
    : `must be the ARN of a managed policy (arn:aws:iam::<account or aws>:policy/<name>), not "${arn}"`;
}
