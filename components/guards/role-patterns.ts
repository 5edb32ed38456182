import { registrarRolePath } from "../load-balancing";

/*
 * Roles as guards name them: by their path and name without the slash in front (`moorings-deployer`, `ci/deployer-*`). Accounts and
 * partitions are filled in, so that one text serves an organization's policy as well as an event pattern.
 */

/** What is wrong with the pattern of a role, or undefined. */
export function rolePatternProblem(pattern: string): string | undefined {
  if (/^arn:|^\/|^role\//.test(pattern))
    return `must be a role's path and name alone, such as "ci/deployer-*", not "${pattern}"`;
  // IAM's characters of names and paths (iam CreateRole), and `*` for any of them.
  if (!/^[\w+=,.@/*-]+$/.test(pattern)) return `has a character that no role's name has: "${pattern}"`;
  if (pattern.replace(/[*/]/g, "").length < 4)
    return `would let in almost every role: "${pattern}"; give at least four characters of the name`;
  return undefined;
}

/** The ARN that a role's pattern stands for. */
export function roleArn(partition: string, accountId: string, pattern: string): string {
  return `arn:${partition}:iam::${accountId}:role/${pattern}`;
}

/** The pattern of what may register targets of a cluster; `*` stands for every cluster. */
export function registrarPattern(clusterName: string): string {
  return `${registrarRolePath(clusterName).slice(1)}*`;
}
