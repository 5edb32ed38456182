import type * as pulumi from "@pulumi/pulumi";
import { securityGroupIdProblem, subnetIdsProblem, vpcIdProblem } from "../internal/formats";
import { callersProblems } from "../internal/ranges";
import type { Problems } from "../internal/validate";
import type { PrivateClusterEndpointsArgs } from "./private-endpoints-args";

/** Services that nodes, add-ons and the components here call, and who calls them. */
export const defaultServices: Readonly<Record<string, string>> = {
  "arc-zonal-shift": "Karpenter, when it starts, where zonal shift is on",
  ec2: "nodes, vpc-cni, the EBS driver, Karpenter and the load balancer controller",
  "ecr.api": "nodes, for the login of image pulls",
  "ecr.dkr": "nodes, for images",
  eks: "Karpenter (DescribeCluster), and whoever runs aws eks update-kubeconfig",
  "eks-auth": "the Pod Identity agent",
  elasticloadbalancing: "the load balancer controller",
  logs: "the CloudWatch agent of ClusterMetrics, whose metrics travel in log events",
  monitoring: "whatever puts or reads metrics",
  sqs: "Karpenter, for interruptions",
  ssm: "Karpenter, for image aliases; Session Manager",
  ssmmessages: "Session Manager, which stands in for SSH keys",
  ec2messages: "Session Manager's older agents",
  sts: "every role of a service account (IRSA), and aws eks get-token",
};

/**
 * Services whose endpoints in China begin with `cn.com.amazonaws`; others begin with `com.amazonaws` there, too (what `aws ec2
 * describe-vpc-endpoint-services` answers in both regions, as AWS's CDK records it for `InterfaceVpcEndpointAwsService`).
 */
const chinese: ReadonlySet<string> = new Set(
  (
    "application-autoscaling athena autoscaling backup cloudformation ebs ec2 ecr.api ecr.dkr eks elasticache elasticfilesystem execute-api " +
    "fsx kinesis-streams lambda monitoring rds redshift redshift-data securityhub servicecatalog sqs states sts synthetics transfer xray"
  ).split(" "),
);

/** Name of the service that an endpoint is made for. */
export function endpointServiceName(service: string, region: string): string {
  if (/^(cn\.)?com\.amazonaws\./.test(service)) return service;
  const prefix = region.startsWith("cn-") && chinese.has(service) ? "cn.com.amazonaws" : "com.amazonaws";
  return `${prefix}.${region}.${service}`;
}

/** The arguments with defaults, each checked. */
export interface EndpointsPlan {
  readonly vpcId: pulumi.Input<string>;
  readonly subnetIds: pulumi.Input<string[]>;
  readonly routeTableIds: pulumi.Input<string[]> | undefined;
  readonly allowedCidrs: string[];
  readonly allowedSecurityGroupIds: Readonly<Record<string, pulumi.Input<string>>>;
  /** Services by the end of their child's name. */
  readonly services: ReadonlyMap<string, string>;
}

const endpoints = { what: "the endpoints", instead: "name the VPC's own block" };

/** Applies defaults and checks. */
export function planEndpoints(args: PrivateClusterEndpointsArgs, problems: Problems): EndpointsPlan {
  const allowedCidrs = args.allowedCidrs ?? [];
  callersProblems(problems, "allowedCidrs", allowedCidrs, endpoints);
  const groups = Object.entries(args.allowedSecurityGroupIds ?? {}).map(([who, id]): [string, pulumi.Input<string>] => {
    const where = `allowedSecurityGroupIds.${who}`;
    problems.unless(/^[A-Za-z0-9_-]+$/.test(who), where, "must have a key of letters, digits, - and _");
    return [who, problems.input(id, where, securityGroupIdProblem)];
  });
  problems.unless(
    allowedCidrs.length + groups.length > 0,
    "allowedCidrs",
    "names nobody, so nobody could reach the endpoints: give the VPC's CIDR block, or allowedSecurityGroupIds",
  );
  return {
    vpcId: problems.input(args.vpcId, "vpcId", vpcIdProblem),
    subnetIds: problems.input(args.subnetIds, "subnetIds", (ids) =>
      ids.length === 0 ? "must name at least one subnet" : subnetIdsProblem(ids),
    ),
    routeTableIds: problems.input<pulumi.Input<string>[]>(args.routeTableIds, "routeTableIds", routeTablesProblem),
    allowedCidrs,
    allowedSecurityGroupIds: Object.fromEntries(groups),
    services: planServices(args, problems),
  };
}

function planServices(args: PrivateClusterEndpointsArgs, problems: Problems): Map<string, string> {
  const services = new Map<string, string>();
  const lists = {
    services: args.services ?? Object.keys(defaultServices),
    furtherServices: args.furtherServices ?? [],
  };
  for (const [argument, list] of Object.entries(lists))
    list.forEach((service, index) => {
      const where = `${argument}[${index}]`;
      const name = service.replace(/^(cn\.)?com\.amazonaws\.[^.]+\./, "").replaceAll(".", "-");
      problems.unless(
        /^[a-z0-9]+([.-][a-z0-9]+)*$/.test(service) && name !== "s3",
        where,
        name === "s3"
          ? "gets a gateway, which costs nothing: give routeTableIds"
          : `must be a service such as ec2 or ecr.api, or an endpoint service's full name, not "${service}"`,
      );
      problems.unless(!services.has(name), where, `${service} is there twice: leave one out`);
      services.set(name, service);
    });
  return services;
}

function routeTablesProblem(ids: string[]): string | undefined {
  if (ids.length === 0) return "must name at least one route table, or be left out";
  const wrong = ids.filter((id) => !/^rtb-[0-9a-z]+$/.test(id));
  return wrong.length === 0 ? undefined : `must be ids of route tables (rtb-...), not "${wrong.join('", "')}"`;
}
