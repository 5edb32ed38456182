/** Prefix lengths of a VPC's parts. */
export interface SubnetMasks {
  readonly zone: number;
  readonly publicSubnet: number;
  readonly privateSubnet: number;
}

/** Most zones that a VPC has room for. */
export const mostZones = 4;

/** Longest prefix of a VPC: a public subnet of /27 is the smallest that a load balancer takes. */
export const smallestVpc = 19;

/**
 * Divides a VPC into four equal parts, one for each zone, however many zones there are. (Left to itself awsx divides it by the number of
 * zones, and a third zone would move the second one's subnets.) Half of a part is the private subnet, because pods take addresses from it;
 * the public one is a thirty-second of the part or less.
 */
export function subnetMasks(cidrBlock: string): SubnetMasks {
  const vpc = prefixOf(cidrBlock);
  return { zone: vpc + 2, privateSubnet: vpc + 3, publicSubnet: vpc + 8 };
}

/** What is wrong with the block of a VPC, or undefined. */
export function vpcBlockProblem(cidrBlock: string): string | undefined {
  const prefix = prefixOf(cidrBlock);
  return prefix >= 16 && prefix <= smallestVpc
    ? undefined
    : `must be a block of /16 to /${smallestVpc}, not /${prefix}: AWS takes none larger, and a smaller one has no room for pods`;
}

function prefixOf(cidrBlock: string): number {
  return Number(cidrBlock.split("/")[1]);
}
