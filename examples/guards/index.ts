import { AlarmEndpointProtocol, AlarmTopics, GuardForm, RegistrationGuard, TamperDetection } from "../../index";

/*
 * Guards of an edge that is there already. In an organization run the first part as its own stack, in the management account or the one that
 * policies are delegated to, with GuardForm.ServiceControlPolicy and targetIds. Try it offline:
 *
 *     npm run -s moorings -- preview --project examples/guards
 */

const account = "123456789012";
const deployRoles = ["moorings-deployer"];

const guard = new RegistrationGuard("registration", {
  clusterNames: ["shop"],
  deployRoles,
  breakGlassRoles: ["breakglass-*"],
  // Without an organization: a boundary for people's roles, and a policy for users.
  forms: [GuardForm.PermissionsBoundary, GuardForm.IdentityPolicy],
});

const topics = new AlarmTopics("alerts", {
  pageEndpoints: { duty: { protocol: AlarmEndpointProtocol.Email, address: "duty@example.com" } },
});

const tampering = new TamperDetection("tampering", {
  clusterName: "shop",
  region: "eu-west-1",
  controllerRoleArn: `arn:aws:iam::${account}:role/moorings/shop/lbc-role-1a2b3c4`,
  targetGroupArns: [`arn:aws:elasticloadbalancing:eu-west-1:${account}:targetgroup/web/73e2d6bc24d8a067`],
  securityGroupIds: ["sg-0a1b2c3d4e5f60001", "sg-0a1b2c3d4e5f60002"], // of the pods, of the load balancer
  deployRoles,
  routes: topics.routes,
});

export const policies = guard.policyIds;
export const reports = tampering.ruleArns;
