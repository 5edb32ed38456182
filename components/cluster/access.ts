import type * as eks from "@pulumi/eks";
import * as pulumi from "@pulumi/pulumi";
import { checked, type Problems } from "../internal/validate";

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
  /** Namespaces that the level holds in. Plain, because the check for an administrator needs it. Defaults to the whole cluster. */
  namespaces?: string[];
}

/** Refuses a cluster that nobody could administer: its creator gets no access by itself. */
export function checkAccess(access: Record<string, ClusterAccess>, problems: Problems): void {
  const entries = Object.entries(access);
  problems.unless(
    entries.some(([, a]) => a.level === ClusterAccessLevel.ClusterAdmin && (a.namespaces ?? []).length === 0),
    "accessEntries",
    "names no ClusterAdmin of the whole cluster, so nobody could administer it: add the role that deploys, for example " +
      '{ deployer: { principalArn: "arn:aws:iam::...:role/...", level: ClusterAccessLevel.ClusterAdmin } }',
  );
  const seen = new Map<string, string>();
  for (const [who, { principalArn }] of entries) {
    if (typeof principalArn !== "string") continue;
    const other = seen.get(principalArn);
    problems.unless(
      other === undefined,
      `accessEntries.${who}.principalArn`,
      `is that of accessEntries.${other} too; EKS takes one entry for each principal`,
    );
    seen.set(principalArn, who);
  }
}

/** The entries as `@pulumi/eks` takes them. */
export function accessEntryArgs(
  access: Record<string, ClusterAccess>,
  partition: pulumi.Output<string>,
): Record<string, eks.types.input.AccessEntryArgs> {
  return Object.fromEntries(
    Object.entries(access).map(([who, { principalArn, level, namespaces }]) => [
      who,
      {
        principalArn: checked(principalArn, `accessEntries.${who}.principalArn`, (arn) =>
          /^arn:[^:]+:iam::\d{12}:(role|user)\/.+$/.test(arn)
            ? undefined
            : `must be the ARN of an IAM role or user (arn:aws:iam::<account>:role/<name>), not "${arn}"`,
        ),
        accessPolicies: {
          [level]: {
            policyArn: pulumi.interpolate`arn:${partition}:eks::aws:cluster-access-policy/AmazonEKS${level}Policy`,
            accessScope:
              namespaces === undefined || namespaces.length === 0
                ? { type: "cluster" }
                : { type: "namespace", namespaces },
          },
        },
      },
    ]),
  );
}
