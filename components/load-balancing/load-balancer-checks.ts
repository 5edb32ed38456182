import type { Problems } from "../internal/validate";
import type { ApplicationLoadBalancerArgs } from "./load-balancer-args";

/** What is wrong with an IPv4 range, or undefined. */
export function cidrProblem(cidr: string): string | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr)?.slice(1).map(Number);
  const [a = 256, b = 256, c = 256, d = 256, length = 33] = parts ?? [];
  if ([a, b, c, d].some((byte) => byte > 255) || length > 32)
    return `must be an IPv4 range such as 203.0.113.0/24, not "${cidr}"`;
  // AWS would store the network's first address instead, and every later preview would show a difference.
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const size = 2 ** (32 - length);
  return address % size === 0 ? undefined : `must begin at the first address of a /${length}, which "${cidr}" doesn't`;
}

/** Records what is wrong with the plain arguments. */
export function loadBalancerProblems(problems: Problems, name: string, args: ApplicationLoadBalancerArgs): void {
  problems.unless(
    /^[A-Za-z][A-Za-z0-9-]*$/.test(name) && !name.startsWith("internal-"),
    "name",
    'must consist of letters, digits and hyphens, begin with a letter and not with "internal-", which AWS reserves',
  );
  if (args.accessLogs?.bucket === undefined)
    problems.unless(
      name === name.toLowerCase(),
      "name",
      "must be in lower case, because the bucket of the access logs is named after it: write it so, or give accessLogs.bucket",
    );

  sources(problems, args);
  certificate(problems, args);
  logs(problems, args);
}

function sources(problems: Problems, args: ApplicationLoadBalancerArgs): void {
  const keys = Object.keys(args.ingressCidrs);
  problems.unless(
    keys.length > 0,
    "ingressCidrs",
    'names nobody who may connect: name the ranges, for example { vpc: "10.0.0.0/16" }',
  );
  const seen = new Map<string, string>();
  for (const [source, cidr] of Object.entries(args.ingressCidrs)) {
    problems.unless(
      /^[A-Za-z0-9-]+$/.test(source),
      `ingressCidrs.${source}`,
      "is a name and may contain letters, digits and hyphens only: resources are named after it",
    );
    if (typeof cidr !== "string") continue;
    const other = seen.get(cidr);
    problems.unless(
      other === undefined,
      `ingressCidrs.${source}`,
      `is the same range as ingressCidrs.${other}: AWS refuses a rule twice, name it once`,
    );
    seen.set(cidr, source);
  }
}

function certificate(problems: Problems, args: ApplicationLoadBalancerArgs): void {
  const given = args.certificateArn !== undefined;
  const made = args.domain !== undefined;
  problems.unless(
    given !== made,
    "certificateArn",
    given
      ? "can't be given together with domain: write one of the two"
      : "is missing: give the ARN of a certificate, or domain and zoneId to have one made",
  );
  problems.unless(
    made === (args.zoneId !== undefined),
    "zoneId",
    made ? "is missing: domain needs the zone that its records go to" : "has no effect without domain: leave it out",
  );
  if (!made)
    problems.unless(
      args.alternativeNames === undefined,
      "alternativeNames",
      "has no effect without domain: leave it out",
    );

  const names = [args.domain ?? "", ...(args.alternativeNames ?? [])];
  problems.unless(new Set(names).size === names.length, "alternativeNames", "repeats a name: write each once");
  for (const [index, host] of names.entries())
    if (made || index > 0)
      problems.unless(
        /^(\*\.)?([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/.test(host),
        index === 0 ? "domain" : `alternativeNames[${index - 1}]`,
        `must be a name in lower case such as shop.example.com, not "${host}"`,
      );
}

function logs(problems: Problems, args: ApplicationLoadBalancerArgs): void {
  const { bucket, prefix, retentionDays, forceDestroy } = args.accessLogs ?? {};
  if (bucket === undefined) {
    problems.unless(
      prefix === undefined,
      "accessLogs.prefix",
      "has no effect on the bucket made here, which holds nothing else: leave it out, or give accessLogs.bucket",
    );
    problems.unless(
      retentionDays === undefined || (Number.isInteger(retentionDays) && retentionDays >= 1),
      "accessLogs.retentionDays",
      `must be a whole number of days, at least 1, not ${retentionDays ?? ""}`,
    );
  } else {
    problems.unless(
      retentionDays === undefined,
      "accessLogs.retentionDays",
      "is for the bucket made here; yours has its own lifecycle: leave it out",
    );
    problems.unless(forceDestroy === undefined, "accessLogs.forceDestroy", "is for the bucket made here: leave it out");
  }
}
