import { TamperDetection, type TamperDetectionArgs } from "../../components/guards";
import calls from "../fixtures/cloudtrail/calls.json";
import identities from "../fixtures/cloudtrail/identities.json";
import { run, type Registration, type RunOptions } from "./harness";
import { providerState } from "./provider-state";

export const routes = {
  pageTopicArn: "arn:aws:sns:eu-west-1:123456789012:page",
  ticketTopicArn: "arn:aws:sns:eu-west-1:123456789012:ticket",
};
export const args: TamperDetectionArgs = {
  clusterName: "shop",
  region: "eu-west-1",
  targetGroupArns: ["arn:aws:elasticloadbalancing:eu-west-1:123456789012:targetgroup/web/73e2d6bc24d8a067"],
  securityGroupIds: ["sg-00000000000000pod", "sg-0000000000000a1b0"],
  controllerRoleArn: "arn:aws:iam::123456789012:role/moorings/shop/lbc-role-1a2b3c4",
  deployRoles: ["moorings-deployer"],
  routes,
};
export const make = (given: Partial<TamperDetectionArgs> = {}, options: RunOptions = {}) =>
  run(
    () => {
      const { trailArn, ruleArns, alarmName } = new TamperDetection("tampering", { ...args, ...given });
      return { trailArn, ruleArns, alarmName };
    },
    { state: providerState, ...options },
  );
export const rulesOf = (resources: readonly Registration[]) =>
  resources.filter((r) => r.type === "aws:cloudwatch/eventRule:EventRule");

export type Call = keyof typeof calls;
export type Identity = keyof typeof identities;
export const callNames = Object.keys(calls) as Call[];
export const identityNames = Object.keys(identities) as Identity[];

/** The event of one call by one identity, as EventBridge delivers it. */
export function event(call: Call, who: Identity) {
  const { eventSource, awsRegion } = calls[call];
  return {
    version: "0",
    id: "36eb8523-97d0-4518-b33d-ee3579ff19f0",
    "detail-type": "AWS API Call via CloudTrail",
    source: `aws.${eventSource.split(".")[0]}`,
    account: "123456789012",
    time: "2026-11-30T23:42:00Z",
    region: awsRegion,
    resources: [],
    detail: {
      eventVersion: "1.11",
      userIdentity: identities[who],
      eventTime: "2026-11-30T23:42:00Z",
      sourceIPAddress: "203.0.113.7",
      userAgent: "elbv2.k8s.aws/v3.5.0",
      requestID: "38f5a1a5-2d9b-4d7f-8e2c-5a4b3c2d1e0f",
      eventID: "2f1b0c9a-7d6e-4f5a-8b3c-1d2e3f4a5b6c",
      readOnly: false,
      eventType: "AwsApiCall",
      managementEvent: true,
      recipientAccountId: "123456789012",
      eventCategory: "Management",
      ...calls[call],
    },
  };
}
