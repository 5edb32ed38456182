import type { provider } from "../../../../cli/engine/proto";
import { type Json, type JsonObject, unknown } from "../../../../cli/engine/values";
import { text } from "../plain";
import { type Child, reference, Registrar } from "./registrar";

interface SubnetSpec {
  readonly type: string;
  readonly tags?: JsonObject;
}

/** The children of `awsx.ec2.Vpc` (`@pulumi/awsx` 3.9.0) for public and private subnets, named by the position of their zone. */
export async function vpc(request: provider.ConstructRequest): Promise<provider.ConstructResponse> {
  const registrar = new Registrar(request);
  const { name, inputs } = registrar;
  await registrar.open();

  const made = await registrar.child("aws:ec2/vpc:Vpc", name, {
    cidrBlock: inputs["cidrBlock"] ?? null,
    enableDnsHostnames: true,
  });
  const below = { parent: made.urn, after: [made] };
  const vpcId = made.id;
  const gateway = await registrar.child("aws:ec2/internetGateway:InternetGateway", name, { vpcId }, below);

  const zones = inputs["availabilityZoneNames"] as string[];
  const specs = inputs["subnetSpecs"] as unknown as SubnetSpec[];
  const strategy = (inputs["natGateways"] as JsonObject)["strategy"];
  const subnets: Record<string, Child[]> = { Public: [], Private: [] };
  const tables: Child[] = [];
  const nats: Child[] = [];
  const routes: Child[] = [];
  for (const [index, availabilityZone] of zones.entries()) {
    for (const [nth, spec] of specs.entries()) {
      const child = `${name}-${spec.type.toLowerCase()}-${index + 1}`;
      const subnet = await registrar.child(
        "aws:ec2/subnet:Subnet",
        child,
        {
          vpcId,
          availabilityZone,
          cidrBlock: cidr(text(inputs["cidrBlock"]), index, nth),
          mapPublicIpOnLaunch: spec.type === "Public",
          ...(spec.tags !== undefined && { tags: spec.tags }),
        },
        below,
      );
      subnets[spec.type]?.push(subnet);
      const inSubnet = { parent: subnet.urn };
      const table = await registrar.child(
        "aws:ec2/routeTable:RouteTable",
        child,
        { vpcId },
        { ...inSubnet, after: [made] },
      );
      tables.push(table);
      const association = await registrar.child(
        "aws:ec2/routeTableAssociation:RouteTableAssociation",
        child,
        { subnetId: subnet.id, routeTableId: table.id },
        { parent: table.urn, after: [subnet, table] },
      );
      const route = { destinationCidrBlock: "0.0.0.0/0", routeTableId: table.id };
      if (spec.type === "Public") {
        routes.push(
          await registrar.child(
            "aws:ec2/route:Route",
            child,
            { ...route, gatewayId: gateway.id },
            { parent: table.urn, after: [table, gateway] },
          ),
        );
        if (strategy === "OnePerAz" || index === 0) {
          const address = await registrar.child("aws:ec2/eip:Eip", `${name}-${index + 1}`, {}, inSubnet);
          nats.push(
            await registrar.child(
              "aws:ec2/natGateway:NatGateway",
              `${name}-${index + 1}`,
              { allocationId: address.id, subnetId: subnet.id },
              { ...inSubnet, after: [address, subnet, association] },
            ),
          );
        }
      } else {
        const nat = nats[Math.min(index, nats.length - 1)];
        if (nat === undefined) throw new Error("awsx: private subnets before the public ones");
        routes.push(
          await registrar.child(
            "aws:ec2/route:Route",
            child,
            { ...route, natGatewayId: nat.id },
            { parent: table.urn, after: [table, nat] },
          ),
        );
      }
    }
  }

  // One id that isn't known makes the list unknown, as in an output of outputs.
  const ids = (of: readonly Child[]): Json => (of.some(({ id }) => id === unknown) ? unknown : of.map(({ id }) => id));
  const all = Object.values(subnets).flat();
  return registrar.close({
    vpc: { value: reference(made), from: [made] },
    vpcId: { value: vpcId, from: [made] },
    publicSubnetIds: { value: ids(subnets["Public"] ?? []), from: all },
    privateSubnetIds: { value: ids(subnets["Private"] ?? []), from: all },
    routeTables: { value: tables.map(reference), from: tables },
    natGateways: { value: nats.map(reference), from: nats },
    routes: { value: routes.map(reference), from: routes },
  });
}

/** Some block of its own for each subnet: how awsx divides a VPC is its own matter, tested there. */
function cidr(block: string, zone: number, nth: number): string {
  const [first, second] = block.split(".");
  return `${String(first)}.${String(second)}.${zone * 64 + nth * 32}.0/${nth === 0 ? 24 : 19}`;
}
