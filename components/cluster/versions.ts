/*
 * Which Kubernetes versions can be chosen, until when AWS supports them, and which add-on builds go with each. Versions are pinned:
 * an unpinned add-on changes a cluster on a day nobody chose.
 *
 * Newer builds: aws eks describe-addon-versions --kubernetes-version 1.36 --addon-name coredns \
 *   --query "addons[].addonVersions[].[addonVersion, compatibilities[0].defaultVersion]" --output table
 */

/** Add-on builds of one Kubernetes version. */
export interface PinnedAddons {
  readonly vpcCni: string;
  readonly kubeProxy: string;
  readonly coredns: string;
  readonly ebsCsiDriver: string;
  readonly metricsServer: string;
  readonly podIdentityAgent: string;
}

interface KnownVersion {
  /** Last day of standard support (aws eks describe-cluster-versions, endOfStandardSupportDate). */
  readonly standardSupportEnds: string;
  readonly addons: PinnedAddons;
}

/** Chosen when the caller names none: the longest standard support of the versions below. */
export const defaultVersion = "1.36";

/**
 * Builds that public clusters and modules pinned or reported as active in August and September 2026: for each add-on one that goes
 * with the version, not one inventory read from AWS. Check with `aws eks describe-addon-versions` before you rely on one.
 */
const known: Readonly<Record<string, KnownVersion>> = {
  "1.36": {
    standardSupportEnds: "2027-08-02",
    addons: {
      vpcCni: "v1.22.4-eksbuild.3",
      kubeProxy: "v1.36.0-eksbuild.25",
      coredns: "v1.14.3-eksbuild.23",
      ebsCsiDriver: "v1.66.0-eksbuild.1",
      metricsServer: "v0.9.0-eksbuild.11",
      podIdentityAgent: "v1.3.10-eksbuild.3",
    },
  },
  "1.35": {
    standardSupportEnds: "2027-03-27",
    addons: {
      vpcCni: "v1.22.4-eksbuild.3",
      kubeProxy: "v1.35.3-eksbuild.29",
      coredns: "v1.13.2-eksbuild.31",
      ebsCsiDriver: "v1.66.0-eksbuild.1",
      metricsServer: "v0.9.0-eksbuild.7",
      podIdentityAgent: "v1.3.10-eksbuild.3",
    },
  },
  "1.34": {
    standardSupportEnds: "2026-12-02",
    addons: {
      vpcCni: "v1.22.4-eksbuild.3",
      kubeProxy: "v1.34.6-eksbuild.21",
      coredns: "v1.12.4-eksbuild.29",
      ebsCsiDriver: "v1.65.0-eksbuild.1",
      metricsServer: "v0.9.0-eksbuild.7",
      podIdentityAgent: "v1.3.10-eksbuild.3",
    },
  },
};

/** Kubernetes versions that can be chosen, newest first. */
export const knownVersions: readonly string[] = Object.keys(known);

/** Days before the end of standard support from which previews warn: time for two upgrades in each of three environments. */
const warnDays = 90;

/** What is wrong with a version, or undefined. */
export function versionProblem(version: string): string | undefined {
  if (knownVersions.includes(version)) return undefined;
  const [newest, oldest] = [knownVersions[0]!, knownVersions[knownVersions.length - 1]!];
  const choices = `use one of ${knownVersions.join(", ")}`;
  if (!/^1\.\d+$/.test(version))
    return `must be a minor version such as "${defaultVersion}", not "${version}": ${choices}`;
  if (minorOf(version) < minorOf(oldest)) return `${version} is out of AWS's standard support: ${choices}`;
  return `${version} is newer than ${newest}, the newest that this release has add-on builds for: ${choices}`;
}

/** A warning when standard support ends soon or has ended, or undefined. It never fails a preview: a date isn't a change. */
export function supportWarning(version: string, today: Date): string | undefined {
  const ends = known[version]?.standardSupportEnds;
  if (ends === undefined) return undefined;
  const daysLeft = Math.ceil((Date.parse(ends) - today.getTime()) / 86_400_000);
  if (daysLeft > warnDays) return undefined;
  const upgrade = `upgrade to ${knownVersions.find((v) => minorOf(v) === minorOf(version) + 1) ?? "the next version"}`;
  return daysLeft < 0
    ? `AWS's standard support of Kubernetes ${version} ended on ${ends}; AWS upgrades the cluster on a day of its own: ${upgrade}`
    : `AWS's standard support of Kubernetes ${version} ends on ${ends}: ${upgrade} before AWS does it on a day of its own`;
}

/** Add-on builds of a version that {@link versionProblem} accepts. */
export function pinnedAddons(version: string): PinnedAddons {
  return known[version]!.addons;
}

function minorOf(version: string): number {
  return Number(version.split(".")[1]);
}
