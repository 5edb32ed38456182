import { registrarRolePath, registrationTag } from "../../load-balancing";
import { guardPolicyPath } from "../registration/statements";
import { registrarPattern, roleArn } from "../role-patterns";

/*
 * Which calls are reported, as event patterns: decided by EventBridge, so no code of ours can fail at night. Shapes are those of CloudTrail
 * ("CloudTrail record contents", "userIdentity element"); test/fixtures/cloudtrail has one event of each.
 */

/** What the patterns compare with. All known. */
export interface TamperScope {
  readonly partition: string;
  readonly accountId: string;
  readonly clusterName: string;
  readonly deployRoles: readonly string[];
  readonly targetGroupArns: readonly string[];
  readonly securityGroupIds: readonly string[];
  readonly controllerRoleName: string;
  readonly topicArns: readonly string[];
  /** What the names of the rules begin with. */
  readonly ruleNames: string;
}

/** An event pattern of EventBridge. */
export type EventPattern = Readonly<Record<string, unknown>>;

/** Longest pattern, by default (EventBridge quotas, "Event pattern size"; up to 4096 on request). */
export const longestPattern = 2048;

const absent = [{ exists: false }];
const detailType = ["AWS API Call via CloudTrail"];
const registrations = ["RegisterTargets", "DeregisterTargets"];

/**
 * Everybody but sessions of these roles. Users, root and services have no issuer of a session: without `exists` they would match nothing.
 * Nothing compares the user agent, which anybody can write.
 */
function notBy({ partition, accountId }: TamperScope, patterns: readonly string[]): EventPattern {
  const arns = patterns.map((pattern) => roleArn(partition, accountId, pattern));
  const wildcard = arns.length === 1 ? arns[0] : arns;
  return { sessionContext: { sessionIssuer: { arn: [...absent, { "anything-but": { wildcard } }] } } };
}

/** Somebody else than the controller changed the targets of a watched group. */
export function handRegistration(scope: TamperScope): EventPattern {
  return {
    source: ["aws.elasticloadbalancing"],
    "detail-type": detailType,
    detail: {
      eventName: registrations,
      errorCode: absent,
      requestParameters: { targetGroupArn: scope.targetGroupArns },
      userIdentity: notBy(scope, [registrarPattern(scope.clusterName)]),
    },
  };
}

/** Somebody tried to, and was refused: by the guard, or because the call was wrong. Refused calls may come without their parameters. */
export function registrationRefused(scope: TamperScope): EventPattern {
  return {
    source: ["aws.elasticloadbalancing"],
    "detail-type": detailType,
    detail: {
      eventName: registrations,
      errorCode: [{ exists: true }],
      requestParameters: { targetGroupArn: [...scope.targetGroupArns, ...absent] },
      userIdentity: notBy(scope, [registrarPattern(scope.clusterName)]),
    },
  };
}

/**
 * A rule of a watched group was taken away or changed, by anybody but a deployment: also by the controller, which did it in the second outage, and
 * owns no rule by default. Its races fail with `InvalidPermission.NotFound` and change nothing: they aren't reported.
 */
export function rulesRevoked(scope: TamperScope): EventPattern {
  const ids = scope.securityGroupIds;
  return {
    source: ["aws.ec2"],
    "detail-type": detailType,
    detail: {
      eventName: [
        "RevokeSecurityGroupIngress",
        "RevokeSecurityGroupEgress",
        "ModifySecurityGroupRules",
        "DeleteSecurityGroup",
      ],
      errorCode: absent,
      userIdentity: notBy(scope, scope.deployRoles),
      $or: [
        { requestParameters: { groupId: ids } },
        { requestParameters: { ModifySecurityGroupRulesRequest: { GroupId: ids } } },
        // By a rule's id: the answer names the group.
        { responseElements: { revokedSecurityGroupRuleSet: { items: { groupId: ids } } } },
        // A call that names no group anywhere may be about ours.
        {
          requestParameters: {
            groupId: absent,
            groupName: absent,
            ModifySecurityGroupRulesRequest: { GroupId: absent },
          },
          responseElements: { revokedSecurityGroupRuleSet: { items: { groupId: absent } } },
        },
      ],
    },
  };
}

/** Changes of the controller's identity, and of the guard's policies. IAM reports them in one region of the partition. */
function identityChanges({ partition, accountId, clusterName, controllerRoleName }: TamperScope): EventPattern[] {
  const path = registrarRolePath(clusterName);
  return [
    { requestParameters: { roleName: [controllerRoleName] } }, // reads aren't sent to rules
    { eventName: ["CreateRole", "CreatePolicy"], requestParameters: { path: [{ prefix: path }] } },
    { requestParameters: { policyArn: [{ prefix: `arn:${partition}:iam::${accountId}:policy${path}` }] } },
    {
      // Attaching the guard to more people is no harm.
      eventName: [{ prefix: "Detach" }, { prefix: "DeletePolicy" }, "CreatePolicyVersion", "SetDefaultPolicyVersion"],
      requestParameters: { policyArn: [{ prefix: `arn:${partition}:iam::${accountId}:policy${guardPolicyPath}` }] },
    },
  ];
}

/** Somebody else than a deployment changed what guards: the tag, the controller's identity, the trail, these rules or their topics. */
export function guardChanged(scope: TamperScope): EventPattern {
  const tag = [{ "equals-ignore-case": registrationTag }];
  const ours = [{ prefix: scope.ruleNames }];
  return {
    source: ["aws.elasticloadbalancing", "aws.iam", "aws.cloudtrail", "aws.events", "aws.sns"],
    "detail-type": detailType,
    detail: {
      errorCode: absent,
      userIdentity: notBy(scope, scope.deployRoles),
      $or: [
        { eventName: ["AddTags"], requestParameters: { tags: { key: tag } } },
        { eventName: ["RemoveTags"], requestParameters: { tagKeys: tag } },
        ...identityChanges(scope),
        { eventName: ["DeleteTrail", "PutEventSelectors", "StopLogging", "UpdateTrail"] },
        { eventName: ["DeleteRule", "DisableRule", "PutRule"], requestParameters: { name: ours } },
        { eventName: ["PutTargets", "RemoveTargets"], requestParameters: { rule: ours } },
        { eventName: ["DeleteTopic", "SetTopicAttributes"], requestParameters: { topicArn: scope.topicArns } },
      ],
    },
  };
}

/** What the region of IAM's calls sends to the region of everything else. */
export function identityChanged(scope: TamperScope): EventPattern {
  return {
    source: ["aws.iam"],
    "detail-type": detailType,
    detail: { errorCode: absent, userIdentity: notBy(scope, scope.deployRoles), $or: identityChanges(scope) },
  };
}

/**
 * The regions that report the calls of services without regions (CloudTrail user guide, "Global service events"; IAM endpoints in the general
 * reference; botocore's endpoints.json, `aws-iso-global` and its like), by what the other regions of the partition begin with.
 */
const globalRegions: readonly (readonly [string, string])[] = [
  ["cn-", "cn-north-1"],
  ["us-gov-", "us-gov-west-1"],
  ["eusc-", "eusc-de-east-1"],
  ["us-iso-", "us-iso-east-1"],
  ["us-isob-", "us-isob-east-1"],
  ["eu-isoe-", "eu-isoe-west-1"],
  ["us-isof-", "us-isof-south-1"],
];

/** The region where IAM's calls arrive. */
export function globalRegion(region: string): string {
  return globalRegions.find(([prefix]) => region.startsWith(prefix))?.[1] ?? "us-east-1";
}
