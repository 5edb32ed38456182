/** Releases of the AWS Load Balancer Controller that can be installed. Chart and controller carry the same version. */
export enum ControllerChartVersion {
  /** August 2026. Its source was read and its binary run for this library. */
  V3_5_0 = "3.5.0",
  /** October 2026. Taken from its release notes; install it in a test cluster first. */
  V3_6_0 = "3.6.0",
  /** November 2026: needs one more permission. Taken from its release notes; install it in a test cluster first. */
  V3_7_0 = "3.7.0",
}

/** What the controller may do in AWS. */
export enum ControllerPermissions {
  /**
   * Register and deregister targets of target groups that carry this cluster's registration tag. Six actions; the controller
   * creates, changes and deletes nothing. For load balancers that Pulumi owns.
   */
  BindingOnly = "binding-only",
  /** The controller's published policy: it also makes load balancers, groups and rules from Ingress and Service objects. */
  Full = "full",
}

/** What is needed to install one release. */
interface ControllerRelease {
  /** Actions of statement 2 of the full policy (reads on `*`) that this release needs beyond those of 3.5.0. */
  readonly extraReadActions: readonly string[];
}

/** Source: the release notes of each version. The policy file itself was the same from 2.13.0 to 3.5.0. */
export const controllerReleases: Readonly<Record<ControllerChartVersion, ControllerRelease>> = {
  [ControllerChartVersion.V3_5_0]: { extraReadActions: [] },
  [ControllerChartVersion.V3_6_0]: { extraReadActions: [] },
  [ControllerChartVersion.V3_7_0]: { extraReadActions: ["ec2:ValidateSecurityGroupQuotasForInterface"] },
};

/** Version that is installed when none is named. */
export const defaultChartVersion = ControllerChartVersion.V3_5_0;

/** Namespace that the controller runs in. Its trust policy and its webhook certificate name it. */
export const controllerNamespace = "kube-system";

/** Service account, release and `app.kubernetes.io/name` of the controller: what its documentation and runbooks call it. */
export const controllerName = "aws-load-balancer-controller";

/** Where the chart is published. */
export const chart = { name: "aws-load-balancer-controller", repository: "https://aws.github.io/eks-charts" };

/**
 * Address of a release's custom resource definitions: the file that the chart itself ships. The Gateway API's are another file;
 * they aren't needed, because the controller's three Gateway features are switched off.
 */
export function crdManifestOf(version: ControllerChartVersion): string {
  return `https://raw.githubusercontent.com/kubernetes-sigs/aws-load-balancer-controller/v${version}/helm/aws-load-balancer-controller/crds/crds.yaml`;
}
