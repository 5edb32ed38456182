/** Releases of Karpenter that can be installed. Chart, definitions and controller carry the same version. */
export enum KarpenterChartVersion {
  /** August 2026. */
  V1_14_1 = "1.14.1",
  /** October 2026. */
  V1_15_2 = "1.15.2",
}

/** Version that is installed when none is named: the newest here. */
export const defaultChartVersion = KarpenterChartVersion.V1_15_2;

/** Namespace that the controller runs in: upstream's default, whose API calls Kubernetes serves with priority. */
export const controllerNamespace = "kube-system";

/** Service account, release and chart of the controller. */
export const controllerName = "karpenter";

/** Where the charts are published. */
export const publicRepository = "oci://public.ecr.aws/karpenter";

/** First Karpenter that supports each Kubernetes version (Karpenter's documentation, "Compatibility"). */
const firstSupporting: Readonly<Record<string, string>> = {
  "1.33": "1.5",
  "1.34": "1.6",
  "1.35": "1.9",
  "1.36": "1.13",
};

/** What is wrong with a chart version on a Kubernetes version, or undefined. */
export function compatibilityProblem(chartVersion: string, kubernetesVersion: string): string | undefined {
  // Asked by its own keys: every object answers to "constructor".
  const first = Object.hasOwn(firstSupporting, kubernetesVersion) ? firstSupporting[kubernetesVersion] : undefined;
  const known = Object.keys(firstSupporting).join(", ");
  if (first === undefined)
    return `"${kubernetesVersion}" isn't one of ${known}, which the releases of Karpenter offered here support: write the minor version of the cluster, and keep a newer cluster from this Karpenter`;
  return isBefore(chartVersion, first)
    ? `${kubernetesVersion} needs Karpenter ${first} or later, not ${chartVersion}: choose a newer chartVersion`
    : undefined;
}

function isBefore(version: string, other: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [otherMajor = 0, otherMinor = 0] = other.split(".").map(Number);
  return major !== otherMajor ? major < otherMajor : minor < otherMinor;
}
