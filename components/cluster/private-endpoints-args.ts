import type * as pulumi from "@pulumi/pulumi";

/** Arguments of {@link PrivateClusterEndpoints}. */
export interface PrivateClusterEndpointsArgs {
  /** VPC without a way to the internet. Its DNS support and DNS host names must be on, or nobody finds the endpoints. */
  vpcId: pulumi.Input<string>;
  /** Private subnets, one in each zone where nodes run: each endpoint gets an address in each of them. At least 1. */
  subnetIds: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Route tables of the private subnets, for the gateway to S3: layers of images in ECR come from there. Plain whether there are any.
   * Leave it out only where the VPC has such a gateway. Defaults to none: no gateway.
   */
  routeTableIds?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * IPv4 CIDR blocks that may reach the endpoints, usually the VPC's own: nodes and pods have addresses of it, and the cluster's security
   * group doesn't exist yet. Plain: each makes a rule. Blocks wider than /8 are refused. Defaults to none.
   */
  allowedCidrs?: string[];
  /** Security groups that may reach the endpoints, by a name of your choice (letters, digits, `-` and `_`). Defaults to none. */
  allowedSecurityGroupIds?: Record<string, pulumi.Input<string>>;
  /**
   * Services with an endpoint, as AWS abbreviates them, or by the full name of an endpoint service (`com.amazonaws.eu-west-1.ec2`). Plain:
   * each makes an endpoint. Leave out one that the VPC has: a VPC takes one private name of a service. Defaults to what the components of
   * Moorings call, see docs/eks-cluster.md: `arc-zonal-shift`, `ec2`, `ecr.api`, `ecr.dkr`, `eks`, `eks-auth`, `elasticloadbalancing`, `logs`, `monitoring`,
   * `sqs`, `ssm`, `ssmmessages`, `ec2messages` and `sts`.
   */
  services?: string[];
  /** Services besides `services`, for what else runs in the cluster: `["secretsmanager", "kms"]`. Defaults to none. */
  furtherServices?: string[];
  /** Added to everything that takes tags. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
