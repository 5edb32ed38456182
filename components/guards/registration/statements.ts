import { registrarRolePath, registrationTag } from "../../load-balancing";
import { registrarPattern, roleArn } from "../role-patterns";

/*
 * What the guard denies, as plain data. `aws:PrincipalArn` is the ARN of the *role* for its sessions, with the path; every negated condition
 * also holds where the key is missing, so whoever AWS can't name is denied.
 */

/** One statement, with plain values: its length counts. */
export interface GuardStatement {
  readonly Sid: string;
  readonly Effect: "Allow" | "Deny";
  readonly Action: string | string[];
  readonly Resource: string | string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
}

/** Whom the guard knows, with everything given. */
export interface GuardScope {
  readonly partition: string;
  /** Undefined is every cluster. */
  readonly clusterNames: readonly string[] | undefined;
  readonly deployRoles: readonly string[];
  readonly breakGlassRoles: readonly string[];
  readonly registeringClusterRoles: readonly string[];
}

/**
 * Path of the guard's own policies. Like those of controllers they are below `/moorings/`, but policies have no clusters: the name can't
 * meet a cluster's role.
 */
export const guardPolicyPath = registrarRolePath("guards");

/** Any account: a service control policy is one text for all accounts below it. A principal of another account can't reach a target group. */
const anyAccount = "*";

/** What all forms deny. */
export function commonStatements(scope: GuardScope): GuardStatement[] {
  return [...registrationStatements(scope), tagStatement(scope), identityStatement(scope)];
}

/** Nobody but a cluster's controller changes the targets of its groups. */
function registrationStatements(scope: GuardScope): GuardStatement[] {
  const statement = (sid: string, cluster: string, tagged: GuardStatement["Condition"]): GuardStatement => ({
    Sid: sid,
    Effect: "Deny",
    Action: ["elasticloadbalancing:RegisterTargets", "elasticloadbalancing:DeregisterTargets"],
    Resource: "*",
    Condition: {
      ...tagged,
      ArnNotLike: {
        "aws:PrincipalArn": arns(scope, [
          registrarPattern(cluster),
          ...scope.registeringClusterRoles,
          ...scope.breakGlassRoles,
        ]),
      },
    },
  });
  const tag = `aws:ResourceTag/${registrationTag}`;
  return scope.clusterNames === undefined
    ? [statement("OnlyControllersRegister", "*", { Null: { [tag]: "false" } })]
    : scope.clusterNames.map((cluster, i) =>
        statement(`OnlyControllerRegisters${i}`, cluster, { StringEquals: { [tag]: cluster } }),
      );
}

/**
 * Without the tag a group isn't guarded, and with the tag of a cluster its controller may register to it: so nobody else adds, changes or
 * removes it, also not by making a group with it. Keys are compared without regard to case, because IAM's `aws:ResourceTag` is as well, and says
 * nothing certain of a resource that has both spellings (IAM user guide, "Controlling access to AWS resources using tags").
 */
function tagStatement(scope: GuardScope): GuardStatement {
  return {
    Sid: "OnlyDeploymentsTag",
    Effect: "Deny",
    Action: [
      "elasticloadbalancing:AddTags",
      "elasticloadbalancing:RemoveTags",
      "elasticloadbalancing:CreateTargetGroup",
    ],
    Resource: "*",
    Condition: {
      "ForAnyValue:StringEqualsIgnoreCase": { "aws:TagKeys": [registrationTag] },
      ArnNotLike: { "aws:PrincipalArn": arns(scope, [...scope.deployRoles, ...scope.breakGlassRoles]) },
    },
  };
}

/**
 * The exceptions are names of roles, so whoever may make a role of such a name, let himself assume it, or hand it to a machine, would be
 * exempt. The policies of controllers, and the guard's own, have paths of their own below `/moorings/`.
 */
function identityStatement(scope: GuardScope): GuardStatement {
  const { partition, clusterNames } = scope;
  const paths = (clusterNames ?? ["*"]).map(registrarPattern);
  const policies = clusterNames === undefined ? paths : [...paths, `${guardPolicyPath.slice(1)}*`];
  const { deployRoles, breakGlassRoles, registeringClusterRoles } = scope;
  return {
    Sid: "OnlyDeploymentsChangeRegistrars",
    Effect: "Deny",
    Action: [
      "iam:AttachRolePolicy",
      "iam:CreatePolicy",
      "iam:CreatePolicyVersion",
      "iam:CreateRole",
      "iam:DeletePolicy*", // and versions
      "iam:DeleteRole*", // policies and boundaries as well
      "iam:DetachRolePolicy",
      "iam:PassRole",
      "iam:PutRole*", // policies and boundaries
      "iam:SetDefaultPolicyVersion",
      "iam:TagRole",
      "iam:UntagRole",
      "iam:UpdateAssumeRolePolicy",
      "iam:UpdateRole*", // descriptions as well
    ],
    Resource: [
      ...arns(scope, [...paths, ...deployRoles, ...breakGlassRoles, ...registeringClusterRoles]),
      ...policies.map((path) => `arn:${partition}:iam::${anyAccount}:policy/${path}`),
    ],
    Condition: onlyFor(scope),
  };
}

/**
 * A boundary holds for those who have it: they would be rid of it by taking it off, and by a role without it that they make, or let
 * themselves assume (IAM user guide, "Permissions boundaries for IAM entities", delegating responsibility).
 */
export function boundaryStatements(scope: GuardScope): GuardStatement[] {
  const guards = guardPolicies(scope);
  return [
    {
      Sid: "KeepBoundary",
      Effect: "Deny",
      Action: ["iam:DeleteRolePermissionsBoundary", "iam:DeleteUserPermissionsBoundary"],
      Resource: "*",
      Condition: { ArnLike: { "iam:PermissionsBoundary": guards }, ...onlyFor(scope) },
    },
    {
      Sid: "HandBoundaryOn",
      Effect: "Deny",
      Action: [
        "iam:CreateRole",
        "iam:CreateUser",
        "iam:PutRolePermissionsBoundary",
        "iam:PutUserPermissionsBoundary",
        "iam:UpdateAssumeRolePolicy",
      ],
      Resource: "*",
      Condition: { ArnNotLike: { "iam:PermissionsBoundary": guards, ...onlyFor(scope).ArnNotLike } },
    },
  ];
}

/** A policy that is attached can be detached. */
export function attachedStatements(scope: GuardScope): GuardStatement[] {
  return [
    {
      Sid: "KeepGuardAttached",
      Effect: "Deny",
      Action: ["iam:DetachGroupPolicy", "iam:DetachRolePolicy", "iam:DetachUserPolicy"],
      Resource: "*",
      Condition: { ArnLike: { "iam:PolicyARN": guardPolicies(scope) }, ...onlyFor(scope) },
    },
  ];
}

function guardPolicies({ partition }: GuardScope): string {
  return `arn:${partition}:iam::${anyAccount}:policy${guardPolicyPath}*`;
}

function onlyFor(scope: GuardScope): { ArnNotLike: Record<string, string[]> } {
  return { ArnNotLike: { "aws:PrincipalArn": arns(scope, scope.deployRoles) } };
}

function arns({ partition }: GuardScope, patterns: readonly string[]): string[] {
  return [...new Set(patterns)].map((pattern) => roleArn(partition, anyAccount, pattern));
}
