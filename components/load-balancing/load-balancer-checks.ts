import type * as pulumi from "@pulumi/pulumi";
import type { Problems } from "../internal/validate";
import { certificateArnProblem } from "../internal/formats";
import { LoadBalancerAddressType, LoadBalancerScheme, type ApplicationLoadBalancerArgs } from "./load-balancer-args";

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
  addresses(problems, args);
  certificate(problems, args);
  logs(problems, args);
}

function sources(problems: Problems, args: ApplicationLoadBalancerArgs): void {
  const { ingressCidrs, ingressIpv6Cidrs = {} } = args;
  problems.unless(
    Object.keys({ ...ingressCidrs, ...ingressIpv6Cidrs }).length > 0,
    "ingressCidrs",
    'names nobody who may connect: name the ranges, for example { vpc: "10.0.0.0/16" }',
  );
  named(problems, "ingressCidrs", ingressCidrs, "AWS refuses a rule twice");
  named(problems, "ingressIpv6Cidrs", ingressIpv6Cidrs, "AWS refuses a rule twice");
  for (const source of Object.keys(ingressIpv6Cidrs))
    problems.unless(
      !Object.hasOwn(ingressCidrs, source),
      `ingressIpv6Cidrs.${source}`,
      `is a name in ingressCidrs, too, and resources are named after it: write another, such as ${source}6`,
    );
}

/** Over IPv6 as well, or not: what the address type needs, and what has no effect without it. */
function addresses(problems: Problems, args: ApplicationLoadBalancerArgs): void {
  const { addressType = LoadBalancerAddressType.IPv4, ingressIpv6Cidrs = {} } = args;
  const wanted = addressType !== LoadBalancerAddressType.IPv4;
  const given = Object.keys(ingressIpv6Cidrs).length > 0;
  problems.unless(
    wanted || !given,
    "ingressIpv6Cidrs",
    "has no effect without IPv6 addresses: leave it out, or write LoadBalancerAddressType.DualStack as addressType",
  );
  problems.unless(
    !wanted || given,
    "ingressIpv6Cidrs",
    'names nobody, but the load balancer\'s name leads to IPv6 addresses, too, where clients would wait in vain: name the ranges, for example { everybody6: "::/0" }',
  );
  problems.unless(
    addressType !== LoadBalancerAddressType.DualStackWithoutPublicIPv4 ||
      args.scheme === LoadBalancerScheme.InternetFacing,
    "addressType",
    "has no public addresses to go without on an internal load balancer: write LoadBalancerAddressType.DualStack, or LoadBalancerScheme.InternetFacing as scheme",
  );
}

/** Records what is wrong with values under names of the caller's: the names become those of resources, and each value may be there once. */
function named(
  problems: Problems,
  argument: string,
  values: Record<string, pulumi.Input<string>>,
  whyOnce: string,
): void {
  const seen = new Map<string, string>();
  for (const [key, value] of Object.entries(values)) {
    problems.unless(
      /^[A-Za-z0-9-]+$/.test(key),
      `${argument}.${key}`,
      "is a name and may contain letters, digits and hyphens only: resources are named after it",
    );
    if (typeof value !== "string") continue;
    const other = seen.get(value);
    problems.unless(
      other === undefined,
      `${argument}.${key}`,
      `is the same as ${argument}.${other}: ${whyOnce}, name it once`,
    );
    seen.set(value, key);
  }
}

/** Checks the inputs, known now or later, and returns what to use in their place. */
export function checkedLoadBalancer(problems: Problems, args: ApplicationLoadBalancerArgs) {
  const { certificateArn: first, furtherCertificateArns: further = {} } = args;
  named(problems, "furtherCertificateArns", further, "removing one of them would take away both");
  const furtherCertificateArns = Object.fromEntries(
    Object.entries(further).map(([key, arn]) => {
      const where = `furtherCertificateArns.${key}`;
      problems.unless(
        typeof arn !== "string" || arn !== first,
        where,
        "is certificateArn, which the listener has already: leave it out",
      );
      return [key, problems.input(arn, where, certificateArnProblem)];
    }),
  );
  return {
    certificateArn: problems.input(first, "certificateArn", certificateArnProblem),
    furtherCertificateArns,
    logPrefix: problems.input(args.accessLogs?.prefix, "accessLogs.prefix", prefixProblem),
  };
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

/** What ELB refuses as a prefix (user guide, "Enable access logs", step 3), and what would put an empty folder into every key. */
function prefixProblem(prefix: string): string | undefined {
  return /^[^/](.*[^/])?$/.test(prefix) && !prefix.includes("AWSLogs")
    ? undefined
    : `must be the first part of a key, without a slash at either end and without "AWSLogs", which AWS adds, not "${prefix}"`;
}
