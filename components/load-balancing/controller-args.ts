import type * as pulumi from "@pulumi/pulumi";
import type { ClusterRef } from "../cluster";
import type { ControllerChartVersion, ControllerPermissions } from "./controller-versions";
import type { CertManagerIssuerArgs, WebhookCertificate } from "./webhook-certificate";

/** Arguments of {@link LoadBalancerController}. */
export interface LoadBalancerControllerArgs {
  /** Cluster that the controller runs in. One controller per cluster: two would fight over the same targets and rules. */
  cluster: ClusterRef;
  /** Region of the cluster. Given, because pods can't ask the instance metadata service. */
  region: pulumi.Input<string>;
  /** What the controller may do in AWS. Defaults to `ControllerPermissions.BindingOnly`. */
  permissions?: ControllerPermissions;
  /**
   * ARNs of target groups that the controller may register to although they don't carry the tag `moorings-target-registration`:
   * groups made elsewhere that are being migrated. Only with `ControllerPermissions.BindingOnly`; the policy has room for about 40.
   * Defaults to none.
   */
  targetGroupArns?: pulumi.Input<string>[];
  /**
   * ARNs of roles in other accounts that the controller may assume, for bindings to target groups there (`assumeRoleArn` of
   * `TargetGroupBinding`). Each must trust the controller's role, `roleArn`. Defaults to none.
   */
  assumeRoleArns?: pulumi.Input<string>[];
  /**
   * Security group that load balancers of Ingresses and Services reach their pods from: `IngressSecurityGroups.backendSecurityGroupId`.
   * With one of yours the controller never makes, tags or deletes such a group. Only with `ControllerPermissions.Full`, where you should
   * always give it. Defaults to a group that the controller makes for the first Ingress, and deletes after the last.
   */
  backendSecurityGroupId?: pulumi.Input<string>;
  /** Version of the chart and the controller. Defaults to `ControllerChartVersion.V3_5_0`. */
  chartVersion?: ControllerChartVersion;
  /**
   * Path or address of a manifest with the controller's custom resource definitions, for a network without access to GitHub.
   * It must be that of `chartVersion`. The Kubernetes provider reads it; while the cluster doesn't exist yet it can't, so a first preview
   * doesn't show the definitions, and the update makes them all the same. Defaults to the file of that release in the controller's
   * repository.
   */
  crdManifest?: string;
  /**
   * Where the certificate of the webhooks comes from. A change on a live cluster takes the old one away before cert-manager has written the
   * new one into the webhooks: for that moment no binding can be made or changed. Defaults to `WebhookCertificate.Own`.
   */
  webhookCertificate?: WebhookCertificate;
  /** Who signs the certificate, with `WebhookCertificate.CertManager`. Defaults to an authority that the chart makes. */
  certManagerIssuer?: CertManagerIssuerArgs;
  /** Number of controller pods, at least 2, each on a node of its own. Defaults to 2. */
  replicas?: number;
  /**
   * Labels of the nodes that the pods run on. Choose nodes that nothing consolidates. Defaults to the system nodes that
   * `EksCluster` makes (`moorings.dev/node-role: system`); for a cluster made elsewhere name its own, and on Fargate write `{}`.
   */
  nodeSelector?: pulumi.Input<Record<string, pulumi.Input<string>>>;
  /**
   * Further values of the chart, nested as in its own values file, for example `{ logLevel: "debug", image: { repository: "..." } }`.
   * They win over this component's. Those that would break what it promises are refused with the reason; the chart ignores those that
   * it doesn't know. Defaults to none.
   */
  extraValues?: pulumi.Inputs;
  /** Added to the role and the policy. Defaults to none. */
  tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}
