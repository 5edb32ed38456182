import type * as eks from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { isLate, oneOf, type Problems } from "../internal/validate";

/** What somebody may do in the cluster. EKS has an access policy of each name. */
export enum ClusterAccessLevel {
  /** Everything, including roles and nodes. */
  ClusterAdmin = "ClusterAdmin",
  /** Everything within namespaces. */
  Admin = "Admin",
  /** Change most objects, but no roles. */
  Edit = "Edit",
  /** Read most objects, but no secrets. */
  View = "View",
}

/** Somebody who may log in. */
export interface ClusterAccess {
  /**
   * ARN of an IAM role or user. Not of a session (`assumed-role/...`): EKS matches the role behind it. For a permission set of IAM
   * Identity Center, the role `AWSReservedSSO_...` with its path.
   */
  principalArn: pulumi.Input<string>;
  /** What they may do. */
  level: ClusterAccessLevel;
  /**
   * Namespaces that the level holds in; `*` at the end stands for any ending. Plain, because the check for an administrator needs it.
   * Defaults to the whole cluster.
   */
  namespaces?: string[];
}

/**
 * Checks who may log in. A cluster that nobody could administer is refused: its creator gets no access by itself, and what EKS's access
 * policy "Admin" allows ends at namespaces.
 */
export function planAccess(
  given: Record<string, ClusterAccess> | undefined,
  problems: Problems,
): Record<string, ClusterAccess> {
  const entries = Object.entries(given ?? {});
  problems.unless(
    entries.some(([, a]) => a.level === ClusterAccessLevel.ClusterAdmin && (a.namespaces ?? []).length === 0),
    "accessEntries",
    `${nobody(entries)}, so nobody could log in as administrator: the creator has no rights by that. Add the role that deploys, for ` +
      'example { deployer: { principalArn: "arn:aws:iam::...:role/...", level: ClusterAccessLevel.ClusterAdmin } }',
  );
  const seen = new Map<string, string>();
  const checked = entries.map(([who, access]): [string, ClusterAccess] => {
    const where = `accessEntries.${who}`;
    problems.unless(
      /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(who),
      where,
      "must have a key of letters, digits, - and _, because it becomes part of resources' names",
    );
    problems.add(`${where}.level`, oneOf(ClusterAccessLevel, access.level));
    problems.unless(
      access.namespaces?.length !== 0,
      `${where}.namespaces`,
      "is empty: name the namespaces, or leave it out if you mean the whole cluster",
    );
    for (const [index, namespace] of (access.namespaces ?? []).entries())
      problems.add(`${where}.namespaces[${index}]`, namespacePatternProblem(namespace));
    const { principalArn } = access;
    if (!isLate(principalArn)) {
      const other = seen.get(principalArn);
      problems.unless(
        other === undefined,
        `${where}.principalArn`,
        `is that of accessEntries.${other ?? ""} too; EKS takes one entry for each principal`,
      );
      seen.set(principalArn, who);
    }
    return [who, { ...access, principalArn: problems.input(principalArn, `${where}.principalArn`, principalProblem) }];
  });
  return Object.fromEntries(checked);
}

function nobody(entries: readonly [string, ClusterAccess][]): string {
  const narrow = entries.filter(([, a]) => a.level === ClusterAccessLevel.ClusterAdmin).map(([who]) => who);
  if (entries.length === 0) return "is empty";
  return narrow.length === 0
    ? "names no ClusterAdmin of the whole cluster"
    : `names no ClusterAdmin of the whole cluster (${narrow.join(", ")}: in namespaces only)`;
}

function principalProblem(arn: string): string | undefined {
  return /^arn:[^:]+:iam::\d{12}:(role|user)\/.+$/.test(arn)
    ? undefined
    : `must be the ARN of an IAM role or user (arn:aws:iam::<account>:role/<name>), not "${arn}"`;
}

/** EKS user guide, "Associate access policies with access entries": names of namespaces, also such as `dev-*`. */
function namespacePatternProblem(namespace: string): string | undefined {
  return /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?|[a-z0-9][a-z0-9-]{0,61}\*)$/.test(namespace)
    ? undefined
    : `must be a namespace, such as shop or shop-*, not "${namespace}"`;
}

/** The entries as `@pulumi/eks` takes them. */
export function accessEntryArgs(
  access: Readonly<Record<string, ClusterAccess>>,
  partition: pulumi.Output<string>,
): Record<string, eks.types.input.AccessEntryArgs> {
  return Object.fromEntries(
    Object.entries(access).map(([who, { principalArn, level, namespaces }]) => [
      who,
      {
        principalArn,
        accessPolicies: {
          [level]: {
            policyArn: pulumi.interpolate`arn:${partition}:eks::aws:cluster-access-policy/AmazonEKS${level}Policy`,
            accessScope: namespaces === undefined ? { type: "cluster" } : { type: "namespace", namespaces },
          },
        },
      },
    ]),
  );
}
