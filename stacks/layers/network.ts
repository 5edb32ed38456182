import * as aws from "@pulumi/aws";
import * as awsx from "@pulumi/awsx";
import * as pulumi from "@pulumi/pulumi";
import { AlarmTopics } from "../../components";
import type { NetworkContract } from "../contracts";
import { layerOwners, ownerRoutes } from "../owners";
import type { Settings } from "../settings";
import { subnetMasks } from "../subnets";

type Vpc = Pick<NetworkContract, "vpcId" | "publicSubnetIds" | "privateSubnetIds" | "ready">;

/** The VPC, made or given, and the topics that alarms of all layers go to. */
export function networkLayer(settings: Settings): NetworkContract {
  const { network, alerts } = settings;
  const vpc: Vpc = network.existing === undefined ? madeVpc(settings) : { ...network.existing, ready: [] };
  const owners = layerOwners.flatMap((owner) => {
    const given = alerts.owners[owner];
    return given === undefined ? [] : [[owner, secretEndpoints(given)] as const];
  });
  const topics = new AlarmTopics("alerts", {
    ...secretEndpoints(alerts),
    owners: Object.fromEntries(owners),
    chat: alerts.chat,
  });
  return {
    ...vpc,
    alarmRoutes: topics.routes,
    ownerRoutes: ownerRoutes((owner) => topics.ownerRoutes[owner] ?? topics.routes),
  };
}

/** A VPC with its flow log. */
function madeVpc({ network, region }: Settings): Vpc {
  const masks = subnetMasks(network.cidrBlock!);
  const vpc = new awsx.ec2.Vpc("network", {
    cidrBlock: network.cidrBlock,
    availabilityZoneNames: [...network.availabilityZones],
    natGateways: {
      strategy:
        network.natGateways === "single" ? awsx.ec2.NatGatewayStrategy.Single : awsx.ec2.NatGatewayStrategy.OnePerAz,
    },
    subnetStrategy: awsx.ec2.SubnetAllocationStrategy.Auto,
    availabilityZoneCidrMask: masks.zone,
    enableDnsHostnames: true,
    // Pods take addresses from the private subnets, so these are large.
    subnetSpecs: [
      { type: awsx.ec2.SubnetType.Public, cidrMask: masks.publicSubnet, tags: { "kubernetes.io/role/elb": "1" } },
      {
        type: awsx.ec2.SubnetType.Private,
        cidrMask: masks.privateSubnet,
        tags: { "kubernetes.io/role/internal-elb": "1" },
      },
    ],
  });

  const vpcId = known(vpc.vpcId);
  // awsx makes gateway endpoints without route tables, which route nothing, and leaves the default group open to itself.
  const s3 = new aws.ec2.VpcEndpoint("network-s3", {
    vpcId,
    serviceName: `com.amazonaws.${region}.s3`,
    vpcEndpointType: "Gateway",
    routeTableIds: vpc.routeTables.apply((tables) => tables.map((table) => table.id)),
  });
  new aws.ec2.DefaultSecurityGroup("network-default-group", { vpcId });
  const flows = flowLog(vpcId);

  return {
    vpcId,
    publicSubnetIds: known(vpc.publicSubnetIds),
    // Nodes in a subnet without its route to a NAT gateway never join their cluster.
    privateSubnetIds: pulumi.all([known(vpc.privateSubnetIds), known(vpc.routes)]).apply(([ids]) => ids),
    // Ids alone would make only the subnets outlive the nodes, not the NAT gateway that these need until they are gone; nor the endpoint
    // that images come by, nor the log in which one looks up what was refused meanwhile.
    ready: [vpc, s3, flows],
  };
}

/** Who is paged and who gets tickets, as settings say it, with secret addresses. */
function secretEndpoints({
  pageEndpoints,
  ticketEndpoints,
}: Pick<Settings["alerts"], "pageEndpoints" | "ticketEndpoints">) {
  return { pageEndpoints: secretAddresses(pageEndpoints), ticketEndpoints: secretAddresses(ticketEndpoints) };
}

/** Addresses of paging services carry an integration key. */
function secretAddresses<E extends { address: string }>(
  endpoints: Readonly<Record<string, E>>,
): Record<string, E & { address: pulumi.Output<string> }> {
  return Object.fromEntries(
    Object.entries(endpoints).map(([name, e]) => [
      name,
      { ...e, address: pulumi.secret(e.address) } as E & { address: pulumi.Output<string> },
    ]),
  );
}

/** Which connections were refused is the first question after a security group mistake. */
function flowLog(vpcId: pulumi.Input<string>): pulumi.Resource {
  const group = new aws.cloudwatch.LogGroup("network-flow", { retentionInDays: 30 });
  const role = new aws.iam.Role("network-flow", {
    assumeRolePolicy: JSON.stringify({
      Version: "2012-10-17",
      Statement: [{ Effect: "Allow", Principal: { Service: "vpc-flow-logs.amazonaws.com" }, Action: "sts:AssumeRole" }],
    }),
  });
  const policy = new aws.iam.RolePolicy("network-flow", {
    role: role.id,
    policy: pulumi.jsonStringify({
      Version: "2012-10-17",
      Statement: [
        {
          Effect: "Allow",
          Action: ["logs:CreateLogStream", "logs:PutLogEvents", "logs:DescribeLogStreams"],
          Resource: pulumi.interpolate`${group.arn}:*`,
        },
      ],
    }),
  });
  return new aws.ec2.FlowLog(
    "network-flow",
    { vpcId, trafficType: "REJECT", logDestination: group.arn, iamRoleArn: role.arn, maxAggregationInterval: 60 },
    { dependsOn: [policy] },
  );
}

/** Outputs of a VPC in which something failed come as undefined, not as unknown, when an update goes on (`--continue-on-error`). */
function known<T>(output: pulumi.Output<T>): pulumi.Output<T> {
  return output.apply((value): T => {
    if (value === undefined) throw new Error("the VPC isn't complete, because something in it failed");
    return value;
  });
}
