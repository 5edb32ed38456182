import { ipv4RangeProblem, ipv6RangeProblem } from "../internal/ranges";
import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { tagsFor } from "../internal/tags";
import { checked } from "../internal/validate";
import type { ApplicationLoadBalancerArgs } from "./load-balancer-args";

/** Makes the security group of a load balancer: in from whom the arguments name, out to nobody. */
export function frontSecurityGroup(
  name: string,
  args: ApplicationLoadBalancerArgs,
  parent: pulumi.Resource,
): aws.ec2.SecurityGroup {
  const group = new aws.ec2.SecurityGroup(
    `${name}-sg`,
    // No inline rules: they would be deleted and made anew on each change. Without `egress` the provider removes AWS's allow-all.
    { vpcId: args.vpcId, description: "Application Load Balancer", tags: tagsFor(args.tags, `${name}-sg`) },
    { parent },
  );
  const sources = [
    ...Object.entries(args.ingressCidrs).map(([source, cidr]) => ({
      source,
      range: { cidrIpv4: checked(cidr, `ingressCidrs.${source}`, ipv4RangeProblem) },
    })),
    ...Object.entries(args.ingressIpv6Cidrs ?? {}).map(([source, cidr]) => ({
      source,
      range: { cidrIpv6: checked(cidr, `ingressIpv6Cidrs.${source}`, ipv6RangeProblem) },
    })),
  ];
  for (const { source, range } of sources)
    for (const port of [443, 80])
      new aws.vpc.SecurityGroupIngressRule(
        `${name}-${source}-${port}`,
        {
          securityGroupId: group.id,
          description: `${port === 443 ? "HTTPS" : "HTTP, redirected to HTTPS,"} from ${source}`,
          ipProtocol: "tcp",
          fromPort: port,
          toPort: port,
          ...range,
          tags: tagsFor(args.tags, `${name}-${source}-${port}`),
        },
        { parent },
      );
  return group;
}
