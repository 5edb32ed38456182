import * as moorings from "../../../components";
import { routes, sample, tags, targetGroupArn, type Sample } from "./sample";

/** Samples of what keeps registrations and rules from being changed by hand. */
export const guardSamples: Record<string, Sample> = {
  RegistrationGuard: sample(
    moorings.RegistrationGuard,
    { deployRoles: ["moorings-deployer"], forms: [moorings.GuardForm.IdentityPolicy] },
    {
      clusterNames: ["shop"],
      breakGlassRoles: ["breakglass-*"],
      registeringClusterRoles: ["shop-cluster-*"],
      partition: moorings.AwsPartition.Aws,
      forms: Object.values(moorings.GuardForm),
      targetIds: ["ou-ab12-11111111"],
      tags,
    },
    { args: { deployRoles: [], forms: [] }, messages: ["deployRoles", "forms"] },
  ),
  TamperDetection: sample(
    moorings.TamperDetection,
    {
      clusterName: "shop",
      region: "us-east-1",
      targetGroupArns: [targetGroupArn],
      securityGroupIds: ["sg-cluster"],
      controllerRoleArn: "arn:aws:iam::123456789012:role/moorings/shop/lbc-role-1a2b3c4",
      deployRoles: ["moorings-deployer"],
      routes,
    },
    {
      region: "eu-west-1",
      trail: { retentionDays: 30, forceDestroy: true },
      namePrefix: "shop",
      runbookUrl: "https://runbooks.acme.io/{alarm}",
      tags,
    },
    { args: { deployRoles: [], securityGroupIds: [] }, messages: ["deployRoles", "securityGroupIds"] },
  ),
};
