import { isIP } from "node:net";

/**
 * What stands for a network in comparisons: equal for every spelling of it. EC2 clears the host bits (`10.0.0.1/8` becomes `10.0.0.0/8`) and
 * shortens IPv6 (IpRange and Ipv6Range in its API reference). Anything else stands for itself.
 */
export function networkKey(cidr: string): string {
  const [, address = "", length = ""] = /^([^/]*)\/(\d{1,3})$/.exec(cidr.trim()) ?? [];
  const version = isIP(address);
  const bits = version === 4 ? 32 : 128;
  const prefix = Number(length);
  if (version === 0 || prefix > bits) return cidr;
  const value = version === 4 ? numberOf(address.split("."), 10, 8n) : numberOf(groupsOf(address), 16, 16n);
  return `ipv${version} ${(value >> BigInt(bits - prefix)).toString(16)}/${prefix}`;
}

function numberOf(parts: readonly string[], radix: number, bits: bigint): bigint {
  return parts.reduce((sum, part) => (sum << bits) | BigInt(parseInt(part, radix)), 0n);
}

/** All eight groups of an IPv6 address. A URL writes the last two of `::ffff:10.0.0.1` as groups, too. */
function groupsOf(address: string): string[] {
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const [left, right] = [head, tail ?? ""].map((half) => (half === "" ? [] : half.split(":")));
  return [...left!, ...Array<string>(8 - left!.length - right!.length).fill("0"), ...right!];
}
