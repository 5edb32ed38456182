import * as pulumi from "@pulumi/pulumi";

/** Consoles of partitions whose addresses are public, by the beginning of their regions' names. */
const consoles: readonly [start: string, host: (region: string) => string][] = [
  ["cn-", (region) => `${region}.console.amazonaws.cn`],
  ["us-gov-", () => "console.amazonaws-us-gov.com"],
];

/** Regions whose consoles are nobody else's business, or have an address that isn't known here. */
const elsewhere = /^(us-iso|eu-isoe|eusc-)/;

/** The address of a dashboard in the console, or where to look for it. */
export function dashboardAddress(dashboardName: string, region: string): string {
  if (elsewhere.test(region)) return `${dashboardName} in CloudWatch, ${region}`;
  const host = consoles.find(([start]) => region.startsWith(start))?.[1](region) ?? `${region}.console.aws.amazon.com`;
  return `https://${host}/cloudwatch/home?region=${region}#dashboards/dashboard/${dashboardName}`;
}

/**
 * The console's address of a dashboard, for `dashboardUrl` of its alarms. They need it before the dashboard exists, which shows them: so it
 * comes from the name that you give both, and from no resource.
 *
 * @param dashboardName the dashboard's `dashboardName`.
 * @param region where the dashboard is, such as eu-west-1.
 */
export function targetHealthDashboardUrl(dashboardName: string, region: pulumi.Input<string>): pulumi.Output<string> {
  return pulumi.output(region).apply((known) => dashboardAddress(dashboardName, known));
}
