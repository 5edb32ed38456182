import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { corrected } from "../internal/arguments";
import { locationOf } from "../internal/iam";
import { tagsFor } from "../internal/tags";
import { Problems } from "../internal/validate";
import { endpointsArguments } from "./cluster-shapes";
import type { PrivateClusterEndpointsArgs } from "./private-endpoints-args";
import { endpointServiceName, planEndpoints } from "./private-endpoints-plan";

/** An endpoint's addresses come and go one zone after the other. */
const timeouts = { create: "20m", update: "20m", delete: "30m" };

/**
 * Ways from a VPC without internet to the services of AWS that a cluster calls: interface endpoints behind a security group of their own,
 * which lets in HTTPS and nothing else, and a gateway to S3. Nodes that can't reach these never join, so the endpoints must exist before
 * the cluster and outlive it; no id that passes between them says that, hence `dependsOn`:
 *
 *     const endpoints = new PrivateClusterEndpoints("shop", { vpcId, subnetIds, routeTableIds, allowedCidrs: ["10.20.0.0/16"] });
 *     const cluster = new EksCluster("shop", { ... }, { dependsOn: [endpoints] });
 *
 * IAM has no endpoint in a region: Karpenter then needs `isolatedVpc` and pools an instance profile. Public registries can't be reached:
 * docs/eks-cluster.md says what to copy into ECR.
 */
export class PrivateClusterEndpoints extends pulumi.ComponentResource {
  /** Security group of the endpoints. */
  public readonly securityGroupId: pulumi.Output<string>;

  constructor(name: string, args: PrivateClusterEndpointsArgs, opts?: pulumi.ComponentResourceOptions) {
    super("moorings:index:PrivateClusterEndpoints", name, args, opts);
    const problems = new Problems("PrivateClusterEndpoints", name);
    const given = corrected(problems, args, endpointsArguments);
    const plan = planEndpoints(given, problems);
    problems.throwIfAny();

    const { vpcId, subnetIds } = plan;
    const { region } = locationOf(this);
    const group = new aws.ec2.SecurityGroup(
      `${name}-group`,
      // No inline rules, as everywhere. Without `egress` the provider removes AWS's allow-all: endpoints only answer.
      { vpcId, description: "Endpoints of AWS services", tags: tagsFor(given.tags, `${name}-group`) },
      { parent: this },
    );
    const sources = [
      ...plan.allowedCidrs.map((cidr) => ({ from: cidr.replace("/", "-"), source: { cidrIpv4: cidr } })),
      ...Object.entries(plan.allowedSecurityGroupIds).map(([who, id]) => ({
        from: who,
        source: { referencedSecurityGroupId: id },
      })),
    ];
    const rules = sources.map(
      ({ from, source }) =>
        new aws.vpc.SecurityGroupIngressRule(
          `${name}-from-${from}`,
          {
            securityGroupId: group.id,
            description: `HTTPS from ${from}`,
            ipProtocol: "tcp",
            fromPort: 443,
            toPort: 443,
            ...source,
            tags: tagsFor(given.tags, `${name}-from-${from}`),
          },
          { parent: this },
        ),
    );
    for (const [suffix, service] of plan.services)
      new aws.ec2.VpcEndpoint(
        `${name}-${suffix}`,
        {
          vpcId,
          serviceName: region.apply((r) => endpointServiceName(service, r)),
          vpcEndpointType: "Interface",
          subnetIds,
          securityGroupIds: [group.id],
          // Else callers would have to be told another address than the service's own.
          privateDnsEnabled: true,
          tags: tagsFor(given.tags, `${name}-${suffix}`),
        },
        // With a rule less, the name already leads to an address that lets nobody in.
        { parent: this, dependsOn: rules, customTimeouts: timeouts },
      );
    if (plan.routeTableIds !== undefined)
      new aws.ec2.VpcEndpoint(
        `${name}-s3`,
        {
          vpcId,
          serviceName: region.apply((r) => `com.amazonaws.${r}.s3`),
          vpcEndpointType: "Gateway",
          routeTableIds: plan.routeTableIds,
          tags: tagsFor(given.tags, `${name}-s3`),
        },
        { parent: this },
      );

    this.securityGroupId = group.id;
    this.registerOutputs({ securityGroupId: this.securityGroupId });
  }
}
