/** What is wrong with the ARN of a target group, or undefined. */
export function targetGroupArnProblem(arn: string): string | undefined {
  return /^arn:[^:]+:elasticloadbalancing:[^:]+:\d{12}:targetgroup\/[^/]+\/[^/]+$/.test(arn)
    ? undefined
    : `must be the ARN of a target group (arn:aws:elasticloadbalancing:<region>:<account>:targetgroup/<name>/<id>), not "${arn}"`;
}

/** What is wrong with the id of a VPC, or undefined. The controller's webhook refuses it, with lengths that AWS may change. */
export function vpcIdProblem(id: string): string | undefined {
  return /^vpc-[0-9a-f]+$/.test(id) ? undefined : `must be the id of a VPC (vpc-...), not "${id}"`;
}

/** What is wrong with the ids of subnets, whatever their number, or undefined. */
export function subnetIdsProblem(ids: string[]): string | undefined {
  const wrong = ids.filter((id) => !/^subnet-[0-9a-z-]+$/.test(id));
  return wrong.length === 0 ? undefined : `must be ids of subnets (subnet-...), not "${wrong.join('", "')}"`;
}

/** What is wrong with the ARN of a key of KMS, or undefined. */
export function keyArnProblem(arn: string): string | undefined {
  return /^arn:[^:]+:kms:[^:]+:\d{12}:key\/\S+$/.test(arn)
    ? undefined
    : `must be the ARN of a KMS key, such as arn:aws:kms:...:key/..., not "${arn}"`;
}

/** What is wrong with the id of a security group, or undefined. One that doesn't exist stops every rule of the controller (issue 3809). */
export function securityGroupIdProblem(id: string): string | undefined {
  return /^sg-[0-9a-z]+$/.test(id) ? undefined : `must be the id of a security group (sg-...), not "${id}"`;
}

/** What is wrong with the ARN of a role, or undefined. */
export function roleArnProblem(arn: string): string | undefined {
  return /^arn:[^:]+:iam::\d{12}:role\/.+$/.test(arn)
    ? undefined
    : `must be the ARN of a role (arn:aws:iam::<account>:role/<name>), not "${arn}"`;
}

/** What is wrong with the path of a health check, or undefined. Kubernetes would take an empty one for "/". */
export function pathProblem(path: string): string | undefined {
  return path.startsWith("/") ? undefined : `must begin with a slash, such as /healthz, not "${path}"`;
}

/** What is wrong with the ARN of a certificate, or undefined. */
export function certificateArnProblem(arn: string): string | undefined {
  return /^arn:[^:]+:(acm:[^:]+:\d{12}:certificate|iam::\d{12}:server-certificate)\/.+$/.test(arn)
    ? undefined
    : `must be the ARN of a certificate in ACM (arn:aws:acm:<region>:<account>:certificate/<id>) or IAM, not "${arn}"`;
}

/** What is wrong with the ARN of a managed policy, AWS's own or a customer's, or undefined. */
export function policyArnProblem(arn: string): string | undefined {
  return /^arn:[^:]+:iam::(aws|\d{12}):policy\/.+$/.test(arn)
    ? undefined
    : `must be the ARN of a managed policy (arn:aws:iam::<account or aws>:policy/<name>), not "${arn}"`;
}
