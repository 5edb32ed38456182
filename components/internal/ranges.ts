import type { Problems } from "./validate";

/** What is wrong with an IPv4 range, or undefined. */
export function ipv4RangeProblem(cidr: string): string | undefined {
  const range = ipv4RangeOf(cidr);
  if (range === undefined) return `must be an IPv4 range such as 203.0.113.0/24, not "${cidr}"`;
  // AWS would store the network's first address instead, and every later preview would show a difference.
  const { address, length } = range;
  return address % sizeOf(range) === 0
    ? undefined
    : `must begin at the first address of a /${length}, which "${cidr}" doesn't`;
}

interface Ipv4Range {
  readonly address: number;
  /** Of the prefix, in bits. */
  readonly length: number;
}

/** An IPv4 range, or undefined if the text is none. */
function ipv4RangeOf(cidr: string): Ipv4Range | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr)?.slice(1).map(Number);
  const [a = 256, b = 256, c = 256, d = 256, length = 33] = parts ?? [];
  if ([a, b, c, d].some((byte) => byte > 255) || length > 32) return undefined;
  return { address: ((a * 256 + b) * 256 + c) * 256 + d, length };
}

/** Number of addresses. */
function sizeOf({ length }: Ipv4Range): number {
  return 2 ** (32 - length);
}

/** What is wrong with an IPv6 range, or undefined. */
export function ipv6RangeProblem(cidr: string): string | undefined {
  const [, address = "", digits = ""] = /^([0-9a-fA-F:]+)\/(\d{1,3})$/.exec(cidr) ?? [];
  const shortest = shortestForm(address);
  const length = Number(digits);
  if (shortest === undefined || length > 128) return `must be an IPv6 range such as 2001:db8::/48, not "${cidr}"`;
  // AWS stores its own spelling, and the first address: as above.
  if (shortest !== address) return `must be written as "${shortest}/${length}", not "${cidr}"`;
  return valueOf(shortest) % 2n ** BigInt(128 - length) === 0n
    ? undefined
    : `must begin at the first address of a /${length}, which "${cidr}" doesn't`;
}

/** An IPv6 address as RFC 5952 spells it, or undefined if it is none. */
function shortestForm(address: string): string | undefined {
  try {
    return new URL(`http://[${address}]/`).hostname.slice(1, -1);
  } catch {
    return undefined;
  }
}

function valueOf(address: string): bigint {
  const [left = [], right = []] = address.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array<string>(8 - left.length - right.length).fill("0");
  return BigInt(`0x${[...left, ...zeros, ...right].map((group) => group.padStart(4, "0")).join("")}`);
}

/** Ranges that nobody on the internet has: RFC 1918, 6598, 3927 and 1122. AWS refuses them where it asks for the internet's. */
const notOfTheInternet = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "127.0.0.0/8",
  "0.0.0.0/8",
];

/** Whether an IPv4 range is one of private networks only, or of no network. */
function isPrivate(cidr: string): boolean {
  const range = ipv4RangeOf(cidr);
  return (
    range !== undefined &&
    notOfTheInternet
      .flatMap((known) => ipv4RangeOf(known) ?? [])
      .some(
        (wider) => range.length >= wider.length && range.address - (range.address % sizeOf(wider)) === wider.address,
      )
  );
}

/** Nobody holds a wider network: IANA gives out IPv4 in pieces of /8. Two halves of everything are everything. */
const widest = 8;

/** What callers would reach. */
export interface Reached {
  /** What a range that is too wide would open. */
  readonly what: string;
  /** How to do without such a range. */
  readonly instead: string;
  /** Why ranges of private networks aren't taken. Defaults to taking them. */
  readonly notPrivate?: string;
}

/** Checks IPv4 ranges that name who may reach something. */
export function callersProblems(
  problems: Problems,
  argument: string,
  cidrs: readonly string[],
  reached: Reached,
): void {
  cidrs.forEach((cidr, index) => {
    const where = `${argument}[${index}]`;
    problems.add(where, callerProblem(cidr, reached));
    problems.unless(cidrs.indexOf(cidr) === index, where, `${cidr} is there twice: leave one out`);
  });
}

function callerProblem(cidr: string, { what, instead, notPrivate }: Reached): string | undefined {
  if (/^[0-9a-fA-F:.]*:[0-9a-fA-F:.]*\/\d+$/.test(cidr))
    return `${cidr} is IPv6, which ${what} doesn't speak: name IPv4 ranges`;
  const problem = ipv4RangeProblem(cidr);
  if (problem !== undefined) return problem;
  if (Number(cidr.split("/")[1]) < widest) return `${cidr} opens ${what} to everybody: ${instead}`;
  return notPrivate !== undefined && isPrivate(cidr) ? `${cidr} is of private networks, ${notPrivate}` : undefined;
}
