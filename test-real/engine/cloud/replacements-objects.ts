import type { Replacement } from "./replacement";

/**
 * Every kind, custom resources included, is replaced when its name or namespace changes.
 *
 * Source: pulumi/pulumi-kubernetes 9497796, provider/pkg/provider/diff.go, `forceNewProperties` (the same table in the Go module
 * v4.0.0-20260115033456-f47bc2d6f199), which includes everything below a path, and provider.go, `Diff`. It deletes first when the
 * object's name was set by hand, and the new object has the same name and namespace as the living one: a renamed or moved object
 * is created first. The name of an object that Pulumi named never stands in the way.
 *
 * Where the API server lets a field be set once, and the table doesn't have it, the provider plans an update. Its preview is a
 * dry run of the patch, so the refusal ("field is immutable", "Forbidden: updates to ...") already fails the preview, if the
 * cluster and the inputs are known by then. Only the option `replaceOnChanges` turns it into a replacement.
 */
const identity = ["metadata.name", "metadata.namespace"];

function object(...fields: string[]): Replacement {
  return { properties: [...identity, ...fields], nameProperty: "metadata.name" };
}

/** Kubernetes objects, the certificates' package, and providers. */
export const objectReplacements: Readonly<Record<string, Replacement>> = {
  "kubernetes:apps/v1:Deployment": object("spec.selector"),
  /**
   * The API server lets an update change `replicas`, `ordinals`, `template`, `updateStrategy`, `minReadySeconds` and
   * `persistentVolumeClaimRetentionPolicy`, and refuses every other field (kubernetes pkg/apis/apps/validation, `ValidateStatefulSetUpdate`).
   * Newer ones take another `revisionHistoryLimit` too; the provider replaces for it all the same.
   */
  "kubernetes:apps/v1:StatefulSet": object(
    "spec.podManagementPolicy",
    "spec.revisionHistoryLimit",
    "spec.selector",
    "spec.serviceName",
    "spec.volumeClaimTemplates",
  ),
  "kubernetes:autoscaling/v2:HorizontalPodAutoscaler": object(),
  /** Replaced for its contents unless the provider's `enableConfigMapMutable` is on, which it isn't by default. */
  "kubernetes:core/v1:ConfigMap": object("binaryData", "data"),
  "kubernetes:batch/v1:Job": object("spec.completions", "spec.parallelism", "spec.selector", "spec.template"),
  "kubernetes:core/v1:Namespace": object(),
  /** The same with `enableSecretMutable`, with which only `type` replaces. */
  "kubernetes:core/v1:Secret": object("data", "stringData", "type"),
  "kubernetes:core/v1:Service": object("spec.clusterIP"),
  "kubernetes:core/v1:ServiceAccount": object(),
  /** Custom resources: fields that a definition's rules make immutable are refused (x-kubernetes-validations), not replaced. */
  "kubernetes:elbv2.k8s.aws/v1beta1:TargetGroupBinding": object(),
  "kubernetes:karpenter.k8s.aws/v1:EC2NodeClass": object(),
  "kubernetes:karpenter.sh/v1:NodePool": object(),
  "kubernetes:networking.k8s.io/v1:NetworkPolicy": object(),
  /** Only policy/v1beta1 had its spec replaced. */
  "kubernetes:policy/v1:PodDisruptionBudget": object(),
  "kubernetes:rbac.authorization.k8s.io/v1:ClusterRole": object(),
  "kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding": object("roleRef"),
  "kubernetes:rbac.authorization.k8s.io/v1:Role": object(),
  "kubernetes:rbac.authorization.k8s.io/v1:RoleBinding": object("roleRef"),
  /** `value` is refused by the API server. */
  "kubernetes:scheduling.k8s.io/v1:PriorityClass": object(),
  /** `reclaimPolicy` and `volumeBindingMode` are refused by the API server. */
  "kubernetes:storage.k8s.io/v1:StorageClass": object("parameters", "provisioner"),
  /** provider/pkg/provider/helm_release.go: always created first. Everything else is a `helm upgrade`. */
  "kubernetes:helm.sh/v3:Release": {
    properties: ["name", "namespace"],
    nameProperty: "name",
    deleteBeforeReplace: false,
  },

  /** And when it leads to another cluster: kubernetes-provider.ts. */
  "pulumi:providers:kubernetes": { properties: ["renderYamlToDirectory"] },
  /** No setting of these two forces it (`ForcesProviderReplace`: none in pulumi-aws' or pulumi-tls' provider/resources.go). */
  "pulumi:providers:aws": { properties: [] },
  "pulumi:providers:tls": { properties: [] },

  /**
   * terraform-provider-tls internal/provider (Plugin Framework: created first; pulumi/pulumi-tls 005a207, provider/resources.go
   * overrides nothing): resource_private_key.go b49f704, resource_cert_request.go 0ea34fd, resource_locally_signed_cert.go 14621e2,
   * resource_self_signed_cert.go 0494451. `earlyRenewalHours` alone changes in place, but within those hours before its end a
   * certificate is replaced by the clock (common_cert.go 0472434, `readyForRenewal`). Assumed, as no update would apply them:
   * `maxPathLength` and the two versions of write-only keys, which are newer than those texts.
   */
  "tls:index/privateKey:PrivateKey": { properties: ["algorithm", "ecdsaCurve", "rsaBits"] },
  "tls:index/certRequest:CertRequest": {
    properties: ["dnsNames", "ipAddresses", "privateKeyPem", "privateKeyPemWoVersion", "subject", "uris"],
  },
  "tls:index/locallySignedCert:LocallySignedCert": {
    properties: [
      "allowedUses",
      "caCertPem",
      "caPrivateKeyPem",
      "caPrivateKeyPemWoVersion",
      "certRequestPem",
      "isCaCertificate",
      "maxPathLength",
      "setSubjectKeyId",
      "validityPeriodHours",
    ],
  },
  "tls:index/selfSignedCert:SelfSignedCert": {
    properties: [
      "allowedUses",
      "dnsNames",
      "ipAddresses",
      "isCaCertificate",
      "maxPathLength",
      "privateKeyPem",
      "privateKeyPemWoVersion",
      "setAuthorityKeyId",
      "setSubjectKeyId",
      "subject",
      "uris",
      "validityPeriodHours",
    ],
  },
};
