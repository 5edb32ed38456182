import type { Changes } from "./project";

const account = "987654321098";

/** Values in the place of the committed examples, which stop an update. The same for every environment, but for what must be its own. */
export function testValues(environment: string): Changes {
  const isProd = environment === "prod";
  return new Map<readonly (string | number)[], unknown>([
    [["aws:allowedAccountIds"], [account]],
    [["moorings:alerts", "pageEndpoints", "platform-team", "address"], pager],
    [["moorings:alerts", "ticketEndpoints", "platform-team", "address"], tickets],
    ...(isProd
      ? ([[["moorings:alerts", "owners", "loadBalancer", "pageEndpoints", "edge-team", "address"], edgePager]] as const)
      : []),
    ...(isProd ? [] : ([[["moorings:cluster", "apiAccessCidrs"], ["8.8.4.0/24"]]] as const)),
    [["moorings:cluster", "admins", "deployer"], `arn:aws:iam::${account}:role/moorings-deployer`],
    [["moorings:edge", "visitors", "office"], "8.8.8.0/24"],
    [
      ["moorings:edge", "certificateArn"],
      `arn:aws:acm:eu-west-1:${account}:certificate/5f1d9a3c-7b0e-4c53-9a55-0c8e2d4b6f10`,
    ],
    [["moorings:edge", "web", "hosts"], [`web.${environment}.moorings.test`]],
    [["moorings:kafka", "clusterId"], `Test-${environment.padEnd(17, "A")}`],
  ]);
}

/** Addresses are secret: they may carry an integration key. */
export const pager = "pager@moorings.test";
export const tickets = "tickets@moorings.test";
export const edgePager = "edge-pager@moorings.test";
